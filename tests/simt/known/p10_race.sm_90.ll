; ModuleID = '<split-module>'
source_filename = "known.mojo"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@known_shared_sum_unordered_Ti6A6AoA6A6A_8cbaee9035b6a080._global_alloc_0._gpu_shared_mem = internal addrspace(3) global [1 x float] undef, align 4

; Function Attrs: convergent norecurse
define dso_local ptx_kernel void @known_shared_sum_unordered_Ti6A6AoA6A6A_8cbaee9035b6a080(ptr noundef nonnull byval({ ptr, { { {}, {} }, { {}, {} } } }) %0, ptr noundef nonnull byval({ ptr, { { {}, {} }, { {}, {} } } }) %1) #0 !dbg !5 {
  %3 = load { ptr, { { {}, {} }, { {}, {} } } }, ptr %1, align 8, !dbg !58
  %4 = extractvalue { ptr, { { {}, {} }, { {}, {} } } } %3, 0, !dbg !38
  %5 = load { ptr, { { {}, {} }, { {}, {} } } }, ptr %0, align 8, !dbg !59
  %6 = extractvalue { ptr, { { {}, {} }, { {}, {} } } } %5, 0, !dbg !51
  %7 = call i32 @llvm.nvvm.read.ptx.sreg.tid.y(), !dbg !60
  %8 = zext i32 %7 to i64, !dbg !60
  %9 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !61
  %10 = zext i32 %9 to i64, !dbg !61
  %11 = icmp slt i64 %8, 2, !dbg !62
  %12 = icmp slt i64 %10, 2, !dbg !63
  %13 = select i1 %11, i1 %12, i1 false, !dbg !64
  br i1 %13, label %14, label %24, !dbg !65

14:                                               ; preds = %2
  %15 = trunc i64 %8 to i32, !dbg !66
  %16 = mul i32 %15, 2, !dbg !67
  %17 = trunc i64 %10 to i32, !dbg !68
  %18 = add i32 %16, %17, !dbg !69
  %19 = sext i32 %18 to i64, !dbg !38
  %20 = getelementptr inbounds float, ptr %4, i64 %19, !dbg !38
  %21 = load float, ptr %20, align 4, !dbg !38, !invariant.load !48
  %22 = load float, ptr addrspace(3) @known_shared_sum_unordered_Ti6A6AoA6A6A_8cbaee9035b6a080._global_alloc_0._gpu_shared_mem, align 4, !dbg !70
  %23 = fadd contract float %22, %21, !dbg !71
  store float %23, ptr addrspace(3) @known_shared_sum_unordered_Ti6A6AoA6A6A_8cbaee9035b6a080._global_alloc_0._gpu_shared_mem, align 4, !dbg !70
  br label %25, !dbg !65

24:                                               ; preds = %2
  br label %25, !dbg !65

25:                                               ; preds = %24, %14
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !72
  br i1 %13, label %26, label %34, !dbg !73

26:                                               ; preds = %25
  %27 = load float, ptr addrspace(3) @known_shared_sum_unordered_Ti6A6AoA6A6A_8cbaee9035b6a080._global_alloc_0._gpu_shared_mem, align 4, !dbg !74
  %28 = trunc i64 %8 to i32, !dbg !51
  %29 = trunc i64 %10 to i32, !dbg !51
  %30 = mul i32 %28, 2, !dbg !75
  %31 = add i32 %30, %29, !dbg !76
  %32 = sext i32 %31 to i64, !dbg !51
  %33 = getelementptr inbounds float, ptr %6, i64 %32, !dbg !51
  store float %27, ptr %33, align 4, !dbg !51
  br label %35, !dbg !73

34:                                               ; preds = %25
  br label %35, !dbg !73

35:                                               ; preds = %34, %26
  ret void, !dbg !77
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #2

attributes #0 = { convergent norecurse "target-cpu"="sm_90a" "target-features"="+ptx85,+sm_90a" "tune-cpu"="sm_90a" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind }

!llvm.dbg.cu = !{!0, !1}
!llvm.module.flags = !{!4}

