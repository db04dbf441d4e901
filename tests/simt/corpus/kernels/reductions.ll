; ModuleID = 'reductions.cu'
source_filename = "reductions.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ8sum_treeE4tile = internal unnamed_addr addrspace(3) global [256 x i32] undef, align 4
@_ZZ7maximumE5warps = internal unnamed_addr addrspace(3) global [8 x i32] undef, align 4
@_ZZ11dot_partialE4tile = internal unnamed_addr addrspace(3) global [128 x double] undef, align 8
@_ZZ6argminE5value = internal unnamed_addr addrspace(3) global [128 x float] undef, align 4
@_ZZ6argminE5where = internal unnamed_addr addrspace(3) global [128 x i32] undef, align 4
@_ZZ14sum_last_blockE4tile = internal unnamed_addr addrspace(3) global [128 x i32] undef, align 4
@_ZZ14sum_last_blockE4last = internal unnamed_addr addrspace(3) global i8 undef, align 1

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @sum_tree(ptr noundef readonly captures(none) %0, ptr noundef captures(none) %1, i32 noundef %2) local_unnamed_addr #0 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul nuw nsw i32 %4, %5
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add nuw nsw i32 %6, %7
  %9 = icmp slt i32 %8, %2
  br i1 %9, label %10, label %14

10:                                               ; preds = %3
  %11 = zext nneg i32 %8 to i64
  %12 = getelementptr inbounds nuw i32, ptr %0, i64 %11
  %13 = load i32, ptr %12, align 4, !tbaa !12
  br label %14

14:                                               ; preds = %3, %10
  %15 = phi i32 [ %13, %10 ], [ 0, %3 ]
  %16 = zext nneg i32 %7 to i64
  %17 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ8sum_treeE4tile to ptr), i64 0, i64 %16
  store i32 %15, ptr %17, align 4, !tbaa !12
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %18 = icmp samesign ult i32 %5, 2
  br i1 %18, label %19, label %21

19:                                               ; preds = %32, %14
  %20 = icmp eq i32 %7, 0
  br i1 %20, label %34, label %37

21:                                               ; preds = %14, %32
  %22 = phi i32 [ %23, %32 ], [ %5, %14 ]
  %23 = lshr i32 %22, 1
  %24 = icmp samesign ult i32 %7, %23
  br i1 %24, label %25, label %32

25:                                               ; preds = %21
  %26 = add nuw nsw i32 %23, %7
  %27 = zext nneg i32 %26 to i64
  %28 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ8sum_treeE4tile to ptr), i64 0, i64 %27
  %29 = load i32, ptr %28, align 4, !tbaa !12
  %30 = load i32, ptr %17, align 4, !tbaa !12
  %31 = add nsw i32 %30, %29
  store i32 %31, ptr %17, align 4, !tbaa !12
  br label %32

32:                                               ; preds = %25, %21
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %33 = icmp samesign ult i32 %22, 4
  br i1 %33, label %19, label %21, !llvm.loop !16

34:                                               ; preds = %19
  %35 = load i32, ptr addrspacecast (ptr addrspace(3) @_ZZ8sum_treeE4tile to ptr), align 4, !tbaa !12
  %36 = atomicrmw add ptr %1, i32 %35 seq_cst, align 4
  br label %37

37:                                               ; preds = %34, %19
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: convergent mustprogress noinline norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define dso_local ptx_kernel void @sum_floats(ptr noundef readonly captures(none) %0, ptr noundef captures(none) %1, i32 noundef %2) local_unnamed_addr #2 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul nuw nsw i32 %4, %5
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add nuw nsw i32 %6, %7
  %9 = icmp slt i32 %8, %2
  br i1 %9, label %10, label %13

10:                                               ; preds = %3
  %11 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %12 = mul nuw nsw i32 %5, %11
  br label %26

13:                                               ; preds = %26, %3
  %14 = phi float [ 0.000000e+00, %3 ], [ %32, %26 ]
  %15 = tail call contract noundef float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %14, i32 range(i32 1, -2147483648) 16, i32 31)
  %16 = fadd contract float %14, %15
  %17 = tail call contract noundef float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %16, i32 range(i32 1, -2147483648) 8, i32 31)
  %18 = fadd contract float %16, %17
  %19 = tail call contract noundef float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %18, i32 range(i32 1, -2147483648) 4, i32 31)
  %20 = fadd contract float %18, %19
  %21 = tail call contract noundef float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %20, i32 range(i32 1, -2147483648) 2, i32 31)
  %22 = fadd contract float %20, %21
  %23 = tail call contract noundef float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %22, i32 range(i32 1, -2147483648) 1, i32 31)
  %24 = and i32 %7, 31
  %25 = icmp eq i32 %24, 0
  br i1 %25, label %35, label %38

26:                                               ; preds = %10, %26
  %27 = phi i32 [ %8, %10 ], [ %33, %26 ]
  %28 = phi float [ 0.000000e+00, %10 ], [ %32, %26 ]
  %29 = zext nneg i32 %27 to i64
  %30 = getelementptr inbounds nuw float, ptr %0, i64 %29
  %31 = load float, ptr %30, align 4, !tbaa !18
  %32 = fadd contract float %28, %31
  %33 = add nuw nsw i32 %27, %12
  %34 = icmp slt i32 %33, %2
  br i1 %34, label %26, label %13, !llvm.loop !20

35:                                               ; preds = %13
  %36 = fadd contract float %22, %23
  %37 = atomicrmw fadd ptr %1, float %36 seq_cst, align 4
  br label %38

38:                                               ; preds = %35, %13
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #1

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @maximum(ptr noundef readonly captures(none) %0, ptr noundef captures(none) %1, i32 noundef %2) local_unnamed_addr #0 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul nuw nsw i32 %4, %5
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add nuw nsw i32 %6, %7
  %9 = icmp slt i32 %8, %2
  br i1 %9, label %10, label %13

10:                                               ; preds = %3
  %11 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %12 = mul nuw nsw i32 %5, %11
  br label %27

