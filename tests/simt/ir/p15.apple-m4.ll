; ModuleID = '<split-module>'
source_filename = "try_noc.mojo"
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v24:32:32-v32:32:32-v48:64:64-v64:64:64-v96:128:128-v128:128:128-v192:256:256-v256:256:256-v512:512:512-v1024:1024:1024-n8:16:32"
target triple = "air64-apple-macosx"

@p15_axis_sum_TensorLayout6A6AcB6A6AgAmAgA6A_585b32fb5b8442dc._global_alloc_0._gpu_shared_mem = internal addrspace(3) global [8 x float] undef, align 4

; Function Attrs: convergent
declare void @air.wg.barrier(i32, i32) #0

declare i32 @air.threadgroup_position_in_grid.y()

declare i32 @air.thread_position_in_threadgroup.x()

; Function Attrs: convergent norecurse
define dso_local void @p15_axis_sum_TensorLayout6A6AcB6A6AgAmAgA6A_585b32fb5b8442dc(ptr noundef nonnull %0, ptr noundef nonnull %1) #1 !dbg !52 {
  %3 = load { ptr, { { {}, {} }, { {}, {} } } }, ptr %1, align 8, !dbg !108
  %4 = load { ptr, { { {}, {} }, { {}, {} } } }, ptr %0, align 8, !dbg !109
  %5 = extractvalue { ptr, { { {}, {} }, { {}, {} } } } %4, 0, !dbg !90
  %6 = extractvalue { ptr, { { {}, {} }, { {}, {} } } } %3, 0, !dbg !90
  %7 = call i32 @air.thread_position_in_threadgroup.x(), !dbg !110
  %8 = zext i32 %7 to i64, !dbg !110
  %9 = trunc i64 %8 to i32, !dbg !111
  %10 = sext i32 %9 to i64, !dbg !93
  %11 = call i32 @air.threadgroup_position_in_grid.y(), !dbg !112
  %12 = sext i32 %11 to i64, !dbg !113
  %13 = getelementptr inbounds float, ptr %5, i64 %12, !dbg !113
  %14 = mul i32 %11, 6, !dbg !114
  %15 = add i32 %14, %9, !dbg !115
  %16 = sext i32 %15 to i64, !dbg !99
  %17 = getelementptr inbounds float, ptr %6, i64 %16, !dbg !99
  %18 = getelementptr inbounds float, ptr addrspace(3) @p15_axis_sum_TensorLayout6A6AcB6A6AgAmAgA6A_585b32fb5b8442dc._global_alloc_0._gpu_shared_mem, i64 %10, !dbg !93
  %19 = icmp slt i64 %8, 6, !dbg !116
  br i1 %19, label %20, label %22, !dbg !117

20:                                               ; preds = %2
  %21 = load float, ptr %17, align 4, !dbg !99, !invariant.load !28
  store float %21, ptr addrspace(3) %18, align 4, !dbg !118
  br label %23, !dbg !117

22:                                               ; preds = %2
  store float 0.000000e+00, ptr addrspace(3) %18, align 4, !dbg !119
  br label %23, !dbg !117

23:                                               ; preds = %22, %20
  call void @air.wg.barrier(i32 2, i32 1), !dbg !120
  br label %24, !dbg !121

24:                                               ; preds = %44, %23
  %25 = phi i64 [ %51, %44 ], [ 4, %23 ], !dbg !121
  %26 = add i64 %8, %25, !dbg !122
  %27 = trunc i64 %26 to i32, !dbg !123
  %28 = sext i32 %27 to i64, !dbg !106
  %29 = getelementptr inbounds float, ptr addrspace(3) @p15_axis_sum_TensorLayout6A6AcB6A6AgAmAgA6A_585b32fb5b8442dc._global_alloc_0._gpu_shared_mem, i64 %28, !dbg !106
  %30 = icmp sgt i64 %25, 0, !dbg !124
  br i1 %30, label %31, label %32, !dbg !121

31:                                               ; preds = %24
  br label %33, !dbg !121

32:                                               ; preds = %24
  br label %52, !dbg !121

33:                                               ; preds = %31
  %34 = icmp slt i64 %8, %25, !dbg !125
  br i1 %34, label %35, label %37, !dbg !126

35:                                               ; preds = %33
  %36 = load float, ptr addrspace(3) %29, align 4, !dbg !106
  br label %38, !dbg !126

