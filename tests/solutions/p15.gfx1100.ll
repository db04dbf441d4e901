; Made by `nox -s generate`.
; from: 198fce637482e6d4b0957090cd5659e4a53d70e5727c4869965c07567690a99d
; code: 8cdadc2617fb757c01af28f089987f558fc803e1f8b2197bc0f6f68855527c64
; ModuleID = '<split-module>'
source_filename = "device.mojo"
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-p10:32:32-p11:32:32-p12:32:32-p13:32:32-p14:32:32-p15:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgpu11.00-amd-amdhsa"

@p15_axis_sum_TileTensor_True6A6AoA6A6AcBsA_5851580a453bf6b5._global_alloc_0._gpu_shared_mem = internal addrspace(3) global [8 x float] undef, align 4

; Function Attrs: convergent norecurse
define dso_local amdgpu_kernel void @p15_axis_sum_TileTensor_True6A6AoA6A6AcBsA_5851580a453bf6b5(ptr addrspace(4) noundef nonnull byref({ ptr, { { {}, {} }, { {}, {} } } }) %0, ptr addrspace(4) noundef nonnull byref({ ptr, { { {}, {} }, { {}, {} } } }) %1, i32 noundef %2) #0 !dbg !6 {
  %4 = addrspacecast ptr addrspace(4) %1 to ptr, !dbg !64
  %5 = addrspacecast ptr addrspace(4) %0 to ptr, !dbg !64
  %6 = load { ptr, { { {}, {} }, { {}, {} } } }, ptr %4, align 8, !dbg !65
  %7 = extractvalue { ptr, { { {}, {} }, { {}, {} } } } %6, 0, !dbg !45
  %8 = load { ptr, { { {}, {} }, { {}, {} } } }, ptr %5, align 8, !dbg !66
  %9 = extractvalue { ptr, { { {}, {} }, { {}, {} } } } %8, 0, !dbg !67
  %10 = sext i32 %2 to i64, !dbg !68
  %11 = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr(), !dbg !69
  %12 = getelementptr inbounds i16, ptr addrspace(4) %11, i32 6, !dbg !70
  %13 = load i16, ptr addrspace(4) %12, align 2, !dbg !70
  %14 = zext i16 %13 to i64, !dbg !71
  %15 = call i32 @llvm.amdgcn.workgroup.id.x(), !dbg !72
  %16 = zext i32 %15 to i64, !dbg !72
  %17 = mul i64 %14, %16, !dbg !73
  %18 = call i32 @llvm.amdgcn.workitem.id.x(), !dbg !74
  %19 = zext i32 %18 to i64, !dbg !74
  %20 = add i64 %17, %19, !dbg !75
  %21 = trunc i64 %20 to i32, !dbg !76
  %22 = call i32 @llvm.amdgcn.workgroup.id.y(), !dbg !77
  %23 = zext i32 %22 to i64, !dbg !77
  %24 = icmp slt i64 %20, %10, !dbg !78
  br i1 %24, label %25, label %36, !dbg !79

25:                                               ; preds = %3
  %26 = trunc i64 %23 to i32, !dbg !80
  %27 = mul i32 %26, 6, !dbg !81
  %28 = add i32 %27, %21, !dbg !82
  %29 = sext i32 %28 to i64, !dbg !45
  %30 = getelementptr inbounds float, ptr %7, i64 %29, !dbg !45
  %31 = load float, ptr %30, align 4, !dbg !45, !invariant.load !55
  %32 = trunc i64 %19 to i32, !dbg !83
  %33 = sext i32 %32 to i64, !dbg !83
  %34 = trunc i64 %33 to i32, !dbg !83
  %35 = getelementptr inbounds float, ptr addrspace(3) @p15_axis_sum_TileTensor_True6A6AoA6A6AcBsA_5851580a453bf6b5._global_alloc_0._gpu_shared_mem, i32 %34, !dbg !83
  store float %31, ptr addrspace(3) %35, align 4, !dbg !83
  br label %41, !dbg !79

36:                                               ; preds = %3
  %37 = trunc i64 %19 to i32, !dbg !84
  %38 = sext i32 %37 to i64, !dbg !84
  %39 = trunc i64 %38 to i32, !dbg !84
  %40 = getelementptr inbounds float, ptr addrspace(3) @p15_axis_sum_TileTensor_True6A6AoA6A6AcBsA_5851580a453bf6b5._global_alloc_0._gpu_shared_mem, i32 %39, !dbg !84
  store float 0.000000e+00, ptr addrspace(3) %40, align 4, !dbg !84
  br label %41, !dbg !79