13:                                               ; preds = %27, %3
  %14 = phi i32 [ -2147483647, %3 ], [ %33, %27 ]
  %15 = tail call noundef i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %14, i32 range(i32 1, -2147483648) 16, i32 31)
  %16 = tail call noundef i32 @llvm.smax.i32(i32 %14, i32 %15)
  %17 = tail call noundef i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %16, i32 range(i32 1, -2147483648) 8, i32 31)
  %18 = tail call noundef i32 @llvm.smax.i32(i32 %16, i32 %17)
  %19 = tail call noundef i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %18, i32 range(i32 1, -2147483648) 4, i32 31)
  %20 = tail call noundef i32 @llvm.smax.i32(i32 %18, i32 %19)
  %21 = tail call noundef i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %20, i32 range(i32 1, -2147483648) 2, i32 31)
  %22 = tail call noundef i32 @llvm.smax.i32(i32 %20, i32 %21)
  %23 = tail call noundef i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %22, i32 range(i32 1, -2147483648) 1, i32 31)
  %24 = tail call noundef i32 @llvm.smax.i32(i32 %22, i32 %23)
  %25 = and i32 %7, 31
  %26 = icmp eq i32 %25, 0
  br i1 %26, label %36, label %40

27:                                               ; preds = %10, %27
  %28 = phi i32 [ %8, %10 ], [ %34, %27 ]
  %29 = phi i32 [ -2147483647, %10 ], [ %33, %27 ]
  %30 = zext nneg i32 %28 to i64
  %31 = getelementptr inbounds nuw i32, ptr %0, i64 %30
  %32 = load i32, ptr %31, align 4, !tbaa !12
  %33 = tail call noundef i32 @llvm.smax.i32(i32 %29, i32 %32)
  %34 = add nuw nsw i32 %28, %12
  %35 = icmp slt i32 %34, %2
  br i1 %35, label %27, label %13, !llvm.loop !21

36:                                               ; preds = %13
  %37 = lshr exact i32 %7, 5
  %38 = zext nneg i32 %37 to i64
  %39 = getelementptr inbounds nuw [8 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ7maximumE5warps to ptr), i64 0, i64 %38
  store i32 %24, ptr %39, align 4, !tbaa !12
  br label %40

40:                                               ; preds = %36, %13
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %41 = icmp eq i32 %7, 0
  br i1 %41, label %42, label %97

42:                                               ; preds = %40
  %43 = icmp samesign ugt i32 %5, 63
  br i1 %43, label %44, label %68

44:                                               ; preds = %42
  %45 = lshr i32 %5, 5
  %46 = add nsw i32 %45, -1
  %47 = add nsw i32 %45, -2
  %48 = and i32 %46, 3
  %49 = icmp ult i32 %47, 3
  br i1 %49, label %52, label %50

50:                                               ; preds = %44
  %51 = and i32 %46, -4
  br label %71

52:                                               ; preds = %71, %44
  %53 = phi i32 [ poison, %44 ], [ %93, %71 ]
  %54 = phi i32 [ 1, %44 ], [ %94, %71 ]
  %55 = phi i32 [ %24, %44 ], [ %93, %71 ]
  %56 = icmp eq i32 %48, 0
  br i1 %56, label %68, label %57

57:                                               ; preds = %52, %57
  %58 = phi i32 [ %65, %57 ], [ %54, %52 ]
  %59 = phi i32 [ %64, %57 ], [ %55, %52 ]
  %60 = phi i32 [ %66, %57 ], [ 0, %52 ]
  %61 = zext nneg i32 %58 to i64
  %62 = getelementptr inbounds nuw [8 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ7maximumE5warps to ptr), i64 0, i64 %61
  %63 = load i32, ptr %62, align 4, !tbaa !12
  %64 = tail call noundef i32 @llvm.smax.i32(i32 %59, i32 %63)
  %65 = add nuw nsw i32 %58, 1
  %66 = add i32 %60, 1
  %67 = icmp eq i32 %66, %48
  br i1 %67, label %68, label %57, !llvm.loop !22

68:                                               ; preds = %52, %57, %42
  %69 = phi i32 [ %24, %42 ], [ %53, %52 ], [ %64, %57 ]
  %70 = atomicrmw max ptr %1, i32 %69 seq_cst, align 4
  br label %97

71:                                               ; preds = %71, %50
  %72 = phi i32 [ 1, %50 ], [ %94, %71 ]
  %73 = phi i32 [ %24, %50 ], [ %93, %71 ]
  %74 = phi i32 [ 0, %50 ], [ %95, %71 ]
  %75 = zext nneg i32 %72 to i64
  %76 = getelementptr inbounds nuw [8 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ7maximumE5warps to ptr), i64 0, i64 %75
  %77 = load i32, ptr %76, align 4, !tbaa !12
  %78 = tail call noundef i32 @llvm.smax.i32(i32 %73, i32 %77)
  %79 = add nuw nsw i32 %72, 1
  %80 = zext nneg i32 %79 to i64
  %81 = getelementptr inbounds nuw [8 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ7maximumE5warps to ptr), i64 0, i64 %80
  %82 = load i32, ptr %81, align 4, !tbaa !12
  %83 = tail call noundef i32 @llvm.smax.i32(i32 %78, i32 %82)
  %84 = add nuw nsw i32 %72, 2
  %85 = zext nneg i32 %84 to i64
  %86 = getelementptr inbounds nuw [8 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ7maximumE5warps to ptr), i64 0, i64 %85
  %87 = load i32, ptr %86, align 4, !tbaa !12
  %88 = tail call noundef i32 @llvm.smax.i32(i32 %83, i32 %87)
  %89 = add nuw nsw i32 %72, 3
  %90 = zext nneg i32 %89 to i64
  %91 = getelementptr inbounds nuw [8 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ7maximumE5warps to ptr), i64 0, i64 %90
  %92 = load i32, ptr %91, align 4, !tbaa !12
  %93 = tail call noundef i32 @llvm.smax.i32(i32 %88, i32 %92)
  %94 = add nuw nsw i32 %72, 4
  %95 = add nuw i32 %74, 4
  %96 = icmp eq i32 %95, %51
  br i1 %96, label %52, label %71, !llvm.loop !24