37:                                               ; preds = %33
  br label %38, !dbg !126

38:                                               ; preds = %37, %35
  %39 = phi float [ 0.000000e+00, %37 ], [ %36, %35 ], !dbg !126
  call void @air.wg.barrier(i32 2, i32 1), !dbg !127
  br i1 %34, label %40, label %43, !dbg !128

40:                                               ; preds = %38
  %41 = load float, ptr addrspace(3) %18, align 4, !dbg !93
  %42 = fadd contract float %41, %39, !dbg !129
  store float %42, ptr addrspace(3) %18, align 4, !dbg !93
  br label %44, !dbg !128

43:                                               ; preds = %38
  br label %44, !dbg !128

44:                                               ; preds = %43, %40
  call void @air.wg.barrier(i32 2, i32 1), !dbg !130
  %45 = sdiv i64 %25, 2, !dbg !131
  %46 = mul i64 %45, 2, !dbg !131
  %47 = icmp eq i64 %46, %25, !dbg !131
  %48 = xor i64 %25, 2, !dbg !131
  %49 = ashr i64 %48, 63, !dbg !131
  %50 = select i1 %47, i64 0, i64 %49, !dbg !131
  %51 = add i64 %45, %50, !dbg !131
  br label %24, !dbg !121

52:                                               ; preds = %32
  %53 = icmp eq i64 %8, 0, !dbg !132
  br i1 %53, label %54, label %56, !dbg !133

54:                                               ; preds = %52
  %55 = load float, ptr addrspace(3) @p15_axis_sum_TensorLayout6A6AcB6A6AgAmAgA6A_585b32fb5b8442dc._global_alloc_0._gpu_shared_mem, align 4, !dbg !134
  store float %55, ptr %13, align 4, !dbg !113
  br label %57, !dbg !133

56:                                               ; preds = %52
  br label %57, !dbg !133

57:                                               ; preds = %56, %54
  ret void, !dbg !90
}

attributes #0 = { convergent }
attributes #1 = { convergent norecurse "metal.kernel"="true" "target-cpu"="apple-m4" "target-features"="+metal3_2,+air2_7_0" }

!llvm.dbg.cu = !{!0, !1}
!llvm.module.flags = !{!20}

