; ModuleID = '<split-module>'
source_filename = "known.mojo"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@known_divergent_barrier_TileT6A6AoA6A6A_239bec6dfac72f89._global_alloc_0._gpu_shared_mem = internal addrspace(3) global [4 x float] undef, align 4

; Function Attrs: convergent norecurse
define dso_local ptx_kernel void @known_divergent_barrier_TileT6A6AoA6A6A_239bec6dfac72f89(ptr noundef nonnull byval({ ptr, { { {} }, { {} } } }) %0, ptr noundef nonnull byval({ ptr, { { {} }, { {} } } }) %1) #0 !dbg !5 {
  %3 = load { ptr, { { {} }, { {} } } }, ptr %1, align 8, !dbg !31
  %4 = load { ptr, { { {} }, { {} } } }, ptr %0, align 8, !dbg !32
  %5 = extractvalue { ptr, { { {} }, { {} } } } %4, 0, !dbg !33
  %6 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !34
  %7 = zext i32 %6 to i64, !dbg !34
  %8 = extractvalue { ptr, { { {} }, { {} } } } %3, 0, !dbg !23
  %9 = trunc i64 %7 to i32, !dbg !35
  %10 = sext i32 %9 to i64, !dbg !23
  %11 = getelementptr inbounds float, ptr %8, i64 %10, !dbg !23
  %12 = load float, ptr %11, align 4, !dbg !23, !invariant.load !28
  %13 = trunc i64 %10 to i32, !dbg !36
  %14 = getelementptr inbounds float, ptr addrspace(3) @known_divergent_barrier_TileT6A6AoA6A6A_239bec6dfac72f89._global_alloc_0._gpu_shared_mem, i32 %13, !dbg !36
  store float %12, ptr addrspace(3) %14, align 4, !dbg !36
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !37
  %15 = icmp slt i64 %7, 3, !dbg !38
  br i1 %15, label %16, label %30, !dbg !39

16:                                               ; preds = %2
  %17 = icmp sgt i64 %7, 0, !dbg !40
  br i1 %17, label %18, label %28, !dbg !41

18:                                               ; preds = %16
  %19 = sub i64 %7, 1, !dbg !42
  %20 = trunc i64 %19 to i32, !dbg !43
  %21 = sext i32 %20 to i64, !dbg !29
  %22 = trunc i64 %21 to i32, !dbg !29
  %23 = getelementptr inbounds float, ptr addrspace(3) @known_divergent_barrier_TileT6A6AoA6A6A_239bec6dfac72f89._global_alloc_0._gpu_shared_mem, i32 %22, !dbg !29
  %24 = load float, ptr addrspace(3) %23, align 4, !dbg !29
  %25 = fmul contract float %24, 5.000000e-01, !dbg !44
  %26 = load float, ptr addrspace(3) %14, align 4, !dbg !45
  %27 = fadd contract float %26, %25, !dbg !46
  store float %27, ptr addrspace(3) %14, align 4, !dbg !47
  br label %29, !dbg !41

28:                                               ; preds = %16
  br label %29, !dbg !41

29:                                               ; preds = %28, %18
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !48
  br label %31, !dbg !39

30:                                               ; preds = %2
  br label %31, !dbg !39

31:                                               ; preds = %30, %29
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !49
  br i1 %15, label %32, label %35, !dbg !50

32:                                               ; preds = %31
  %33 = load float, ptr addrspace(3) %14, align 4, !dbg !51
  %34 = getelementptr inbounds float, ptr %5, i64 %10, !dbg !52
  store float %33, ptr %34, align 4, !dbg !52
  br label %38, !dbg !50

35:                                               ; preds = %31
  %36 = load float, ptr %11, align 4, !dbg !53, !invariant.load !28
  %37 = getelementptr inbounds float, ptr %5, i64 %10, !dbg !33
  store float %36, ptr %37, align 4, !dbg !33
  br label %38, !dbg !50

