; ModuleID = '<split-module>'
source_filename = "try_noc.mojo"
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-p10:32:32-p11:32:32-p12:32:32-p13:32:32-p14:32:32-p15:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgpu9.42-amd-amdhsa"

@p15_axis_sum_TensorLayout6A6AcB6A6AgAmAgA6A_585b32fb5b8442dc._global_alloc_0._gpu_shared_mem = internal addrspace(3) global [8 x float] undef, align 4

; Function Attrs: convergent norecurse
define dso_local amdgpu_kernel void @p15_axis_sum_TensorLayout6A6AcB6A6AgAmAgA6A_585b32fb5b8442dc(ptr addrspace(4) noundef nonnull byref({ ptr, { { {}, {} }, { {}, {} } } }) %0, ptr addrspace(4) noundef nonnull byref({ ptr, { { {}, {} }, { {}, {} } } }) %1) #0 !dbg !11 {
  %3 = addrspacecast ptr addrspace(4) %1 to ptr, !dbg !54
  %4 = addrspacecast ptr addrspace(4) %0 to ptr, !dbg !54
  %5 = load { ptr, { { {}, {} }, { {}, {} } } }, ptr %3, align 8, !dbg !75
  %6 = load { ptr, { { {}, {} }, { {}, {} } } }, ptr %4, align 8, !dbg !76
  %7 = extractvalue { ptr, { { {}, {} }, { {}, {} } } } %6, 0, !dbg !54
  %8 = extractvalue { ptr, { { {}, {} }, { {}, {} } } } %5, 0, !dbg !54
  %9 = call i32 @llvm.amdgcn.workitem.id.x(), !dbg !77
  %10 = zext i32 %9 to i64, !dbg !77
  %11 = trunc i64 %10 to i32, !dbg !78
  %12 = sext i32 %11 to i64, !dbg !58
  %13 = call i32 @llvm.amdgcn.workgroup.id.y(), !dbg !79
  %14 = sext i32 %13 to i64, !dbg !80
  %15 = getelementptr inbounds float, ptr %7, i64 %14, !dbg !80
  %16 = mul i32 %13, 6, !dbg !81
  %17 = add i32 %16, %11, !dbg !82
  %18 = sext i32 %17 to i64, !dbg !65
  %19 = getelementptr inbounds float, ptr %8, i64 %18, !dbg !65
  %20 = trunc i64 %12 to i32, !dbg !58
  %21 = getelementptr inbounds float, ptr addrspace(3) @p15_axis_sum_TensorLayout6A6AcB6A6AgAmAgA6A_585b32fb5b8442dc._global_alloc_0._gpu_shared_mem, i32 %20, !dbg !58
  %22 = icmp slt i64 %10, 6, !dbg !83
  br i1 %22, label %23, label %25, !dbg !84

23:                                               ; preds = %2
  %24 = load float, ptr %19, align 4, !dbg !65, !invariant.load !72
  store float %24, ptr addrspace(3) %21, align 4, !dbg !85
  br label %26, !dbg !84

25:                                               ; preds = %2
  store float 0.000000e+00, ptr addrspace(3) %21, align 4, !dbg !86
  br label %26, !dbg !84

26:                                               ; preds = %25, %23
  fence syncscope("workgroup") release, !dbg !87
  call void @llvm.amdgcn.s.barrier(), !dbg !87
  fence syncscope("workgroup") acquire, !dbg !87
  br label %27, !dbg !88

27:                                               ; preds = %48, %26
  %28 = phi i64 [ %55, %48 ], [ 4, %26 ], !dbg !88
  %29 = add i64 %10, %28, !dbg !89
  %30 = trunc i64 %29 to i32, !dbg !90
  %31 = sext i32 %30 to i64, !dbg !73
  %32 = trunc i64 %31 to i32, !dbg !73
  %33 = getelementptr inbounds float, ptr addrspace(3) @p15_axis_sum_TensorLayout6A6AcB6A6AgAmAgA6A_585b32fb5b8442dc._global_alloc_0._gpu_shared_mem, i32 %32, !dbg !73
  %34 = icmp sgt i64 %28, 0, !dbg !91
  br i1 %34, label %35, label %36, !dbg !88

35:                                               ; preds = %27
  br label %37, !dbg !88

36:                                               ; preds = %27
  br label %56, !dbg !88

37:                                               ; preds = %35
  %38 = icmp slt i64 %10, %28, !dbg !92
  br i1 %38, label %39, label %41, !dbg !93

