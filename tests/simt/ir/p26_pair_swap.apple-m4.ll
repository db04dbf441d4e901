; ModuleID = '<split-module>'
source_filename = "try_noc.mojo"
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v24:32:32-v32:32:32-v48:64:64-v64:64:64-v96:128:128-v128:128:128-v192:256:256-v256:256:256-v512:512:512-v1024:1024:1024-n8:16:32"
target triple = "air64-apple-macosx"

declare float @air.simd_shuffle_xor.f32.i16(float, i16)

declare i32 @air.threadgroup_position_in_grid.x()

declare i32 @air.threads_per_threadgroup.x()

declare i32 @air.thread_position_in_threadgroup.x()

; Function Attrs: norecurse
define dso_local void @p26_butterfly_pair_swap_Tenso6A6AcB6A6A_fe8c873441831fc2(ptr noundef nonnull %0, ptr noundef nonnull %1) #0 !dbg !49 {
  %3 = load { ptr, { { {} }, { {} } } }, ptr %1, align 8, !dbg !62
  %4 = load { ptr, { { {} }, { {} } } }, ptr %0, align 8, !dbg !63
  %5 = extractvalue { ptr, { { {} }, { {} } } } %4, 0, !dbg !56
  %6 = extractvalue { ptr, { { {} }, { {} } } } %3, 0, !dbg !56
  %7 = call i32 @air.threads_per_threadgroup.x(), !dbg !64
  %8 = sext i32 %7 to i64, !dbg !64
  %9 = call i32 @air.threadgroup_position_in_grid.x(), !dbg !65
  %10 = zext i32 %9 to i64, !dbg !65
  %11 = mul i64 %8, %10, !dbg !66
  %12 = call i32 @air.thread_position_in_threadgroup.x(), !dbg !67
  %13 = zext i32 %12 to i64, !dbg !67
  %14 = add i64 %11, %13, !dbg !68
  %15 = trunc i64 %14 to i32, !dbg !69
  %16 = sext i32 %15 to i64, !dbg !57
  %17 = getelementptr inbounds float, ptr %5, i64 %16, !dbg !70
  %18 = getelementptr inbounds float, ptr %6, i64 %16, !dbg !57
  %19 = icmp slt i64 %14, 32, !dbg !71
  br i1 %19, label %20, label %23, !dbg !72

20:                                               ; preds = %2
  %21 = load float, ptr %18, align 4, !dbg !57, !invariant.load !28
  %22 = call float @air.simd_shuffle_xor.f32.i16(float %21, i16 1), !dbg !73
  store float %22, ptr %17, align 4, !dbg !70
  br label %24, !dbg !72

23:                                               ; preds = %2
  br label %24, !dbg !72

24:                                               ; preds = %23, %20
  ret void, !dbg !56
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
!49 = distinct !DISubprogram(name: "asm_stub", scope: !29, file: !29, line: 12, scopeLine: 12, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!50 = distinct !DISubprogram(name: "butterfly_pair_swap", scope: !29, file: !29, line: 12, scopeLine: 12, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!51 = distinct !DILexicalBlock(scope: !50, file: !29, line: 33, column: 9)
!56 = !DILocation(line: 12, column: 5, scope: !49)
!57 = !DILocation(line: 33, column: 26, scope: !51, inlinedAt: !56)
!58 = !DILocation(line: 438, column: 53, scope: !17, inlinedAt: !57)
!59 = !DILocation(line: 34, column: 39, scope: !51, inlinedAt: !56)
!60 = !DILocation(line: 819, column: 23, scope: !8, inlinedAt: !59)
!61 = !DILocation(line: 884, column: 63, scope: !10, inlinedAt: !60)
!62 = !DILocation(line: 16, column: 5, scope: !49)
!63 = !DILocation(line: 15, column: 5, scope: !49)
!64 = !DILocation(line: 30, column: 29, scope: !50, inlinedAt: !56)
!65 = !DILocation(line: 30, column: 43, scope: !50, inlinedAt: !56)
!66 = !DILocation(line: 30, column: 32, scope: !50, inlinedAt: !56)
!67 = !DILocation(line: 30, column: 58, scope: !50, inlinedAt: !56)
!68 = !DILocation(line: 30, column: 46, scope: !50, inlinedAt: !56)
!69 = !DILocation(line: 918, column: 66, scope: !15, inlinedAt: !58)
!70 = !DILocation(line: 34, column: 15, scope: !51, inlinedAt: !56)
!71 = !DILocation(line: 32, column: 17, scope: !50, inlinedAt: !56)
!72 = !DILocation(line: 32, column: 5, scope: !50, inlinedAt: !56)
!73 = !DILocation(line: 480, column: 61, scope: !11, inlinedAt: !61)
