; Made by `nox -s generate`.
; from: c4a00121e643c4c420983f6e56aa569dceaed86a058dfb929419d87efdfa7c96
; code: 7cb44acf3311a7d59b026dfab3db7d4ebe8fb6fab3ff60ce0f1321bf0c4dbdf2
; ModuleID = '<split-module>'
source_filename = "device.mojo"
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-p10:32:32-p11:32:32-p12:32:32-p13:32:32-p14:32:32-p15:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgpu11.00-amd-amdhsa"

; Function Attrs: convergent norecurse
define dso_local amdgpu_kernel void @p26_butterfly_pair_swap_SIMD6A6AcB6A6AcB_f394f978e3f266bf(ptr addrspace(4) noundef nonnull byref({ ptr, { { {} }, { {} } } }) %0, ptr addrspace(4) noundef nonnull byref({ ptr, { { {} }, { {} } } }) %1) #0 !dbg !11 {
  %3 = addrspacecast ptr addrspace(4) %1 to ptr, !dbg !46
  %4 = addrspacecast ptr addrspace(4) %0 to ptr, !dbg !46
  %5 = load { ptr, { { {} }, { {} } } }, ptr %3, align 8, !dbg !72
  %6 = load { ptr, { { {} }, { {} } } }, ptr %4, align 8, !dbg !73
  %7 = extractvalue { ptr, { { {} }, { {} } } } %6, 0, !dbg !46
  %8 = extractvalue { ptr, { { {} }, { {} } } } %5, 0, !dbg !46
  %9 = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0), !dbg !74
  %10 = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %9), !dbg !74
  %11 = and i32 %10, -32, !dbg !75
  %12 = add i32 %11, 32, !dbg !76
  %13 = xor i32 %10, 1, !dbg !77
  %14 = icmp ult i32 %13, %12, !dbg !78
  %15 = select i1 %14, i32 %13, i32 %10, !dbg !79
  %16 = mul i32 %15, 4, !dbg !80
  %17 = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr(), !dbg !81
  %18 = getelementptr inbounds i16, ptr addrspace(4) %17, i32 6, !dbg !82
  %19 = load i16, ptr addrspace(4) %18, align 2, !dbg !82
  %20 = zext i16 %19 to i64, !dbg !83
  %21 = call i32 @llvm.amdgcn.workgroup.id.x(), !dbg !84
  %22 = zext i32 %21 to i64, !dbg !84
  %23 = mul i64 %20, %22, !dbg !85
  %24 = call i32 @llvm.amdgcn.workitem.id.x(), !dbg !86
  %25 = zext i32 %24 to i64, !dbg !86
  %26 = add i64 %23, %25, !dbg !87
  %27 = trunc i64 %26 to i32, !dbg !88
  %28 = sext i32 %27 to i64, !dbg !66
  %29 = getelementptr inbounds float, ptr %7, i64 %28, !dbg !89
  %30 = getelementptr inbounds float, ptr %8, i64 %28, !dbg !66
  %31 = icmp slt i64 %26, 32, !dbg !90
  br i1 %31, label %32, label %37, !dbg !91

32:                                               ; preds = %2
  %33 = load float, ptr %30, align 4, !dbg !66, !invariant.load !71
  %34 = bitcast float %33 to i32, !dbg !92
  %35 = call i32 @llvm.amdgcn.ds.bpermute(i32 %16, i32 %34), !dbg !93
  %36 = bitcast i32 %35 to float, !dbg !94
  store float %36, ptr %29, align 4, !dbg !89
  br label %38, !dbg !91

37:                                               ; preds = %2
  br label %38, !dbg !91

38:                                               ; preds = %37, %32
  ret void, !dbg !46
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

attributes #0 = { convergent norecurse "target-cpu"="gfx1100" "target-features" }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { convergent nocallback nofree nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!0, !1}
!llvm.module.flags = !{!4, !5}