97:                                               ; preds = %68, %40
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @dot_partial(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef writeonly captures(none) %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul nuw nsw i32 %5, %6
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add nuw nsw i32 %7, %8
  %10 = icmp slt i32 %9, %3
  br i1 %10, label %11, label %14

11:                                               ; preds = %4
  %12 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %13 = mul nuw nsw i32 %6, %12
  br label %19

14:                                               ; preds = %19, %4
  %15 = phi double [ 0.000000e+00, %4 ], [ %28, %19 ]
  %16 = zext nneg i32 %8 to i64
  %17 = getelementptr inbounds nuw [128 x double], ptr addrspacecast (ptr addrspace(3) @_ZZ11dot_partialE4tile to ptr), i64 0, i64 %16
  store double %15, ptr %17, align 8, !tbaa !25
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %18 = icmp samesign ult i32 %8, 64
  br i1 %18, label %31, label %38

19:                                               ; preds = %11, %19
  %20 = phi i32 [ %9, %11 ], [ %29, %19 ]
  %21 = phi double [ 0.000000e+00, %11 ], [ %28, %19 ]
  %22 = zext nneg i32 %20 to i64
  %23 = getelementptr inbounds nuw double, ptr %0, i64 %22
  %24 = load double, ptr %23, align 8, !tbaa !25
  %25 = getelementptr inbounds nuw double, ptr %1, i64 %22
  %26 = load double, ptr %25, align 8, !tbaa !25
  %27 = fmul contract double %24, %26
  %28 = fadd contract double %21, %27
  %29 = add nuw nsw i32 %20, %13
  %30 = icmp slt i32 %29, %3
  br i1 %30, label %19, label %14, !llvm.loop !27

31:                                               ; preds = %14
  %32 = or disjoint i32 %8, 64
  %33 = zext nneg i32 %32 to i64
  %34 = getelementptr inbounds nuw [128 x double], ptr addrspacecast (ptr addrspace(3) @_ZZ11dot_partialE4tile to ptr), i64 0, i64 %33
  %35 = load double, ptr %34, align 8, !tbaa !25
  %36 = load double, ptr %17, align 8, !tbaa !25
  %37 = fadd contract double %35, %36
  store double %37, ptr %17, align 8, !tbaa !25
  br label %38

38:                                               ; preds = %31, %14
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %39 = icmp samesign ult i32 %8, 32
  br i1 %39, label %40, label %47

40:                                               ; preds = %38
  %41 = or disjoint i32 %8, 32
  %42 = zext nneg i32 %41 to i64
  %43 = getelementptr inbounds nuw [128 x double], ptr addrspacecast (ptr addrspace(3) @_ZZ11dot_partialE4tile to ptr), i64 0, i64 %42
  %44 = load double, ptr %43, align 8, !tbaa !25
  %45 = load double, ptr %17, align 8, !tbaa !25
  %46 = fadd contract double %44, %45
  store double %46, ptr %17, align 8, !tbaa !25
  br label %47

47:                                               ; preds = %40, %38
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %48 = icmp samesign ult i32 %8, 16
  br i1 %48, label %49, label %56

49:                                               ; preds = %47
  %50 = or disjoint i32 %8, 16
  %51 = zext nneg i32 %50 to i64
  %52 = getelementptr inbounds nuw [128 x double], ptr addrspacecast (ptr addrspace(3) @_ZZ11dot_partialE4tile to ptr), i64 0, i64 %51
  %53 = load double, ptr %52, align 8, !tbaa !25
  %54 = load double, ptr %17, align 8, !tbaa !25
  %55 = fadd contract double %53, %54
  store double %55, ptr %17, align 8, !tbaa !25
  br label %56

56:                                               ; preds = %49, %47
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %57 = icmp samesign ult i32 %8, 8
  br i1 %57, label %58, label %65

58:                                               ; preds = %56
  %59 = or disjoint i32 %8, 8
  %60 = zext nneg i32 %59 to i64
  %61 = getelementptr inbounds nuw [128 x double], ptr addrspacecast (ptr addrspace(3) @_ZZ11dot_partialE4tile to ptr), i64 0, i64 %60
  %62 = load double, ptr %61, align 8, !tbaa !25
  %63 = load double, ptr %17, align 8, !tbaa !25
  %64 = fadd contract double %62, %63
  store double %64, ptr %17, align 8, !tbaa !25
  br label %65

65:                                               ; preds = %58, %56
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %66 = icmp samesign ult i32 %8, 4
  br i1 %66, label %67, label %74

67:                                               ; preds = %65
  %68 = or disjoint i32 %8, 4
  %69 = zext nneg i32 %68 to i64
  %70 = getelementptr inbounds nuw [128 x double], ptr addrspacecast (ptr addrspace(3) @_ZZ11dot_partialE4tile to ptr), i64 0, i64 %69
  %71 = load double, ptr %70, align 8, !tbaa !25
  %72 = load double, ptr %17, align 8, !tbaa !25
  %73 = fadd contract double %71, %72
  store double %73, ptr %17, align 8, !tbaa !25
  br label %74

74:                                               ; preds = %67, %65
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %75 = icmp samesign ult i32 %8, 2
  br i1 %75, label %76, label %83

76:                                               ; preds = %74
  %77 = or disjoint i32 %8, 2
  %78 = zext nneg i32 %77 to i64
  %79 = getelementptr inbounds nuw [128 x double], ptr addrspacecast (ptr addrspace(3) @_ZZ11dot_partialE4tile to ptr), i64 0, i64 %78
  %80 = load double, ptr %79, align 8, !tbaa !25
  %81 = load double, ptr %17, align 8, !tbaa !25
  %82 = fadd contract double %80, %81
  store double %82, ptr %17, align 8, !tbaa !25
  br label %83

83:                                               ; preds = %76, %74
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %84 = icmp eq i32 %8, 0
  br i1 %84, label %85, label %89

85:                                               ; preds = %83
  %86 = load double, ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ11dot_partialE4tile to ptr), i64 8), align 8, !tbaa !25
  %87 = load double, ptr %17, align 8, !tbaa !25
  %88 = fadd contract double %86, %87
  store double %88, ptr %17, align 8, !tbaa !25
  br label %89

89:                                               ; preds = %85, %83
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %90 = icmp eq i32 %8, 0
  br i1 %90, label %91, label %95

