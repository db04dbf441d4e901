; ModuleID = '<split-module>'
source_filename = "try_noc.mojo"
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-p10:32:32-p11:32:32-p12:32:32-p13:32:32-p14:32:32-p15:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgpu11.00-amd-amdhsa"

; Function Attrs: convergent norecurse
define dso_local amdgpu_kernel void @p26_butterfly_conditional_max6A6AcB6A_d8480841ed95560b(ptr addrspace(4) noundef nonnull byref({ ptr, { { {} }, { {} } } }) %0, ptr addrspace(4) noundef nonnull byref({ ptr, { { {} }, { {} } } }) %1) #0 !dbg !11 {
  %3 = addrspacecast ptr addrspace(4) %1 to ptr, !dbg !49
  %4 = addrspacecast ptr addrspace(4) %0 to ptr, !dbg !49
  %5 = load { ptr, { { {} }, { {} } } }, ptr %3, align 8, !dbg !79
  %6 = load { ptr, { { {} }, { {} } } }, ptr %4, align 8, !dbg !80
  %7 = extractvalue { ptr, { { {} }, { {} } } } %6, 0, !dbg !49
  %8 = extractvalue { ptr, { { {} }, { {} } } } %5, 0, !dbg !49
  %9 = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0), !dbg !81
  %10 = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %9), !dbg !81
  %11 = sext i32 %10 to i64, !dbg !82
  %12 = and i32 %10, -32, !dbg !83
  %13 = add i32 %12, 32, !dbg !84
  %14 = icmp slt i64 %11, 0, !dbg !85
  %15 = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr(), !dbg !86
  %16 = getelementptr inbounds i16, ptr addrspace(4) %15, i32 6, !dbg !87
  %17 = load i16, ptr addrspace(4) %16, align 2, !dbg !87
  %18 = zext i16 %17 to i64, !dbg !88
  %19 = call i32 @llvm.amdgcn.workgroup.id.x(), !dbg !89
  %20 = zext i32 %19 to i64, !dbg !89
  %21 = mul i64 %18, %20, !dbg !90
  %22 = call i32 @llvm.amdgcn.workitem.id.x(), !dbg !91
  %23 = zext i32 %22 to i64, !dbg !91
  %24 = add i64 %21, %23, !dbg !92
  %25 = trunc i64 %24 to i32, !dbg !93
  %26 = sext i32 %25 to i64, !dbg !66
  %27 = getelementptr inbounds float, ptr %7, i64 %26, !dbg !94
  %28 = getelementptr inbounds float, ptr %8, i64 %26, !dbg !66
  %29 = icmp slt i64 %24, 64, !dbg !95
  br i1 %29, label %30, label %74, !dbg !96

30:                                               ; preds = %2
  %31 = load float, ptr %28, align 4, !dbg !66, !invariant.load !71
  br label %32, !dbg !97

32:                                               ; preds = %39, %30
  %33 = phi float [ %48, %39 ], [ %31, %30 ], !dbg !97
  %34 = phi float [ %52, %39 ], [ %31, %30 ], !dbg !97
  %35 = phi i64 [ %59, %39 ], [ 16, %30 ], !dbg !97
  %36 = icmp sgt i64 %35, 0, !dbg !98
  br i1 %36, label %37, label %38, !dbg !97

37:                                               ; preds = %32
  br label %39, !dbg !97

38:                                               ; preds = %32
  br label %60, !dbg !97

39:                                               ; preds = %37
  %40 = trunc i64 %35 to i32, !dbg !99
  %41 = xor i32 %10, %40, !dbg !100
  %42 = icmp ult i32 %41, %13, !dbg !101
  %43 = select i1 %42, i32 %41, i32 %10, !dbg !102
  %44 = mul i32 %43, 4, !dbg !103
  %45 = bitcast float %33 to i32, !dbg !104
  %46 = call i32 @llvm.amdgcn.ds.bpermute(i32 %44, i32 %45), !dbg !105
  %47 = bitcast i32 %46 to float, !dbg !106
  %48 = call float @llvm.maxnum.f32(float %33, float %47), !dbg !107
  %49 = bitcast float %34 to i32, !dbg !108
  %50 = call i32 @llvm.amdgcn.ds.bpermute(i32 %44, i32 %49), !dbg !109
  %51 = bitcast i32 %50 to float, !dbg !110
  %52 = call float @llvm.minnum.f32(float %34, float %51), !dbg !111
  %53 = sdiv i64 %35, 2, !dbg !112
  %54 = mul i64 %53, 2, !dbg !112
  %55 = icmp eq i64 %54, %35, !dbg !112
  %56 = xor i64 %35, 2, !dbg !112
  %57 = ashr i64 %56, 63, !dbg !112
  %58 = select i1 %55, i64 0, i64 %57, !dbg !112
  %59 = add i64 %53, %58, !dbg !112
  br label %32, !dbg !97

