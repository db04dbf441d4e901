; ModuleID = 'block_sum.mojo'
source_filename = "block_sum.mojo"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@block_sum_block_sum_TileTenso6A6AoA6A6A_e29eba8f882e904f._global_alloc_0._gpu_shared_mem = internal addrspace(3) global [1024 x float] undef, align 4

; Function Attrs: convergent norecurse
define dso_local ptx_kernel void @block_sum_block_sum_TileTenso6A6AoA6A6A_e29eba8f882e904f(ptr noundef nonnull byval({ ptr, { { {} }, { {} } } }) %0, ptr noundef nonnull byval({ ptr, { { {} }, { {} } } }) %1) #0 !dbg !5 {
  %3 = load { ptr, { { {} }, { {} } } }, ptr %1, align 8, !dbg !40
  %4 = load { ptr, { { {} }, { {} } } }, ptr %0, align 8, !dbg !41
  %5 = extractvalue { ptr, { { {} }, { {} } } } %4, 0, !dbg !42
  %6 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !43
  %7 = zext i32 %6 to i64, !dbg !43
  %8 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !44
  %9 = zext i32 %8 to i64, !dbg !44
  %10 = mul i64 %9, 1024, !dbg !45
  %11 = add i64 %10, %7, !dbg !46
  %12 = extractvalue { ptr, { { {} }, { {} } } } %3, 0, !dbg !28
  %13 = trunc i64 %11 to i32, !dbg !47
  %14 = sext i32 %13 to i64, !dbg !28
  %15 = getelementptr inbounds float, ptr %12, i64 %14, !dbg !28
  %16 = load float, ptr %15, align 4, !dbg !28, !invariant.load !33
  %17 = trunc i64 %7 to i32, !dbg !48
  %18 = sext i32 %17 to i64, !dbg !48
  %19 = trunc i64 %18 to i32, !dbg !48
  %20 = getelementptr inbounds float, ptr addrspace(3) @block_sum_block_sum_TileTenso6A6AoA6A6A_e29eba8f882e904f._global_alloc_0._gpu_shared_mem, i32 %19, !dbg !48
  store float %16, ptr addrspace(3) %20, align 4, !dbg !48
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !49
  br label %21, !dbg !50

21:                                               ; preds = %38, %2
  %22 = phi i64 [ %45, %38 ], [ 512, %2 ], !dbg !50
  %23 = icmp sgt i64 %22, 0, !dbg !51
  br i1 %23, label %24, label %25, !dbg !50

24:                                               ; preds = %21
  br label %26, !dbg !50

25:                                               ; preds = %21
  br label %46, !dbg !50

26:                                               ; preds = %24
  %27 = icmp slt i64 %7, %22, !dbg !52
  br i1 %27, label %28, label %37, !dbg !53

28:                                               ; preds = %26
  %29 = add i64 %7, %22, !dbg !54
  %30 = trunc i64 %29 to i32, !dbg !55
  %31 = sext i32 %30 to i64, !dbg !36
  %32 = trunc i64 %31 to i32, !dbg !36
  %33 = getelementptr inbounds float, ptr addrspace(3) @block_sum_block_sum_TileTenso6A6AoA6A6A_e29eba8f882e904f._global_alloc_0._gpu_shared_mem, i32 %32, !dbg !36
  %34 = load float, ptr addrspace(3) %33, align 4, !dbg !36
  %35 = load float, ptr addrspace(3) %20, align 4, !dbg !56
  %36 = fadd contract float %35, %34, !dbg !57
  store float %36, ptr addrspace(3) %20, align 4, !dbg !56
  br label %38, !dbg !53

37:                                               ; preds = %26
  br label %38, !dbg !53

38:                                               ; preds = %37, %28
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !58
  %39 = sdiv i64 %22, 2, !dbg !59
  %40 = mul i64 %39, 2, !dbg !59
  %41 = icmp eq i64 %40, %22, !dbg !59
  %42 = xor i64 %22, 2, !dbg !59
  %43 = ashr i64 %42, 63, !dbg !59
  %44 = select i1 %41, i64 0, i64 %43, !dbg !59
  %45 = add i64 %39, %44, !dbg !59
  br label %21, !dbg !50

46:                                               ; preds = %25
  %47 = icmp eq i64 %7, 0, !dbg !60
  br i1 %47, label %48, label %53, !dbg !61

48:                                               ; preds = %46
  %49 = load float, ptr addrspace(3) @block_sum_block_sum_TileTenso6A6AoA6A6A_e29eba8f882e904f._global_alloc_0._gpu_shared_mem, align 4, !dbg !62
  %50 = trunc i64 %9 to i32, !dbg !42
  %51 = sext i32 %50 to i64, !dbg !42
  %52 = getelementptr inbounds float, ptr %5, i64 %51, !dbg !42
  store float %49, ptr %52, align 4, !dbg !42
  br label %54, !dbg !61

53:                                               ; preds = %46
  br label %54, !dbg !61

54:                                               ; preds = %53, %48
  ret void, !dbg !63
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #2

attributes #0 = { convergent norecurse "target-cpu"="sm_90a" "target-features"="+ptx85,+sm_90a" "tune-cpu"="sm_90a" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind }

!llvm.dbg.cu = !{!0, !1}
!llvm.module.flags = !{!4}