91:                                               ; preds = %89
  %92 = zext nneg i32 %5 to i64
  %93 = getelementptr inbounds nuw double, ptr %2, i64 %92
  %94 = load double, ptr addrspacecast (ptr addrspace(3) @_ZZ11dot_partialE4tile to ptr), align 8, !tbaa !25
  store double %94, ptr %93, align 8, !tbaa !25
  br label %95

95:                                               ; preds = %91, %89
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @argmin(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, i32 noundef %2) local_unnamed_addr #0 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %5 = icmp slt i32 %4, %2
  br i1 %5, label %6, label %10

6:                                                ; preds = %3
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = mul nsw i32 %2, %7
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %17

10:                                               ; preds = %17, %3
  %11 = phi i32 [ -1, %3 ], [ %26, %17 ]
  %12 = phi float [ 0x47EC363CC0000000, %3 ], [ %27, %17 ]
  %13 = zext nneg i32 %4 to i64
  %14 = getelementptr inbounds nuw [128 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ6argminE5value to ptr), i64 0, i64 %13
  store float %12, ptr %14, align 4, !tbaa !18
  %15 = getelementptr inbounds nuw [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ6argminE5where to ptr), i64 0, i64 %13
  store i32 %11, ptr %15, align 4, !tbaa !12
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %16 = icmp samesign ult i32 %4, 64
  br i1 %16, label %30, label %45

17:                                               ; preds = %6, %17
  %18 = phi float [ 0x47EC363CC0000000, %6 ], [ %27, %17 ]
  %19 = phi i32 [ -1, %6 ], [ %26, %17 ]
  %20 = phi i32 [ %4, %6 ], [ %28, %17 ]
  %21 = add nsw i32 %20, %8
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds float, ptr %0, i64 %22
  %24 = load float, ptr %23, align 4, !tbaa !18
  %25 = fcmp contract olt float %24, %18
  %26 = select i1 %25, i32 %20, i32 %19
  %27 = select i1 %25, float %24, float %18
  %28 = add nuw nsw i32 %20, %9
  %29 = icmp slt i32 %28, %2
  br i1 %29, label %17, label %10, !llvm.loop !28

30:                                               ; preds = %10
  %31 = or disjoint i32 %4, 64
  %32 = zext nneg i32 %31 to i64
  %33 = getelementptr inbounds nuw [128 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ6argminE5value to ptr), i64 0, i64 %32
  %34 = load float, ptr %33, align 4, !tbaa !18
  %35 = getelementptr inbounds nuw [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ6argminE5where to ptr), i64 0, i64 %32
  %36 = load i32, ptr %35, align 4, !tbaa !12
  %37 = load float, ptr %14, align 4, !tbaa !18
  %38 = fcmp contract olt float %34, %37
  br i1 %38, label %44, label %39

39:                                               ; preds = %30
  %40 = fcmp contract oeq float %34, %37
  br i1 %40, label %41, label %45

41:                                               ; preds = %39
  %42 = load i32, ptr %15, align 4, !tbaa !12
  %43 = icmp slt i32 %36, %42
  br i1 %43, label %44, label %45

44:                                               ; preds = %41, %30
  store float %34, ptr %14, align 4, !tbaa !18
  store i32 %36, ptr %15, align 4, !tbaa !12
  br label %45

45:                                               ; preds = %39, %41, %44, %10
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %46 = icmp samesign ult i32 %4, 32
  br i1 %46, label %47, label %62

47:                                               ; preds = %45
  %48 = or disjoint i32 %4, 32
  %49 = zext nneg i32 %48 to i64
  %50 = getelementptr inbounds nuw [128 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ6argminE5value to ptr), i64 0, i64 %49
  %51 = load float, ptr %50, align 4, !tbaa !18
  %52 = getelementptr inbounds nuw [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ6argminE5where to ptr), i64 0, i64 %49
  %53 = load i32, ptr %52, align 4, !tbaa !12
  %54 = load float, ptr %14, align 4, !tbaa !18
  %55 = fcmp contract olt float %51, %54
  br i1 %55, label %61, label %56

56:                                               ; preds = %47
  %57 = fcmp contract oeq float %51, %54
  br i1 %57, label %58, label %62

58:                                               ; preds = %56
  %59 = load i32, ptr %15, align 4, !tbaa !12
  %60 = icmp slt i32 %53, %59
  br i1 %60, label %61, label %62

61:                                               ; preds = %58, %47
  store float %51, ptr %14, align 4, !tbaa !18
  store i32 %53, ptr %15, align 4, !tbaa !12
  br label %62

62:                                               ; preds = %61, %58, %56, %45
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %63 = icmp samesign ult i32 %4, 16
  br i1 %63, label %64, label %79

64:                                               ; preds = %62
  %65 = or disjoint i32 %4, 16
  %66 = zext nneg i32 %65 to i64
  %67 = getelementptr inbounds nuw [128 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ6argminE5value to ptr), i64 0, i64 %66
  %68 = load float, ptr %67, align 4, !tbaa !18
  %69 = getelementptr inbounds nuw [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ6argminE5where to ptr), i64 0, i64 %66
  %70 = load i32, ptr %69, align 4, !tbaa !12
  %71 = load float, ptr %14, align 4, !tbaa !18
  %72 = fcmp contract olt float %68, %71
  br i1 %72, label %78, label %73

73:                                               ; preds = %64
  %74 = fcmp contract oeq float %68, %71
  br i1 %74, label %75, label %79

75:                                               ; preds = %73
  %76 = load i32, ptr %15, align 4, !tbaa !12
  %77 = icmp slt i32 %70, %76
  br i1 %77, label %78, label %79

78:                                               ; preds = %75, %64
  store float %68, ptr %14, align 4, !tbaa !18
  store i32 %70, ptr %15, align 4, !tbaa !12
  br label %79

79:                                               ; preds = %78, %75, %73, %62
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %80 = icmp samesign ult i32 %4, 8
  br i1 %80, label %81, label %96

81:                                               ; preds = %79
  %82 = or disjoint i32 %4, 8
  %83 = zext nneg i32 %82 to i64
  %84 = getelementptr inbounds nuw [128 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ6argminE5value to ptr), i64 0, i64 %83
  %85 = load float, ptr %84, align 4, !tbaa !18
  %86 = getelementptr inbounds nuw [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ6argminE5where to ptr), i64 0, i64 %83
  %87 = load i32, ptr %86, align 4, !tbaa !12
  %88 = load float, ptr %14, align 4, !tbaa !18
  %89 = fcmp contract olt float %85, %88
  br i1 %89, label %95, label %90