60:                                               ; preds = %38
  %61 = phi float [ %33, %38 ], !dbg !97
  %62 = phi float [ %34, %38 ], !dbg !97
  %63 = sdiv i64 %11, 2, !dbg !85
  %64 = mul i64 %63, 2, !dbg !85
  %65 = sub i64 %11, %64, !dbg !85
  %66 = icmp ne i64 %65, 0, !dbg !85
  %67 = and i1 %14, %66, !dbg !85
  %68 = select i1 %67, i64 2, i64 0, !dbg !85
  %69 = add i64 %65, %68, !dbg !85
  %70 = icmp eq i64 %69, 0, !dbg !113
  br i1 %70, label %71, label %72, !dbg !114

71:                                               ; preds = %60
  store float %61, ptr %27, align 4, !dbg !115
  br label %73, !dbg !114

72:                                               ; preds = %60
  store float %62, ptr %27, align 4, !dbg !94
  br label %73, !dbg !114

73:                                               ; preds = %72, %71
  br label %75, !dbg !96

74:                                               ; preds = %2
  br label %75, !dbg !96

75:                                               ; preds = %74, %73
  ret void, !dbg !49
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x() #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind willreturn memory(none)
declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32) #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind willreturn memory(none)
declare i32 @llvm.amdgcn.mbcnt.hi(i32, i32) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef align 4 ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.x() #1

; Function Attrs: convergent nocallback nofree nounwind willreturn memory(none)
declare i32 @llvm.amdgcn.ds.bpermute(i32, i32) #3

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.maxnum.f32(float, float) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.minnum.f32(float, float) #4

attributes #0 = { convergent norecurse "target-cpu"="gfx1100" "target-features" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nocreateundeforpoison nofree nosync nounwind willreturn memory(none) }
attributes #3 = { convergent nocallback nofree nounwind willreturn memory(none) }
attributes #4 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0, !1}
!llvm.module.flags = !{!4, !5}