38:                                               ; preds = %35, %32
  ret void, !dbg !54
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #2

attributes #0 = { convergent norecurse "target-cpu"="sm_90a" "target-features"="+ptx85,+sm_90a" "tune-cpu"="sm_90a" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind }

!llvm.dbg.cu = !{!0, !1}
!llvm.module.flags = !{!4}

!0 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !2, producer: "Mojo", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, nameTableKind: None)
!1 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !3, producer: "Mojo", isOptimized: false, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, nameTableKind: None)
!2 = !DIFile(filename: "known.mojo", directory: "")
!3 = !DIFile(filename: "<unknown>", directory: "")
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "divergent_barrier", scope: !2, file: !2, line: 48, scopeLine: 48, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!6 = distinct !DILexicalBlock(scope: !5, file: !2, line: 67, column: 9)
!7 = distinct !DISubprogram(name: "crd2idx", scope: !20, file: !20, line: 857, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1)
!8 = distinct !DILexicalBlock(scope: !7, file: !20, line: 891, column: 9)
!9 = distinct !DILexicalBlock(scope: !8, file: !20, line: 915, column: 13)
!10 = distinct !DILexicalBlock(scope: !9, file: !20, line: 918, column: 17)
!11 = distinct !DISubprogram(name: "__call__", scope: !25, file: !25, line: 406, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1)
!12 = distinct !DILexicalBlock(scope: !11, file: !25, line: 438, column: 13)
!13 = distinct !DILexicalBlock(scope: !5, file: !2, line: 60, column: 9)
!14 = distinct !DILexicalBlock(scope: !13, file: !2, line: 61, column: 13)
!15 = distinct !DILexicalBlock(scope: !5, file: !2, line: 65, column: 9)
!20 = !DIFile(filename: "Mojo/stdlib/std/utils/coord.mojo", directory: "")
!23 = !DILocation(line: 57, column: 17, scope: !5)
!24 = !DILocation(line: 438, column: 53, scope: !12, inlinedAt: !23)
!25 = !DIFile(filename: "max/kernels/src/layout/tile_layout.mojo", directory: "")
!28 = !{}
!29 = !DILocation(line: 61, column: 46, scope: !14)
!30 = !DILocation(line: 438, column: 53, scope: !12, inlinedAt: !29)
!31 = !DILocation(line: 50, column: 5, scope: !5)
!32 = !DILocation(line: 49, column: 5, scope: !5)
!33 = !DILocation(line: 67, column: 15, scope: !6)
!34 = !DILocation(line: 53, column: 23, scope: !5)
!35 = !DILocation(line: 918, column: 66, scope: !10, inlinedAt: !24)
!36 = !DILocation(line: 57, column: 10, scope: !5)
!37 = !DILocation(line: 58, column: 12, scope: !5)
!38 = !DILocation(line: 59, column: 10, scope: !5)
!39 = !DILocation(line: 59, column: 5, scope: !5)
!40 = !DILocation(line: 60, column: 14, scope: !13)
!41 = !DILocation(line: 60, column: 9, scope: !13)
!42 = !DILocation(line: 61, column: 49, scope: !14)
!43 = !DILocation(line: 918, column: 66, scope: !10, inlinedAt: !30)
!44 = !DILocation(line: 61, column: 39, scope: !14)
!45 = !DILocation(line: 61, column: 29, scope: !14)
!46 = !DILocation(line: 61, column: 33, scope: !14)
!47 = !DILocation(line: 61, column: 18, scope: !14)
!48 = !DILocation(line: 62, column: 16, scope: !13)
!49 = !DILocation(line: 63, column: 12, scope: !5)
!50 = !DILocation(line: 64, column: 5, scope: !5)
!51 = !DILocation(line: 65, column: 26, scope: !15)
!52 = !DILocation(line: 65, column: 15, scope: !15)
!53 = !DILocation(line: 67, column: 22, scope: !6)
!54 = !DILocation(line: 48, column: 5, scope: !5)
