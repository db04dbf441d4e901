; Made by `nox -s generate`.
; from: 065afdd6e4914e615e80d81b43391ee10cfad8e632834fce5aa066d51daa4ce0
; code: 7570140ad7df4a98e46c5636f4e28b4b8c0355fbb3c1747651bec39482d1d73d
; ModuleID = '<split-module>'
source_filename = "device.mojo"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent norecurse
define dso_local ptx_kernel void @p26_butterfly_pair_swap_SIMD6A6AcB6A6AcB_f394f978e3f266bf(ptr noundef nonnull byval({ ptr, { { {} }, { {} } } }) %0, ptr noundef nonnull byval({ ptr, { { {} }, { {} } } }) %1) #0 !dbg !10 {
  %3 = load { ptr, { { {} }, { {} } } }, ptr %1, align 8, !dbg !62
  %4 = load { ptr, { { {} }, { {} } } }, ptr %0, align 8, !dbg !63
  %5 = extractvalue { ptr, { { {} }, { {} } } } %4, 0, !dbg !42
  %6 = extractvalue { ptr, { { {} }, { {} } } } %3, 0, !dbg !42
  %7 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !64
  %8 = sext i32 %7 to i64, !dbg !64
  %9 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !65
  %10 = zext i32 %9 to i64, !dbg !65
  %11 = mul i64 %8, %10, !dbg !66
  %12 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !67
  %13 = zext i32 %12 to i64, !dbg !67
  %14 = add i64 %11, %13, !dbg !68
  %15 = trunc i64 %14 to i32, !dbg !69
  %16 = sext i32 %15 to i64, !dbg !46
  %17 = getelementptr inbounds float, ptr %5, i64 %16, !dbg !70
  %18 = getelementptr inbounds float, ptr %6, i64 %16, !dbg !46
  %19 = icmp slt i64 %14, 32, !dbg !71
  br i1 %19, label %20, label %23, !dbg !72

20:                                               ; preds = %2
  %21 = load float, ptr %18, align 4, !dbg !46, !invariant.load !51
  %22 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %21, i32 1, i32 31), !dbg !73
  store float %22, ptr %17, align 4, !dbg !70
  br label %24, !dbg !72

23:                                               ; preds = %2
  br label %24, !dbg !72

24:                                               ; preds = %23, %20
  ret void, !dbg !42
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32) #2

attributes #0 = { convergent norecurse "target-cpu"="sm_90a" "target-features"="+ptx85,+sm_90a" "tune-cpu"="sm_90a" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }

!llvm.dbg.cu = !{!0, !1}
!llvm.module.flags = !{!4}

