; Made by `nox -s generate`.
; from: 937ae58bc347c4764bc1a3b734acca7e4ef03a41272b757f7fb200700a122ca0
; code: 75718b00b1040e483a9f0077d4cd74a44fed495953bd946360aed2479c9f02de
; ModuleID = '<split-module>'
source_filename = "device.mojo"
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-p10:32:32-p11:32:32-p12:32:32-p13:32:32-p14:32:32-p15:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgpu11.00-amd-amdhsa"

; Function Attrs: convergent norecurse
define dso_local amdgpu_kernel void @p26_butterfly_conditional_max6A6AcB6A_9b4258ad55924f08(ptr addrspace(4) noundef nonnull byref({ ptr, { { {} }, { {} } } }) %0, ptr addrspace(4) noundef nonnull byref({ ptr, { { {} }, { {} } } }) %1) #0 !dbg !11 {
  %3 = addrspacecast ptr addrspace(4) %1 to ptr, !dbg !49
  %4 = addrspacecast ptr addrspace(4) %0 to ptr, !dbg !49
  %5 = load { ptr, { { {} }, { {} } } }, ptr %3, align 8, !dbg !79
  %6 = load { ptr, { { {} }, { {} } } }, ptr %4, align 8, !dbg !80
  %7 = extractvalue { ptr, { { {} }, { {} } } } %6, 0, !dbg !49
  %8 = extractvalue { ptr, { { {} }, { {} } } } %5, 0, !dbg !49
  %9 = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr(), !dbg !81
  %10 = getelementptr inbounds i16, ptr addrspace(4) %9, i32 6, !dbg !82
  %11 = load i16, ptr addrspace(4) %10, align 2, !dbg !82
  %12 = zext i16 %11 to i64, !dbg !83
  %13 = call i32 @llvm.amdgcn.workgroup.id.x(), !dbg !84
  %14 = zext i32 %13 to i64, !dbg !84
  %15 = mul i64 %12, %14, !dbg !85
  %16 = call i32 @llvm.amdgcn.workitem.id.x(), !dbg !86
  %17 = zext i32 %16 to i64, !dbg !86
  %18 = add i64 %15, %17, !dbg !87
  %19 = trunc i64 %18 to i32, !dbg !88
  %20 = sext i32 %19 to i64, !dbg !56
  %21 = getelementptr inbounds float, ptr %7, i64 %20, !dbg !89
  %22 = getelementptr inbounds float, ptr %8, i64 %20, !dbg !56
  %23 = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0), !dbg !90
  %24 = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %23), !dbg !90
  %25 = and i32 %24, -32, !dbg !91
  %26 = add i32 %25, 32, !dbg !92
  %27 = sext i32 %24 to i64, !dbg !90
  %28 = icmp slt i64 %27, 0, !dbg !93
  %29 = icmp slt i64 %18, 64, !dbg !94
  br i1 %29, label %30, label %74, !dbg !95

30:                                               ; preds = %2
  %31 = load float, ptr %22, align 4, !dbg !56, !invariant.load !71
  br label %32, !dbg !96

32:                                               ; preds = %39, %30
  %33 = phi float [ %48, %39 ], [ %31, %30 ], !dbg !96
  %34 = phi float [ %52, %39 ], [ %31, %30 ], !dbg !96
  %35 = phi i64 [ %59, %39 ], [ 16, %30 ], !dbg !96
  %36 = icmp sgt i64 %35, 0, !dbg !97
  br i1 %36, label %37, label %38, !dbg !96

37:                                               ; preds = %32
  br label %39, !dbg !96

38:                                               ; preds = %32
  br label %60, !dbg !96

39:                                               ; preds = %37
  %40 = trunc i64 %35 to i32, !dbg !98
  %41 = xor i32 %24, %40, !dbg !99
  %42 = icmp ult i32 %41, %26, !dbg !100
  %43 = select i1 %42, i32 %41, i32 %24, !dbg !101
  %44 = mul i32 %43, 4, !dbg !102
  %45 = bitcast float %33 to i32, !dbg !103
  %46 = call i32 @llvm.amdgcn.ds.bpermute(i32 %44, i32 %45), !dbg !104
  %47 = bitcast i32 %46 to float, !dbg !105
  %48 = call float @llvm.maxnum.f32(float %33, float %47), !dbg !106
  %49 = bitcast float %34 to i32, !dbg !107
  %50 = call i32 @llvm.amdgcn.ds.bpermute(i32 %44, i32 %49), !dbg !108
  %51 = bitcast i32 %50 to float, !dbg !109
  %52 = call float @llvm.minnum.f32(float %34, float %51), !dbg !110
  %53 = sdiv i64 %35, 2, !dbg !111
  %54 = mul i64 %53, 2, !dbg !111
  %55 = icmp eq i64 %54, %35, !dbg !111
  %56 = xor i64 %35, 2, !dbg !111
  %57 = ashr i64 %56, 63, !dbg !111
  %58 = select i1 %55, i64 0, i64 %57, !dbg !111
  %59 = add i64 %53, %58, !dbg !111
  br label %32, !dbg !96

