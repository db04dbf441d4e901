; ModuleID = '<split-module>'
source_filename = "try_noc.mojo"
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v24:32:32-v32:32:32-v48:64:64-v64:64:64-v96:128:128-v128:128:128-v192:256:256-v256:256:256-v512:512:512-v1024:1024:1024-n8:16:32"
target triple = "air64-apple-macosx"

declare float @air.fmin.f32(float, float)

declare float @air.fmax.f32(float, float)

declare float @air.simd_shuffle_xor.f32.i16(float, i16)

declare i32 @air.threadgroup_position_in_grid.x()

declare i32 @air.threads_per_threadgroup.x()

declare i32 @air.thread_index_in_simdgroup()

declare i32 @air.thread_position_in_threadgroup.x()

; Function Attrs: norecurse
define dso_local void @p26_butterfly_conditional_max6A6AcB6A_d8480841ed95560b(ptr noundef nonnull %0, ptr noundef nonnull %1) #0 !dbg !49 {
  %3 = load { ptr, { { {} }, { {} } } }, ptr %1, align 8, !dbg !78
  %4 = load { ptr, { { {} }, { {} } } }, ptr %0, align 8, !dbg !79
  %5 = extractvalue { ptr, { { {} }, { {} } } } %4, 0, !dbg !65
  %6 = extractvalue { ptr, { { {} }, { {} } } } %3, 0, !dbg !65
  %7 = call i32 @air.thread_index_in_simdgroup(), !dbg !80
  %8 = sext i32 %7 to i64, !dbg !80
  %9 = icmp slt i64 %8, 0, !dbg !81
  %10 = call i32 @air.threads_per_threadgroup.x(), !dbg !82
  %11 = sext i32 %10 to i64, !dbg !82
  %12 = call i32 @air.threadgroup_position_in_grid.x(), !dbg !83
  %13 = zext i32 %12 to i64, !dbg !83
  %14 = mul i64 %11, %13, !dbg !84
  %15 = call i32 @air.thread_position_in_threadgroup.x(), !dbg !85
  %16 = zext i32 %15 to i64, !dbg !85
  %17 = add i64 %14, %16, !dbg !86
  %18 = trunc i64 %17 to i32, !dbg !87
  %19 = sext i32 %18 to i64, !dbg !68
  %20 = getelementptr inbounds float, ptr %5, i64 %19, !dbg !88
  %21 = getelementptr inbounds float, ptr %6, i64 %19, !dbg !68
  %22 = icmp slt i64 %17, 64, !dbg !89
  br i1 %22, label %23, label %59, !dbg !90

23:                                               ; preds = %2
  %24 = load float, ptr %21, align 4, !dbg !68, !invariant.load !28
  br label %25, !dbg !91

25:                                               ; preds = %32, %23
  %26 = phi float [ %35, %32 ], [ %24, %23 ], !dbg !91
  %27 = phi float [ %37, %32 ], [ %24, %23 ], !dbg !91
  %28 = phi i64 [ %44, %32 ], [ 16, %23 ], !dbg !91
  %29 = icmp sgt i64 %28, 0, !dbg !92
  br i1 %29, label %30, label %31, !dbg !91

30:                                               ; preds = %25
  br label %32, !dbg !91

31:                                               ; preds = %25
  br label %45, !dbg !91

32:                                               ; preds = %30
  %33 = trunc i64 %28 to i16, !dbg !93
  %34 = call float @air.simd_shuffle_xor.f32.i16(float %26, i16 %33), !dbg !94
  %35 = call float @air.fmax.f32(float %26, float %34), !dbg !95
  %36 = call float @air.simd_shuffle_xor.f32.i16(float %27, i16 %33), !dbg !96
  %37 = call float @air.fmin.f32(float %27, float %36), !dbg !97
  %38 = sdiv i64 %28, 2, !dbg !98
  %39 = mul i64 %38, 2, !dbg !98
  %40 = icmp eq i64 %39, %28, !dbg !98
  %41 = xor i64 %28, 2, !dbg !98
  %42 = ashr i64 %41, 63, !dbg !98
  %43 = select i1 %40, i64 0, i64 %42, !dbg !98
  %44 = add i64 %38, %43, !dbg !98
  br label %25, !dbg !91

45:                                               ; preds = %31
  %46 = phi float [ %26, %31 ], !dbg !91
  %47 = phi float [ %27, %31 ], !dbg !91
  %48 = sdiv i64 %8, 2, !dbg !81
  %49 = mul i64 %48, 2, !dbg !81
  %50 = sub i64 %8, %49, !dbg !81
  %51 = icmp ne i64 %50, 0, !dbg !81
  %52 = and i1 %9, %51, !dbg !81
  %53 = select i1 %52, i64 2, i64 0, !dbg !81
  %54 = add i64 %50, %53, !dbg !81
  %55 = icmp eq i64 %54, 0, !dbg !99
  br i1 %55, label %56, label %57, !dbg !100

56:                                               ; preds = %45
  store float %46, ptr %20, align 4, !dbg !101
  br label %58, !dbg !100

57:                                               ; preds = %45
  store float %47, ptr %20, align 4, !dbg !88
  br label %58, !dbg !100

58:                                               ; preds = %57, %56
  br label %60, !dbg !90

59:                                               ; preds = %2
  br label %60, !dbg !90

60:                                               ; preds = %59, %58
  ret void, !dbg !65
}

attributes #0 = { norecurse "metal.kernel"="true" "target-cpu"="apple-m4" "target-features"="+metal3_2,+air2_7_0" }

!llvm.dbg.cu = !{!0, !1}
!llvm.module.flags = !{!20}

