; Made by `nox -s generate`.
; from: 2fe3346ae1f03cd7c4c7e372ac7d5e7713ed830f23f7fe2e65180390adf2a9c4
; code: 44a316887b1021db51d3db49b35441a391709d6cbb7e05880a65d5e4cb86bb27
; ModuleID = '<split-module>'
source_filename = "device.mojo"
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v24:32:32-v32:32:32-v48:64:64-v64:64:64-v96:128:128-v128:128:128-v192:256:256-v256:256:256-v512:512:512-v1024:1024:1024-n8:16:32"
target triple = "air64-apple-macosx"

declare float @air.fmax.f32(float, float)

declare float @air.simd_shuffle_xor.f32.i16(float, i16)

declare i32 @air.thread_position_in_threadgroup.x()

declare i32 @air.threadgroup_position_in_grid.x()

declare i32 @air.threads_per_threadgroup.x()

; Function Attrs: norecurse
define dso_local void @p26_butterfly_parallel_max_SI6A6AcB6A6A_557f7ca5e09485a3(ptr noundef nonnull %0, ptr noundef nonnull %1) #0 !dbg !10 {
  %3 = load { ptr, { { {} }, { {} } } }, ptr %1, align 8, !dbg !63
  %4 = load { ptr, { { {} }, { {} } } }, ptr %0, align 8, !dbg !64
  %5 = extractvalue { ptr, { { {} }, { {} } } } %4, 0, !dbg !43
  %6 = extractvalue { ptr, { { {} }, { {} } } } %3, 0, !dbg !43
  %7 = call i32 @air.threads_per_threadgroup.x(), !dbg !65
  %8 = sext i32 %7 to i64, !dbg !65
  %9 = call i32 @air.threadgroup_position_in_grid.x(), !dbg !66
  %10 = zext i32 %9 to i64, !dbg !66
  %11 = mul i64 %8, %10, !dbg !67
  %12 = call i32 @air.thread_position_in_threadgroup.x(), !dbg !68
  %13 = zext i32 %12 to i64, !dbg !68
  %14 = add i64 %11, %13, !dbg !69
  %15 = trunc i64 %14 to i32, !dbg !70
  %16 = sext i32 %15 to i64, !dbg !47
  %17 = getelementptr inbounds float, ptr %5, i64 %16, !dbg !71
  %18 = getelementptr inbounds float, ptr %6, i64 %16, !dbg !47
  %19 = icmp slt i64 %14, 32, !dbg !72
  br i1 %19, label %20, label %41, !dbg !73

20:                                               ; preds = %2
  %21 = load float, ptr %18, align 4, !dbg !47, !invariant.load !52
  br label %22, !dbg !74

22:                                               ; preds = %28, %20
  %23 = phi float [ %31, %28 ], [ %21, %20 ], !dbg !74
  %24 = phi i64 [ %38, %28 ], [ 16, %20 ], !dbg !74
  %25 = icmp sgt i64 %24, 0, !dbg !75
  br i1 %25, label %26, label %27, !dbg !74

26:                                               ; preds = %22
  br label %28, !dbg !74

27:                                               ; preds = %22
  br label %39, !dbg !74

28:                                               ; preds = %26
  %29 = trunc i64 %24 to i16, !dbg !76
  %30 = call float @air.simd_shuffle_xor.f32.i16(float %23, i16 %29), !dbg !77
  %31 = call float @air.fmax.f32(float %23, float %30), !dbg !78
  %32 = sdiv i64 %24, 2, !dbg !79
  %33 = mul i64 %32, 2, !dbg !79
  %34 = icmp eq i64 %33, %24, !dbg !79
  %35 = xor i64 %24, 2, !dbg !79
  %36 = ashr i64 %35, 63, !dbg !79
  %37 = select i1 %34, i64 0, i64 %36, !dbg !79
  %38 = add i64 %32, %37, !dbg !79
  br label %22, !dbg !74

