; ModuleID = '<split-module>'
source_filename = "try.mojo"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent norecurse
define dso_local ptx_kernel void @p26_butterfly_pair_swap_Tenso6A6AcB6A6A_fe8c873441831fc2(ptr noundef nonnull byval({ ptr, { { {} }, { {} } } }) %0, ptr noundef nonnull byval({ ptr, { { {} }, { {} } } }) %1) #0 !dbg !10 {
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
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32) #2

attributes #0 = { convergent norecurse "target-cpu"="sm_90a" "target-features"="+ptx85,+sm_90a" "tune-cpu"="sm_90a" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }

!llvm.dbg.cu = !{!0, !1}
!llvm.module.flags = !{!4}

!0 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !2, producer: "Mojo", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, nameTableKind: None)
!1 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !3, producer: "Mojo", isOptimized: false, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, nameTableKind: None)
!2 = !DIFile(filename: "try.mojo", directory: "")
!3 = !DIFile(filename: "<unknown>", directory: "")
!4 = !{i32 2, !"Debug Info Version", i32 3}
!10 = distinct !DISubprogram(name: "asm_stub", scope: !24, file: !24, line: 12, scopeLine: 12, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!11 = distinct !DISubprogram(name: "butterfly_pair_swap", scope: !24, file: !24, line: 12, scopeLine: 12, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!12 = distinct !DISubprogram(name: "crd2idx", scope: !43, file: !43, line: 857, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1)
!13 = distinct !DILexicalBlock(scope: !12, file: !43, line: 891, column: 9)
!14 = distinct !DILexicalBlock(scope: !13, file: !43, line: 915, column: 13)
!15 = distinct !DILexicalBlock(scope: !14, file: !43, line: 918, column: 17)
!16 = distinct !DILexicalBlock(scope: !11, file: !24, line: 33, column: 9)
!17 = distinct !DISubprogram(name: "__call__", scope: !48, file: !48, line: 406, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1)
!18 = distinct !DILexicalBlock(scope: !17, file: !48, line: 438, column: 13)
!19 = distinct !DISubprogram(name: "_shuffle", scope: !52, file: !52, line: 329, scopeLine: 329, spFlags: DISPFlagDefinition, unit: !1)
!20 = distinct !DILexicalBlock(scope: !19, file: !52, line: 343, column: 9)
!21 = distinct !DISubprogram(name: "shuffle_xor", scope: !52, file: !52, line: 798, scopeLine: 798, spFlags: DISPFlagDefinition, unit: !1)
!22 = distinct !DISubprogram(name: "shuffle_xor", scope: !52, file: !52, line: 839, scopeLine: 839, spFlags: DISPFlagDefinition, unit: !1)
!23 = distinct !DILexicalBlock(scope: !22, file: !52, line: 878, column: 9)
!24 = !DIFile(filename: "mojo/solutions/p26.mojo", directory: "")
!42 = !DILocation(line: 12, column: 5, scope: !10)
!43 = !DIFile(filename: "Mojo/stdlib/std/utils/coord.mojo", directory: "")
!46 = !DILocation(line: 33, column: 26, scope: !16, inlinedAt: !42)
!47 = !DILocation(line: 438, column: 53, scope: !18, inlinedAt: !46)
!48 = !DIFile(filename: "max/kernels/src/layout/tile_layout.mojo", directory: "")
!51 = !{}
!52 = !DIFile(filename: "max/mojo/max/gpu/primitives/warp.mojo", directory: "")
!55 = !DILocation(line: 34, column: 39, scope: !16, inlinedAt: !42)
!56 = !DILocation(line: 819, column: 23, scope: !21, inlinedAt: !55)
!57 = !DILocation(line: 878, column: 63, scope: !23, inlinedAt: !56)
!62 = !DILocation(line: 16, column: 5, scope: !10)
!63 = !DILocation(line: 15, column: 5, scope: !10)
!64 = !DILocation(line: 30, column: 29, scope: !11, inlinedAt: !42)
!65 = !DILocation(line: 30, column: 43, scope: !11, inlinedAt: !42)
!66 = !DILocation(line: 30, column: 32, scope: !11, inlinedAt: !42)
!67 = !DILocation(line: 30, column: 58, scope: !11, inlinedAt: !42)
!68 = !DILocation(line: 30, column: 46, scope: !11, inlinedAt: !42)
!69 = !DILocation(line: 918, column: 66, scope: !15, inlinedAt: !47)
!70 = !DILocation(line: 34, column: 15, scope: !16, inlinedAt: !42)
!71 = !DILocation(line: 32, column: 17, scope: !11, inlinedAt: !42)
!72 = !DILocation(line: 32, column: 5, scope: !11, inlinedAt: !42)
!73 = !DILocation(line: 345, column: 10, scope: !20, inlinedAt: !57)
