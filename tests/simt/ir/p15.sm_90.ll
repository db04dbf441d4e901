; ModuleID = '<split-module>'
source_filename = "try.mojo"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@p15_axis_sum_TensorLayout6A6AcB6A6AgAmAgA6A_585b32fb5b8442dc._global_alloc_0._gpu_shared_mem = internal addrspace(3) global [8 x float] undef, align 4

; Function Attrs: convergent norecurse
define dso_local ptx_kernel void @p15_axis_sum_TensorLayout6A6AcB6A6AgAmAgA6A_585b32fb5b8442dc(ptr noundef nonnull byval({ ptr, { { {}, {} }, { {}, {} } } }) %0, ptr noundef nonnull byval({ ptr, { { {}, {} }, { {}, {} } } }) %1) #0 !dbg !10 {
  %3 = load { ptr, { { {}, {} }, { {}, {} } } }, ptr %1, align 8, !dbg !74
  %4 = load { ptr, { { {}, {} }, { {}, {} } } }, ptr %0, align 8, !dbg !75
  %5 = extractvalue { ptr, { { {}, {} }, { {}, {} } } } %4, 0, !dbg !53
  %6 = extractvalue { ptr, { { {}, {} }, { {}, {} } } } %3, 0, !dbg !53
  %7 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !76
  %8 = zext i32 %7 to i64, !dbg !76
  %9 = trunc i64 %8 to i32, !dbg !77
  %10 = sext i32 %9 to i64, !dbg !57
  %11 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y(), !dbg !78
  %12 = sext i32 %11 to i64, !dbg !79
  %13 = getelementptr inbounds float, ptr %5, i64 %12, !dbg !79
  %14 = mul i32 %11, 6, !dbg !80
  %15 = add i32 %14, %9, !dbg !81
  %16 = sext i32 %15 to i64, !dbg !64
  %17 = getelementptr inbounds float, ptr %6, i64 %16, !dbg !64
  %18 = trunc i64 %10 to i32, !dbg !57
  %19 = getelementptr inbounds float, ptr addrspace(3) @p15_axis_sum_TensorLayout6A6AcB6A6AgAmAgA6A_585b32fb5b8442dc._global_alloc_0._gpu_shared_mem, i32 %18, !dbg !57
  %20 = icmp slt i64 %8, 6, !dbg !82
  br i1 %20, label %21, label %23, !dbg !83

21:                                               ; preds = %2
  %22 = load float, ptr %17, align 4, !dbg !64, !invariant.load !71
  store float %22, ptr addrspace(3) %19, align 4, !dbg !84
  br label %24, !dbg !83

23:                                               ; preds = %2
  store float 0.000000e+00, ptr addrspace(3) %19, align 4, !dbg !85
  br label %24, !dbg !83

24:                                               ; preds = %23, %21
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !86
  br label %25, !dbg !87

25:                                               ; preds = %46, %24
  %26 = phi i64 [ %53, %46 ], [ 4, %24 ], !dbg !87
  %27 = add i64 %8, %26, !dbg !88
  %28 = trunc i64 %27 to i32, !dbg !89
  %29 = sext i32 %28 to i64, !dbg !72
  %30 = trunc i64 %29 to i32, !dbg !72
  %31 = getelementptr inbounds float, ptr addrspace(3) @p15_axis_sum_TensorLayout6A6AcB6A6AgAmAgA6A_585b32fb5b8442dc._global_alloc_0._gpu_shared_mem, i32 %30, !dbg !72
  %32 = icmp sgt i64 %26, 0, !dbg !90
  br i1 %32, label %33, label %34, !dbg !87

33:                                               ; preds = %25
  br label %35, !dbg !87

34:                                               ; preds = %25
  br label %54, !dbg !87

35:                                               ; preds = %33
  %36 = icmp slt i64 %8, %26, !dbg !91
  br i1 %36, label %37, label %39, !dbg !92

37:                                               ; preds = %35
  %38 = load float, ptr addrspace(3) %31, align 4, !dbg !72
  br label %40, !dbg !92

39:                                               ; preds = %35
  br label %40, !dbg !92