41:                                               ; preds = %36, %25
  fence syncscope("workgroup") release, !dbg !85
  call void @llvm.amdgcn.s.barrier(), !dbg !85
  fence syncscope("workgroup") acquire, !dbg !85
  br label %42, !dbg !86

42:                                               ; preds = %67, %41
  %43 = phi i64 [ %74, %67 ], [ 4, %41 ], !dbg !86
  %44 = icmp sgt i64 %43, 0, !dbg !87
  br i1 %44, label %45, label %46, !dbg !86

45:                                               ; preds = %42
  br label %47, !dbg !86

46:                                               ; preds = %42
  br label %75, !dbg !86

47:                                               ; preds = %45
  %48 = icmp slt i64 %19, %43, !dbg !88
  br i1 %48, label %49, label %56, !dbg !89

49:                                               ; preds = %47
  %50 = add i64 %19, %43, !dbg !90
  %51 = trunc i64 %50 to i32, !dbg !91
  %52 = sext i32 %51 to i64, !dbg !58
  %53 = trunc i64 %52 to i32, !dbg !58
  %54 = getelementptr inbounds float, ptr addrspace(3) @p15_axis_sum_TileTensor_True6A6AoA6A6AcBsA_5851580a453bf6b5._global_alloc_0._gpu_shared_mem, i32 %53, !dbg !58
  %55 = load float, ptr addrspace(3) %54, align 4, !dbg !58
  br label %57, !dbg !89

56:                                               ; preds = %47
  br label %57, !dbg !89

57:                                               ; preds = %56, %49
  %58 = phi float [ 0.000000e+00, %56 ], [ %55, %49 ], !dbg !89
  fence syncscope("workgroup") release, !dbg !92
  call void @llvm.amdgcn.s.barrier(), !dbg !92
  fence syncscope("workgroup") acquire, !dbg !92
  br i1 %48, label %59, label %66, !dbg !93

59:                                               ; preds = %57
  %60 = trunc i64 %19 to i32, !dbg !94
  %61 = sext i32 %60 to i64, !dbg !62
  %62 = trunc i64 %61 to i32, !dbg !62
  %63 = getelementptr inbounds float, ptr addrspace(3) @p15_axis_sum_TileTensor_True6A6AoA6A6AcBsA_5851580a453bf6b5._global_alloc_0._gpu_shared_mem, i32 %62, !dbg !62
  %64 = load float, ptr addrspace(3) %63, align 4, !dbg !62
  %65 = fadd contract float %64, %58, !dbg !95
  store float %65, ptr addrspace(3) %63, align 4, !dbg !62
  br label %67, !dbg !93

66:                                               ; preds = %57
  br label %67, !dbg !93

67:                                               ; preds = %66, %59
  fence syncscope("workgroup") release, !dbg !96
  call void @llvm.amdgcn.s.barrier(), !dbg !96
  fence syncscope("workgroup") acquire, !dbg !96
  %68 = sdiv i64 %43, 2, !dbg !97
  %69 = mul i64 %68, 2, !dbg !97
  %70 = icmp eq i64 %69, %43, !dbg !97
  %71 = xor i64 %43, 2, !dbg !97
  %72 = ashr i64 %71, 63, !dbg !97
  %73 = select i1 %70, i64 0, i64 %72, !dbg !97
  %74 = add i64 %68, %73, !dbg !97
  br label %42, !dbg !86

75:                                               ; preds = %46
  %76 = icmp eq i64 %19, 0, !dbg !98
  br i1 %76, label %77, label %82, !dbg !99

77:                                               ; preds = %75
  %78 = load float, ptr addrspace(3) @p15_axis_sum_TileTensor_True6A6AoA6A6AcBsA_5851580a453bf6b5._global_alloc_0._gpu_shared_mem, align 4, !dbg !100
  %79 = trunc i64 %23 to i32, !dbg !67
  %80 = sext i32 %79 to i64, !dbg !67
  %81 = getelementptr inbounds float, ptr %9, i64 %80, !dbg !67
  store float %78, ptr %81, align 4, !dbg !67
  br label %83, !dbg !99

82:                                               ; preds = %75
  br label %83, !dbg !99

83:                                               ; preds = %82, %77
  ret void, !dbg !64
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef align 4 ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.y() #1

; Function Attrs: convergent nocallback nofree nounwind willreturn
declare void @llvm.amdgcn.s.barrier() #2

