; ModuleID = '<split-module>'
source_filename = "known.mojo"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: norecurse
define dso_local ptx_kernel void @known_add_ten_unguarded_TileT6A6AoA6A6A_e17be59978a759a4(ptr noundef nonnull byval({ ptr, { { {}, {} }, { {}, {} } } }) %0, ptr noundef nonnull byval({ ptr, { { {}, {} }, { {}, {} } } }) %1) #0 !dbg !5 {
  %3 = load { ptr, { { {}, {} }, { {}, {} } } }, ptr %1, align 8, !dbg !32
  %4 = load { ptr, { { {}, {} }, { {}, {} } } }, ptr %0, align 8, !dbg !33
  %5 = call i32 @llvm.nvvm.read.ptx.sreg.tid.y(), !dbg !34
  %6 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !35
  %7 = extractvalue { ptr, { { {}, {} }, { {}, {} } } } %3, 0, !dbg !23
  %8 = mul i32 %5, 2, !dbg !36
  %9 = add i32 %8, %6, !dbg !37
  %10 = sext i32 %9 to i64, !dbg !23
  %11 = getelementptr inbounds float, ptr %7, i64 %10, !dbg !23
  %12 = load float, ptr %11, align 4, !dbg !23, !invariant.load !31
  %13 = fadd contract float %12, 1.000000e+01, !dbg !38
  %14 = extractvalue { ptr, { { {}, {} }, { {}, {} } } } %4, 0, !dbg !39
  %15 = getelementptr inbounds float, ptr %14, i64 %10, !dbg !39
  store float %13, ptr %15, align 4, !dbg !39
  ret void, !dbg !40
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

attributes #0 = { norecurse "target-cpu"="sm_90a" "target-features"="+ptx85,+sm_90a" "tune-cpu"="sm_90a" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0, !1}
!llvm.module.flags = !{!4}

!0 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !2, producer: "Mojo", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, nameTableKind: None)
!1 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !3, producer: "Mojo", isOptimized: false, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, nameTableKind: None)
!2 = !DIFile(filename: "known.mojo", directory: "")
!3 = !DIFile(filename: "<unknown>", directory: "")
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "add_ten_unguarded", scope: !2, file: !2, line: 21, scopeLine: 21, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!6 = distinct !DISubprogram(name: "crd2idx", scope: !20, file: !20, line: 857, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1)
!7 = distinct !DILexicalBlock(scope: !6, file: !20, line: 938, column: 9)
!8 = distinct !DILexicalBlock(scope: !7, file: !20, line: 944, column: 13)
!9 = distinct !DISubprogram(name: "__call__", scope: !26, file: !26, line: 406, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1)
!10 = distinct !DILexicalBlock(scope: !9, file: !26, line: 438, column: 13)
!11 = distinct !DISubprogram(name: "crd2idx", scope: !20, file: !20, line: 857, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1)
!12 = distinct !DILexicalBlock(scope: !11, file: !20, line: 891, column: 9)
!13 = distinct !DILexicalBlock(scope: !12, file: !20, line: 897, column: 13)
!14 = distinct !DILexicalBlock(scope: !13, file: !20, line: 902, column: 17)
!15 = distinct !DILexicalBlock(scope: !14, file: !20, line: 903, column: 21)
!20 = !DIFile(filename: "Mojo/stdlib/std/utils/coord.mojo", directory: "")
!23 = !DILocation(line: 28, column: 25, scope: !5)
!24 = !DILocation(line: 438, column: 53, scope: !10, inlinedAt: !23)
!25 = !DILocation(line: 903, column: 57, scope: !15, inlinedAt: !24)
!26 = !DIFile(filename: "max/kernels/src/layout/tile_layout.mojo", directory: "")
!31 = !{}
!32 = !DILocation(line: 23, column: 5, scope: !5)
!33 = !DILocation(line: 22, column: 5, scope: !5)
!34 = !DILocation(line: 26, column: 25, scope: !5)
!35 = !DILocation(line: 27, column: 25, scope: !5)
!36 = !DILocation(line: 952, column: 50, scope: !8, inlinedAt: !25)
!37 = !DILocation(line: 903, column: 28, scope: !15, inlinedAt: !24)
!38 = !DILocation(line: 28, column: 36, scope: !5)
!39 = !DILocation(line: 28, column: 11, scope: !5)
!40 = !DILocation(line: 21, column: 5, scope: !5)
