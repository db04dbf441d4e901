; Made by `nox -s generate`.
; from: 772e760d0a9a7be258abb4b5c64859a7cca089c6ea98656d72df083e4021f3e2
; code: 333f8b8a193324a5b985edd4f52736ceb685c2337bb72017018e986573c243ff
; ModuleID = '<split-module>'
source_filename = "device.mojo"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@p15_axis_sum_TileTensor_True6A6AoA6A6AcBsA_5851580a453bf6b5._global_alloc_0._gpu_shared_mem = internal addrspace(3) global [8 x float] undef, align 4

; Function Attrs: convergent norecurse
define dso_local ptx_kernel void @p15_axis_sum_TileTensor_True6A6AoA6A6AcBsA_5851580a453bf6b5(ptr noundef nonnull byval({ ptr, { { {}, {} }, { {}, {} } } }) %0, ptr noundef nonnull byval({ ptr, { { {}, {} }, { {}, {} } } }) %1, i32 noundef %2) #0 !dbg !5 {
  %4 = load { ptr, { { {}, {} }, { {}, {} } } }, ptr %1, align 8, !dbg !58
  %5 = extractvalue { ptr, { { {}, {} }, { {}, {} } } } %4, 0, !dbg !39
  %6 = load { ptr, { { {}, {} }, { {}, {} } } }, ptr %0, align 8, !dbg !59
  %7 = extractvalue { ptr, { { {}, {} }, { {}, {} } } } %6, 0, !dbg !60
  %8 = sext i32 %2 to i64, !dbg !61
  %9 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !62
  %10 = sext i32 %9 to i64, !dbg !62
  %11 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !63
  %12 = zext i32 %11 to i64, !dbg !63
  %13 = mul i64 %10, %12, !dbg !64
  %14 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !65
  %15 = zext i32 %14 to i64, !dbg !65
  %16 = add i64 %13, %15, !dbg !66
  %17 = trunc i64 %16 to i32, !dbg !67
  %18 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y(), !dbg !68
  %19 = zext i32 %18 to i64, !dbg !68
  %20 = icmp slt i64 %16, %8, !dbg !69
  br i1 %20, label %21, label %32, !dbg !70

21:                                               ; preds = %3
  %22 = trunc i64 %19 to i32, !dbg !71
  %23 = mul i32 %22, 6, !dbg !72
  %24 = add i32 %23, %17, !dbg !73
  %25 = sext i32 %24 to i64, !dbg !39
  %26 = getelementptr inbounds float, ptr %5, i64 %25, !dbg !39
  %27 = load float, ptr %26, align 4, !dbg !39, !invariant.load !49
  %28 = trunc i64 %15 to i32, !dbg !74
  %29 = sext i32 %28 to i64, !dbg !74
  %30 = trunc i64 %29 to i32, !dbg !74
  %31 = getelementptr inbounds float, ptr addrspace(3) @p15_axis_sum_TileTensor_True6A6AoA6A6AcBsA_5851580a453bf6b5._global_alloc_0._gpu_shared_mem, i32 %30, !dbg !74
  store float %27, ptr addrspace(3) %31, align 4, !dbg !74
  br label %37, !dbg !70

32:                                               ; preds = %3
  %33 = trunc i64 %15 to i32, !dbg !75
  %34 = sext i32 %33 to i64, !dbg !75
  %35 = trunc i64 %34 to i32, !dbg !75
  %36 = getelementptr inbounds float, ptr addrspace(3) @p15_axis_sum_TileTensor_True6A6AoA6A6AcBsA_5851580a453bf6b5._global_alloc_0._gpu_shared_mem, i32 %35, !dbg !75
  store float 0.000000e+00, ptr addrspace(3) %36, align 4, !dbg !75
  br label %37, !dbg !70

37:                                               ; preds = %32, %21
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !76
  br label %38, !dbg !77