!0 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !18, producer: "Mojo", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly, nameTableKind: None)
!1 = distinct !DICompileUnit(language: DW_LANG_Mojo, file: !19, producer: "Mojo", isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly, nameTableKind: None)
!18 = !DIFile(filename: "try_noc.mojo", directory: "")
!19 = !DIFile(filename: "<unknown>", directory: "")
!20 = !{i32 2, !"Debug Info Version", i32 3}
!26 = !DIFile(filename: "Mojo/stdlib/std/utils/coord.mojo", directory: "")
!27 = !DIFile(filename: "max/kernels/src/layout/tile_layout.mojo", directory: "")
!28 = !{}
!52 = distinct !DISubprogram(name: "asm_stub", scope: !76, file: !76, line: 16, scopeLine: 16, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!53 = distinct !DISubprogram(name: "axis_sum", scope: !76, file: !76, line: 16, scopeLine: 16, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!54 = distinct !DISubprogram(name: "crd2idx", scope: !26, file: !26, line: 857, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1)
!55 = distinct !DILexicalBlock(scope: !54, file: !26, line: 891, column: 9)
!56 = distinct !DILexicalBlock(scope: !55, file: !26, line: 915, column: 13)
!57 = distinct !DILexicalBlock(scope: !56, file: !26, line: 918, column: 17)
!58 = distinct !DILexicalBlock(scope: !53, file: !76, line: 58, column: 9)
!59 = distinct !DILexicalBlock(scope: !58, file: !76, line: 65, column: 13)
!60 = distinct !DISubprogram(name: "__call__", scope: !27, file: !27, line: 406, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1)
!61 = distinct !DILexicalBlock(scope: !60, file: !27, line: 438, column: 13)
!62 = distinct !DILexicalBlock(scope: !53, file: !76, line: 72, column: 9)
!63 = distinct !DISubprogram(name: "crd2idx", scope: !26, file: !26, line: 857, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1)
!64 = distinct !DILexicalBlock(scope: !63, file: !26, line: 938, column: 9)
!65 = distinct !DILexicalBlock(scope: !64, file: !26, line: 944, column: 13)
!66 = distinct !DILexicalBlock(scope: !53, file: !76, line: 48, column: 9)
!67 = distinct !DISubprogram(name: "__call__", scope: !27, file: !27, line: 406, scopeLine: 406, spFlags: DISPFlagDefinition, unit: !1)
!68 = distinct !DILexicalBlock(scope: !67, file: !27, line: 438, column: 13)
!69 = distinct !DISubprogram(name: "crd2idx", scope: !26, file: !26, line: 857, scopeLine: 857, spFlags: DISPFlagDefinition, unit: !1)
!70 = distinct !DILexicalBlock(scope: !69, file: !26, line: 891, column: 9)
!71 = distinct !DILexicalBlock(scope: !70, file: !26, line: 897, column: 13)
!72 = distinct !DILexicalBlock(scope: !71, file: !26, line: 902, column: 17)
!73 = distinct !DILexicalBlock(scope: !72, file: !26, line: 903, column: 21)
!74 = distinct !DILexicalBlock(scope: !53, file: !76, line: 50, column: 9)
!75 = distinct !DILexicalBlock(scope: !58, file: !76, line: 60, column: 13)
!76 = !DIFile(filename: "mojo/solutions/p15.mojo", directory: "")
!90 = !DILocation(line: 16, column: 5, scope: !52)
!93 = !DILocation(line: 65, column: 18, scope: !59, inlinedAt: !90)
!94 = !DILocation(line: 438, column: 53, scope: !61, inlinedAt: !93)
!99 = !DILocation(line: 48, column: 27, scope: !66, inlinedAt: !90)
!100 = !DILocation(line: 438, column: 53, scope: !68, inlinedAt: !99)
!101 = !DILocation(line: 903, column: 57, scope: !73, inlinedAt: !100)
!106 = !DILocation(line: 60, column: 27, scope: !75, inlinedAt: !90)
!107 = !DILocation(line: 438, column: 53, scope: !61, inlinedAt: !106)
!108 = !DILocation(line: 20, column: 5, scope: !52)
!109 = !DILocation(line: 19, column: 5, scope: !52)
!110 = !DILocation(line: 40, column: 29, scope: !53, inlinedAt: !90)
!111 = !DILocation(line: 918, column: 66, scope: !57, inlinedAt: !94)
!112 = !DILocation(line: 41, column: 24, scope: !53, inlinedAt: !90)
!113 = !DILocation(line: 72, column: 15, scope: !62, inlinedAt: !90)
!114 = !DILocation(line: 952, column: 50, scope: !65, inlinedAt: !101)
!115 = !DILocation(line: 903, column: 28, scope: !73, inlinedAt: !100)
!116 = !DILocation(line: 47, column: 16, scope: !53, inlinedAt: !90)
!117 = !DILocation(line: 47, column: 5, scope: !53, inlinedAt: !90)
!118 = !DILocation(line: 48, column: 14, scope: !66, inlinedAt: !90)
!119 = !DILocation(line: 50, column: 14, scope: !74, inlinedAt: !90)
!120 = !DILocation(line: 52, column: 12, scope: !53, inlinedAt: !90)
!121 = !DILocation(line: 55, column: 5, scope: !53, inlinedAt: !90)
!122 = !DILocation(line: 60, column: 36, scope: !75, inlinedAt: !90)
!123 = !DILocation(line: 918, column: 66, scope: !57, inlinedAt: !107)
!124 = !DILocation(line: 55, column: 18, scope: !53, inlinedAt: !90)
!125 = !DILocation(line: 59, column: 20, scope: !58, inlinedAt: !90)
!126 = !DILocation(line: 59, column: 9, scope: !58, inlinedAt: !90)
!127 = !DILocation(line: 62, column: 16, scope: !58, inlinedAt: !90)
!128 = !DILocation(line: 64, column: 9, scope: !58, inlinedAt: !90)
!129 = !DILocation(line: 65, column: 28, scope: !59, inlinedAt: !90)
!130 = !DILocation(line: 67, column: 16, scope: !58, inlinedAt: !90)
!131 = !DILocation(line: 69, column: 16, scope: !58, inlinedAt: !90)
!132 = !DILocation(line: 71, column: 16, scope: !53, inlinedAt: !90)
!133 = !DILocation(line: 71, column: 5, scope: !53, inlinedAt: !90)
!134 = !DILocation(line: 72, column: 31, scope: !62, inlinedAt: !90)
