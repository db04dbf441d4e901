; Made by `nox -s generate`.
; from: 8b530172d433050c7f7d4b517da23f5cb1b93b988b792afd36ea45e25486d4a6
; code: 5d736fe7fc80704fda60c3c355a614218993b4d00c2dc03ed4948322e3d80f5b
; ModuleID = '<split-module>'
source_filename = "device.mojo"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@p34_cluster_collective_operatio6A6A_8062e01fcbf7807a._global_alloc_0._gpu_shared_mem = internal addrspace(3) global [256 x float] undef, align 4

; Function Attrs: convergent norecurse
define dso_local ptx_kernel void @p34_cluster_collective_operatio6A6A_8062e01fcbf7807a(ptr noundef nonnull byval({ ptr, { { {} }, { {} } } }) %0, ptr noundef nonnull byval({ ptr, { { {} }, { {} } } }) %1, ptr noundef nonnull byval({ ptr, { { {} }, { {} } } }) %2, i32 noundef %3) #0 !dbg !10 {
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
  %16 = trunc i64 %15 to i32, !dbg !95
  %17 = sext i32 %16 to i64, !dbg !95
  %18 = getelementptr inbounds float, ptr %10, i64 %17, !dbg !95
  %19 = mul i64 %13, %15, !dbg !96
  %20 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !97
  %21 = zext i32 %20 to i64, !dbg !97
  %22 = trunc i64 %21 to i32, !dbg !98
  %23 = sext i32 %22 to i64, !dbg !65
  %24 = add i64 %19, %21, !dbg !99
  %25 = trunc i64 %24 to i32, !dbg !100
  %26 = sext i32 %25 to i64, !dbg !72
  %27 = getelementptr inbounds float, ptr %9, i64 %26, !dbg !72
  %28 = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank(), !dbg !101
  %29 = zext i32 %28 to i64, !dbg !102
  %30 = trunc i64 %23 to i32, !dbg !65
  %31 = getelementptr inbounds float, ptr addrspace(3) @p34_cluster_collective_operatio6A6A_8062e01fcbf7807a._global_alloc_0._gpu_shared_mem, i32 %30, !dbg !65
  %32 = icmp slt i64 %24, %11, !dbg !103
  br i1 %32, label %33, label %35, !dbg !104

33:                                               ; preds = %4
  %34 = load float, ptr %27, align 4, !dbg !72, !invariant.load !76
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
  %39 = add i64 %21, %38, !dbg !109
  %40 = trunc i64 %39 to i32, !dbg !110
  %41 = sext i32 %40 to i64, !dbg !77
  %42 = trunc i64 %41 to i32, !dbg !77
  %43 = getelementptr inbounds float, ptr addrspace(3) @p34_cluster_collective_operatio6A6A_8062e01fcbf7807a._global_alloc_0._gpu_shared_mem, i32 %42, !dbg !77
  %44 = icmp sgt i64 %38, 0, !dbg !111
  br i1 %44, label %45, label %46, !dbg !108

45:                                               ; preds = %37
  br label %47, !dbg !108

46:                                               ; preds = %37
  br label %62, !dbg !108

47:                                               ; preds = %45
  %48 = icmp slt i64 %21, %38, !dbg !112
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
  %63 = icmp eq i64 %21, 0, !dbg !117
  br i1 %63, label %64, label %66, !dbg !118

64:                                               ; preds = %62
  %65 = load float, ptr addrspace(3) @p34_cluster_collective_operatio6A6A_8062e01fcbf7807a._global_alloc_0._gpu_shared_mem, align 4, !dbg !119
  store float %65, ptr %18, align 4, !dbg !95
  br label %67, !dbg !118

66:                                               ; preds = %62
  br label %67, !dbg !118