38:                                               ; preds = %63, %37
  %39 = phi i64 [ %70, %63 ], [ 4, %37 ], !dbg !77
  %40 = icmp sgt i64 %39, 0, !dbg !78
  br i1 %40, label %41, label %42, !dbg !77

41:                                               ; preds = %38
  br label %43, !dbg !77

42:                                               ; preds = %38
  br label %71, !dbg !77

43:                                               ; preds = %41
  %44 = icmp slt i64 %15, %39, !dbg !79
  br i1 %44, label %45, label %52, !dbg !80

45:                                               ; preds = %43
  %46 = add i64 %15, %39, !dbg !81
  %47 = trunc i64 %46 to i32, !dbg !82
  %48 = sext i32 %47 to i64, !dbg !52
  %49 = trunc i64 %48 to i32, !dbg !52
  %50 = getelementptr inbounds float, ptr addrspace(3) @p15_axis_sum_TileTensor_True6A6AoA6A6AcBsA_5851580a453bf6b5._global_alloc_0._gpu_shared_mem, i32 %49, !dbg !52
  %51 = load float, ptr addrspace(3) %50, align 4, !dbg !52
  br label %53, !dbg !80

52:                                               ; preds = %43
  br label %53, !dbg !80

53:                                               ; preds = %52, %45
  %54 = phi float [ 0.000000e+00, %52 ], [ %51, %45 ], !dbg !80
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !83
  br i1 %44, label %55, label %62, !dbg !84

55:                                               ; preds = %53
  %56 = trunc i64 %15 to i32, !dbg !85
  %57 = sext i32 %56 to i64, !dbg !56
  %58 = trunc i64 %57 to i32, !dbg !56
  %59 = getelementptr inbounds float, ptr addrspace(3) @p15_axis_sum_TileTensor_True6A6AoA6A6AcBsA_5851580a453bf6b5._global_alloc_0._gpu_shared_mem, i32 %58, !dbg !56
  %60 = load float, ptr addrspace(3) %59, align 4, !dbg !56
  %61 = fadd contract float %60, %54, !dbg !86
  store float %61, ptr addrspace(3) %59, align 4, !dbg !56
  br label %63, !dbg !84

62:                                               ; preds = %53
  br label %63, !dbg !84

63:                                               ; preds = %62, %55
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !87
  %64 = sdiv i64 %39, 2, !dbg !88
  %65 = mul i64 %64, 2, !dbg !88
  %66 = icmp eq i64 %65, %39, !dbg !88
  %67 = xor i64 %39, 2, !dbg !88
  %68 = ashr i64 %67, 63, !dbg !88
  %69 = select i1 %66, i64 0, i64 %68, !dbg !88
  %70 = add i64 %64, %69, !dbg !88
  br label %38, !dbg !77

71:                                               ; preds = %42
  %72 = icmp eq i64 %15, 0, !dbg !89
  br i1 %72, label %73, label %78, !dbg !90

73:                                               ; preds = %71
  %74 = load float, ptr addrspace(3) @p15_axis_sum_TileTensor_True6A6AoA6A6AcBsA_5851580a453bf6b5._global_alloc_0._gpu_shared_mem, align 4, !dbg !91
  %75 = trunc i64 %19 to i32, !dbg !60
  %76 = sext i32 %75 to i64, !dbg !60
  %77 = getelementptr inbounds float, ptr %7, i64 %76, !dbg !60
  store float %74, ptr %77, align 4, !dbg !60
  br label %79, !dbg !90

78:                                               ; preds = %71
  br label %79, !dbg !90

79:                                               ; preds = %78, %73
  ret void, !dbg !92
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #2

attributes #0 = { convergent norecurse "target-cpu"="sm_90a" "target-features"="+ptx85,+sm_90a" "tune-cpu"="sm_90a" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind }

!llvm.dbg.cu = !{!0, !1}
!llvm.module.flags = !{!4}