39:                                               ; preds = %37
  %40 = load float, ptr addrspace(3) %33, align 4, !dbg !73
  br label %42, !dbg !93

41:                                               ; preds = %37
  br label %42, !dbg !93

42:                                               ; preds = %41, %39
  %43 = phi float [ 0.000000e+00, %41 ], [ %40, %39 ], !dbg !93
  fence syncscope("workgroup") release, !dbg !94
  call void @llvm.amdgcn.s.barrier(), !dbg !94
  fence syncscope("workgroup") acquire, !dbg !94
  br i1 %38, label %44, label %47, !dbg !95

44:                                               ; preds = %42
  %45 = load float, ptr addrspace(3) %21, align 4, !dbg !58
  %46 = fadd contract float %45, %43, !dbg !96
  store float %46, ptr addrspace(3) %21, align 4, !dbg !58
  br label %48, !dbg !95

47:                                               ; preds = %42
  br label %48, !dbg !95

48:                                               ; preds = %47, %44
  fence syncscope("workgroup") release, !dbg !97
  call void @llvm.amdgcn.s.barrier(), !dbg !97
  fence syncscope("workgroup") acquire, !dbg !97
  %49 = sdiv i64 %28, 2, !dbg !98
  %50 = mul i64 %49, 2, !dbg !98
  %51 = icmp eq i64 %50, %28, !dbg !98
  %52 = xor i64 %28, 2, !dbg !98
  %53 = ashr i64 %52, 63, !dbg !98
  %54 = select i1 %51, i64 0, i64 %53, !dbg !98
  %55 = add i64 %49, %54, !dbg !98
  br label %27, !dbg !88

56:                                               ; preds = %36
  %57 = icmp eq i64 %10, 0, !dbg !99
  br i1 %57, label %58, label %60, !dbg !100

58:                                               ; preds = %56
  %59 = load float, ptr addrspace(3) @p15_axis_sum_TensorLayout6A6AcB6A6AgAmAgA6A_585b32fb5b8442dc._global_alloc_0._gpu_shared_mem, align 4, !dbg !101
  store float %59, ptr %15, align 4, !dbg !80
  br label %61, !dbg !100

60:                                               ; preds = %56
  br label %61, !dbg !100

61:                                               ; preds = %60, %58
  ret void, !dbg !54
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.y() #1

; Function Attrs: convergent nocallback nofree nounwind willreturn
declare void @llvm.amdgcn.s.barrier() #2

attributes #0 = { convergent norecurse "target-cpu"="gfx942" "target-features" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nofree nounwind willreturn }

!llvm.dbg.cu = !{!0, !1}
!llvm.module.flags = !{!4, !5}