90:                                               ; preds = %81
  %91 = fcmp contract oeq float %85, %88
  br i1 %91, label %92, label %96

92:                                               ; preds = %90
  %93 = load i32, ptr %15, align 4, !tbaa !12
  %94 = icmp slt i32 %87, %93
  br i1 %94, label %95, label %96

95:                                               ; preds = %92, %81
  store float %85, ptr %14, align 4, !tbaa !18
  store i32 %87, ptr %15, align 4, !tbaa !12
  br label %96

96:                                               ; preds = %95, %92, %90, %79
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %97 = icmp samesign ult i32 %4, 4
  br i1 %97, label %98, label %113

98:                                               ; preds = %96
  %99 = or disjoint i32 %4, 4
  %100 = zext nneg i32 %99 to i64
  %101 = getelementptr inbounds nuw [128 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ6argminE5value to ptr), i64 0, i64 %100
  %102 = load float, ptr %101, align 4, !tbaa !18
  %103 = getelementptr inbounds nuw [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ6argminE5where to ptr), i64 0, i64 %100
  %104 = load i32, ptr %103, align 4, !tbaa !12
  %105 = load float, ptr %14, align 4, !tbaa !18
  %106 = fcmp contract olt float %102, %105
  br i1 %106, label %112, label %107

107:                                              ; preds = %98
  %108 = fcmp contract oeq float %102, %105
  br i1 %108, label %109, label %113

109:                                              ; preds = %107
  %110 = load i32, ptr %15, align 4, !tbaa !12
  %111 = icmp slt i32 %104, %110
  br i1 %111, label %112, label %113

112:                                              ; preds = %109, %98
  store float %102, ptr %14, align 4, !tbaa !18
  store i32 %104, ptr %15, align 4, !tbaa !12
  br label %113

113:                                              ; preds = %112, %109, %107, %96
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %114 = icmp samesign ult i32 %4, 2
  br i1 %114, label %115, label %130

115:                                              ; preds = %113
  %116 = or disjoint i32 %4, 2
  %117 = zext nneg i32 %116 to i64
  %118 = getelementptr inbounds nuw [128 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ6argminE5value to ptr), i64 0, i64 %117
  %119 = load float, ptr %118, align 4, !tbaa !18
  %120 = getelementptr inbounds nuw [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ6argminE5where to ptr), i64 0, i64 %117
  %121 = load i32, ptr %120, align 4, !tbaa !12
  %122 = load float, ptr %14, align 4, !tbaa !18
  %123 = fcmp contract olt float %119, %122
  br i1 %123, label %129, label %124

124:                                              ; preds = %115
  %125 = fcmp contract oeq float %119, %122
  br i1 %125, label %126, label %130

126:                                              ; preds = %124
  %127 = load i32, ptr %15, align 4, !tbaa !12
  %128 = icmp slt i32 %121, %127
  br i1 %128, label %129, label %130

129:                                              ; preds = %126, %115
  store float %119, ptr %14, align 4, !tbaa !18
  store i32 %121, ptr %15, align 4, !tbaa !12
  br label %130

130:                                              ; preds = %129, %126, %124, %113
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %131 = icmp eq i32 %4, 0
  br i1 %131, label %132, label %143

132:                                              ; preds = %130
  %133 = load float, ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ6argminE5value to ptr), i64 4), align 4, !tbaa !18
  %134 = load i32, ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ6argminE5where to ptr), i64 4), align 4, !tbaa !12
  %135 = load float, ptr %14, align 4, !tbaa !18
  %136 = fcmp contract olt float %133, %135
  br i1 %136, label %142, label %137

137:                                              ; preds = %132
  %138 = fcmp contract oeq float %133, %135
  br i1 %138, label %139, label %143

139:                                              ; preds = %137
  %140 = load i32, ptr %15, align 4, !tbaa !12
  %141 = icmp slt i32 %134, %140
  br i1 %141, label %142, label %143

142:                                              ; preds = %139, %132
  store float %133, ptr %14, align 4, !tbaa !18
  store i32 %134, ptr %15, align 4, !tbaa !12
  br label %143

143:                                              ; preds = %142, %139, %137, %130
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %144 = icmp eq i32 %4, 0
  br i1 %144, label %145, label %150

145:                                              ; preds = %143
  %146 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %147 = zext nneg i32 %146 to i64
  %148 = getelementptr inbounds nuw i32, ptr %1, i64 %147
  %149 = load i32, ptr addrspacecast (ptr addrspace(3) @_ZZ6argminE5where to ptr), align 4, !tbaa !12
  store i32 %149, ptr %148, align 4, !tbaa !12
  br label %150

150:                                              ; preds = %145, %143
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define dso_local ptx_kernel void @variance(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #2 {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul nuw nsw i32 %5, %6
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add nuw nsw i32 %7, %8
  %10 = lshr i32 %9, 5
  %11 = icmp slt i32 %10, %2
  br i1 %11, label %12, label %64

12:                                               ; preds = %4
  %13 = and i32 %8, 31
  %14 = icmp slt i32 %13, %3
  br i1 %14, label %15, label %17

15:                                               ; preds = %12
  %16 = mul nsw i32 %3, %10
  br label %39

17:                                               ; preds = %39, %12
  %18 = phi float [ 0.000000e+00, %12 ], [ %49, %39 ]
  %19 = phi float [ 0.000000e+00, %12 ], [ %47, %39 ]
  %20 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %19, i32 range(i32 1, -2147483648) 16, i32 31)
  %21 = fadd contract float %19, %20
  %22 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %18, i32 range(i32 1, -2147483648) 16, i32 31)
  %23 = fadd contract float %18, %22
  %24 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %21, i32 range(i32 1, -2147483648) 8, i32 31)
  %25 = fadd contract float %21, %24
  %26 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %23, i32 range(i32 1, -2147483648) 8, i32 31)
  %27 = fadd contract float %23, %26
  %28 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %25, i32 range(i32 1, -2147483648) 4, i32 31)
  %29 = fadd contract float %25, %28
  %30 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %27, i32 range(i32 1, -2147483648) 4, i32 31)
  %31 = fadd contract float %27, %30
  %32 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %29, i32 range(i32 1, -2147483648) 2, i32 31)
  %33 = fadd contract float %29, %32
  %34 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %31, i32 range(i32 1, -2147483648) 2, i32 31)
  %35 = fadd contract float %31, %34
  %36 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %33, i32 range(i32 1, -2147483648) 1, i32 31)
  %37 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %35, i32 range(i32 1, -2147483648) 1, i32 31)
  %38 = icmp eq i32 %13, 0
  br i1 %38, label %52, label %64