!0 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !2, producer: "Mojo", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, nameTableKind: None)
!1 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !3, producer: "Mojo", isOptimized: false, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, nameTableKind: None)
!2 = !DIFile(filename: "generated/device.mojo", directory: "")
!3 = !DIFile(filename: "<unknown>", directory: "")
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "axis_sum", linkageName: "p15_axis_sum_TileTensor_True6A6AoA6A6AcBsA_5851580a453bf6b5", scope: !31, file: !31, line: 32, type: !33, scopeLine: 32, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, annotations: !35)
!6 = distinct !DILexicalBlock(scope: !5, file: !31, line: 58, column: 9)
!7 = distinct !DILexicalBlock(scope: !5, file: !31, line: 82, column: 9)
!8 = distinct !DISubprogram(name: "crd2idx", linkageName: "std_utils_coord_crd2idx_Int6A6A6A6A6A6AcB6A6A_c14459e10a9983e4", scope: !36, file: !36, line: 857, type: !33, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1, annotations: !38)
!9 = distinct !DILexicalBlock(scope: !8, file: !36, line: 938, column: 9)
!10 = distinct !DILexicalBlock(scope: !9, file: !36, line: 944, column: 13)
!11 = distinct !DISubprogram(name: "__call__", linkageName: "layout_tile_layout_Layout___c6A6A6A6A6A6A_368346f7934196ef", scope: !42, file: !42, line: 406, type: !33, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1, annotations: !44)
!12 = distinct !DILexicalBlock(scope: !11, file: !42, line: 438, column: 13)
!13 = distinct !DISubprogram(name: "crd2idx", linkageName: "std_utils_coord_crd2idx_Int6A6A6A6A6A6AcB6A6A_6832147fed097732", scope: !36, file: !36, line: 857, type: !33, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1, annotations: !46)
!14 = distinct !DILexicalBlock(scope: !13, file: !36, line: 891, column: 9)
!15 = distinct !DILexicalBlock(scope: !14, file: !36, line: 897, column: 13)
!16 = distinct !DILexicalBlock(scope: !15, file: !36, line: 902, column: 17)
!17 = distinct !DILexicalBlock(scope: !16, file: !36, line: 903, column: 21)
!18 = distinct !DISubprogram(name: "crd2idx", linkageName: "std_utils_coord_crd2idx_Int6A6A6A6A6A6AcB6A6A_8e67783a071a972b", scope: !36, file: !36, line: 857, type: !33, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1, annotations: !48)
!19 = distinct !DILexicalBlock(scope: !18, file: !36, line: 938, column: 9)
!20 = distinct !DILexicalBlock(scope: !19, file: !36, line: 944, column: 13)
!21 = distinct !DILexicalBlock(scope: !5, file: !31, line: 60, column: 9)
!22 = distinct !DILexicalBlock(scope: !5, file: !31, line: 68, column: 9)
!23 = distinct !DILexicalBlock(scope: !22, file: !31, line: 70, column: 13)
!24 = distinct !DISubprogram(name: "crd2idx", linkageName: "std_utils_coord_crd2idx_Int6A6A6A6A6A6AcB6A6A_1fa33f47def9eeda", scope: !36, file: !36, line: 857, type: !33, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1, annotations: !51)
!25 = distinct !DILexicalBlock(scope: !24, file: !36, line: 891, column: 9)
!26 = distinct !DILexicalBlock(scope: !25, file: !36, line: 915, column: 13)
!27 = distinct !DILexicalBlock(scope: !26, file: !36, line: 918, column: 17)
!28 = distinct !DISubprogram(name: "__call__", linkageName: "layout_tile_layout_Layout___c6A6A6A6A6A6A_10e10f2ec1071344", scope: !42, file: !42, line: 406, type: !33, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1, annotations: !55)
!29 = distinct !DILexicalBlock(scope: !28, file: !42, line: 438, column: 13)
!30 = distinct !DILexicalBlock(scope: !22, file: !31, line: 75, column: 13)
!31 = !DIFile(filename: "mojo/p15/solution.mojo", directory: "")
!32 = !{null}
!33 = !DISubroutineType(cc: DW_CC_normal, types: !32)
!34 = !{}
!35 = !{!34}
!36 = !DIFile(filename: "Mojo/stdlib/std/utils/coord.mojo", directory: "")
!37 = !{}
!38 = !{!37}
!39 = !DILocation(line: 58, column: 27, scope: !6)
!40 = !DILocation(line: 438, column: 53, scope: !12, inlinedAt: !39)
!41 = !DILocation(line: 903, column: 57, scope: !17, inlinedAt: !40)
!42 = !DIFile(filename: "max/kernels/src/layout/tile_layout.mojo", directory: "")
!43 = !{}
!44 = !{!43}
!45 = !{}
!46 = !{!45}
!47 = !{}
!48 = !{!47}
!49 = !{}
!50 = !{}
!51 = !{!50}
!52 = !DILocation(line: 70, column: 27, scope: !23)
!53 = !DILocation(line: 438, column: 53, scope: !29, inlinedAt: !52)
!54 = !{}
!55 = !{!54}
!56 = !DILocation(line: 75, column: 18, scope: !30)
!57 = !DILocation(line: 438, column: 53, scope: !29, inlinedAt: !56)
!58 = !DILocation(line: 34, column: 5, scope: !5)
!59 = !DILocation(line: 33, column: 5, scope: !5)
!60 = !DILocation(line: 82, column: 15, scope: !7)
!61 = !DILocation(line: 47, column: 19, scope: !5)
!62 = !DILocation(line: 48, column: 29, scope: !5)
!63 = !DILocation(line: 48, column: 43, scope: !5)
!64 = !DILocation(line: 48, column: 32, scope: !5)
!65 = !DILocation(line: 48, column: 58, scope: !5)
!66 = !DILocation(line: 48, column: 46, scope: !5)
!67 = !DILocation(line: 952, column: 36, scope: !10, inlinedAt: !41)
!68 = !DILocation(line: 50, column: 26, scope: !5)
!69 = !DILocation(line: 57, column: 17, scope: !5)
!70 = !DILocation(line: 57, column: 5, scope: !5)
!71 = !DILocation(line: 952, column: 36, scope: !20, inlinedAt: !41)
!72 = !DILocation(line: 952, column: 50, scope: !20, inlinedAt: !41)
!73 = !DILocation(line: 903, column: 28, scope: !17, inlinedAt: !40)
!74 = !DILocation(line: 58, column: 14, scope: !6)
!75 = !DILocation(line: 60, column: 14, scope: !21)
!76 = !DILocation(line: 62, column: 12, scope: !5)
!77 = !DILocation(line: 65, column: 5, scope: !5)
!78 = !DILocation(line: 65, column: 18, scope: !5)
!79 = !DILocation(line: 69, column: 20, scope: !22)
!80 = !DILocation(line: 69, column: 9, scope: !22)
!81 = !DILocation(line: 70, column: 36, scope: !23)
!82 = !DILocation(line: 918, column: 66, scope: !27, inlinedAt: !53)
!83 = !DILocation(line: 72, column: 16, scope: !22)
!84 = !DILocation(line: 74, column: 9, scope: !22)
!85 = !DILocation(line: 918, column: 66, scope: !27, inlinedAt: !57)
!86 = !DILocation(line: 75, column: 28, scope: !30)
!87 = !DILocation(line: 77, column: 16, scope: !22)
!88 = !DILocation(line: 79, column: 16, scope: !22)
!89 = !DILocation(line: 81, column: 16, scope: !5)
!90 = !DILocation(line: 81, column: 5, scope: !5)
!91 = !DILocation(line: 82, column: 33, scope: !7)
!92 = !DILocation(line: 32, column: 5, scope: !5)