60:                                               ; preds = %38
  %61 = phi float [ %33, %38 ], !dbg !96
  %62 = phi float [ %34, %38 ], !dbg !96
  %63 = sdiv i64 %27, 2, !dbg !93
  %64 = mul i64 %63, 2, !dbg !93
  %65 = sub i64 %27, %64, !dbg !93
  %66 = icmp ne i64 %65, 0, !dbg !93
  %67 = and i1 %28, %66, !dbg !93
  %68 = select i1 %67, i64 2, i64 0, !dbg !93
  %69 = add i64 %65, %68, !dbg !93
  %70 = icmp eq i64 %69, 0, !dbg !112
  br i1 %70, label %71, label %72, !dbg !113

71:                                               ; preds = %60
  store float %61, ptr %21, align 4, !dbg !114
  br label %73, !dbg !113

72:                                               ; preds = %60
  store float %62, ptr %21, align 4, !dbg !89
  br label %73, !dbg !113

73:                                               ; preds = %72, %71
  br label %75, !dbg !95

74:                                               ; preds = %2
  br label %75, !dbg !95

75:                                               ; preds = %74, %73
  ret void, !dbg !49
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind willreturn memory(none)
declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32) #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind willreturn memory(none)
declare i32 @llvm.amdgcn.mbcnt.hi(i32, i32) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef align 4 ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x() #2

; Function Attrs: convergent nocallback nofree nounwind willreturn memory(none)
declare i32 @llvm.amdgcn.ds.bpermute(i32, i32) #3

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.maxnum.f32(float, float) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.minnum.f32(float, float) #4

attributes #0 = { convergent norecurse "target-cpu"="gfx1100" "target-features" }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { convergent nocallback nofree nounwind willreturn memory(none) }
attributes #4 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0, !1}
!llvm.module.flags = !{!4, !5}

