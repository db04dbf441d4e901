; ModuleID = '<split-module>'
source_filename = "try.mojo"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@p34_cluster_collective_operatio6A6A_ff6fb2fbdfcbd8a2._global_alloc_0._gpu_shared_mem = internal addrspace(3) global [256 x float] undef, align 4

; Function Attrs: convergent norecurse
define dso_local ptx_kernel void @p34_cluster_collective_operatio6A6A_ff6fb2fbdfcbd8a2(ptr noundef nonnull byval({ ptr, { { {} }, { {} } } }) %0, ptr noundef nonnull byval({ ptr, { { {} }, { {} } } }) %1, ptr noundef nonnull byval({ ptr, { { {} }, { {} } } }) %2, i32 noundef %3) #0 !dbg !10 {
  %5 = load { ptr, { { {} }, { {} } } }, ptr %2, align 8, !dbg !89
  %6 = load { ptr, { { {} }, { {} } } }, ptr %1, align 8, !dbg !90
  %7 = load { ptr, { { {} }, { {} } } }, ptr %0, align 8, !dbg !91
  %8 = extractvalue { ptr, { { {} }, { {} } } } %7, 0, !dbg !61
  %9 = extractvalue { ptr, { { {} }, { {} } } } %6, 0, !dbg !61
  %10 = extractvalue { ptr, { { {} }, { {} } } } %5, 0, !dbg !61
  %11 = sext i32 %3 to i64, !dbg !92
  %12 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !93
  %13 = sext i32 %12 to i64, !dbg !93
  %14 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !94
  %15 = zext i32 %14 to i64, !dbg !94
  %16 = mul i64 %13, %15, !dbg !95
  %17 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !96
  %18 = zext i32 %17 to i64, !dbg !96
  %19 = trunc i64 %18 to i32, !dbg !97
  %20 = sext i32 %19 to i64, !dbg !65
  %21 = add i64 %16, %18, !dbg !98
  %22 = trunc i64 %21 to i32, !dbg !99
  %23 = sext i32 %22 to i64, !dbg !72
  %24 = getelementptr inbounds float, ptr %9, i64 %23, !dbg !72
  %25 = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank(), !dbg !100
  %26 = zext i32 %25 to i64, !dbg !101
  %27 = trunc i64 %26 to i32, !dbg !102
  %28 = sext i32 %27 to i64, !dbg !102
  %29 = getelementptr inbounds float, ptr %10, i64 %28, !dbg !102
  %30 = trunc i64 %20 to i32, !dbg !65
  %31 = getelementptr inbounds float, ptr addrspace(3) @p34_cluster_collective_operatio6A6A_ff6fb2fbdfcbd8a2._global_alloc_0._gpu_shared_mem, i32 %30, !dbg !65
  %32 = icmp slt i64 %21, %11, !dbg !103
  br i1 %32, label %33, label %35, !dbg !104

33:                                               ; preds = %4
  %34 = load float, ptr %24, align 4, !dbg !72, !invariant.load !76
  store float %34, ptr addrspace(3) %31, align 4, !dbg !105
  br label %36, !dbg !104

35:                                               ; preds = %4
  store float 0.000000e+00, ptr addrspace(3) %31, align 4, !dbg !106
  br label %36, !dbg !104

36:                                               ; preds = %35, %33
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !107
  br label %37, !dbg !108

37:                                               ; preds = %54, %36
  %38 = phi i64 [ %61, %54 ], [ 128, %36 ], !dbg !108
  %39 = add i64 %18, %38, !dbg !109
  %40 = trunc i64 %39 to i32, !dbg !110
  %41 = sext i32 %40 to i64, !dbg !77
  %42 = trunc i64 %41 to i32, !dbg !77
  %43 = getelementptr inbounds float, ptr addrspace(3) @p34_cluster_collective_operatio6A6A_ff6fb2fbdfcbd8a2._global_alloc_0._gpu_shared_mem, i32 %42, !dbg !77
  %44 = icmp sgt i64 %38, 0, !dbg !111
  br i1 %44, label %45, label %46, !dbg !108

45:                                               ; preds = %37
  br label %47, !dbg !108

46:                                               ; preds = %37
  br label %62, !dbg !108

47:                                               ; preds = %45
  %48 = icmp slt i64 %18, %38, !dbg !112
  br i1 %48, label %49, label %53, !dbg !113