39:                                               ; preds = %15, %39
  %40 = phi float [ 0.000000e+00, %15 ], [ %47, %39 ]
  %41 = phi i32 [ %13, %15 ], [ %50, %39 ]
  %42 = phi float [ 0.000000e+00, %15 ], [ %49, %39 ]
  %43 = add nsw i32 %41, %16
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds float, ptr %0, i64 %44
  %46 = load float, ptr %45, align 4, !tbaa !18
  %47 = fadd contract float %40, %46
  %48 = fmul contract float %46, %46
  %49 = fadd contract float %42, %48
  %50 = add nuw nsw i32 %41, 32
  %51 = icmp slt i32 %50, %3
  br i1 %51, label %39, label %17, !llvm.loop !29

52:                                               ; preds = %17
  %53 = fadd contract float %35, %37
  %54 = fadd contract float %33, %36
  %55 = sitofp i32 %3 to float
  %56 = fdiv contract float %54, %55
  %57 = shl nuw nsw i32 %10, 1
  %58 = zext nneg i32 %57 to i64
  %59 = getelementptr inbounds nuw float, ptr %1, i64 %58
  store float %56, ptr %59, align 4, !tbaa !18
  %60 = fdiv contract float %53, %55
  %61 = fmul contract float %56, %56
  %62 = fsub contract float %60, %61
  %63 = getelementptr inbounds nuw i8, ptr %59, i64 4
  store float %62, ptr %63, align 4, !tbaa !18
  br label %64

64:                                               ; preds = %17, %52, %4
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @sum_last_block(ptr noundef readonly captures(none) %0, ptr noundef %1, ptr noundef captures(none) %2, ptr noundef writeonly captures(none) %3, i32 noundef %4) local_unnamed_addr #0 {
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %8 = mul nuw nsw i32 %6, %7
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = add nuw nsw i32 %8, %9
  %11 = icmp slt i32 %10, %4
  br i1 %11, label %12, label %15

12:                                               ; preds = %5
  %13 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %14 = mul nuw nsw i32 %7, %13
  br label %20

15:                                               ; preds = %20, %5
  %16 = phi i32 [ 0, %5 ], [ %26, %20 ]
  %17 = zext nneg i32 %9 to i64
  %18 = getelementptr inbounds nuw [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ14sum_last_blockE4tile to ptr), i64 0, i64 %17
  store i32 %16, ptr %18, align 4, !tbaa !12
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %19 = icmp samesign ult i32 %9, 64
  br i1 %19, label %29, label %36

20:                                               ; preds = %12, %20
  %21 = phi i32 [ %10, %12 ], [ %27, %20 ]
  %22 = phi i32 [ 0, %12 ], [ %26, %20 ]
  %23 = zext nneg i32 %21 to i64
  %24 = getelementptr inbounds nuw i32, ptr %0, i64 %23
  %25 = load i32, ptr %24, align 4, !tbaa !12
  %26 = add nsw i32 %25, %22
  %27 = add nuw nsw i32 %21, %14
  %28 = icmp slt i32 %27, %4
  br i1 %28, label %20, label %15, !llvm.loop !30

29:                                               ; preds = %15
  %30 = or disjoint i32 %9, 64
  %31 = zext nneg i32 %30 to i64
  %32 = getelementptr inbounds nuw [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ14sum_last_blockE4tile to ptr), i64 0, i64 %31
  %33 = load i32, ptr %32, align 4, !tbaa !12
  %34 = load i32, ptr %18, align 4, !tbaa !12
  %35 = add nsw i32 %34, %33
  store i32 %35, ptr %18, align 4, !tbaa !12
  br label %36

36:                                               ; preds = %29, %15
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %37 = icmp samesign ult i32 %9, 32
  br i1 %37, label %38, label %45

38:                                               ; preds = %36
  %39 = or disjoint i32 %9, 32
  %40 = zext nneg i32 %39 to i64
  %41 = getelementptr inbounds nuw [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ14sum_last_blockE4tile to ptr), i64 0, i64 %40
  %42 = load i32, ptr %41, align 4, !tbaa !12
  %43 = load i32, ptr %18, align 4, !tbaa !12
  %44 = add nsw i32 %43, %42
  store i32 %44, ptr %18, align 4, !tbaa !12
  br label %45

45:                                               ; preds = %38, %36
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %46 = icmp samesign ult i32 %9, 16
  br i1 %46, label %47, label %54

47:                                               ; preds = %45
  %48 = or disjoint i32 %9, 16
  %49 = zext nneg i32 %48 to i64
  %50 = getelementptr inbounds nuw [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ14sum_last_blockE4tile to ptr), i64 0, i64 %49
  %51 = load i32, ptr %50, align 4, !tbaa !12
  %52 = load i32, ptr %18, align 4, !tbaa !12
  %53 = add nsw i32 %52, %51
  store i32 %53, ptr %18, align 4, !tbaa !12
  br label %54

54:                                               ; preds = %47, %45
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %55 = icmp samesign ult i32 %9, 8
  br i1 %55, label %56, label %63

56:                                               ; preds = %54
  %57 = or disjoint i32 %9, 8
  %58 = zext nneg i32 %57 to i64
  %59 = getelementptr inbounds nuw [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ14sum_last_blockE4tile to ptr), i64 0, i64 %58
  %60 = load i32, ptr %59, align 4, !tbaa !12
  %61 = load i32, ptr %18, align 4, !tbaa !12
  %62 = add nsw i32 %61, %60
  store i32 %62, ptr %18, align 4, !tbaa !12
  br label %63

63:                                               ; preds = %56, %54
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %64 = icmp samesign ult i32 %9, 4
  br i1 %64, label %65, label %72

