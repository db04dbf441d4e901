; Made by `nox -s generate`.
; from: a46b14c116f3449bf9866d69c284d5b6bcf9342b364775422aa169b3a04408b0
; code: a8f3bf289fede075cae815e247baa42ff2c5d132408c7f9d27b9efd106148303
; ModuleID = '<split-module>'
source_filename = "device.mojo"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent norecurse
define dso_local ptx_kernel void @p26_butterfly_conditional_max6A6AcB6A_9b4258ad55924f08(ptr noundef nonnull byval({ ptr, { { {} }, { {} } } }) %0, ptr noundef nonnull byval({ ptr, { { {} }, { {} } } }) %1) #0 !dbg !10 {
  %3 = load { ptr, { { {} }, { {} } } }, ptr %1, align 8, !dbg !68
  %4 = load { ptr, { { {} }, { {} } } }, ptr %0, align 8, !dbg !69
  %5 = extractvalue { ptr, { { {} }, { {} } } } %4, 0, !dbg !45
  %6 = extractvalue { ptr, { { {} }, { {} } } } %3, 0, !dbg !45
  %7 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !70
  %8 = sext i32 %7 to i64, !dbg !70
  %9 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !71
  %10 = zext i32 %9 to i64, !dbg !71
  %11 = mul i64 %8, %10, !dbg !72
  %12 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !73
  %13 = zext i32 %12 to i64, !dbg !73
  %14 = add i64 %11, %13, !dbg !74
  %15 = trunc i64 %14 to i32, !dbg !75
  %16 = sext i32 %15 to i64, !dbg !49
  %17 = getelementptr inbounds float, ptr %5, i64 %16, !dbg !76
  %18 = getelementptr inbounds float, ptr %6, i64 %16, !dbg !49
  %19 = call i32 @llvm.nvvm.read.ptx.sreg.laneid(), !dbg !77
  %20 = sext i32 %19 to i64, !dbg !77
  %21 = icmp slt i64 %20, 0, !dbg !78
  %22 = icmp slt i64 %14, 64, !dbg !79
  br i1 %22, label %23, label %59, !dbg !80

23:                                               ; preds = %2
  %24 = load float, ptr %18, align 4, !dbg !49, !invariant.load !54
  br label %25, !dbg !81

25:                                               ; preds = %32, %23
  %26 = phi float [ %35, %32 ], [ %24, %23 ], !dbg !81
  %27 = phi float [ %37, %32 ], [ %24, %23 ], !dbg !81
  %28 = phi i64 [ %44, %32 ], [ 16, %23 ], !dbg !81
  %29 = icmp sgt i64 %28, 0, !dbg !82
  br i1 %29, label %30, label %31, !dbg !81

30:                                               ; preds = %25
  br label %32, !dbg !81

31:                                               ; preds = %25
  br label %45, !dbg !81

32:                                               ; preds = %30
  %33 = trunc i64 %28 to i32, !dbg !83
  %34 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %26, i32 %33, i32 31), !dbg !84
  %35 = call float @llvm.maxnum.f32(float %26, float %34), !dbg !85
  %36 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %27, i32 %33, i32 31), !dbg !86
  %37 = call float @llvm.minnum.f32(float %27, float %36), !dbg !87
  %38 = sdiv i64 %28, 2, !dbg !88
  %39 = mul i64 %38, 2, !dbg !88
  %40 = icmp eq i64 %39, %28, !dbg !88
  %41 = xor i64 %28, 2, !dbg !88
  %42 = ashr i64 %41, 63, !dbg !88
  %43 = select i1 %40, i64 0, i64 %42, !dbg !88
  %44 = add i64 %38, %43, !dbg !88
  br label %25, !dbg !81

45:                                               ; preds = %31
  %46 = phi float [ %26, %31 ], !dbg !81
  %47 = phi float [ %27, %31 ], !dbg !81
  %48 = sdiv i64 %20, 2, !dbg !78
  %49 = mul i64 %48, 2, !dbg !78
  %50 = sub i64 %20, %49, !dbg !78
  %51 = icmp ne i64 %50, 0, !dbg !78
  %52 = and i1 %21, %51, !dbg !78
  %53 = select i1 %52, i64 2, i64 0, !dbg !78
  %54 = add i64 %50, %53, !dbg !78
  %55 = icmp eq i64 %54, 0, !dbg !89
  br i1 %55, label %56, label %57, !dbg !90

56:                                               ; preds = %45
  store float %46, ptr %17, align 4, !dbg !91
  br label %58, !dbg !90