49:                                               ; preds = %47
  %50 = load float, ptr addrspace(3) %43, align 4, !dbg !77
  %51 = load float, ptr addrspace(3) %31, align 4, !dbg !65
  %52 = fadd contract float %51, %50, !dbg !114
  store float %52, ptr addrspace(3) %31, align 4, !dbg !65
  br label %54, !dbg !113

53:                                               ; preds = %47
  br label %54, !dbg !113

54:                                               ; preds = %53, %49
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !115
  %55 = sdiv i64 %38, 2, !dbg !116
  %56 = mul i64 %55, 2, !dbg !116
  %57 = icmp eq i64 %56, %38, !dbg !116
  %58 = xor i64 %38, 2, !dbg !116
  %59 = ashr i64 %58, 63, !dbg !116
  %60 = select i1 %57, i64 0, i64 %59, !dbg !116
  %61 = add i64 %55, %60, !dbg !116
  br label %37, !dbg !108

62:                                               ; preds = %46
  %63 = icmp eq i64 %18, 0, !dbg !117
  br i1 %63, label %64, label %66, !dbg !118

64:                                               ; preds = %62
  %65 = load float, ptr addrspace(3) @p34_cluster_collective_operatio6A6A_ff6fb2fbdfcbd8a2._global_alloc_0._gpu_shared_mem, align 4, !dbg !119
  store float %65, ptr %29, align 4, !dbg !102
  br label %67, !dbg !118

66:                                               ; preds = %62
  br label %67, !dbg !118

67:                                               ; preds = %66, %64
  call void @llvm.nvvm.barrier.cluster.arrive.aligned(), !dbg !120
  call void @llvm.nvvm.barrier.cluster.wait.aligned(), !dbg !120
  %68 = icmp eq i64 %26, 0, !dbg !121
  %69 = icmp slt i64 %18, 32, !dbg !122
  %70 = select i1 %68, i1 %69, i1 false, !dbg !123
  br i1 %70, label %71, label %92, !dbg !124

71:                                               ; preds = %67
  %72 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !125
  %73 = extractvalue { i32, i1 } %72, 1, !dbg !125
  br i1 %73, label %74, label %90, !dbg !126

74:                                               ; preds = %71
  br label %75, !dbg !127

75:                                               ; preds = %81, %74
  %76 = phi i64 [ %82, %81 ], [ 0, %74 ], !dbg !127
  %77 = phi float [ %87, %81 ], [ 0.000000e+00, %74 ], !dbg !127
  %78 = icmp slt i64 %76, 4, !dbg !127
  br i1 %78, label %79, label %80, !dbg !127

79:                                               ; preds = %75
  br label %81, !dbg !127

80:                                               ; preds = %75
  br label %88, !dbg !127

81:                                               ; preds = %79
  %82 = add i64 %76, 1, !dbg !128
  %83 = trunc i64 %76 to i32, !dbg !129
  %84 = sext i32 %83 to i64, !dbg !85
  %85 = getelementptr inbounds float, ptr %10, i64 %84, !dbg !85
  %86 = load float, ptr %85, align 4, !dbg !85
  %87 = fadd contract float %77, %86, !dbg !130
  br label %75, !dbg !127

88:                                               ; preds = %80
  %89 = phi float [ %77, %80 ], !dbg !127
  store float %89, ptr %8, align 4, !dbg !131
  br label %91, !dbg !126

90:                                               ; preds = %71
  br label %91, !dbg !126

91:                                               ; preds = %90, %88
  br label %93, !dbg !124

92:                                               ; preds = %67
  br label %93, !dbg !124

93:                                               ; preds = %92, %91
  ret void, !dbg !61
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 256) i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank() #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cluster.arrive.aligned() #2

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cluster.wait.aligned() #2

; Function Attrs: convergent nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare { i32, i1 } @llvm.nvvm.elect.sync(i32) #3

attributes #0 = { convergent norecurse "target-cpu"="sm_90a" "target-features"="+ptx85,+sm_90a" "tune-cpu"="sm_90a" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind }
attributes #3 = { convergent nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }

!llvm.dbg.cu = !{!0, !1}
!llvm.module.flags = !{!4}