65:                                               ; preds = %63
  %66 = or disjoint i32 %9, 4
  %67 = zext nneg i32 %66 to i64
  %68 = getelementptr inbounds nuw [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ14sum_last_blockE4tile to ptr), i64 0, i64 %67
  %69 = load i32, ptr %68, align 4, !tbaa !12
  %70 = load i32, ptr %18, align 4, !tbaa !12
  %71 = add nsw i32 %70, %69
  store i32 %71, ptr %18, align 4, !tbaa !12
  br label %72

72:                                               ; preds = %65, %63
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %73 = icmp samesign ult i32 %9, 2
  br i1 %73, label %74, label %81

74:                                               ; preds = %72
  %75 = or disjoint i32 %9, 2
  %76 = zext nneg i32 %75 to i64
  %77 = getelementptr inbounds nuw [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ14sum_last_blockE4tile to ptr), i64 0, i64 %76
  %78 = load i32, ptr %77, align 4, !tbaa !12
  %79 = load i32, ptr %18, align 4, !tbaa !12
  %80 = add nsw i32 %79, %78
  store i32 %80, ptr %18, align 4, !tbaa !12
  br label %81

81:                                               ; preds = %74, %72
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %82 = icmp eq i32 %9, 0
  br i1 %82, label %83, label %87

83:                                               ; preds = %81
  %84 = load i32, ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ14sum_last_blockE4tile to ptr), i64 4), align 4, !tbaa !12
  %85 = load i32, ptr %18, align 4, !tbaa !12
  %86 = add nsw i32 %85, %84
  store i32 %86, ptr %18, align 4, !tbaa !12
  br label %87

87:                                               ; preds = %83, %81
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %88 = icmp eq i32 %9, 0
  br i1 %88, label %89, label %98

89:                                               ; preds = %87
  %90 = load i32, ptr addrspacecast (ptr addrspace(3) @_ZZ14sum_last_blockE4tile to ptr), align 4, !tbaa !12
  %91 = zext nneg i32 %6 to i64
  %92 = getelementptr inbounds nuw i32, ptr %1, i64 %91
  store i32 %90, ptr %92, align 4, !tbaa !12
  tail call void @llvm.nvvm.membar.gl()
  %93 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %94 = atomicrmw uinc_wrap ptr %2, i32 %93 seq_cst, align 4
  %95 = add nsw i32 %93, -1
  %96 = icmp eq i32 %94, %95
  %97 = zext i1 %96 to i8
  store i8 %97, ptr addrspacecast (ptr addrspace(3) @_ZZ14sum_last_blockE4last to ptr), align 1, !tbaa !31
  br label %98

98:                                               ; preds = %89, %87
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %99 = load i8, ptr addrspacecast (ptr addrspace(3) @_ZZ14sum_last_blockE4last to ptr), align 1, !tbaa !31, !range !33, !noundef !34
  %100 = trunc nuw i8 %99 to i1
  br i1 %100, label %101, label %152

101:                                              ; preds = %98
  tail call void @llvm.nvvm.membar.gl()
  br i1 %88, label %102, label %152

102:                                              ; preds = %101
  %103 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %104 = and i32 %103, 3
  %105 = icmp samesign ult i32 %103, 4
  br i1 %105, label %111, label %106

106:                                              ; preds = %102
  %107 = and i32 %103, 2147483644
  %108 = getelementptr inbounds i8, ptr %1, i64 4
  %109 = getelementptr inbounds i8, ptr %1, i64 8
  %110 = getelementptr inbounds i8, ptr %1, i64 12
  br label %129

111:                                              ; preds = %129, %102
  %112 = phi i32 [ poison, %102 ], [ %148, %129 ]
  %113 = phi i32 [ 0, %102 ], [ %149, %129 ]
  %114 = phi i32 [ 0, %102 ], [ %148, %129 ]
  %115 = icmp eq i32 %104, 0
  br i1 %115, label %127, label %116

116:                                              ; preds = %111, %116
  %117 = phi i32 [ %124, %116 ], [ %113, %111 ]
  %118 = phi i32 [ %123, %116 ], [ %114, %111 ]
  %119 = phi i32 [ %125, %116 ], [ 0, %111 ]
  %120 = zext nneg i32 %117 to i64
  %121 = getelementptr inbounds nuw i32, ptr %1, i64 %120
  %122 = load volatile i32, ptr %121, align 4, !tbaa !12
  %123 = add nsw i32 %122, %118
  %124 = add nuw nsw i32 %117, 1
  %125 = add i32 %119, 1
  %126 = icmp eq i32 %125, %104
  br i1 %126, label %127, label %116, !llvm.loop !35

127:                                              ; preds = %116, %111
  %128 = phi i32 [ %112, %111 ], [ %123, %116 ]
  store i32 %128, ptr %3, align 4, !tbaa !12
  br label %152

129:                                              ; preds = %129, %106
  %130 = phi i32 [ 0, %106 ], [ %149, %129 ]
  %131 = phi i32 [ 0, %106 ], [ %148, %129 ]
  %132 = phi i32 [ 0, %106 ], [ %150, %129 ]
  %133 = zext nneg i32 %130 to i64
  %134 = getelementptr inbounds nuw i32, ptr %1, i64 %133
  %135 = load volatile i32, ptr %134, align 4, !tbaa !12
  %136 = add nsw i32 %135, %131
  %137 = zext nneg i32 %130 to i64
  %138 = getelementptr inbounds i32, ptr %108, i64 %137
  %139 = load volatile i32, ptr %138, align 4, !tbaa !12
  %140 = add nsw i32 %139, %136
  %141 = zext nneg i32 %130 to i64
  %142 = getelementptr inbounds i32, ptr %109, i64 %141
  %143 = load volatile i32, ptr %142, align 4, !tbaa !12
  %144 = add nsw i32 %143, %140
  %145 = zext nneg i32 %130 to i64
  %146 = getelementptr inbounds i32, ptr %110, i64 %145
  %147 = load volatile i32, ptr %146, align 4, !tbaa !12
  %148 = add nsw i32 %147, %144
  %149 = add nuw nsw i32 %130, 4
  %150 = add i32 %132, 4
  %151 = icmp eq i32 %150, %107
  br i1 %151, label %111, label %129, !llvm.loop !36

