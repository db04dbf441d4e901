; Made by `nox -s generate`.
; from: f2833084131ae7e4079c7073117f2ab099f1c49ac017fdeac5a3e55a7ac27194
; code: f0029b11e6f3bbbe246ab8c1779554eedfd86af98d7d4d21f01440e2fa12f763
; ModuleID = '<split-module>'
source_filename = "device.mojo"
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-p10:32:32-p11:32:32-p12:32:32-p13:32:32-p14:32:32-p15:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgpu11.00-amd-amdhsa"

; Function Attrs: convergent norecurse
define dso_local amdgpu_kernel void @p26_butterfly_parallel_max_SI6A6AcB6A6A_557f7ca5e09485a3(ptr addrspace(4) noundef nonnull byref({ ptr, { { {} }, { {} } } }) %0, ptr addrspace(4) noundef nonnull byref({ ptr, { { {} }, { {} } } }) %1) #0 !dbg !11 {
  %3 = addrspacecast ptr addrspace(4) %1 to ptr, !dbg !47
  %4 = addrspacecast ptr addrspace(4) %0 to ptr, !dbg !47
  %5 = load { ptr, { { {} }, { {} } } }, ptr %3, align 8, !dbg !73
  %6 = load { ptr, { { {} }, { {} } } }, ptr %4, align 8, !dbg !74
  %7 = extractvalue { ptr, { { {} }, { {} } } } %6, 0, !dbg !47
  %8 = extractvalue { ptr, { { {} }, { {} } } } %5, 0, !dbg !47
  %9 = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0), !dbg !75
  %10 = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %9), !dbg !75
  %11 = and i32 %10, -32, !dbg !76
  %12 = add i32 %11, 32, !dbg !77
  %13 = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr(), !dbg !78
  %14 = getelementptr inbounds i16, ptr addrspace(4) %13, i32 6, !dbg !79
  %15 = load i16, ptr addrspace(4) %14, align 2, !dbg !79
  %16 = zext i16 %15 to i64, !dbg !80
  %17 = call i32 @llvm.amdgcn.workgroup.id.x(), !dbg !81
  %18 = zext i32 %17 to i64, !dbg !81
  %19 = mul i64 %16, %18, !dbg !82
  %20 = call i32 @llvm.amdgcn.workitem.id.x(), !dbg !83
  %21 = zext i32 %20 to i64, !dbg !83
  %22 = add i64 %19, %21, !dbg !84
  %23 = trunc i64 %22 to i32, !dbg !85
  %24 = sext i32 %23 to i64, !dbg !64
  %25 = getelementptr inbounds float, ptr %7, i64 %24, !dbg !86
  %26 = getelementptr inbounds float, ptr %8, i64 %24, !dbg !64
  %27 = icmp slt i64 %22, 32, !dbg !87
  br i1 %27, label %28, label %55, !dbg !88

28:                                               ; preds = %2
  %29 = load float, ptr %26, align 4, !dbg !64, !invariant.load !69
  br label %30, !dbg !89

30:                                               ; preds = %36, %28
  %31 = phi float [ %45, %36 ], [ %29, %28 ], !dbg !89
  %32 = phi i64 [ %52, %36 ], [ 16, %28 ], !dbg !89
  %33 = icmp sgt i64 %32, 0, !dbg !90
  br i1 %33, label %34, label %35, !dbg !89

34:                                               ; preds = %30
  br label %36, !dbg !89

35:                                               ; preds = %30
  br label %53, !dbg !89

36:                                               ; preds = %34
  %37 = trunc i64 %32 to i32, !dbg !91
  %38 = xor i32 %10, %37, !dbg !92
  %39 = icmp ult i32 %38, %12, !dbg !93
  %40 = select i1 %39, i32 %38, i32 %10, !dbg !94
  %41 = mul i32 %40, 4, !dbg !95
  %42 = bitcast float %31 to i32, !dbg !96
  %43 = call i32 @llvm.amdgcn.ds.bpermute(i32 %41, i32 %42), !dbg !97
  %44 = bitcast i32 %43 to float, !dbg !98
  %45 = call float @llvm.maxnum.f32(float %31, float %44), !dbg !99
  %46 = sdiv i64 %32, 2, !dbg !100
  %47 = mul i64 %46, 2, !dbg !100
  %48 = icmp eq i64 %47, %32, !dbg !100
  %49 = xor i64 %32, 2, !dbg !100
  %50 = ashr i64 %49, 63, !dbg !100
  %51 = select i1 %48, i64 0, i64 %50, !dbg !100
  %52 = add i64 %46, %51, !dbg !100
  br label %30, !dbg !89