40:                                               ; preds = %39, %37
  %41 = phi float [ 0.000000e+00, %39 ], [ %38, %37 ], !dbg !92
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !93
  br i1 %36, label %42, label %45, !dbg !94

42:                                               ; preds = %40
  %43 = load float, ptr addrspace(3) %19, align 4, !dbg !57
  %44 = fadd contract float %43, %41, !dbg !95
  store float %44, ptr addrspace(3) %19, align 4, !dbg !57
  br label %46, !dbg !94

45:                                               ; preds = %40
  br label %46, !dbg !94

46:                                               ; preds = %45, %42
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !96
  %47 = sdiv i64 %26, 2, !dbg !97
  %48 = mul i64 %47, 2, !dbg !97
  %49 = icmp eq i64 %48, %26, !dbg !97
  %50 = xor i64 %26, 2, !dbg !97
  %51 = ashr i64 %50, 63, !dbg !97
  %52 = select i1 %49, i64 0, i64 %51, !dbg !97
  %53 = add i64 %47, %52, !dbg !97
  br label %25, !dbg !87

54:                                               ; preds = %34
  %55 = icmp eq i64 %8, 0, !dbg !98
  br i1 %55, label %56, label %58, !dbg !99

56:                                               ; preds = %54
  %57 = load float, ptr addrspace(3) @p15_axis_sum_TensorLayout6A6AcB6A6AgAmAgA6A_585b32fb5b8442dc._global_alloc_0._gpu_shared_mem, align 4, !dbg !100
  store float %57, ptr %13, align 4, !dbg !79
  br label %59, !dbg !99

58:                                               ; preds = %54
  br label %59, !dbg !99

59:                                               ; preds = %58, %56
  ret void, !dbg !53
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #2

attributes #0 = { convergent norecurse "target-cpu"="sm_90a" "target-features"="+ptx85,+sm_90a" "tune-cpu"="sm_90a" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind }

!llvm.dbg.cu = !{!0, !1}
!llvm.module.flags = !{!4}