57:                                               ; preds = %45
  store float %47, ptr %17, align 4, !dbg !76
  br label %58, !dbg !90

58:                                               ; preds = %57, %56
  br label %60, !dbg !80

59:                                               ; preds = %2
  br label %60, !dbg !80

60:                                               ; preds = %59, %58
  ret void, !dbg !45
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32) #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.maxnum.f32(float, float) #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 32) i32 @llvm.nvvm.read.ptx.sreg.laneid() #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.minnum.f32(float, float) #3

attributes #0 = { convergent norecurse "target-cpu"="sm_90a" "target-features"="+ptx85,+sm_90a" "tune-cpu"="sm_90a" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0, !1}
!llvm.module.flags = !{!4}

!0 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !2, producer: "Mojo", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, nameTableKind: None)
!1 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !3, producer: "Mojo", isOptimized: false, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, nameTableKind: None)
!2 = !DIFile(filename: "generated/device.mojo", directory: "")
!3 = !DIFile(filename: "<unknown>", directory: "")
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<()>")
!6 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<(struct<()>)>", align: 1, elements: !38)
!7 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<(struct<(struct<()>)>, struct<(struct<()>)>)>", align: 1, elements: !36)
!8 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.none")
!9 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "!kgen.struct<(pointer<none>, struct<(struct<(struct<()>)>, struct<(struct<()>)>)>)>", size: 64, align: 64, elements: !33)
!10 = distinct !DISubprogram(name: "asm_stub", linkageName: "p26_butterfly_conditional_max6A6AcB6A_9b4258ad55924f08", scope: !27, file: !27, line: 90, type: !29, scopeLine: 90, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, annotations: !40)
!11 = distinct !DISubprogram(name: "butterfly_conditional_max", linkageName: "p26_butterfly_conditional_max6A6AcB6A_7a9af14112cea353", scope: !27, file: !27, line: 90, type: !42, scopeLine: 90, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, annotations: !44)
!12 = distinct !DISubprogram(name: "crd2idx", linkageName: "std_utils_coord_crd2idx_Int6A6A6A6A6A6AcB6A6A_7b0c17e45cec993f", scope: !46, file: !46, line: 857, type: !42, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1, annotations: !48)
!13 = distinct !DILexicalBlock(scope: !12, file: !46, line: 891, column: 9)
!14 = distinct !DILexicalBlock(scope: !13, file: !46, line: 915, column: 13)
!15 = distinct !DILexicalBlock(scope: !14, file: !46, line: 918, column: 17)
!16 = distinct !DILexicalBlock(scope: !11, file: !27, line: 110, column: 9)
!17 = distinct !DISubprogram(name: "__call__", linkageName: "layout_tile_layout_Layout___c6A6A6A6A6A6A_4bb556dd9a607d6e", scope: !51, file: !51, line: 406, type: !42, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1, annotations: !53)
!18 = distinct !DILexicalBlock(scope: !17, file: !51, line: 438, column: 13)
!19 = distinct !DILexicalBlock(scope: !16, file: !27, line: 122, column: 13)
!20 = distinct !DILexicalBlock(scope: !16, file: !27, line: 115, column: 13)
!21 = distinct !DISubprogram(name: "_shuffle", linkageName: "max_gpu_primitives_warp__shu6A6A6A6A6A6A6A6A_18d617ab5c7b31db", scope: !55, file: !55, line: 329, type: !42, scopeLine: 329, spFlags: DISPFlagDefinition, unit: !1, annotations: !57)
!22 = distinct !DILexicalBlock(scope: !21, file: !55, line: 343, column: 9)
!23 = distinct !DISubprogram(name: "shuffle_xor", linkageName: "max_gpu_primitives_warp_shuf6A6A6A6A6A6A6A6A_231f7920a746de1b", scope: !55, file: !55, line: 798, type: !42, scopeLine: 798, spFlags: DISPFlagDefinition, unit: !1, annotations: !62)
!24 = distinct !DISubprogram(name: "shuffle_xor", linkageName: "max_gpu_primitives_warp_shuf6A6A6A6A6A6A6A6A_0fbda35fec1886f2", scope: !55, file: !55, line: 839, type: !42, scopeLine: 839, spFlags: DISPFlagDefinition, unit: !1, annotations: !64)
!25 = distinct !DILexicalBlock(scope: !24, file: !55, line: 878, column: 9)
!26 = distinct !DILexicalBlock(scope: !16, file: !27, line: 120, column: 13)
!27 = !DIFile(filename: "mojo/p26/solution.mojo", directory: "")
!28 = !{null, !9, !9}
!29 = !DISubroutineType(cc: DW_CC_normal, types: !28)
!30 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !8, size: 64, align: 64, dwarfAddressSpace: 0)
!31 = !DIDerivedType(tag: DW_TAG_member, name: "m0", baseType: !30, size: 64, align: 64)
!32 = !DIDerivedType(tag: DW_TAG_member, name: "m1", baseType: !7, align: 1, offset: 64)
!33 = !{!31, !32}
!34 = !DIDerivedType(tag: DW_TAG_member, name: "m0", baseType: !6, align: 1)
!35 = !DIDerivedType(tag: DW_TAG_member, name: "m1", baseType: !6, align: 1)
!36 = !{!34, !35}
!37 = !DIDerivedType(tag: DW_TAG_member, name: "m0", baseType: !5, align: 1)
!38 = !{!37}
!39 = !{}
!40 = !{!39}
!41 = !{null}
!42 = !DISubroutineType(cc: DW_CC_normal, types: !41)
!43 = !{}
!44 = !{!43}
!45 = !DILocation(line: 90, column: 5, scope: !10)
!46 = !DIFile(filename: "Mojo/stdlib/std/utils/coord.mojo", directory: "")
!47 = !{}
!48 = !{!47}
!49 = !DILocation(line: 110, column: 28, scope: !16, inlinedAt: !45)
!50 = !DILocation(line: 438, column: 53, scope: !18, inlinedAt: !49)
!51 = !DIFile(filename: "max/kernels/src/layout/tile_layout.mojo", directory: "")
!52 = !{}
!53 = !{!52}
!54 = !{}
!55 = !DIFile(filename: "max/mojo/max/gpu/primitives/warp.mojo", directory: "")
!56 = !{}
!57 = !{!56}
!58 = !DILocation(line: 115, column: 47, scope: !20, inlinedAt: !45)
!59 = !DILocation(line: 819, column: 23, scope: !23, inlinedAt: !58)
!60 = !DILocation(line: 878, column: 63, scope: !25, inlinedAt: !59)
!61 = !{}
!62 = !{!61}
!63 = !{}
!64 = !{!63}
!65 = !DILocation(line: 116, column: 49, scope: !20, inlinedAt: !45)
!66 = !DILocation(line: 819, column: 23, scope: !23, inlinedAt: !65)
!67 = !DILocation(line: 878, column: 63, scope: !25, inlinedAt: !66)
!68 = !DILocation(line: 94, column: 5, scope: !10)
!69 = !DILocation(line: 93, column: 5, scope: !10)
!70 = !DILocation(line: 105, column: 29, scope: !11, inlinedAt: !45)
!71 = !DILocation(line: 105, column: 43, scope: !11, inlinedAt: !45)
!72 = !DILocation(line: 105, column: 32, scope: !11, inlinedAt: !45)
!73 = !DILocation(line: 105, column: 58, scope: !11, inlinedAt: !45)
!74 = !DILocation(line: 105, column: 46, scope: !11, inlinedAt: !45)
!75 = !DILocation(line: 918, column: 66, scope: !15, inlinedAt: !50)
!76 = !DILocation(line: 122, column: 19, scope: !19, inlinedAt: !45)
!77 = !DILocation(line: 106, column: 23, scope: !11, inlinedAt: !45)
!78 = !DILocation(line: 119, column: 17, scope: !16, inlinedAt: !45)
!79 = !DILocation(line: 108, column: 17, scope: !11, inlinedAt: !45)
!80 = !DILocation(line: 108, column: 5, scope: !11, inlinedAt: !45)
!81 = !DILocation(line: 114, column: 9, scope: !16, inlinedAt: !45)
!82 = !DILocation(line: 114, column: 22, scope: !16, inlinedAt: !45)
!83 = !DILocation(line: 115, column: 63, scope: !20, inlinedAt: !45)
!84 = !DILocation(line: 345, column: 10, scope: !22, inlinedAt: !60)
!85 = !DILocation(line: 115, column: 26, scope: !20, inlinedAt: !45)
!86 = !DILocation(line: 345, column: 10, scope: !22, inlinedAt: !67)
!87 = !DILocation(line: 116, column: 27, scope: !20, inlinedAt: !45)
!88 = !DILocation(line: 117, column: 20, scope: !20, inlinedAt: !45)
!89 = !DILocation(line: 119, column: 21, scope: !16, inlinedAt: !45)
!90 = !DILocation(line: 119, column: 9, scope: !16, inlinedAt: !45)
!91 = !DILocation(line: 120, column: 19, scope: !26, inlinedAt: !45)
