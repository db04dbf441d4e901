; ModuleID = '<split-module>'
source_filename = "try.mojo"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent norecurse
define dso_local ptx_kernel void @p26_butterfly_parallel_max_Te6A6AcB6A6A_0b5149a5483773c3(ptr noundef nonnull byval({ ptr, { { {} }, { {} } } }) %0, ptr noundef nonnull byval({ ptr, { { {} }, { {} } } }) %1) #0 !dbg !10 {
  %3 = load { ptr, { { {} }, { {} } } }, ptr %1, align 8, !dbg !63
  %4 = load { ptr, { { {} }, { {} } } }, ptr %0, align 8, !dbg !64
  %5 = extractvalue { ptr, { { {} }, { {} } } } %4, 0, !dbg !43
  %6 = extractvalue { ptr, { { {} }, { {} } } } %3, 0, !dbg !43
  %7 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !65
  %8 = sext i32 %7 to i64, !dbg !65
  %9 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !66
  %10 = zext i32 %9 to i64, !dbg !66
  %11 = mul i64 %8, %10, !dbg !67
  %12 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !68
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
  %29 = trunc i64 %24 to i32, !dbg !76
  %30 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %23, i32 %29, i32 31), !dbg !77
  %31 = call float @llvm.maxnum.f32(float %23, float %30), !dbg !78
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

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32) #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.maxnum.f32(float, float) #3

attributes #0 = { convergent norecurse "target-cpu"="sm_90a" "target-features"="+ptx85,+sm_90a" "tune-cpu"="sm_90a" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0, !1}
!llvm.module.flags = !{!4}

!0 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !2, producer: "Mojo", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, nameTableKind: None)
!1 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !3, producer: "Mojo", isOptimized: false, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, nameTableKind: None)
!2 = !DIFile(filename: "try.mojo", directory: "")
!3 = !DIFile(filename: "<unknown>", directory: "")
!4 = !{i32 2, !"Debug Info Version", i32 3}
!10 = distinct !DISubprogram(name: "asm_stub", scope: !25, file: !25, line: 37, scopeLine: 37, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!11 = distinct !DISubprogram(name: "butterfly_parallel_max", scope: !25, file: !25, line: 37, scopeLine: 37, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!12 = distinct !DISubprogram(name: "crd2idx", scope: !44, file: !44, line: 857, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1)
!13 = distinct !DILexicalBlock(scope: !12, file: !44, line: 891, column: 9)
!14 = distinct !DILexicalBlock(scope: !13, file: !44, line: 915, column: 13)
!15 = distinct !DILexicalBlock(scope: !14, file: !44, line: 918, column: 17)
!16 = distinct !DILexicalBlock(scope: !11, file: !25, line: 58, column: 9)
!17 = distinct !DISubprogram(name: "__call__", scope: !49, file: !49, line: 406, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1)
!18 = distinct !DILexicalBlock(scope: !17, file: !49, line: 438, column: 13)
!19 = distinct !DILexicalBlock(scope: !16, file: !25, line: 64, column: 13)
!20 = distinct !DISubprogram(name: "_shuffle", scope: !53, file: !53, line: 329, scopeLine: 329, spFlags: DISPFlagDefinition, unit: !1)
!21 = distinct !DILexicalBlock(scope: !20, file: !53, line: 343, column: 9)
!22 = distinct !DISubprogram(name: "shuffle_xor", scope: !53, file: !53, line: 798, scopeLine: 798, spFlags: DISPFlagDefinition, unit: !1)
!23 = distinct !DISubprogram(name: "shuffle_xor", scope: !53, file: !53, line: 839, scopeLine: 839, spFlags: DISPFlagDefinition, unit: !1)
!24 = distinct !DILexicalBlock(scope: !23, file: !53, line: 878, column: 9)
!25 = !DIFile(filename: "mojo/solutions/p26.mojo", directory: "")
!43 = !DILocation(line: 37, column: 5, scope: !10)
!44 = !DIFile(filename: "Mojo/stdlib/std/utils/coord.mojo", directory: "")
!47 = !DILocation(line: 58, column: 28, scope: !16, inlinedAt: !43)
!48 = !DILocation(line: 438, column: 53, scope: !18, inlinedAt: !47)
!49 = !DIFile(filename: "max/kernels/src/layout/tile_layout.mojo", directory: "")
!52 = !{}
!53 = !DIFile(filename: "max/mojo/max/gpu/primitives/warp.mojo", directory: "")
!56 = !DILocation(line: 64, column: 47, scope: !19, inlinedAt: !43)
!57 = !DILocation(line: 819, column: 23, scope: !22, inlinedAt: !56)
!58 = !DILocation(line: 878, column: 63, scope: !24, inlinedAt: !57)
!63 = !DILocation(line: 41, column: 5, scope: !10)
!64 = !DILocation(line: 40, column: 5, scope: !10)
!65 = !DILocation(line: 55, column: 29, scope: !11, inlinedAt: !43)
!66 = !DILocation(line: 55, column: 43, scope: !11, inlinedAt: !43)
!67 = !DILocation(line: 55, column: 32, scope: !11, inlinedAt: !43)
!68 = !DILocation(line: 55, column: 58, scope: !11, inlinedAt: !43)
!69 = !DILocation(line: 55, column: 46, scope: !11, inlinedAt: !43)
!70 = !DILocation(line: 918, column: 66, scope: !15, inlinedAt: !48)
!71 = !DILocation(line: 67, column: 15, scope: !16, inlinedAt: !43)
!72 = !DILocation(line: 57, column: 17, scope: !11, inlinedAt: !43)
!73 = !DILocation(line: 57, column: 5, scope: !11, inlinedAt: !43)
!74 = !DILocation(line: 63, column: 9, scope: !16, inlinedAt: !43)
!75 = !DILocation(line: 63, column: 22, scope: !16, inlinedAt: !43)
!76 = !DILocation(line: 64, column: 63, scope: !19, inlinedAt: !43)
!77 = !DILocation(line: 345, column: 10, scope: !21, inlinedAt: !58)
!78 = !DILocation(line: 64, column: 26, scope: !19, inlinedAt: !43)
!79 = !DILocation(line: 65, column: 20, scope: !19, inlinedAt: !43)