39:                                               ; preds = %27
  %40 = phi float [ %23, %27 ], !dbg !74
  store float %40, ptr %17, align 4, !dbg !71
  br label %42, !dbg !73

41:                                               ; preds = %2
  br label %42, !dbg !73

42:                                               ; preds = %41, %39
  ret void, !dbg !43
}

attributes #0 = { norecurse "metal.kernel"="true" "target-cpu"="apple-m4" "target-features"="+metal3_2,+air2_7_0" }

!llvm.dbg.cu = !{!0, !1}
!llvm.module.flags = !{!4}

!0 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !2, producer: "Mojo", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly, nameTableKind: None)
!1 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !3, producer: "Mojo", isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly, nameTableKind: None)
!2 = !DIFile(filename: "generated/device.mojo", directory: "")
!3 = !DIFile(filename: "<unknown>", directory: "")
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<()>")
!6 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<(struct<()>)>", align: 1, elements: !36)
!7 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<(struct<(struct<()>)>, struct<(struct<()>)>)>", align: 1, elements: !34)
!8 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.none")
!9 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<(pointer<none>, struct<(struct<(struct<()>)>, struct<(struct<()>)>)>)>", size: 64, align: 64, elements: !31)
!10 = distinct !DISubprogram(name: "asm_stub", linkageName: "p26_butterfly_parallel_max_SI6A6AcB6A6A_557f7ca5e09485a3", scope: !25, file: !25, line: 58, type: !27, scopeLine: 58, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, annotations: !38)
!11 = distinct !DISubprogram(name: "butterfly_parallel_max", linkageName: "p26_butterfly_parallel_max_SI6A6AcB6A6A_08c785b3a565a8ae", scope: !25, file: !25, line: 58, type: !40, scopeLine: 58, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, annotations: !42)
!12 = distinct !DISubprogram(name: "crd2idx", linkageName: "std_utils_coord_crd2idx_Int6A6A6A6A6A6AcB6A6A_03a0b85b5f9c0789", scope: !44, file: !44, line: 857, type: !40, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1, annotations: !46)
!13 = distinct !DILexicalBlock(scope: !12, file: !44, line: 891, column: 9)
!14 = distinct !DILexicalBlock(scope: !13, file: !44, line: 915, column: 13)
!15 = distinct !DILexicalBlock(scope: !14, file: !44, line: 918, column: 17)
!16 = distinct !DILexicalBlock(scope: !11, file: !25, line: 77, column: 9)
!17 = distinct !DISubprogram(name: "__call__", linkageName: "layout_tile_layout_Layout___c6A6A6A6A6A6A_2f1c8c196daa68e0", scope: !49, file: !49, line: 406, type: !40, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1, annotations: !51)
!18 = distinct !DILexicalBlock(scope: !17, file: !49, line: 438, column: 13)
!19 = distinct !DISubprogram(name: "_shuffle_apple_helper", linkageName: "max_gpu_primitives_warp__shu6A6A6A6A6A6A6A6A_6a1c8d42e8780f0e", scope: !53, file: !53, line: 418, type: !40, scopeLine: 418, spFlags: DISPFlagDefinition, unit: !1, annotations: !55)
!20 = distinct !DILexicalBlock(scope: !16, file: !25, line: 83, column: 13)
!21 = distinct !DISubprogram(name: "shuffle_xor", linkageName: "max_gpu_primitives_warp_shuf6A6A6A6A6A6A6A6A_231f7920a746de1b", scope: !53, file: !53, line: 798, type: !40, scopeLine: 798, spFlags: DISPFlagDefinition, unit: !1, annotations: !60)
!22 = distinct !DISubprogram(name: "shuffle_xor", linkageName: "max_gpu_primitives_warp_shuf6A6A6A6A6A6A6A6A_0fbda35fec1886f2", scope: !53, file: !53, line: 839, type: !40, scopeLine: 839, spFlags: DISPFlagDefinition, unit: !1, annotations: !62)
!23 = distinct !DILexicalBlock(scope: !22, file: !53, line: 884, column: 9)
!24 = distinct !DILexicalBlock(scope: !19, file: !53, line: 477, column: 9)
!25 = !DIFile(filename: "mojo/p26/solution.mojo", directory: "")
!26 = !{null, !9, !9}
!27 = !DISubroutineType(cc: DW_CC_normal, types: !26)
!28 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !8, size: 64, align: 64, dwarfAddressSpace: 0)
!29 = !DIDerivedType(tag: DW_TAG_member, name: "m0", baseType: !28, size: 64, align: 64)
!30 = !DIDerivedType(tag: DW_TAG_member, name: "m1", baseType: !7, align: 1, offset: 64)
!31 = !{!29, !30}
!32 = !DIDerivedType(tag: DW_TAG_member, name: "m0", baseType: !6, align: 1)
!33 = !DIDerivedType(tag: DW_TAG_member, name: "m1", baseType: !6, align: 1)
!34 = !{!32, !33}
!35 = !DIDerivedType(tag: DW_TAG_member, name: "m0", baseType: !5, align: 1)
!36 = !{!35}
!37 = !{}
!38 = !{!37}
!39 = !{null}
!40 = !DISubroutineType(cc: DW_CC_normal, types: !39)
!41 = !{}
!42 = !{!41}
!43 = !DILocation(line: 58, column: 5, scope: !10)
!44 = !DIFile(filename: "Mojo/stdlib/std/utils/coord.mojo", directory: "")
!45 = !{}
!46 = !{!45}
!47 = !DILocation(line: 77, column: 28, scope: !16, inlinedAt: !43)
!48 = !DILocation(line: 438, column: 53, scope: !18, inlinedAt: !47)
!49 = !DIFile(filename: "max/kernels/src/layout/tile_layout.mojo", directory: "")
!50 = !{}
!51 = !{!50}
!52 = !{}
!53 = !DIFile(filename: "max/mojo/max/gpu/primitives/warp.mojo", directory: "")
!54 = !{}
!55 = !{!54}
!56 = !DILocation(line: 83, column: 47, scope: !20, inlinedAt: !43)
!57 = !DILocation(line: 819, column: 23, scope: !21, inlinedAt: !56)
!58 = !DILocation(line: 884, column: 63, scope: !23, inlinedAt: !57)
!59 = !{}
!60 = !{!59}
!61 = !{}
!62 = !{!61}
!63 = !DILocation(line: 62, column: 5, scope: !10)
!64 = !DILocation(line: 61, column: 5, scope: !10)
!65 = !DILocation(line: 73, column: 29, scope: !11, inlinedAt: !43)
!66 = !DILocation(line: 73, column: 43, scope: !11, inlinedAt: !43)
!67 = !DILocation(line: 73, column: 32, scope: !11, inlinedAt: !43)
!68 = !DILocation(line: 73, column: 58, scope: !11, inlinedAt: !43)
!69 = !DILocation(line: 73, column: 46, scope: !11, inlinedAt: !43)
!70 = !DILocation(line: 918, column: 66, scope: !15, inlinedAt: !48)
!71 = !DILocation(line: 86, column: 15, scope: !16, inlinedAt: !43)
!72 = !DILocation(line: 75, column: 17, scope: !11, inlinedAt: !43)
!73 = !DILocation(line: 75, column: 5, scope: !11, inlinedAt: !43)
!74 = !DILocation(line: 82, column: 9, scope: !16, inlinedAt: !43)
!75 = !DILocation(line: 82, column: 22, scope: !16, inlinedAt: !43)
!76 = !DILocation(line: 439, column: 21, scope: !19, inlinedAt: !58)
!77 = !DILocation(line: 480, column: 61, scope: !24, inlinedAt: !58)
!78 = !DILocation(line: 83, column: 26, scope: !20, inlinedAt: !43)
!79 = !DILocation(line: 84, column: 20, scope: !20, inlinedAt: !43)