!0 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !2, producer: "Mojo", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly, nameTableKind: None)
!1 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !3, producer: "Mojo", isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly, nameTableKind: None)
!2 = !DIFile(filename: "generated/device.mojo", directory: "")
!3 = !DIFile(filename: "<unknown>", directory: "")
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = !{i32 1, !"amdhsa_code_object_version", i32 600}
!6 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<()>")
!7 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<(struct<()>)>", align: 1, elements: !38)
!8 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<(struct<(struct<()>)>, struct<(struct<()>)>)>", align: 1, elements: !36)
!9 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.none")
!10 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<(pointer<none>, struct<(struct<(struct<()>)>, struct<(struct<()>)>)>)>", size: 64, align: 64, elements: !33)
!11 = distinct !DISubprogram(name: "asm_stub", linkageName: "p26_butterfly_pair_swap_SIMD6A6AcB6A6AcB_f394f978e3f266bf", scope: !27, file: !27, line: 34, type: !29, scopeLine: 34, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, annotations: !40)
!12 = distinct !DISubprogram(name: "_shuffle_xor_amd", linkageName: "max_gpu_primitives_warp__shu6A6A6A6A6A6A6A6A_c7724908eff7536d", scope: !41, file: !41, line: 823, type: !43, scopeLine: 823, spFlags: DISPFlagDefinition, unit: !1, annotations: !45)
!13 = distinct !DISubprogram(name: "butterfly_pair_swap", linkageName: "p26_butterfly_pair_swap_SIMD6A6AcB6A6AcB_7bc9c4c1e6aff038", scope: !27, file: !27, line: 34, type: !43, scopeLine: 34, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, annotations: !51)
!14 = distinct !DILexicalBlock(scope: !13, file: !27, line: 53, column: 9)
!15 = distinct !DISubprogram(name: "shuffle_xor", linkageName: "max_gpu_primitives_warp_shuf6A6A6A6A6A6A6A6A_231f7920a746de1b", scope: !41, file: !41, line: 798, type: !43, scopeLine: 798, spFlags: DISPFlagDefinition, unit: !1, annotations: !53)
!16 = distinct !DISubprogram(name: "shuffle_xor", linkageName: "max_gpu_primitives_warp_shuf6A6A6A6A6A6A6A6A_0fbda35fec1886f2", scope: !41, file: !41, line: 839, type: !43, scopeLine: 839, spFlags: DISPFlagDefinition, unit: !1, annotations: !55)
!17 = distinct !DILexicalBlock(scope: !16, file: !41, line: 882, column: 9)
!18 = distinct !DISubprogram(name: "_shuffle_amd_helper", linkageName: "max_gpu_primitives_warp__shu6A6A6A6A6A6A6A6A_aa40c3e7aafafde9", scope: !41, file: !41, line: 387, type: !43, scopeLine: 387, spFlags: DISPFlagDefinition, unit: !1, annotations: !57)
!19 = distinct !DILexicalBlock(scope: !18, file: !41, line: 392, column: 9)
!20 = distinct !DISubprogram(name: "_get_gcn_idx", linkageName: "std__gpu_primitives_id__get_6A6A6A6A6A6A6A6A_aef34967e682a74a", scope: !59, file: !59, line: 52, type: !43, scopeLine: 52, spFlags: DISPFlagDefinition, unit: !1, annotations: !61)
!21 = distinct !DISubprogram(name: "crd2idx", linkageName: "std_utils_coord_crd2idx_Int6A6A6A6A6A6AcB6A6A_03a0b85b5f9c0789", scope: !63, file: !63, line: 857, type: !43, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1, annotations: !65)
!22 = distinct !DILexicalBlock(scope: !21, file: !63, line: 891, column: 9)
!23 = distinct !DILexicalBlock(scope: !22, file: !63, line: 915, column: 13)
!24 = distinct !DILexicalBlock(scope: !23, file: !63, line: 918, column: 17)
!25 = distinct !DISubprogram(name: "__call__", linkageName: "layout_tile_layout_Layout___c6A6A6A6A6A6A_2f1c8c196daa68e0", scope: !68, file: !68, line: 406, type: !43, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1, annotations: !70)
!26 = distinct !DILexicalBlock(scope: !25, file: !68, line: 438, column: 13)
!27 = !DIFile(filename: "mojo/p26/solution.mojo", directory: "")
!28 = !{null, !10, !10}
!29 = !DISubroutineType(cc: DW_CC_normal, types: !28)
!30 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !9, size: 64, align: 64, dwarfAddressSpace: 0)
!31 = !DIDerivedType(tag: DW_TAG_member, name: "m0", baseType: !30, size: 64, align: 64)
!32 = !DIDerivedType(tag: DW_TAG_member, name: "m1", baseType: !8, align: 1, offset: 64)
!33 = !{!31, !32}
!34 = !DIDerivedType(tag: DW_TAG_member, name: "m0", baseType: !7, align: 1)
!35 = !DIDerivedType(tag: DW_TAG_member, name: "m1", baseType: !7, align: 1)
!36 = !{!34, !35}
!37 = !DIDerivedType(tag: DW_TAG_member, name: "m0", baseType: !6, align: 1)
!38 = !{!37}
!39 = !{}
!40 = !{!39}
!41 = !DIFile(filename: "max/mojo/max/gpu/primitives/warp.mojo", directory: "")
!42 = !{null}
!43 = !DISubroutineType(cc: DW_CC_normal, types: !42)
!44 = !{}
!45 = !{!44}
!46 = !DILocation(line: 34, column: 5, scope: !11)
!47 = !DILocation(line: 54, column: 39, scope: !14, inlinedAt: !46)
!48 = !DILocation(line: 819, column: 23, scope: !15, inlinedAt: !47)
!49 = !DILocation(line: 882, column: 32, scope: !17, inlinedAt: !48)
!50 = !{}
!51 = !{!50}
!52 = !{}
!53 = !{!52}
!54 = !{}
!55 = !{!54}
!56 = !{}
!57 = !{!56}
!58 = !DILocation(line: 835, column: 31, scope: !12, inlinedAt: !49)
!59 = !DIFile(filename: "Mojo/stdlib/std/_gpu/primitives/id.mojo", directory: "")
!60 = !{}
!61 = !{!60}
!62 = !DILocation(line: 49, column: 29, scope: !13, inlinedAt: !46)
!63 = !DIFile(filename: "Mojo/stdlib/std/utils/coord.mojo", directory: "")
!64 = !{}
!65 = !{!64}
!66 = !DILocation(line: 53, column: 26, scope: !14, inlinedAt: !46)
!67 = !DILocation(line: 438, column: 53, scope: !26, inlinedAt: !66)
!68 = !DIFile(filename: "max/kernels/src/layout/tile_layout.mojo", directory: "")
!69 = !{}
!70 = !{!69}
!71 = !{}
!72 = !DILocation(line: 38, column: 5, scope: !11)
!73 = !DILocation(line: 37, column: 5, scope: !11)
!74 = !DILocation(line: 829, column: 30, scope: !12, inlinedAt: !49)
!75 = !DILocation(line: 831, column: 19, scope: !12, inlinedAt: !49)
!76 = !DILocation(line: 833, column: 17, scope: !12, inlinedAt: !49)
!77 = !DILocation(line: 830, column: 19, scope: !12, inlinedAt: !49)
!78 = !DILocation(line: 834, column: 25, scope: !12, inlinedAt: !49)
!79 = !DILocation(line: 834, column: 36, scope: !12, inlinedAt: !49)
!80 = !DILocation(line: 393, column: 22, scope: !19, inlinedAt: !58)
!81 = !DILocation(line: 57, column: 6, scope: !20, inlinedAt: !62)
!82 = !DILocation(line: 58, column: 31, scope: !20, inlinedAt: !62)
!83 = !DILocation(line: 58, column: 15, scope: !20, inlinedAt: !62)
!84 = !DILocation(line: 49, column: 43, scope: !13, inlinedAt: !46)
!85 = !DILocation(line: 49, column: 32, scope: !13, inlinedAt: !46)
!86 = !DILocation(line: 49, column: 58, scope: !13, inlinedAt: !46)
!87 = !DILocation(line: 49, column: 46, scope: !13, inlinedAt: !46)
!88 = !DILocation(line: 918, column: 66, scope: !24, inlinedAt: !67)
!89 = !DILocation(line: 54, column: 15, scope: !14, inlinedAt: !46)
!90 = !DILocation(line: 51, column: 17, scope: !13, inlinedAt: !46)
!91 = !DILocation(line: 51, column: 5, scope: !13, inlinedAt: !46)
!92 = !DILocation(line: 393, column: 45, scope: !19, inlinedAt: !58)
!93 = !DILocation(line: 392, column: 77, scope: !19, inlinedAt: !58)
!94 = !DILocation(line: 395, column: 42, scope: !19, inlinedAt: !58)