attributes #0 = { convergent norecurse "target-cpu"="gfx1100" "target-features" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nofree nounwind willreturn }

!llvm.dbg.cu = !{!0, !1}
!llvm.module.flags = !{!4, !5}

!0 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !2, producer: "Mojo", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly, nameTableKind: None)
!1 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !3, producer: "Mojo", isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly, nameTableKind: None)
!2 = !DIFile(filename: "generated/device.mojo", directory: "")
!3 = !DIFile(filename: "<unknown>", directory: "")
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = !{i32 1, !"amdhsa_code_object_version", i32 600}
!6 = distinct !DISubprogram(name: "axis_sum", linkageName: "p15_axis_sum_TileTensor_True6A6AoA6A6AcBsA_5851580a453bf6b5", scope: !33, file: !33, line: 32, type: !35, scopeLine: 32, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, annotations: !37)
!7 = distinct !DILexicalBlock(scope: !6, file: !33, line: 58, column: 9)
!8 = distinct !DILexicalBlock(scope: !6, file: !33, line: 82, column: 9)
!9 = distinct !DISubprogram(name: "_get_gcn_idx", linkageName: "std__gpu_primitives_id__get_6A6A6A6A6A6A6A6A_aef34967e682a74a", scope: !38, file: !38, line: 52, type: !35, scopeLine: 52, spFlags: DISPFlagDefinition, unit: !1, annotations: !40)
!10 = distinct !DISubprogram(name: "crd2idx", linkageName: "std_utils_coord_crd2idx_Int6A6A6A6A6A6AcB6A6A_c14459e10a9983e4", scope: !42, file: !42, line: 857, type: !35, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1, annotations: !44)
!11 = distinct !DILexicalBlock(scope: !10, file: !42, line: 938, column: 9)
!12 = distinct !DILexicalBlock(scope: !11, file: !42, line: 944, column: 13)
!13 = distinct !DISubprogram(name: "__call__", linkageName: "layout_tile_layout_Layout___c6A6A6A6A6A6A_368346f7934196ef", scope: !48, file: !48, line: 406, type: !35, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1, annotations: !50)
!14 = distinct !DILexicalBlock(scope: !13, file: !48, line: 438, column: 13)
!15 = distinct !DISubprogram(name: "crd2idx", linkageName: "std_utils_coord_crd2idx_Int6A6A6A6A6A6AcB6A6A_6832147fed097732", scope: !42, file: !42, line: 857, type: !35, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1, annotations: !52)
!16 = distinct !DILexicalBlock(scope: !15, file: !42, line: 891, column: 9)
!17 = distinct !DILexicalBlock(scope: !16, file: !42, line: 897, column: 13)
!18 = distinct !DILexicalBlock(scope: !17, file: !42, line: 902, column: 17)
!19 = distinct !DILexicalBlock(scope: !18, file: !42, line: 903, column: 21)
!20 = distinct !DISubprogram(name: "crd2idx", linkageName: "std_utils_coord_crd2idx_Int6A6A6A6A6A6AcB6A6A_8e67783a071a972b", scope: !42, file: !42, line: 857, type: !35, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1, annotations: !54)
!21 = distinct !DILexicalBlock(scope: !20, file: !42, line: 938, column: 9)
!22 = distinct !DILexicalBlock(scope: !21, file: !42, line: 944, column: 13)
!23 = distinct !DILexicalBlock(scope: !6, file: !33, line: 60, column: 9)
!24 = distinct !DILexicalBlock(scope: !6, file: !33, line: 68, column: 9)
!25 = distinct !DILexicalBlock(scope: !24, file: !33, line: 70, column: 13)
!26 = distinct !DISubprogram(name: "crd2idx", linkageName: "std_utils_coord_crd2idx_Int6A6A6A6A6A6AcB6A6A_1fa33f47def9eeda", scope: !42, file: !42, line: 857, type: !35, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1, annotations: !57)
!27 = distinct !DILexicalBlock(scope: !26, file: !42, line: 891, column: 9)
!28 = distinct !DILexicalBlock(scope: !27, file: !42, line: 915, column: 13)
!29 = distinct !DILexicalBlock(scope: !28, file: !42, line: 918, column: 17)
!30 = distinct !DISubprogram(name: "__call__", linkageName: "layout_tile_layout_Layout___c6A6A6A6A6A6A_10e10f2ec1071344", scope: !48, file: !48, line: 406, type: !35, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1, annotations: !61)
!31 = distinct !DILexicalBlock(scope: !30, file: !48, line: 438, column: 13)
!32 = distinct !DILexicalBlock(scope: !24, file: !33, line: 75, column: 13)
!33 = !DIFile(filename: "mojo/p15/solution.mojo", directory: "")
!34 = !{null}
!35 = !DISubroutineType(cc: DW_CC_normal, types: !34)
!36 = !{}
!37 = !{!36}
!38 = !DIFile(filename: "Mojo/stdlib/std/_gpu/primitives/id.mojo", directory: "")
!39 = !{}
!40 = !{!39}
!41 = !DILocation(line: 48, column: 29, scope: !6)
!42 = !DIFile(filename: "Mojo/stdlib/std/utils/coord.mojo", directory: "")
!43 = !{}
!44 = !{!43}
!45 = !DILocation(line: 58, column: 27, scope: !7)
!46 = !DILocation(line: 438, column: 53, scope: !14, inlinedAt: !45)
!47 = !DILocation(line: 903, column: 57, scope: !19, inlinedAt: !46)
!48 = !DIFile(filename: "max/kernels/src/layout/tile_layout.mojo", directory: "")
!49 = !{}
!50 = !{!49}
!51 = !{}
!52 = !{!51}
!53 = !{}
!54 = !{!53}
!55 = !{}
!56 = !{}
!57 = !{!56}
!58 = !DILocation(line: 70, column: 27, scope: !25)
!59 = !DILocation(line: 438, column: 53, scope: !31, inlinedAt: !58)
!60 = !{}
!61 = !{!60}
!62 = !DILocation(line: 75, column: 18, scope: !32)
!63 = !DILocation(line: 438, column: 53, scope: !31, inlinedAt: !62)
!64 = !DILocation(line: 32, column: 5, scope: !6)
!65 = !DILocation(line: 34, column: 5, scope: !6)
!66 = !DILocation(line: 33, column: 5, scope: !6)
!67 = !DILocation(line: 82, column: 15, scope: !8)
!68 = !DILocation(line: 47, column: 19, scope: !6)
!69 = !DILocation(line: 57, column: 6, scope: !9, inlinedAt: !41)
!70 = !DILocation(line: 58, column: 31, scope: !9, inlinedAt: !41)
!71 = !DILocation(line: 58, column: 15, scope: !9, inlinedAt: !41)
!72 = !DILocation(line: 48, column: 43, scope: !6)
!73 = !DILocation(line: 48, column: 32, scope: !6)
!74 = !DILocation(line: 48, column: 58, scope: !6)
!75 = !DILocation(line: 48, column: 46, scope: !6)
!76 = !DILocation(line: 952, column: 36, scope: !12, inlinedAt: !47)
!77 = !DILocation(line: 50, column: 26, scope: !6)
!78 = !DILocation(line: 57, column: 17, scope: !6)
!79 = !DILocation(line: 57, column: 5, scope: !6)
!80 = !DILocation(line: 952, column: 36, scope: !22, inlinedAt: !47)
!81 = !DILocation(line: 952, column: 50, scope: !22, inlinedAt: !47)
!82 = !DILocation(line: 903, column: 28, scope: !19, inlinedAt: !46)
!83 = !DILocation(line: 58, column: 14, scope: !7)
!84 = !DILocation(line: 60, column: 14, scope: !23)
!85 = !DILocation(line: 62, column: 12, scope: !6)
!86 = !DILocation(line: 65, column: 5, scope: !6)
!87 = !DILocation(line: 65, column: 18, scope: !6)
!88 = !DILocation(line: 69, column: 20, scope: !24)
!89 = !DILocation(line: 69, column: 9, scope: !24)
!90 = !DILocation(line: 70, column: 36, scope: !25)
!91 = !DILocation(line: 918, column: 66, scope: !29, inlinedAt: !59)
!92 = !DILocation(line: 72, column: 16, scope: !24)
!93 = !DILocation(line: 74, column: 9, scope: !24)
!94 = !DILocation(line: 918, column: 66, scope: !29, inlinedAt: !63)
!95 = !DILocation(line: 75, column: 28, scope: !32)
!96 = !DILocation(line: 77, column: 16, scope: !24)
!97 = !DILocation(line: 79, column: 16, scope: !24)
!98 = !DILocation(line: 81, column: 16, scope: !6)
!99 = !DILocation(line: 81, column: 5, scope: !6)
!100 = !DILocation(line: 82, column: 33, scope: !8)