152:                                              ; preds = %101, %127, %98
  ret void
}

; Function Attrs: nocallback nounwind
declare void @llvm.nvvm.membar.gl() #3

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @sum_segments(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef writeonly captures(none) %2, i32 noundef %3) local_unnamed_addr #4 {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul nuw nsw i32 %5, %6
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add nuw nsw i32 %7, %8
  %10 = icmp slt i32 %9, %3
  br i1 %10, label %11, label %70

11:                                               ; preds = %4
  %12 = zext nneg i32 %9 to i64
  %13 = getelementptr inbounds nuw i32, ptr %0, i64 %12
  %14 = load i32, ptr %13, align 4, !tbaa !12
  %15 = getelementptr inbounds nuw i8, ptr %13, i64 4
  %16 = load i32, ptr %15, align 4, !tbaa !12
  %17 = icmp slt i32 %14, %16
  br i1 %17, label %18, label %44

18:                                               ; preds = %11
  %19 = sub i32 %16, %14
  %20 = and i32 %19, 3
  %21 = sub i32 %14, %16
  %22 = icmp ugt i32 %21, -4
  br i1 %22, label %28, label %23

23:                                               ; preds = %18
  %24 = and i32 %19, -4
  %25 = getelementptr i8, ptr %1, i64 4
  %26 = getelementptr i8, ptr %1, i64 8
  %27 = getelementptr i8, ptr %1, i64 12
  br label %47

28:                                               ; preds = %47, %18
  %29 = phi i32 [ poison, %18 ], [ %66, %47 ]
  %30 = phi i32 [ %14, %18 ], [ %67, %47 ]
  %31 = phi i32 [ 0, %18 ], [ %66, %47 ]
  %32 = icmp eq i32 %20, 0
  br i1 %32, label %44, label %33

33:                                               ; preds = %28, %33
  %34 = phi i32 [ %41, %33 ], [ %30, %28 ]
  %35 = phi i32 [ %40, %33 ], [ %31, %28 ]
  %36 = phi i32 [ %42, %33 ], [ 0, %28 ]
  %37 = sext i32 %34 to i64
  %38 = getelementptr inbounds i32, ptr %1, i64 %37
  %39 = load i32, ptr %38, align 4, !tbaa !12
  %40 = add nsw i32 %39, %35
  %41 = add nsw i32 %34, 1
  %42 = add i32 %36, 1
  %43 = icmp eq i32 %42, %20
  br i1 %43, label %44, label %33, !llvm.loop !37

44:                                               ; preds = %28, %33, %11
  %45 = phi i32 [ 0, %11 ], [ %29, %28 ], [ %40, %33 ]
  %46 = getelementptr inbounds nuw i32, ptr %2, i64 %12
  store i32 %45, ptr %46, align 4, !tbaa !12
  br label %70

47:                                               ; preds = %47, %23
  %48 = phi i32 [ %14, %23 ], [ %67, %47 ]
  %49 = phi i32 [ 0, %23 ], [ %66, %47 ]
  %50 = phi i32 [ 0, %23 ], [ %68, %47 ]
  %51 = sext i32 %48 to i64
  %52 = getelementptr inbounds i32, ptr %1, i64 %51
  %53 = load i32, ptr %52, align 4, !tbaa !12
  %54 = add nsw i32 %53, %49
  %55 = sext i32 %48 to i64
  %56 = getelementptr i32, ptr %25, i64 %55
  %57 = load i32, ptr %56, align 4, !tbaa !12
  %58 = add nsw i32 %57, %54
  %59 = sext i32 %48 to i64
  %60 = getelementptr i32, ptr %26, i64 %59
  %61 = load i32, ptr %60, align 4, !tbaa !12
  %62 = add nsw i32 %61, %58
  %63 = sext i32 %48 to i64
  %64 = getelementptr i32, ptr %27, i64 %63
  %65 = load i32, ptr %64, align 4, !tbaa !12
  %66 = add nsw i32 %65, %62
  %67 = add nsw i32 %48, 4
  %68 = add i32 %50, 4
  %69 = icmp eq i32 %68, %24
  br i1 %69, label %28, label %47, !llvm.loop !38

70:                                               ; preds = %4, %44
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #5

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32) #6

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32) #6

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32) #6

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #7

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent mustprogress noinline norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #3 = { nocallback nounwind }
attributes #4 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #5 = { convergent nocallback nounwind }
attributes #6 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #7 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6, !7}
!llvm.module.flags = !{!8, !9, !10}
!llvm.ident = !{!11}

!0 = !{ptr @sum_tree}
!1 = !{ptr @sum_floats}
!2 = !{ptr @maximum}
!3 = !{ptr @dot_partial}
!4 = !{ptr @argmin}
!5 = !{ptr @variance}
!6 = !{ptr @sum_last_block}
!7 = !{ptr @sum_segments}
!8 = !{i32 1, !"wchar_size", i32 4}
!9 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!10 = !{i32 7, !"frame-pointer", i32 2}
!11 = !{!"clang version 21.1.0"}
!12 = !{!13, !13, i64 0}
!13 = !{!"int", !14, i64 0}
!14 = !{!"omnipotent char", !15, i64 0}
!15 = !{!"Simple C++ TBAA"}
!16 = distinct !{!16, !17}
!17 = !{!"llvm.loop.mustprogress"}
!18 = !{!19, !19, i64 0}
!19 = !{!"float", !14, i64 0}
!20 = distinct !{!20, !17}
!21 = distinct !{!21, !17}
!22 = distinct !{!22, !23}
!23 = !{!"llvm.loop.unroll.disable"}
!24 = distinct !{!24, !17}
!25 = !{!26, !26, i64 0}
!26 = !{!"double", !14, i64 0}
!27 = distinct !{!27, !17}
!28 = distinct !{!28, !17}
!29 = distinct !{!29, !17}
!30 = distinct !{!30, !17}
!31 = !{!32, !32, i64 0}
!32 = !{!"bool", !14, i64 0}
!33 = !{i8 0, i8 2}
!34 = !{}
!35 = distinct !{!35, !23}
!36 = distinct !{!36, !17}
!37 = distinct !{!37, !23}
!38 = distinct !{!38, !17}