!0 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !2, producer: "Mojo", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, nameTableKind: None)
!1 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !3, producer: "Mojo", isOptimized: false, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, nameTableKind: None)
!2 = !DIFile(filename: "tests/benchmarks/kernels/block_sum.mojo", directory: "")
!3 = !DIFile(filename: "<unknown>", directory: "")
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "block_sum", linkageName: "block_sum_block_sum_TileTenso6A6AoA6A6A_e29eba8f882e904f", scope: !2, file: !2, line: 21, type: !22, scopeLine: 21, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, annotations: !24)
!6 = distinct !DILexicalBlock(scope: !5, file: !2, line: 53, column: 9)
!7 = distinct !DISubprogram(name: "crd2idx", linkageName: "std_utils_coord_crd2idx_Int6A6A6A6A6A6AcB6A6A_e2373b3cb85e4a0a", scope: !25, file: !25, line: 857, type: !22, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1, annotations: !27)
!8 = distinct !DILexicalBlock(scope: !7, file: !25, line: 891, column: 9)
!9 = distinct !DILexicalBlock(scope: !8, file: !25, line: 915, column: 13)
!10 = distinct !DILexicalBlock(scope: !9, file: !25, line: 918, column: 17)
!11 = distinct !DISubprogram(name: "__call__", linkageName: "layout_tile_layout_Layout___c6A6A6A6A6A6A_628d8a51450ad892", scope: !30, file: !30, line: 406, type: !22, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1, annotations: !32)
!12 = distinct !DILexicalBlock(scope: !11, file: !30, line: 438, column: 13)
!13 = distinct !DILexicalBlock(scope: !5, file: !2, line: 45, column: 9)
!14 = distinct !DILexicalBlock(scope: !13, file: !2, line: 46, column: 13)
!15 = distinct !DISubprogram(name: "crd2idx", linkageName: "std_utils_coord_crd2idx_Int6A6A6A6A6A6AcB6A6A_23a608a884c701ab", scope: !25, file: !25, line: 857, type: !22, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1, annotations: !35)
!16 = distinct !DILexicalBlock(scope: !15, file: !25, line: 891, column: 9)
!17 = distinct !DILexicalBlock(scope: !16, file: !25, line: 915, column: 13)
!18 = distinct !DILexicalBlock(scope: !17, file: !25, line: 918, column: 17)
!19 = distinct !DISubprogram(name: "__call__", linkageName: "layout_tile_layout_Layout___c6A6A6A6A6A6A_216684da9cefe31c", scope: !30, file: !30, line: 406, type: !22, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1, annotations: !39)
!20 = distinct !DILexicalBlock(scope: !19, file: !30, line: 438, column: 13)
!21 = !{null}
!22 = !DISubroutineType(cc: DW_CC_normal, types: !21)
!23 = !{!"mojo_source_name", !"-"}
!24 = !{!23}
!25 = !DIFile(filename: "Mojo/stdlib/std/utils/coord.mojo", directory: "")
!26 = !{!"mojo_source_name", !"-"}
!27 = !{!26}
!28 = !DILocation(line: 39, column: 25, scope: !5)
!29 = !DILocation(line: 438, column: 53, scope: !12, inlinedAt: !28)
!30 = !DIFile(filename: "max/kernels/src/layout/tile_layout.mojo", directory: "")
!31 = !{!"mojo_source_name", !"-"}
!32 = !{!31}
!33 = !{}
!34 = !{!"mojo_source_name", !"-"}
!35 = !{!34}
!36 = !DILocation(line: 46, column: 40, scope: !14)
!37 = !DILocation(line: 438, column: 53, scope: !20, inlinedAt: !36)
!38 = !{!"mojo_source_name", !"-"}
!39 = !{!38}
!40 = !DILocation(line: 25, column: 5, scope: !5)
!41 = !DILocation(line: 22, column: 5, scope: !5)
!42 = !DILocation(line: 53, column: 15, scope: !6)
!43 = !DILocation(line: 35, column: 33, scope: !5)
!44 = !DILocation(line: 39, column: 39, scope: !5)
!45 = !DILocation(line: 39, column: 43, scope: !5)
!46 = !DILocation(line: 39, column: 53, scope: !5)
!47 = !DILocation(line: 918, column: 66, scope: !10, inlinedAt: !29)
!48 = !DILocation(line: 39, column: 12, scope: !5)
!49 = !DILocation(line: 41, column: 12, scope: !5)
!50 = !DILocation(line: 44, column: 5, scope: !5)
!51 = !DILocation(line: 44, column: 18, scope: !5)
!52 = !DILocation(line: 45, column: 20, scope: !13)
!53 = !DILocation(line: 45, column: 9, scope: !13)
!54 = !DILocation(line: 46, column: 49, scope: !14)
!55 = !DILocation(line: 918, column: 66, scope: !18, inlinedAt: !37)
!56 = !DILocation(line: 46, column: 20, scope: !14)
!57 = !DILocation(line: 46, column: 30, scope: !14)
!58 = !DILocation(line: 48, column: 16, scope: !13)
!59 = !DILocation(line: 50, column: 16, scope: !13)
!60 = !DILocation(line: 52, column: 16, scope: !5)
!61 = !DILocation(line: 52, column: 5, scope: !5)
!62 = !DILocation(line: 53, column: 43, scope: !6)
!63 = !DILocation(line: 21, column: 5, scope: !5)