!0 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !2, producer: "Mojo", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, nameTableKind: None)
!1 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !3, producer: "Mojo", isOptimized: false, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, nameTableKind: None)
!2 = !DIFile(filename: "try.mojo", directory: "")
!3 = !DIFile(filename: "<unknown>", directory: "")
!4 = !{i32 2, !"Debug Info Version", i32 3}
!10 = distinct !DISubprogram(name: "asm_stub", scope: !34, file: !34, line: 16, scopeLine: 16, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!11 = distinct !DISubprogram(name: "axis_sum", scope: !34, file: !34, line: 16, scopeLine: 16, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!12 = distinct !DISubprogram(name: "crd2idx", scope: !54, file: !54, line: 857, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1)
!13 = distinct !DILexicalBlock(scope: !12, file: !54, line: 891, column: 9)
!14 = distinct !DILexicalBlock(scope: !13, file: !54, line: 915, column: 13)
!15 = distinct !DILexicalBlock(scope: !14, file: !54, line: 918, column: 17)
!16 = distinct !DILexicalBlock(scope: !11, file: !34, line: 58, column: 9)
!17 = distinct !DILexicalBlock(scope: !16, file: !34, line: 65, column: 13)
!18 = distinct !DISubprogram(name: "__call__", scope: !59, file: !59, line: 406, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1)
!19 = distinct !DILexicalBlock(scope: !18, file: !59, line: 438, column: 13)
!20 = distinct !DILexicalBlock(scope: !11, file: !34, line: 72, column: 9)
!21 = distinct !DISubprogram(name: "crd2idx", scope: !54, file: !54, line: 857, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1)
!22 = distinct !DILexicalBlock(scope: !21, file: !54, line: 938, column: 9)
!23 = distinct !DILexicalBlock(scope: !22, file: !54, line: 944, column: 13)
!24 = distinct !DILexicalBlock(scope: !11, file: !34, line: 48, column: 9)
!25 = distinct !DISubprogram(name: "__call__", scope: !59, file: !59, line: 406, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1)
!26 = distinct !DILexicalBlock(scope: !25, file: !59, line: 438, column: 13)
!27 = distinct !DISubprogram(name: "crd2idx", scope: !54, file: !54, line: 857, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1)
!28 = distinct !DILexicalBlock(scope: !27, file: !54, line: 891, column: 9)
!29 = distinct !DILexicalBlock(scope: !28, file: !54, line: 897, column: 13)
!30 = distinct !DILexicalBlock(scope: !29, file: !54, line: 902, column: 17)
!31 = distinct !DILexicalBlock(scope: !30, file: !54, line: 903, column: 21)
!32 = distinct !DILexicalBlock(scope: !11, file: !34, line: 50, column: 9)
!33 = distinct !DILexicalBlock(scope: !16, file: !34, line: 60, column: 13)
!34 = !DIFile(filename: "mojo/solutions/p15.mojo", directory: "")
!53 = !DILocation(line: 16, column: 5, scope: !10)
!54 = !DIFile(filename: "Mojo/stdlib/std/utils/coord.mojo", directory: "")
!57 = !DILocation(line: 65, column: 18, scope: !17, inlinedAt: !53)
!58 = !DILocation(line: 438, column: 53, scope: !19, inlinedAt: !57)
!59 = !DIFile(filename: "max/kernels/src/layout/tile_layout.mojo", directory: "")
!64 = !DILocation(line: 48, column: 27, scope: !24, inlinedAt: !53)
!65 = !DILocation(line: 438, column: 53, scope: !26, inlinedAt: !64)
!66 = !DILocation(line: 903, column: 57, scope: !31, inlinedAt: !65)
!71 = !{}
!72 = !DILocation(line: 60, column: 27, scope: !33, inlinedAt: !53)
!73 = !DILocation(line: 438, column: 53, scope: !19, inlinedAt: !72)
!74 = !DILocation(line: 20, column: 5, scope: !10)
!75 = !DILocation(line: 19, column: 5, scope: !10)
!76 = !DILocation(line: 40, column: 29, scope: !11, inlinedAt: !53)
!77 = !DILocation(line: 918, column: 66, scope: !15, inlinedAt: !58)
!78 = !DILocation(line: 41, column: 24, scope: !11, inlinedAt: !53)
!79 = !DILocation(line: 72, column: 15, scope: !20, inlinedAt: !53)
!80 = !DILocation(line: 952, column: 50, scope: !23, inlinedAt: !66)
!81 = !DILocation(line: 903, column: 28, scope: !31, inlinedAt: !65)
!82 = !DILocation(line: 47, column: 16, scope: !11, inlinedAt: !53)
!83 = !DILocation(line: 47, column: 5, scope: !11, inlinedAt: !53)
!84 = !DILocation(line: 48, column: 14, scope: !24, inlinedAt: !53)
!85 = !DILocation(line: 50, column: 14, scope: !32, inlinedAt: !53)
!86 = !DILocation(line: 52, column: 12, scope: !11, inlinedAt: !53)
!87 = !DILocation(line: 55, column: 5, scope: !11, inlinedAt: !53)
!88 = !DILocation(line: 60, column: 36, scope: !33, inlinedAt: !53)
!89 = !DILocation(line: 918, column: 66, scope: !15, inlinedAt: !73)
!90 = !DILocation(line: 55, column: 18, scope: !11, inlinedAt: !53)
!91 = !DILocation(line: 59, column: 20, scope: !16, inlinedAt: !53)
!92 = !DILocation(line: 59, column: 9, scope: !16, inlinedAt: !53)
!93 = !DILocation(line: 62, column: 16, scope: !16, inlinedAt: !53)
!94 = !DILocation(line: 64, column: 9, scope: !16, inlinedAt: !53)
!95 = !DILocation(line: 65, column: 28, scope: !17, inlinedAt: !53)
!96 = !DILocation(line: 67, column: 16, scope: !16, inlinedAt: !53)
!97 = !DILocation(line: 69, column: 16, scope: !16, inlinedAt: !53)
!98 = !DILocation(line: 71, column: 16, scope: !11, inlinedAt: !53)
!99 = !DILocation(line: 71, column: 5, scope: !11, inlinedAt: !53)
!100 = !DILocation(line: 72, column: 31, scope: !20, inlinedAt: !53)
