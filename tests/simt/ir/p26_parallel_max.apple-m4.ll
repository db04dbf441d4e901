; ModuleID = '<split-module>'
source_filename = "try_noc.mojo"
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v24:32:32-v32:32:32-v48:64:64-v64:64:64-v96:128:128-v128:128:128-v192:256:256-v256:256:256-v512:512:512-v1024:1024:1024-n8:16:32"
target triple = "air64-apple-macosx"

declare float @air.fmax.f32(float, float)

declare float @air.simd_shuffle_xor.f32.i16(float, i16)

declare i32 @air.threadgroup_position_in_grid.x()

declare i32 @air.threads_per_threadgroup.x()

declare i32 @air.thread_position_in_threadgroup.x()

; Function Attrs: norecurse
define dso_local void @p26_butterfly_parallel_max_Te6A6AcB6A6A_0b5149a5483773c3(ptr noundef nonnull %0, ptr noundef nonnull %1) #0 !dbg !49 {
  %3 = load { ptr, { { {} }, { {} } } }, ptr %1, align 8, !dbg !63
  %4 = load { ptr, { { {} }, { {} } } }, ptr %0, align 8, !dbg !64
  %5 = extractvalue { ptr, { { {} }, { {} } } } %4, 0, !dbg !57
  %6 = extractvalue { ptr, { { {} }, { {} } } } %3, 0, !dbg !57
  %7 = call i32 @air.threads_per_threadgroup.x(), !dbg !65
  %8 = sext i32 %7 to i64, !dbg !65
  %9 = call i32 @air.threadgroup_position_in_grid.x(), !dbg !66
  %10 = zext i32 %9 to i64, !dbg !66
  %11 = mul i64 %8, %10, !dbg !67
  %12 = call i32 @air.thread_position_in_threadgroup.x(), !dbg !68
  %13 = zext i32 %12 to i64, !dbg !68
  %14 = add i64 %11, %13, !dbg !69
  %15 = trunc i64 %14 to i32, !dbg !70
  %16 = sext i32 %15 to i64, !dbg !58
  %17 = getelementptr inbounds float, ptr %5, i64 %16, !dbg !71
  %18 = getelementptr inbounds float, ptr %6, i64 %16, !dbg !58
  %19 = icmp slt i64 %14, 32, !dbg !72
  br i1 %19, label %20, label %41, !dbg !73

20:                                               ; preds = %2
  %21 = load float, ptr %18, align 4, !dbg !58, !invariant.load !28
  br label %22, !dbg !74

22:                                               ; preds = %28, %20
  %23 = phi float [ %31, %28 ], [ %21, %20 ], !dbg !74
  %24 = phi i64 [ %38, %28 ], [ 16, %20 ], !dbg !74
  %25 = icmp sgt i64 %24, 0, !dbg !75
  br i1 %25, label %26, label %27, !dbg !74

26:                                               ; preds = %22
  br label %28, !dbg !74

27:                                               ; preds = %22
  br label %39, !dbg !74

28:                                               ; preds = %26
  %29 = trunc i64 %24 to i16, !dbg !76
  %30 = call float @air.simd_shuffle_xor.f32.i16(float %23, i16 %29), !dbg !77
  %31 = call float @air.fmax.f32(float %23, float %30), !dbg !78
  %32 = sdiv i64 %24, 2, !dbg !79
  %33 = mul i64 %32, 2, !dbg !79
  %34 = icmp eq i64 %33, %24, !dbg !79
  %35 = xor i64 %24, 2, !dbg !79
  %36 = ashr i64 %35, 63, !dbg !79
  %37 = select i1 %34, i64 0, i64 %36, !dbg !79
  %38 = add i64 %32, %37, !dbg !79
  br label %22, !dbg !74

39:                                               ; preds = %27
  %40 = phi float [ %23, %27 ], !dbg !74
  store float %40, ptr %17, align 4, !dbg !71
  br label %42, !dbg !73