!0 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !2, producer: "Mojo", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, nameTableKind: None)
!1 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !3, producer: "Mojo", isOptimized: false, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, nameTableKind: None)
!2 = !DIFile(filename: "try.mojo", directory: "")
!3 = !DIFile(filename: "<unknown>", directory: "")
!4 = !{i32 2, !"Debug Info Version", i32 3}
!10 = distinct !DISubprogram(name: "asm_stub", scope: !39, file: !39, line: 24, scopeLine: 24, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!11 = distinct !DISubprogram(name: "cluster_collective_operations", scope: !39, file: !39, line: 24, scopeLine: 24, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!12 = distinct !DISubprogram(name: "crd2idx", scope: !62, file: !62, line: 857, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1)
!13 = distinct !DILexicalBlock(scope: !12, file: !62, line: 891, column: 9)
!14 = distinct !DILexicalBlock(scope: !13, file: !62, line: 915, column: 13)
!15 = distinct !DILexicalBlock(scope: !14, file: !62, line: 918, column: 17)
!16 = distinct !DILexicalBlock(scope: !11, file: !39, line: 71, column: 9)
!17 = distinct !DILexicalBlock(scope: !16, file: !39, line: 72, column: 13)
!18 = distinct !DISubprogram(name: "__call__", scope: !67, file: !67, line: 406, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1)
!19 = distinct !DILexicalBlock(scope: !18, file: !67, line: 438, column: 13)
!20 = distinct !DISubprogram(name: "crd2idx", scope: !62, file: !62, line: 857, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1)
!21 = distinct !DILexicalBlock(scope: !20, file: !62, line: 891, column: 9)
!22 = distinct !DILexicalBlock(scope: !21, file: !62, line: 915, column: 13)
!23 = distinct !DILexicalBlock(scope: !22, file: !62, line: 918, column: 17)
!24 = distinct !DILexicalBlock(scope: !11, file: !39, line: 61, column: 9)
!25 = distinct !DISubprogram(name: "__call__", scope: !67, file: !67, line: 406, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1)
!26 = distinct !DILexicalBlock(scope: !25, file: !67, line: 438, column: 13)
!27 = distinct !DILexicalBlock(scope: !11, file: !39, line: 79, column: 9)
!28 = distinct !DILexicalBlock(scope: !11, file: !39, line: 63, column: 9)
!29 = distinct !DILexicalBlock(scope: !11, file: !39, line: 87, column: 9)
!30 = distinct !DILexicalBlock(scope: !29, file: !39, line: 88, column: 13)
!31 = distinct !DISubprogram(name: "__next__", scope: !79, file: !79, line: 61, scopeLine: 61, spFlags: DISPFlagDefinition, unit: !1)
!32 = distinct !DILexicalBlock(scope: !30, file: !39, line: 90, column: 17)
!33 = distinct !DISubprogram(name: "crd2idx", scope: !62, file: !62, line: 857, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1)
!34 = distinct !DILexicalBlock(scope: !33, file: !62, line: 891, column: 9)
!35 = distinct !DILexicalBlock(scope: !34, file: !62, line: 915, column: 13)
!36 = distinct !DILexicalBlock(scope: !35, file: !62, line: 918, column: 17)
!37 = distinct !DISubprogram(name: "__call__", scope: !67, file: !67, line: 406, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1)
!38 = distinct !DILexicalBlock(scope: !37, file: !67, line: 438, column: 13)
!39 = !DIFile(filename: "mojo/solutions/p34.mojo", directory: "")
!61 = !DILocation(line: 24, column: 5, scope: !10)
!62 = !DIFile(filename: "Mojo/stdlib/std/utils/coord.mojo", directory: "")
!65 = !DILocation(line: 72, column: 20, scope: !17, inlinedAt: !61)
!66 = !DILocation(line: 438, column: 53, scope: !19, inlinedAt: !65)
!67 = !DIFile(filename: "max/kernels/src/layout/tile_layout.mojo", directory: "")
!72 = !DILocation(line: 61, column: 33, scope: !24, inlinedAt: !61)
!73 = !DILocation(line: 438, column: 53, scope: !26, inlinedAt: !72)
!76 = !{}
!77 = !DILocation(line: 72, column: 40, scope: !17, inlinedAt: !61)
!78 = !DILocation(line: 438, column: 53, scope: !19, inlinedAt: !77)
!79 = !DIFile(filename: "Mojo/stdlib/std/builtin/range.mojo", directory: "")
!82 = !DILocation(line: 89, column: 30, scope: !32, inlinedAt: !61)
!85 = !DILocation(line: 90, column: 38, scope: !32, inlinedAt: !61)
!86 = !DILocation(line: 438, column: 53, scope: !38, inlinedAt: !85)
!89 = !DILocation(line: 29, column: 5, scope: !10)
!90 = !DILocation(line: 28, column: 5, scope: !10)
!91 = !DILocation(line: 27, column: 5, scope: !10)
!92 = !DILocation(line: 51, column: 19, scope: !11, inlinedAt: !61)
!93 = !DILocation(line: 52, column: 29, scope: !11, inlinedAt: !61)
!94 = !DILocation(line: 52, column: 43, scope: !11, inlinedAt: !61)
!95 = !DILocation(line: 52, column: 32, scope: !11, inlinedAt: !61)
!96 = !DILocation(line: 52, column: 58, scope: !11, inlinedAt: !61)
!97 = !DILocation(line: 918, column: 66, scope: !15, inlinedAt: !66)
!98 = !DILocation(line: 52, column: 46, scope: !11, inlinedAt: !61)
!99 = !DILocation(line: 918, column: 66, scope: !23, inlinedAt: !73)
!100 = !DILocation(line: 54, column: 41, scope: !11, inlinedAt: !61)
!101 = !DILocation(line: 54, column: 19, scope: !11, inlinedAt: !61)
!102 = !DILocation(line: 79, column: 21, scope: !27, inlinedAt: !61)
!103 = !DILocation(line: 60, column: 17, scope: !11, inlinedAt: !61)
!104 = !DILocation(line: 60, column: 5, scope: !11, inlinedAt: !61)
!105 = !DILocation(line: 61, column: 16, scope: !24, inlinedAt: !61)
!106 = !DILocation(line: 63, column: 16, scope: !28, inlinedAt: !61)
!107 = !DILocation(line: 65, column: 12, scope: !11, inlinedAt: !61)
!108 = !DILocation(line: 70, column: 5, scope: !11, inlinedAt: !61)
!109 = !DILocation(line: 72, column: 49, scope: !17, inlinedAt: !61)
!110 = !DILocation(line: 918, column: 66, scope: !15, inlinedAt: !78)
!111 = !DILocation(line: 70, column: 18, scope: !11, inlinedAt: !61)
!112 = !DILocation(line: 71, column: 20, scope: !16, inlinedAt: !61)
!113 = !DILocation(line: 71, column: 9, scope: !16, inlinedAt: !61)
!114 = !DILocation(line: 72, column: 30, scope: !17, inlinedAt: !61)
!115 = !DILocation(line: 74, column: 16, scope: !16, inlinedAt: !61)
!116 = !DILocation(line: 76, column: 16, scope: !16, inlinedAt: !61)
!117 = !DILocation(line: 78, column: 16, scope: !11, inlinedAt: !61)
!118 = !DILocation(line: 78, column: 5, scope: !11, inlinedAt: !61)
!119 = !DILocation(line: 79, column: 37, scope: !27, inlinedAt: !61)
!120 = !DILocation(line: 82, column: 17, scope: !11, inlinedAt: !61)
!121 = !DILocation(line: 86, column: 13, scope: !11, inlinedAt: !61)
!122 = !DILocation(line: 86, column: 30, scope: !11, inlinedAt: !61)
!123 = !DILocation(line: 86, column: 18, scope: !11, inlinedAt: !61)
!124 = !DILocation(line: 86, column: 5, scope: !11, inlinedAt: !61)
!125 = !DILocation(line: 87, column: 26, scope: !29, inlinedAt: !61)
!126 = !DILocation(line: 87, column: 9, scope: !29, inlinedAt: !61)
!127 = !DILocation(line: 89, column: 13, scope: !30, inlinedAt: !61)
!128 = !DILocation(line: 65, column: 26, scope: !31, inlinedAt: !82)
!129 = !DILocation(line: 918, column: 66, scope: !36, inlinedAt: !86)
!130 = !DILocation(line: 90, column: 23, scope: !32, inlinedAt: !61)
!131 = !DILocation(line: 91, column: 19, scope: !30, inlinedAt: !61)