53:                                               ; preds = %35
  %54 = phi float [ %31, %35 ], !dbg !89
  store float %54, ptr %25, align 4, !dbg !86
  br label %56, !dbg !88

55:                                               ; preds = %2
  br label %56, !dbg !88

56:                                               ; preds = %55, %53
  ret void, !dbg !47
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
!7 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<(struct<()>)>", align: 1, elements: !39)
!8 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<(struct<(struct<()>)>, struct<(struct<()>)>)>", align: 1, elements: !37)
!9 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.none")
!10 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<(pointer<none>, struct<(struct<(struct<()>)>, struct<(struct<()>)>)>)>", size: 64, align: 64, elements: !34)
!11 = distinct !DISubprogram(name: "asm_stub", linkageName: "p26_butterfly_parallel_max_SI6A6AcB6A6A_557f7ca5e09485a3", scope: !28, file: !28, line: 58, type: !30, scopeLine: 58, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, annotations: !41)
!12 = distinct !DISubprogram(name: "_shuffle_xor_amd", linkageName: "max_gpu_primitives_warp__shu6A6A6A6A6A6A6A6A_c7724908eff7536d", scope: !42, file: !42, line: 823, type: !44, scopeLine: 823, spFlags: DISPFlagDefinition, unit: !1, annotations: !46)
!13 = distinct !DISubprogram(name: "butterfly_parallel_max", linkageName: "p26_butterfly_parallel_max_SI6A6AcB6A6A_08c785b3a565a8ae", scope: !28, file: !28, line: 58, type: !44, scopeLine: 58, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, annotations: !52)
!14 = distinct !DILexicalBlock(scope: !13, file: !28, line: 77, column: 9)
!15 = distinct !DILexicalBlock(scope: !14, file: !28, line: 83, column: 13)
!16 = distinct !DISubprogram(name: "shuffle_xor", linkageName: "max_gpu_primitives_warp_shuf6A6A6A6A6A6A6A6A_231f7920a746de1b", scope: !42, file: !42, line: 798, type: !44, scopeLine: 798, spFlags: DISPFlagDefinition, unit: !1, annotations: !54)
!17 = distinct !DISubprogram(name: "shuffle_xor", linkageName: "max_gpu_primitives_warp_shuf6A6A6A6A6A6A6A6A_0fbda35fec1886f2", scope: !42, file: !42, line: 839, type: !44, scopeLine: 839, spFlags: DISPFlagDefinition, unit: !1, annotations: !56)
!18 = distinct !DILexicalBlock(scope: !17, file: !42, line: 882, column: 9)
!19 = distinct !DISubprogram(name: "_get_gcn_idx", linkageName: "std__gpu_primitives_id__get_6A6A6A6A6A6A6A6A_aef34967e682a74a", scope: !57, file: !57, line: 52, type: !44, scopeLine: 52, spFlags: DISPFlagDefinition, unit: !1, annotations: !59)
!20 = distinct !DISubprogram(name: "crd2idx", linkageName: "std_utils_coord_crd2idx_Int6A6A6A6A6A6AcB6A6A_03a0b85b5f9c0789", scope: !61, file: !61, line: 857, type: !44, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1, annotations: !63)
!21 = distinct !DILexicalBlock(scope: !20, file: !61, line: 891, column: 9)
!22 = distinct !DILexicalBlock(scope: !21, file: !61, line: 915, column: 13)
!23 = distinct !DILexicalBlock(scope: !22, file: !61, line: 918, column: 17)
!24 = distinct !DISubprogram(name: "__call__", linkageName: "layout_tile_layout_Layout___c6A6A6A6A6A6A_2f1c8c196daa68e0", scope: !66, file: !66, line: 406, type: !44, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1, annotations: !68)
!25 = distinct !DILexicalBlock(scope: !24, file: !66, line: 438, column: 13)
!26 = distinct !DISubprogram(name: "_shuffle_amd_helper", linkageName: "max_gpu_primitives_warp__shu6A6A6A6A6A6A6A6A_aa40c3e7aafafde9", scope: !42, file: !42, line: 387, type: !44, scopeLine: 387, spFlags: DISPFlagDefinition, unit: !1, annotations: !71)
!27 = distinct !DILexicalBlock(scope: !26, file: !42, line: 392, column: 9)
!28 = !DIFile(filename: "mojo/p26/solution.mojo", directory: "")
!29 = !{null, !10, !10}
!30 = !DISubroutineType(cc: DW_CC_normal, types: !29)
!31 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !9, size: 64, align: 64, dwarfAddressSpace: 0)
!32 = !DIDerivedType(tag: DW_TAG_member, name: "m0", baseType: !31, size: 64, align: 64)
!33 = !DIDerivedType(tag: DW_TAG_member, name: "m1", baseType: !8, align: 1, offset: 64)
!34 = !{!32, !33}
!35 = !DIDerivedType(tag: DW_TAG_member, name: "m0", baseType: !7, align: 1)
!36 = !DIDerivedType(tag: DW_TAG_member, name: "m1", baseType: !7, align: 1)
!37 = !{!35, !36}
!38 = !DIDerivedType(tag: DW_TAG_member, name: "m0", baseType: !6, align: 1)
!39 = !{!38}
!40 = !{}
!41 = !{!40}
!42 = !DIFile(filename: "max/mojo/max/gpu/primitives/warp.mojo", directory: "")
!43 = !{null}
!44 = !DISubroutineType(cc: DW_CC_normal, types: !43)
!45 = !{}
!46 = !{!45}
!47 = !DILocation(line: 58, column: 5, scope: !11)
!48 = !DILocation(line: 83, column: 47, scope: !15, inlinedAt: !47)
!49 = !DILocation(line: 819, column: 23, scope: !16, inlinedAt: !48)
!50 = !DILocation(line: 882, column: 32, scope: !18, inlinedAt: !49)
!51 = !{}
!52 = !{!51}
!53 = !{}
!54 = !{!53}
!55 = !{}
!56 = !{!55}
!57 = !DIFile(filename: "Mojo/stdlib/std/_gpu/primitives/id.mojo", directory: "")
!58 = !{}
!59 = !{!58}
!60 = !DILocation(line: 73, column: 29, scope: !13, inlinedAt: !47)
!61 = !DIFile(filename: "Mojo/stdlib/std/utils/coord.mojo", directory: "")
!62 = !{}
!63 = !{!62}
!64 = !DILocation(line: 77, column: 28, scope: !14, inlinedAt: !47)
!65 = !DILocation(line: 438, column: 53, scope: !25, inlinedAt: !64)
!66 = !DIFile(filename: "max/kernels/src/layout/tile_layout.mojo", directory: "")
!67 = !{}
!68 = !{!67}
!69 = !{}
!70 = !{}
!71 = !{!70}
!72 = !DILocation(line: 835, column: 31, scope: !12, inlinedAt: !50)
!73 = !DILocation(line: 62, column: 5, scope: !11)
!74 = !DILocation(line: 61, column: 5, scope: !11)
!75 = !DILocation(line: 829, column: 30, scope: !12, inlinedAt: !50)
!76 = !DILocation(line: 831, column: 19, scope: !12, inlinedAt: !50)
!77 = !DILocation(line: 833, column: 17, scope: !12, inlinedAt: !50)
!78 = !DILocation(line: 57, column: 6, scope: !19, inlinedAt: !60)
!79 = !DILocation(line: 58, column: 31, scope: !19, inlinedAt: !60)
!80 = !DILocation(line: 58, column: 15, scope: !19, inlinedAt: !60)
!81 = !DILocation(line: 73, column: 43, scope: !13, inlinedAt: !47)
!82 = !DILocation(line: 73, column: 32, scope: !13, inlinedAt: !47)
!83 = !DILocation(line: 73, column: 58, scope: !13, inlinedAt: !47)
!84 = !DILocation(line: 73, column: 46, scope: !13, inlinedAt: !47)
!85 = !DILocation(line: 918, column: 66, scope: !23, inlinedAt: !65)
!86 = !DILocation(line: 86, column: 15, scope: !14, inlinedAt: !47)
!87 = !DILocation(line: 75, column: 17, scope: !13, inlinedAt: !47)
!88 = !DILocation(line: 75, column: 5, scope: !13, inlinedAt: !47)
!89 = !DILocation(line: 82, column: 9, scope: !14, inlinedAt: !47)
!90 = !DILocation(line: 82, column: 22, scope: !14, inlinedAt: !47)
!91 = !DILocation(line: 83, column: 63, scope: !15, inlinedAt: !47)
!92 = !DILocation(line: 830, column: 19, scope: !12, inlinedAt: !50)
!93 = !DILocation(line: 834, column: 25, scope: !12, inlinedAt: !50)
!94 = !DILocation(line: 834, column: 36, scope: !12, inlinedAt: !50)
!95 = !DILocation(line: 393, column: 22, scope: !27, inlinedAt: !72)
!96 = !DILocation(line: 393, column: 45, scope: !27, inlinedAt: !72)
!97 = !DILocation(line: 392, column: 77, scope: !27, inlinedAt: !72)
!98 = !DILocation(line: 395, column: 42, scope: !27, inlinedAt: !72)
!99 = !DILocation(line: 83, column: 26, scope: !15, inlinedAt: !47)
!100 = !DILocation(line: 84, column: 20, scope: !15, inlinedAt: !47)