41:                                               ; preds = %2
  br label %42, !dbg !73

42:                                               ; preds = %41, %39
  ret void, !dbg !57
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
!12 = distinct !DISubprogram(name: "crd2idx", scope: !26, file: !26, line: 857, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1)
!13 = distinct !DILexicalBlock(scope: !12, file: !26, line: 891, column: 9)
!14 = distinct !DILexicalBlock(scope: !13, file: !26, line: 915, column: 13)
!15 = distinct !DILexicalBlock(scope: !14, file: !26, line: 918, column: 17)
!16 = distinct !DISubprogram(name: "__call__", scope: !27, file: !27, line: 406, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1)
!17 = distinct !DILexicalBlock(scope: !16, file: !27, line: 438, column: 13)
!18 = !DIFile(filename: "try_noc.mojo", directory: "")
!19 = !DIFile(filename: "<unknown>", directory: "")
!20 = !{i32 2, !"Debug Info Version", i32 3}
!26 = !DIFile(filename: "Mojo/stdlib/std/utils/coord.mojo", directory: "")
!27 = !DIFile(filename: "max/kernels/src/layout/tile_layout.mojo", directory: "")
!28 = !{}
!29 = !DIFile(filename: "mojo/solutions/p26.mojo", directory: "")
!38 = !DIFile(filename: "max/mojo/max/gpu/primitives/warp.mojo", directory: "")
!49 = distinct !DISubprogram(name: "asm_stub", scope: !29, file: !29, line: 37, scopeLine: 37, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!50 = distinct !DISubprogram(name: "butterfly_parallel_max", scope: !29, file: !29, line: 37, scopeLine: 37, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!51 = distinct !DILexicalBlock(scope: !50, file: !29, line: 58, column: 9)
!52 = distinct !DILexicalBlock(scope: !51, file: !29, line: 64, column: 13)
!57 = !DILocation(line: 37, column: 5, scope: !49)
!58 = !DILocation(line: 58, column: 28, scope: !51, inlinedAt: !57)
!59 = !DILocation(line: 438, column: 53, scope: !17, inlinedAt: !58)
!60 = !DILocation(line: 64, column: 47, scope: !52, inlinedAt: !57)
!61 = !DILocation(line: 819, column: 23, scope: !8, inlinedAt: !60)
!62 = !DILocation(line: 884, column: 63, scope: !10, inlinedAt: !61)
!63 = !DILocation(line: 41, column: 5, scope: !49)
!64 = !DILocation(line: 40, column: 5, scope: !49)
!65 = !DILocation(line: 55, column: 29, scope: !50, inlinedAt: !57)
!66 = !DILocation(line: 55, column: 43, scope: !50, inlinedAt: !57)
!67 = !DILocation(line: 55, column: 32, scope: !50, inlinedAt: !57)
!68 = !DILocation(line: 55, column: 58, scope: !50, inlinedAt: !57)
!69 = !DILocation(line: 55, column: 46, scope: !50, inlinedAt: !57)
!70 = !DILocation(line: 918, column: 66, scope: !15, inlinedAt: !59)
!71 = !DILocation(line: 67, column: 15, scope: !51, inlinedAt: !57)
!72 = !DILocation(line: 57, column: 17, scope: !50, inlinedAt: !57)
!73 = !DILocation(line: 57, column: 5, scope: !50, inlinedAt: !57)
!74 = !DILocation(line: 63, column: 9, scope: !51, inlinedAt: !57)
!75 = !DILocation(line: 63, column: 22, scope: !51, inlinedAt: !57)
!76 = !DILocation(line: 439, column: 21, scope: !7, inlinedAt: !62)
!77 = !DILocation(line: 480, column: 61, scope: !11, inlinedAt: !62)
!78 = !DILocation(line: 64, column: 26, scope: !52, inlinedAt: !57)
!79 = !DILocation(line: 65, column: 20, scope: !52, inlinedAt: !57)