!0 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !2, producer: "Mojo", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, nameTableKind: None)
!1 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !3, producer: "Mojo", isOptimized: false, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, nameTableKind: None)
!2 = !DIFile(filename: "known.mojo", directory: "")
!3 = !DIFile(filename: "<unknown>", directory: "")
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "shared_sum_unordered", scope: !2, file: !2, line: 31, scopeLine: 31, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!6 = distinct !DILexicalBlock(scope: !5, file: !2, line: 42, column: 9)
!7 = distinct !DILexicalBlock(scope: !5, file: !2, line: 45, column: 9)
!8 = distinct !DISubprogram(name: "crd2idx", scope: !35, file: !35, line: 857, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1)
!9 = distinct !DILexicalBlock(scope: !8, file: !35, line: 938, column: 9)
!10 = distinct !DILexicalBlock(scope: !9, file: !35, line: 944, column: 13)
!11 = distinct !DISubprogram(name: "__call__", scope: !41, file: !41, line: 406, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1)
!12 = distinct !DILexicalBlock(scope: !11, file: !41, line: 438, column: 13)
!13 = distinct !DISubprogram(name: "crd2idx", scope: !35, file: !35, line: 857, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1)
!14 = distinct !DILexicalBlock(scope: !13, file: !35, line: 891, column: 9)
!15 = distinct !DILexicalBlock(scope: !14, file: !35, line: 897, column: 13)
!16 = distinct !DILexicalBlock(scope: !15, file: !35, line: 902, column: 17)
!17 = distinct !DILexicalBlock(scope: !16, file: !35, line: 903, column: 21)
!18 = distinct !DISubprogram(name: "crd2idx", scope: !35, file: !35, line: 857, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1)
!19 = distinct !DILexicalBlock(scope: !18, file: !35, line: 938, column: 9)
!20 = distinct !DILexicalBlock(scope: !19, file: !35, line: 944, column: 13)
!21 = distinct !DISubprogram(name: "crd2idx", scope: !35, file: !35, line: 857, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1)
!22 = distinct !DILexicalBlock(scope: !21, file: !35, line: 938, column: 9)
!23 = distinct !DILexicalBlock(scope: !22, file: !35, line: 944, column: 13)
!24 = distinct !DISubprogram(name: "__call__", scope: !41, file: !41, line: 406, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1)
!25 = distinct !DILexicalBlock(scope: !24, file: !41, line: 438, column: 13)
!26 = distinct !DISubprogram(name: "crd2idx", scope: !35, file: !35, line: 857, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1)
!27 = distinct !DILexicalBlock(scope: !26, file: !35, line: 891, column: 9)
!28 = distinct !DILexicalBlock(scope: !27, file: !35, line: 897, column: 13)
!29 = distinct !DILexicalBlock(scope: !28, file: !35, line: 902, column: 17)
!30 = distinct !DILexicalBlock(scope: !29, file: !35, line: 903, column: 21)
!35 = !DIFile(filename: "Mojo/stdlib/std/utils/coord.mojo", directory: "")
!38 = !DILocation(line: 42, column: 22, scope: !6)
!39 = !DILocation(line: 438, column: 53, scope: !12, inlinedAt: !38)
!40 = !DILocation(line: 903, column: 57, scope: !17, inlinedAt: !39)
!41 = !DIFile(filename: "max/kernels/src/layout/tile_layout.mojo", directory: "")
!48 = !{}
!51 = !DILocation(line: 45, column: 15, scope: !7)
!52 = !DILocation(line: 438, column: 53, scope: !25, inlinedAt: !51)
!53 = !DILocation(line: 903, column: 57, scope: !30, inlinedAt: !52)
!58 = !DILocation(line: 33, column: 5, scope: !5)
!59 = !DILocation(line: 32, column: 5, scope: !5)
!60 = !DILocation(line: 36, column: 25, scope: !5)
!61 = !DILocation(line: 37, column: 25, scope: !5)
!62 = !DILocation(line: 41, column: 12, scope: !5)
!63 = !DILocation(line: 41, column: 27, scope: !5)
!64 = !DILocation(line: 41, column: 19, scope: !5)
!65 = !DILocation(line: 41, column: 5, scope: !5)
!66 = !DILocation(line: 952, column: 36, scope: !10, inlinedAt: !40)
!67 = !DILocation(line: 952, column: 50, scope: !10, inlinedAt: !40)
!68 = !DILocation(line: 952, column: 36, scope: !20, inlinedAt: !40)
!69 = !DILocation(line: 903, column: 28, scope: !17, inlinedAt: !39)
!70 = !DILocation(line: 42, column: 14, scope: !6)
!71 = !DILocation(line: 42, column: 18, scope: !6)
!72 = !DILocation(line: 43, column: 12, scope: !5)
!73 = !DILocation(line: 44, column: 5, scope: !5)
!74 = !DILocation(line: 45, column: 33, scope: !7)
!75 = !DILocation(line: 952, column: 50, scope: !23, inlinedAt: !53)
!76 = !DILocation(line: 903, column: 28, scope: !30, inlinedAt: !52)
!77 = !DILocation(line: 31, column: 5, scope: !5)