!0 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !2, producer: "Mojo", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly, nameTableKind: None)
!1 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !3, producer: "Mojo", isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly, nameTableKind: None)
!2 = !DIFile(filename: "try_noc.mojo", directory: "")
!3 = !DIFile(filename: "<unknown>", directory: "")
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = !{i32 1, !"amdhsa_code_object_version", i32 600}
!11 = distinct !DISubprogram(name: "asm_stub", scope: !35, file: !35, line: 16, scopeLine: 16, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!12 = distinct !DISubprogram(name: "axis_sum", scope: !35, file: !35, line: 16, scopeLine: 16, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = distinct !DISubprogram(name: "crd2idx", scope: !55, file: !55, line: 857, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1)
!14 = distinct !DILexicalBlock(scope: !13, file: !55, line: 891, column: 9)
!15 = distinct !DILexicalBlock(scope: !14, file: !55, line: 915, column: 13)
!16 = distinct !DILexicalBlock(scope: !15, file: !55, line: 918, column: 17)
!17 = distinct !DILexicalBlock(scope: !12, file: !35, line: 58, column: 9)
!18 = distinct !DILexicalBlock(scope: !17, file: !35, line: 65, column: 13)
!19 = distinct !DISubprogram(name: "__call__", scope: !60, file: !60, line: 406, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1)
!20 = distinct !DILexicalBlock(scope: !19, file: !60, line: 438, column: 13)
!21 = distinct !DILexicalBlock(scope: !12, file: !35, line: 72, column: 9)
!22 = distinct !DISubprogram(name: "crd2idx", scope: !55, file: !55, line: 857, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1)
!23 = distinct !DILexicalBlock(scope: !22, file: !55, line: 938, column: 9)
!24 = distinct !DILexicalBlock(scope: !23, file: !55, line: 944, column: 13)
!25 = distinct !DILexicalBlock(scope: !12, file: !35, line: 48, column: 9)
!26 = distinct !DISubprogram(name: "__call__", scope: !60, file: !60, line: 406, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1)
!27 = distinct !DILexicalBlock(scope: !26, file: !60, line: 438, column: 13)
!28 = distinct !DISubprogram(name: "crd2idx", scope: !55, file: !55, line: 857, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1)
!29 = distinct !DILexicalBlock(scope: !28, file: !55, line: 891, column: 9)
!30 = distinct !DILexicalBlock(scope: !29, file: !55, line: 897, column: 13)
!31 = distinct !DILexicalBlock(scope: !30, file: !55, line: 902, column: 17)
!32 = distinct !DILexicalBlock(scope: !31, file: !55, line: 903, column: 21)
!33 = distinct !DILexicalBlock(scope: !12, file: !35, line: 50, column: 9)
!34 = distinct !DILexicalBlock(scope: !17, file: !35, line: 60, column: 13)
!35 = !DIFile(filename: "mojo/solutions/p15.mojo", directory: "")
!54 = !DILocation(line: 16, column: 5, scope: !11)
!55 = !DIFile(filename: "Mojo/stdlib/std/utils/coord.mojo", directory: "")
!58 = !DILocation(line: 65, column: 18, scope: !18, inlinedAt: !54)
!59 = !DILocation(line: 438, column: 53, scope: !20, inlinedAt: !58)
!60 = !DIFile(filename: "max/kernels/src/layout/tile_layout.mojo", directory: "")
!65 = !DILocation(line: 48, column: 27, scope: !25, inlinedAt: !54)
!66 = !DILocation(line: 438, column: 53, scope: !27, inlinedAt: !65)
!67 = !DILocation(line: 903, column: 57, scope: !32, inlinedAt: !66)
!72 = !{}
!73 = !DILocation(line: 60, column: 27, scope: !34, inlinedAt: !54)
!74 = !DILocation(line: 438, column: 53, scope: !20, inlinedAt: !73)
!75 = !DILocation(line: 20, column: 5, scope: !11)
!76 = !DILocation(line: 19, column: 5, scope: !11)
!77 = !DILocation(line: 40, column: 29, scope: !12, inlinedAt: !54)
!78 = !DILocation(line: 918, column: 66, scope: !16, inlinedAt: !59)
!79 = !DILocation(line: 41, column: 24, scope: !12, inlinedAt: !54)
!80 = !DILocation(line: 72, column: 15, scope: !21, inlinedAt: !54)
!81 = !DILocation(line: 952, column: 50, scope: !24, inlinedAt: !67)
!82 = !DILocation(line: 903, column: 28, scope: !32, inlinedAt: !66)
!83 = !DILocation(line: 47, column: 16, scope: !12, inlinedAt: !54)
!84 = !DILocation(line: 47, column: 5, scope: !12, inlinedAt: !54)
!85 = !DILocation(line: 48, column: 14, scope: !25, inlinedAt: !54)
!86 = !DILocation(line: 50, column: 14, scope: !33, inlinedAt: !54)
!87 = !DILocation(line: 52, column: 12, scope: !12, inlinedAt: !54)
!88 = !DILocation(line: 55, column: 5, scope: !12, inlinedAt: !54)
!89 = !DILocation(line: 60, column: 36, scope: !34, inlinedAt: !54)
!90 = !DILocation(line: 918, column: 66, scope: !16, inlinedAt: !74)
!91 = !DILocation(line: 55, column: 18, scope: !12, inlinedAt: !54)
!92 = !DILocation(line: 59, column: 20, scope: !17, inlinedAt: !54)
!93 = !DILocation(line: 59, column: 9, scope: !17, inlinedAt: !54)
!94 = !DILocation(line: 62, column: 16, scope: !17, inlinedAt: !54)
!95 = !DILocation(line: 64, column: 9, scope: !17, inlinedAt: !54)
!96 = !DILocation(line: 65, column: 28, scope: !18, inlinedAt: !54)
!97 = !DILocation(line: 67, column: 16, scope: !17, inlinedAt: !54)
!98 = !DILocation(line: 69, column: 16, scope: !17, inlinedAt: !54)
!99 = !DILocation(line: 71, column: 16, scope: !12, inlinedAt: !54)
!100 = !DILocation(line: 71, column: 5, scope: !12, inlinedAt: !54)
!101 = !DILocation(line: 72, column: 31, scope: !21, inlinedAt: !54)