!0 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !2, producer: "Mojo", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly, nameTableKind: None)
!1 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !3, producer: "Mojo", isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly, nameTableKind: None)
!2 = !DIFile(filename: "try_noc.mojo", directory: "")
!3 = !DIFile(filename: "<unknown>", directory: "")
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = !{i32 1, !"amdhsa_code_object_version", i32 600}
!11 = distinct !DISubprogram(name: "asm_stub", scope: !30, file: !30, line: 70, scopeLine: 70, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!12 = distinct !DISubprogram(name: "_shuffle_xor_amd", scope: !44, file: !44, line: 823, scopeLine: 823, spFlags: DISPFlagDefinition, unit: !1)
!13 = distinct !DISubprogram(name: "butterfly_conditional_max", scope: !30, file: !30, line: 70, scopeLine: 70, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!14 = distinct !DILexicalBlock(scope: !13, file: !30, line: 91, column: 9)
!15 = distinct !DILexicalBlock(scope: !14, file: !30, line: 96, column: 13)
!16 = distinct !DISubprogram(name: "shuffle_xor", scope: !44, file: !44, line: 798, scopeLine: 798, spFlags: DISPFlagDefinition, unit: !1)
!17 = distinct !DISubprogram(name: "shuffle_xor", scope: !44, file: !44, line: 839, scopeLine: 839, spFlags: DISPFlagDefinition, unit: !1)
!18 = distinct !DILexicalBlock(scope: !17, file: !44, line: 882, column: 9)
!19 = distinct !DISubprogram(name: "_get_gcn_idx", scope: !59, file: !59, line: 52, scopeLine: 52, spFlags: DISPFlagDefinition, unit: !1)
!20 = distinct !DISubprogram(name: "crd2idx", scope: !63, file: !63, line: 857, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1)
!21 = distinct !DILexicalBlock(scope: !20, file: !63, line: 891, column: 9)
!22 = distinct !DILexicalBlock(scope: !21, file: !63, line: 915, column: 13)
!23 = distinct !DILexicalBlock(scope: !22, file: !63, line: 918, column: 17)
!24 = distinct !DISubprogram(name: "__call__", scope: !68, file: !68, line: 406, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1)
!25 = distinct !DILexicalBlock(scope: !24, file: !68, line: 438, column: 13)
!26 = distinct !DILexicalBlock(scope: !14, file: !30, line: 103, column: 13)
!27 = distinct !DISubprogram(name: "_shuffle_amd_helper", scope: !44, file: !44, line: 387, scopeLine: 387, spFlags: DISPFlagDefinition, unit: !1)
!28 = distinct !DILexicalBlock(scope: !27, file: !44, line: 392, column: 9)
!29 = distinct !DILexicalBlock(scope: !14, file: !30, line: 101, column: 13)
!30 = !DIFile(filename: "mojo/solutions/p26.mojo", directory: "")
!44 = !DIFile(filename: "max/mojo/max/gpu/primitives/warp.mojo", directory: "")
!49 = !DILocation(line: 70, column: 5, scope: !11)
!50 = !DILocation(line: 96, column: 47, scope: !15, inlinedAt: !49)
!51 = !DILocation(line: 819, column: 23, scope: !16, inlinedAt: !50)
!52 = !DILocation(line: 882, column: 32, scope: !18, inlinedAt: !51)
!59 = !DIFile(filename: "Mojo/stdlib/std/_gpu/primitives/id.mojo", directory: "")
!62 = !DILocation(line: 88, column: 29, scope: !13, inlinedAt: !49)
!63 = !DIFile(filename: "Mojo/stdlib/std/utils/coord.mojo", directory: "")
!66 = !DILocation(line: 91, column: 28, scope: !14, inlinedAt: !49)
!67 = !DILocation(line: 438, column: 53, scope: !25, inlinedAt: !66)
!68 = !DIFile(filename: "max/kernels/src/layout/tile_layout.mojo", directory: "")
!71 = !{}
!74 = !DILocation(line: 835, column: 31, scope: !12, inlinedAt: !52)
!75 = !DILocation(line: 97, column: 49, scope: !15, inlinedAt: !49)
!76 = !DILocation(line: 819, column: 23, scope: !16, inlinedAt: !75)
!77 = !DILocation(line: 882, column: 32, scope: !18, inlinedAt: !76)
!78 = !DILocation(line: 835, column: 31, scope: !12, inlinedAt: !77)
!79 = !DILocation(line: 74, column: 5, scope: !11)
!80 = !DILocation(line: 73, column: 5, scope: !11)
!81 = !DILocation(line: 829, column: 30, scope: !12, inlinedAt: !52)
!82 = !DILocation(line: 100, column: 19, scope: !14, inlinedAt: !49)
!83 = !DILocation(line: 831, column: 19, scope: !12, inlinedAt: !52)
!84 = !DILocation(line: 833, column: 17, scope: !12, inlinedAt: !52)
!85 = !DILocation(line: 100, column: 22, scope: !14, inlinedAt: !49)
!86 = !DILocation(line: 57, column: 6, scope: !19, inlinedAt: !62)
!87 = !DILocation(line: 58, column: 31, scope: !19, inlinedAt: !62)
!88 = !DILocation(line: 58, column: 15, scope: !19, inlinedAt: !62)
!89 = !DILocation(line: 88, column: 43, scope: !13, inlinedAt: !49)
!90 = !DILocation(line: 88, column: 32, scope: !13, inlinedAt: !49)
!91 = !DILocation(line: 88, column: 58, scope: !13, inlinedAt: !49)
!92 = !DILocation(line: 88, column: 46, scope: !13, inlinedAt: !49)
!93 = !DILocation(line: 918, column: 66, scope: !23, inlinedAt: !67)
!94 = !DILocation(line: 103, column: 19, scope: !26, inlinedAt: !49)
!95 = !DILocation(line: 90, column: 17, scope: !13, inlinedAt: !49)
!96 = !DILocation(line: 90, column: 5, scope: !13, inlinedAt: !49)
!97 = !DILocation(line: 95, column: 9, scope: !14, inlinedAt: !49)
!98 = !DILocation(line: 95, column: 22, scope: !14, inlinedAt: !49)
!99 = !DILocation(line: 96, column: 63, scope: !15, inlinedAt: !49)
!100 = !DILocation(line: 830, column: 19, scope: !12, inlinedAt: !52)
!101 = !DILocation(line: 834, column: 25, scope: !12, inlinedAt: !52)
!102 = !DILocation(line: 834, column: 36, scope: !12, inlinedAt: !52)
!103 = !DILocation(line: 393, column: 22, scope: !28, inlinedAt: !74)
!104 = !DILocation(line: 393, column: 45, scope: !28, inlinedAt: !74)
!105 = !DILocation(line: 392, column: 77, scope: !28, inlinedAt: !74)
!106 = !DILocation(line: 395, column: 42, scope: !28, inlinedAt: !74)
!107 = !DILocation(line: 96, column: 26, scope: !15, inlinedAt: !49)
!108 = !DILocation(line: 393, column: 45, scope: !28, inlinedAt: !78)
!109 = !DILocation(line: 392, column: 77, scope: !28, inlinedAt: !78)
!110 = !DILocation(line: 395, column: 42, scope: !28, inlinedAt: !78)
!111 = !DILocation(line: 97, column: 27, scope: !15, inlinedAt: !49)
!112 = !DILocation(line: 98, column: 20, scope: !15, inlinedAt: !49)
!113 = !DILocation(line: 100, column: 26, scope: !14, inlinedAt: !49)
!114 = !DILocation(line: 100, column: 9, scope: !14, inlinedAt: !49)
!115 = !DILocation(line: 101, column: 19, scope: !29, inlinedAt: !49)