67:                                               ; preds = %66, %64
  call void @llvm.nvvm.barrier.cluster.arrive.aligned(), !dbg !120
  call void @llvm.nvvm.barrier.cluster.wait.aligned(), !dbg !120
  %68 = icmp eq i64 %29, 0, !dbg !121
  %69 = icmp slt i64 %21, 32, !dbg !122
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
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 256) i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank() #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #2

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
!2 = !DIFile(filename: "generated/device.mojo", directory: "")
!3 = !DIFile(filename: "<unknown>", directory: "")
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<()>")
!6 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<(struct<()>)>", align: 1, elements: !54)
!7 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<(struct<(struct<()>)>, struct<(struct<()>)>)>", align: 1, elements: !52)
!8 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.none")
!9 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<(pointer<none>, struct<(struct<(struct<()>)>, struct<(struct<()>)>)>)>", size: 64, align: 64, elements: !49)
!10 = distinct !DISubprogram(name: "asm_stub", linkageName: "p34_cluster_collective_operatio6A6A_8062e01fcbf7807a", scope: !39, file: !39, line: 92, type: !45, scopeLine: 92, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, annotations: !56)
!11 = distinct !DISubprogram(name: "cluster_collective_operations", linkageName: "p34_cluster_collective_operatio6A6A_8c2f5b5358f862e1", scope: !39, file: !39, line: 92, type: !58, scopeLine: 92, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, annotations: !60)
!12 = distinct !DILexicalBlock(scope: !11, file: !39, line: 145, column: 9)
!13 = distinct !DISubprogram(name: "crd2idx", linkageName: "std_utils_coord_crd2idx_Int6A6A6A6A6A6AcB6A6A_2076857316bf0fd7", scope: !62, file: !62, line: 857, type: !58, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1, annotations: !64)
!14 = distinct !DILexicalBlock(scope: !13, file: !62, line: 891, column: 9)
!15 = distinct !DILexicalBlock(scope: !14, file: !62, line: 915, column: 13)
!16 = distinct !DILexicalBlock(scope: !15, file: !62, line: 918, column: 17)
!17 = distinct !DILexicalBlock(scope: !11, file: !39, line: 137, column: 9)
!18 = distinct !DILexicalBlock(scope: !17, file: !39, line: 138, column: 13)
!19 = distinct !DISubprogram(name: "__call__", linkageName: "layout_tile_layout_Layout___c6A6A6A6A6A6A_f60d58ee83ab291b", scope: !67, file: !67, line: 406, type: !58, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1, annotations: !69)
!20 = distinct !DILexicalBlock(scope: !19, file: !67, line: 438, column: 13)
!21 = distinct !DISubprogram(name: "crd2idx", linkageName: "std_utils_coord_crd2idx_Int6A6A6A6A6A6AcB6A6A_23a608a884c701ab", scope: !62, file: !62, line: 857, type: !58, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1, annotations: !71)
!22 = distinct !DILexicalBlock(scope: !21, file: !62, line: 891, column: 9)
!23 = distinct !DILexicalBlock(scope: !22, file: !62, line: 915, column: 13)
!24 = distinct !DILexicalBlock(scope: !23, file: !62, line: 918, column: 17)
!25 = distinct !DILexicalBlock(scope: !11, file: !39, line: 127, column: 9)
!26 = distinct !DISubprogram(name: "__call__", linkageName: "layout_tile_layout_Layout___c6A6A6A6A6A6A_216684da9cefe31c", scope: !67, file: !67, line: 406, type: !58, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1, annotations: !75)
!27 = distinct !DILexicalBlock(scope: !26, file: !67, line: 438, column: 13)
!28 = distinct !DILexicalBlock(scope: !11, file: !39, line: 129, column: 9)
!29 = distinct !DILexicalBlock(scope: !11, file: !39, line: 153, column: 9)
!30 = distinct !DILexicalBlock(scope: !29, file: !39, line: 154, column: 13)
!31 = distinct !DISubprogram(name: "__next__", linkageName: "std::builtin::range::_ZeroStartingRange::__next__(::_ZeroStartingRange[$0])", scope: !79, file: !79, line: 61, type: !58, scopeLine: 61, spFlags: DISPFlagDefinition, unit: !1, annotations: !81)
!32 = distinct !DILexicalBlock(scope: !30, file: !39, line: 156, column: 17)
!33 = distinct !DISubprogram(name: "crd2idx", linkageName: "std_utils_coord_crd2idx_Int6A6A6A6A6A6AcB6A6A_31660b2cac582690", scope: !62, file: !62, line: 857, type: !58, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1, annotations: !84)
!34 = distinct !DILexicalBlock(scope: !33, file: !62, line: 891, column: 9)
!35 = distinct !DILexicalBlock(scope: !34, file: !62, line: 915, column: 13)
!36 = distinct !DILexicalBlock(scope: !35, file: !62, line: 918, column: 17)
!37 = distinct !DISubprogram(name: "__call__", linkageName: "layout_tile_layout_Layout___c6A6A6A6A6A6A_0ab3ed175846477a", scope: !67, file: !67, line: 406, type: !58, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1, annotations: !88)
!38 = distinct !DILexicalBlock(scope: !37, file: !67, line: 438, column: 13)
!39 = !DIFile(filename: "mojo/p34/solution.mojo", directory: "")
!40 = !DIBasicType(name: "int32_t", size: 32, encoding: DW_ATE_signed)
!41 = !DISubrange(count: 1)
!42 = !{!41}
!43 = !DICompositeType(tag: DW_TAG_array_type, name: "!kgen.scalar<si32>", baseType: !40, size: 32, flags: DIFlagVector, elements: !42)
!44 = !{null, !9, !9, !9, !43}
!45 = !DISubroutineType(cc: DW_CC_normal, types: !44)
!46 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !8, size: 64, align: 64, dwarfAddressSpace: 0)
!47 = !DIDerivedType(tag: DW_TAG_member, name: "m0", baseType: !46, size: 64, align: 64)
!48 = !DIDerivedType(tag: DW_TAG_member, name: "m1", baseType: !7, align: 1, offset: 64)
!49 = !{!47, !48}
!50 = !DIDerivedType(tag: DW_TAG_member, name: "m0", baseType: !6, align: 1)
!51 = !DIDerivedType(tag: DW_TAG_member, name: "m1", baseType: !6, align: 1)
!52 = !{!50, !51}
!53 = !DIDerivedType(tag: DW_TAG_member, name: "m0", baseType: !5, align: 1)
!54 = !{!53}
!55 = !{}
!56 = !{!55}
!57 = !{null}
!58 = !DISubroutineType(cc: DW_CC_normal, types: !57)
!59 = !{}
!60 = !{!59}
!61 = !DILocation(line: 92, column: 5, scope: !10)
!62 = !DIFile(filename: "Mojo/stdlib/std/utils/coord.mojo", directory: "")
!63 = !{}
!64 = !{!63}
!65 = !DILocation(line: 138, column: 23, scope: !18, inlinedAt: !61)
!66 = !DILocation(line: 438, column: 53, scope: !20, inlinedAt: !65)
!67 = !DIFile(filename: "max/kernels/src/layout/tile_layout.mojo", directory: "")
!68 = !{}
!69 = !{!68}
!70 = !{}
!71 = !{!70}
!72 = !DILocation(line: 127, column: 36, scope: !25, inlinedAt: !61)
!73 = !DILocation(line: 438, column: 53, scope: !27, inlinedAt: !72)
!74 = !{}
!75 = !{!74}
!76 = !{}
!77 = !DILocation(line: 138, column: 46, scope: !18, inlinedAt: !61)
!78 = !DILocation(line: 438, column: 53, scope: !20, inlinedAt: !77)
!79 = !DIFile(filename: "Mojo/stdlib/std/builtin/range.mojo", directory: "")
!80 = !{}
!81 = !{!80}
!82 = !DILocation(line: 155, column: 30, scope: !32, inlinedAt: !61)
!83 = !{}
!84 = !{!83}
!85 = !DILocation(line: 156, column: 38, scope: !32, inlinedAt: !61)
!86 = !DILocation(line: 438, column: 53, scope: !38, inlinedAt: !85)
!87 = !{}
!88 = !{!87}
!89 = !DILocation(line: 97, column: 5, scope: !10)
!90 = !DILocation(line: 96, column: 5, scope: !10)
!91 = !DILocation(line: 95, column: 5, scope: !10)
!92 = !DILocation(line: 115, column: 19, scope: !11, inlinedAt: !61)
!93 = !DILocation(line: 116, column: 29, scope: !11, inlinedAt: !61)
!94 = !DILocation(line: 116, column: 43, scope: !11, inlinedAt: !61)
!95 = !DILocation(line: 145, column: 21, scope: !12, inlinedAt: !61)
!96 = !DILocation(line: 116, column: 32, scope: !11, inlinedAt: !61)
!97 = !DILocation(line: 116, column: 58, scope: !11, inlinedAt: !61)
!98 = !DILocation(line: 918, column: 66, scope: !16, inlinedAt: !66)
!99 = !DILocation(line: 116, column: 46, scope: !11, inlinedAt: !61)
!100 = !DILocation(line: 918, column: 66, scope: !24, inlinedAt: !73)
!101 = !DILocation(line: 118, column: 50, scope: !11, inlinedAt: !61)
!102 = !DILocation(line: 118, column: 28, scope: !11, inlinedAt: !61)
!103 = !DILocation(line: 126, column: 17, scope: !11, inlinedAt: !61)
!104 = !DILocation(line: 126, column: 5, scope: !11, inlinedAt: !61)
!105 = !DILocation(line: 127, column: 19, scope: !25, inlinedAt: !61)
!106 = !DILocation(line: 129, column: 19, scope: !28, inlinedAt: !61)
!107 = !DILocation(line: 131, column: 12, scope: !11, inlinedAt: !61)
!108 = !DILocation(line: 136, column: 5, scope: !11, inlinedAt: !61)
!109 = !DILocation(line: 138, column: 55, scope: !18, inlinedAt: !61)
!110 = !DILocation(line: 918, column: 66, scope: !16, inlinedAt: !78)
!111 = !DILocation(line: 136, column: 18, scope: !11, inlinedAt: !61)
!112 = !DILocation(line: 137, column: 20, scope: !17, inlinedAt: !61)
!113 = !DILocation(line: 137, column: 9, scope: !17, inlinedAt: !61)
!114 = !DILocation(line: 138, column: 33, scope: !18, inlinedAt: !61)
!115 = !DILocation(line: 140, column: 16, scope: !17, inlinedAt: !61)
!116 = !DILocation(line: 142, column: 16, scope: !17, inlinedAt: !61)
!117 = !DILocation(line: 144, column: 16, scope: !11, inlinedAt: !61)
!118 = !DILocation(line: 144, column: 5, scope: !11, inlinedAt: !61)
!119 = !DILocation(line: 145, column: 44, scope: !12, inlinedAt: !61)
!120 = !DILocation(line: 148, column: 17, scope: !11, inlinedAt: !61)
!121 = !DILocation(line: 152, column: 22, scope: !11, inlinedAt: !61)
!122 = !DILocation(line: 152, column: 39, scope: !11, inlinedAt: !61)
!123 = !DILocation(line: 152, column: 27, scope: !11, inlinedAt: !61)
!124 = !DILocation(line: 152, column: 5, scope: !11, inlinedAt: !61)
!125 = !DILocation(line: 153, column: 26, scope: !29, inlinedAt: !61)
!126 = !DILocation(line: 153, column: 9, scope: !29, inlinedAt: !61)
!127 = !DILocation(line: 155, column: 13, scope: !30, inlinedAt: !61)
!128 = !DILocation(line: 65, column: 26, scope: !31, inlinedAt: !82)
!129 = !DILocation(line: 918, column: 66, scope: !36, inlinedAt: !86)
!130 = !DILocation(line: 156, column: 23, scope: !32, inlinedAt: !61)
!131 = !DILocation(line: 157, column: 19, scope: !30, inlinedAt: !61)