!0 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !2, producer: "Mojo", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, nameTableKind: None)
!1 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !3, producer: "Mojo", isOptimized: false, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, nameTableKind: None)
!2 = !DIFile(filename: "generated/device.mojo", directory: "")
!3 = !DIFile(filename: "<unknown>", directory: "")
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<()>")
!6 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<(struct<()>)>", align: 1, elements: !35)
!7 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<(struct<(struct<()>)>, struct<(struct<()>)>)>", align: 1, elements: !33)
!8 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.none")
!9 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<(pointer<none>, struct<(struct<(struct<()>)>, struct<(struct<()>)>)>)>", size: 64, align: 64, elements: !30)
!10 = distinct !DISubprogram(name: "asm_stub", linkageName: "p26_butterfly_pair_swap_SIMD6A6AcB6A6AcB_f394f978e3f266bf", scope: !24, file: !24, line: 34, type: !26, scopeLine: 34, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, annotations: !37)
!11 = distinct !DISubprogram(name: "butterfly_pair_swap", linkageName: "p26_butterfly_pair_swap_SIMD6A6AcB6A6AcB_7bc9c4c1e6aff038", scope: !24, file: !24, line: 34, type: !39, scopeLine: 34, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, annotations: !41)
!12 = distinct !DISubprogram(name: "crd2idx", linkageName: "std_utils_coord_crd2idx_Int6A6A6A6A6A6AcB6A6A_03a0b85b5f9c0789", scope: !43, file: !43, line: 857, type: !39, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1, annotations: !45)
!13 = distinct !DILexicalBlock(scope: !12, file: !43, line: 891, column: 9)
!14 = distinct !DILexicalBlock(scope: !13, file: !43, line: 915, column: 13)
!15 = distinct !DILexicalBlock(scope: !14, file: !43, line: 918, column: 17)
!16 = distinct !DILexicalBlock(scope: !11, file: !24, line: 53, column: 9)
!17 = distinct !DISubprogram(name: "__call__", linkageName: "layout_tile_layout_Layout___c6A6A6A6A6A6A_2f1c8c196daa68e0", scope: !48, file: !48, line: 406, type: !39, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1, annotations: !50)
!18 = distinct !DILexicalBlock(scope: !17, file: !48, line: 438, column: 13)
!19 = distinct !DISubprogram(name: "_shuffle", linkageName: "max_gpu_primitives_warp__shu6A6A6A6A6A6A6A6A_18d617ab5c7b31db", scope: !52, file: !52, line: 329, type: !39, scopeLine: 329, spFlags: DISPFlagDefinition, unit: !1, annotations: !54)
!20 = distinct !DILexicalBlock(scope: !19, file: !52, line: 343, column: 9)
!21 = distinct !DISubprogram(name: "shuffle_xor", linkageName: "max_gpu_primitives_warp_shuf6A6A6A6A6A6A6A6A_231f7920a746de1b", scope: !52, file: !52, line: 798, type: !39, scopeLine: 798, spFlags: DISPFlagDefinition, unit: !1, annotations: !59)
!22 = distinct !DISubprogram(name: "shuffle_xor", linkageName: "max_gpu_primitives_warp_shuf6A6A6A6A6A6A6A6A_0fbda35fec1886f2", scope: !52, file: !52, line: 839, type: !39, scopeLine: 839, spFlags: DISPFlagDefinition, unit: !1, annotations: !61)
!23 = distinct !DILexicalBlock(scope: !22, file: !52, line: 878, column: 9)
!24 = !DIFile(filename: "mojo/p26/solution.mojo", directory: "")
!25 = !{null, !9, !9}
!26 = !DISubroutineType(cc: DW_CC_normal, types: !25)
!27 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !8, size: 64, align: 64, dwarfAddressSpace: 0)
!28 = !DIDerivedType(tag: DW_TAG_member, name: "m0", baseType: !27, size: 64, align: 64)
!29 = !DIDerivedType(tag: DW_TAG_member, name: "m1", baseType: !7, align: 1, offset: 64)
!30 = !{!28, !29}
!31 = !DIDerivedType(tag: DW_TAG_member, name: "m0", baseType: !6, align: 1)
!32 = !DIDerivedType(tag: DW_TAG_member, name: "m1", baseType: !6, align: 1)
!33 = !{!31, !32}
!34 = !DIDerivedType(tag: DW_TAG_member, name: "m0", baseType: !5, align: 1)
!35 = !{!34}
!36 = !{}
!37 = !{!36}
!38 = !{null}
!39 = !DISubroutineType(cc: DW_CC_normal, types: !38)
!40 = !{}
!41 = !{!40}
!42 = !DILocation(line: 34, column: 5, scope: !10)
!43 = !DIFile(filename: "Mojo/stdlib/std/utils/coord.mojo", directory: "")
!44 = !{}
!45 = !{!44}
!46 = !DILocation(line: 53, column: 26, scope: !16, inlinedAt: !42)
!47 = !DILocation(line: 438, column: 53, scope: !18, inlinedAt: !46)
!48 = !DIFile(filename: "max/kernels/src/layout/tile_layout.mojo", directory: "")
!49 = !{}
!50 = !{!49}
!51 = !{}
!52 = !DIFile(filename: "max/mojo/max/gpu/primitives/warp.mojo", directory: "")
!53 = !{}
!54 = !{!53}
!55 = !DILocation(line: 54, column: 39, scope: !16, inlinedAt: !42)
!56 = !DILocation(line: 819, column: 23, scope: !21, inlinedAt: !55)
!57 = !DILocation(line: 878, column: 63, scope: !23, inlinedAt: !56)
!58 = !{}
!59 = !{!58}
!60 = !{}
!61 = !{!60}
!62 = !DILocation(line: 38, column: 5, scope: !10)
!63 = !DILocation(line: 37, column: 5, scope: !10)
!64 = !DILocation(line: 49, column: 29, scope: !11, inlinedAt: !42)
!65 = !DILocation(line: 49, column: 43, scope: !11, inlinedAt: !42)
!66 = !DILocation(line: 49, column: 32, scope: !11, inlinedAt: !42)
!67 = !DILocation(line: 49, column: 58, scope: !11, inlinedAt: !42)
!68 = !DILocation(line: 49, column: 46, scope: !11, inlinedAt: !42)
!69 = !DILocation(line: 918, column: 66, scope: !15, inlinedAt: !47)
!70 = !DILocation(line: 54, column: 15, scope: !16, inlinedAt: !42)
!71 = !DILocation(line: 51, column: 17, scope: !11, inlinedAt: !42)
!72 = !DILocation(line: 51, column: 5, scope: !11, inlinedAt: !42)
!73 = !DILocation(line: 345, column: 10, scope: !20, inlinedAt: !57)