!0 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !18, producer: "Mojo", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly, nameTableKind: None)
!1 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !19, producer: "Mojo", isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly, nameTableKind: None)
!7 = distinct !DISubprogram(name: "_shuffle_apple_helper", scope: !38, file: !38, line: 418, scopeLine: 418, spFlags: DISPFlagDefinition, unit: !1)
!8 = distinct !DISubprogram(name: "shuffle_xor", scope: !38, file: !38, line: 798, scopeLine: 798, spFlags: DISPFlagDefinition, unit: !1)
!9 = distinct !DISubprogram(name: "shuffle_xor", scope: !38, file: !38, line: 839, scopeLine: 839, spFlags: DISPFlagDefinition, unit: !1)
!10 = distinct !DILexicalBlock(scope: !9, file: !38, line: 884, column: 9)
!11 = distinct !DILexicalBlock(scope: !7, file: !38, line: 477, column: 9)
!18 = !DIFile(filename: "try_noc.mojo", directory: "")
!19 = !DIFile(filename: "<unknown>", directory: "")
!20 = !{i32 2, !"Debug Info Version", i32 3}
!26 = !DIFile(filename: "Mojo/stdlib/std/utils/coord.mojo", directory: "")
!27 = !DIFile(filename: "max/kernels/src/layout/tile_layout.mojo", directory: "")
!28 = !{}
!29 = !DIFile(filename: "mojo/solutions/p26.mojo", directory: "")
!38 = !DIFile(filename: "max/mojo/max/gpu/primitives/warp.mojo", directory: "")
!49 = distinct !DISubprogram(name: "asm_stub", scope: !29, file: !29, line: 70, scopeLine: 70, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!50 = distinct !DISubprogram(name: "butterfly_conditional_max", scope: !29, file: !29, line: 70, scopeLine: 70, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!51 = distinct !DILexicalBlock(scope: !50, file: !29, line: 91, column: 9)
!52 = distinct !DISubprogram(name: "crd2idx", scope: !26, file: !26, line: 857, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1)
!53 = distinct !DILexicalBlock(scope: !52, file: !26, line: 891, column: 9)
!54 = distinct !DILexicalBlock(scope: !53, file: !26, line: 915, column: 13)
!55 = distinct !DILexicalBlock(scope: !54, file: !26, line: 918, column: 17)
!56 = distinct !DISubprogram(name: "__call__", scope: !27, file: !27, line: 406, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1)
!57 = distinct !DILexicalBlock(scope: !56, file: !27, line: 438, column: 13)
!58 = distinct !DILexicalBlock(scope: !51, file: !29, line: 103, column: 13)
!59 = distinct !DILexicalBlock(scope: !51, file: !29, line: 96, column: 13)
!60 = distinct !DILexicalBlock(scope: !51, file: !29, line: 101, column: 13)
!65 = !DILocation(line: 70, column: 5, scope: !49)
!68 = !DILocation(line: 91, column: 28, scope: !51, inlinedAt: !65)
!69 = !DILocation(line: 438, column: 53, scope: !57, inlinedAt: !68)
!72 = !DILocation(line: 96, column: 47, scope: !59, inlinedAt: !65)
!73 = !DILocation(line: 819, column: 23, scope: !8, inlinedAt: !72)
!74 = !DILocation(line: 884, column: 63, scope: !10, inlinedAt: !73)
!75 = !DILocation(line: 97, column: 49, scope: !59, inlinedAt: !65)
!76 = !DILocation(line: 819, column: 23, scope: !8, inlinedAt: !75)
!77 = !DILocation(line: 884, column: 63, scope: !10, inlinedAt: !76)
!78 = !DILocation(line: 74, column: 5, scope: !49)
!79 = !DILocation(line: 73, column: 5, scope: !49)
!80 = !DILocation(line: 100, column: 19, scope: !51, inlinedAt: !65)
!81 = !DILocation(line: 100, column: 22, scope: !51, inlinedAt: !65)
!82 = !DILocation(line: 88, column: 29, scope: !50, inlinedAt: !65)
!83 = !DILocation(line: 88, column: 43, scope: !50, inlinedAt: !65)
!84 = !DILocation(line: 88, column: 32, scope: !50, inlinedAt: !65)
!85 = !DILocation(line: 88, column: 58, scope: !50, inlinedAt: !65)
!86 = !DILocation(line: 88, column: 46, scope: !50, inlinedAt: !65)
!87 = !DILocation(line: 918, column: 66, scope: !55, inlinedAt: !69)
!88 = !DILocation(line: 103, column: 19, scope: !58, inlinedAt: !65)
!89 = !DILocation(line: 90, column: 17, scope: !50, inlinedAt: !65)
!90 = !DILocation(line: 90, column: 5, scope: !50, inlinedAt: !65)
!91 = !DILocation(line: 95, column: 9, scope: !51, inlinedAt: !65)
!92 = !DILocation(line: 95, column: 22, scope: !51, inlinedAt: !65)
!93 = !DILocation(line: 439, column: 21, scope: !7, inlinedAt: !74)
!94 = !DILocation(line: 480, column: 61, scope: !11, inlinedAt: !74)
!95 = !DILocation(line: 96, column: 26, scope: !59, inlinedAt: !65)
!96 = !DILocation(line: 480, column: 61, scope: !11, inlinedAt: !77)
!97 = !DILocation(line: 97, column: 27, scope: !59, inlinedAt: !65)
!98 = !DILocation(line: 98, column: 20, scope: !59, inlinedAt: !65)
!99 = !DILocation(line: 100, column: 26, scope: !51, inlinedAt: !65)
!100 = !DILocation(line: 100, column: 9, scope: !51, inlinedAt: !65)
!101 = !DILocation(line: 101, column: 19, scope: !60, inlinedAt: !65)