!0 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !2, producer: "Mojo", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly, nameTableKind: None)
!1 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !3, producer: "Mojo", isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly, nameTableKind: None)
!2 = !DIFile(filename: "generated/device.mojo", directory: "")
!3 = !DIFile(filename: "<unknown>", directory: "")
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = !{i32 1, !"amdhsa_code_object_version", i32 600}
!6 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<()>")
!7 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<(struct<()>)>", align: 1, elements: !41)
!8 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<(struct<(struct<()>)>, struct<(struct<()>)>)>", align: 1, elements: !39)
!9 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.none")
!10 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<(pointer<none>, struct<(struct<(struct<()>)>, struct<(struct<()>)>)>)>", size: 64, align: 64, elements: !36)
!11 = distinct !DISubprogram(name: "asm_stub", linkageName: "p26_butterfly_conditional_max6A6AcB6A_9b4258ad55924f08", scope: !30, file: !30, line: 90, type: !32, scopeLine: 90, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, annotations: !43)
!12 = distinct !DISubprogram(name: "_get_gcn_idx", linkageName: "std__gpu_primitives_id__get_6A6A6A6A6A6A6A6A_aef34967e682a74a", scope: !44, file: !44, line: 52, type: !46, scopeLine: 52, spFlags: DISPFlagDefinition, unit: !1, annotations: !48)
!13 = distinct !DISubprogram(name: "butterfly_conditional_max", linkageName: "p26_butterfly_conditional_max6A6AcB6A_7a9af14112cea353", scope: !30, file: !30, line: 90, type: !46, scopeLine: 90, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, annotations: !52)
!14 = distinct !DISubprogram(name: "crd2idx", linkageName: "std_utils_coord_crd2idx_Int6A6A6A6A6A6AcB6A6A_7b0c17e45cec993f", scope: !53, file: !53, line: 857, type: !46, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1, annotations: !55)
!15 = distinct !DILexicalBlock(scope: !14, file: !53, line: 891, column: 9)
!16 = distinct !DILexicalBlock(scope: !15, file: !53, line: 915, column: 13)
!17 = distinct !DILexicalBlock(scope: !16, file: !53, line: 918, column: 17)
!18 = distinct !DILexicalBlock(scope: !13, file: !30, line: 110, column: 9)
!19 = distinct !DISubprogram(name: "__call__", linkageName: "layout_tile_layout_Layout___c6A6A6A6A6A6A_4bb556dd9a607d6e", scope: !58, file: !58, line: 406, type: !46, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1, annotations: !60)
!20 = distinct !DILexicalBlock(scope: !19, file: !58, line: 438, column: 13)
!21 = distinct !DILexicalBlock(scope: !18, file: !30, line: 122, column: 13)
!22 = distinct !DISubprogram(name: "_shuffle_xor_amd", linkageName: "max_gpu_primitives_warp__shu6A6A6A6A6A6A6A6A_c7724908eff7536d", scope: !61, file: !61, line: 823, type: !46, scopeLine: 823, spFlags: DISPFlagDefinition, unit: !1, annotations: !63)
!23 = distinct !DILexicalBlock(scope: !18, file: !30, line: 115, column: 13)
!24 = distinct !DISubprogram(name: "shuffle_xor", linkageName: "max_gpu_primitives_warp_shuf6A6A6A6A6A6A6A6A_231f7920a746de1b", scope: !61, file: !61, line: 798, type: !46, scopeLine: 798, spFlags: DISPFlagDefinition, unit: !1, annotations: !68)
!25 = distinct !DISubprogram(name: "shuffle_xor", linkageName: "max_gpu_primitives_warp_shuf6A6A6A6A6A6A6A6A_0fbda35fec1886f2", scope: !61, file: !61, line: 839, type: !46, scopeLine: 839, spFlags: DISPFlagDefinition, unit: !1, annotations: !70)
!26 = distinct !DILexicalBlock(scope: !25, file: !61, line: 882, column: 9)
!27 = distinct !DISubprogram(name: "_shuffle_amd_helper", linkageName: "max_gpu_primitives_warp__shu6A6A6A6A6A6A6A6A_aa40c3e7aafafde9", scope: !61, file: !61, line: 387, type: !46, scopeLine: 387, spFlags: DISPFlagDefinition, unit: !1, annotations: !73)
!28 = distinct !DILexicalBlock(scope: !27, file: !61, line: 392, column: 9)
!29 = distinct !DILexicalBlock(scope: !18, file: !30, line: 120, column: 13)
!30 = !DIFile(filename: "mojo/p26/solution.mojo", directory: "")
!31 = !{null, !10, !10}
!32 = !DISubroutineType(cc: DW_CC_normal, types: !31)
!33 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !9, size: 64, align: 64, dwarfAddressSpace: 0)
!34 = !DIDerivedType(tag: DW_TAG_member, name: "m0", baseType: !33, size: 64, align: 64)
!35 = !DIDerivedType(tag: DW_TAG_member, name: "m1", baseType: !8, align: 1, offset: 64)
!36 = !{!34, !35}
!37 = !DIDerivedType(tag: DW_TAG_member, name: "m0", baseType: !7, align: 1)
!38 = !DIDerivedType(tag: DW_TAG_member, name: "m1", baseType: !7, align: 1)
!39 = !{!37, !38}
!40 = !DIDerivedType(tag: DW_TAG_member, name: "m0", baseType: !6, align: 1)
!41 = !{!40}
!42 = !{}
!43 = !{!42}
!44 = !DIFile(filename: "Mojo/stdlib/std/_gpu/primitives/id.mojo", directory: "")
!45 = !{null}
!46 = !DISubroutineType(cc: DW_CC_normal, types: !45)
!47 = !{}
!48 = !{!47}
!49 = !DILocation(line: 90, column: 5, scope: !11)
!50 = !DILocation(line: 105, column: 29, scope: !13, inlinedAt: !49)
!51 = !{}
!52 = !{!51}
!53 = !DIFile(filename: "Mojo/stdlib/std/utils/coord.mojo", directory: "")
!54 = !{}
!55 = !{!54}
!56 = !DILocation(line: 110, column: 28, scope: !18, inlinedAt: !49)
!57 = !DILocation(line: 438, column: 53, scope: !20, inlinedAt: !56)
!58 = !DIFile(filename: "max/kernels/src/layout/tile_layout.mojo", directory: "")
!59 = !{}
!60 = !{!59}
!61 = !DIFile(filename: "max/mojo/max/gpu/primitives/warp.mojo", directory: "")
!62 = !{}
!63 = !{!62}
!64 = !DILocation(line: 115, column: 47, scope: !23, inlinedAt: !49)
!65 = !DILocation(line: 819, column: 23, scope: !24, inlinedAt: !64)
!66 = !DILocation(line: 882, column: 32, scope: !26, inlinedAt: !65)
!67 = !{}
!68 = !{!67}
!69 = !{}
!70 = !{!69}
!71 = !{}
!72 = !{}
!73 = !{!72}
!74 = !DILocation(line: 835, column: 31, scope: !22, inlinedAt: !66)
!75 = !DILocation(line: 116, column: 49, scope: !23, inlinedAt: !49)
!76 = !DILocation(line: 819, column: 23, scope: !24, inlinedAt: !75)
!77 = !DILocation(line: 882, column: 32, scope: !26, inlinedAt: !76)
!78 = !DILocation(line: 835, column: 31, scope: !22, inlinedAt: !77)
!79 = !DILocation(line: 94, column: 5, scope: !11)
!80 = !DILocation(line: 93, column: 5, scope: !11)
!81 = !DILocation(line: 57, column: 6, scope: !12, inlinedAt: !50)
!82 = !DILocation(line: 58, column: 31, scope: !12, inlinedAt: !50)
!83 = !DILocation(line: 58, column: 15, scope: !12, inlinedAt: !50)
!84 = !DILocation(line: 105, column: 43, scope: !13, inlinedAt: !49)
!85 = !DILocation(line: 105, column: 32, scope: !13, inlinedAt: !49)
!86 = !DILocation(line: 105, column: 58, scope: !13, inlinedAt: !49)
!87 = !DILocation(line: 105, column: 46, scope: !13, inlinedAt: !49)
!88 = !DILocation(line: 918, column: 66, scope: !17, inlinedAt: !57)
!89 = !DILocation(line: 122, column: 19, scope: !21, inlinedAt: !49)
!90 = !DILocation(line: 106, column: 23, scope: !13, inlinedAt: !49)
!91 = !DILocation(line: 831, column: 19, scope: !22, inlinedAt: !66)
!92 = !DILocation(line: 833, column: 17, scope: !22, inlinedAt: !66)
!93 = !DILocation(line: 119, column: 17, scope: !18, inlinedAt: !49)
!94 = !DILocation(line: 108, column: 17, scope: !13, inlinedAt: !49)
!95 = !DILocation(line: 108, column: 5, scope: !13, inlinedAt: !49)
!96 = !DILocation(line: 114, column: 9, scope: !18, inlinedAt: !49)
!97 = !DILocation(line: 114, column: 22, scope: !18, inlinedAt: !49)
!98 = !DILocation(line: 115, column: 63, scope: !23, inlinedAt: !49)
!99 = !DILocation(line: 830, column: 19, scope: !22, inlinedAt: !66)
!100 = !DILocation(line: 834, column: 25, scope: !22, inlinedAt: !66)
!101 = !DILocation(line: 834, column: 36, scope: !22, inlinedAt: !66)
!102 = !DILocation(line: 393, column: 22, scope: !28, inlinedAt: !74)
!103 = !DILocation(line: 393, column: 45, scope: !28, inlinedAt: !74)
!104 = !DILocation(line: 392, column: 77, scope: !28, inlinedAt: !74)
!105 = !DILocation(line: 395, column: 42, scope: !28, inlinedAt: !74)
!106 = !DILocation(line: 115, column: 26, scope: !23, inlinedAt: !49)
!107 = !DILocation(line: 393, column: 45, scope: !28, inlinedAt: !78)
!108 = !DILocation(line: 392, column: 77, scope: !28, inlinedAt: !78)
!109 = !DILocation(line: 395, column: 42, scope: !28, inlinedAt: !78)
!110 = !DILocation(line: 116, column: 27, scope: !23, inlinedAt: !49)
!111 = !DILocation(line: 117, column: 20, scope: !23, inlinedAt: !49)
!112 = !DILocation(line: 119, column: 21, scope: !18, inlinedAt: !49)
!113 = !DILocation(line: 119, column: 9, scope: !18, inlinedAt: !49)
!114 = !DILocation(line: 120, column: 19, scope: !29, inlinedAt: !49)
