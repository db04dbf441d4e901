; ModuleID = 'stencils.cu'
source_filename = "stencils.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ4heatE4tile = internal unnamed_addr addrspace(3) global [18 x [18 x float]] undef, align 4
@weight = dso_local addrspace(4) externally_initialized constant [49 x float] zeroinitializer, align 4
@llvm.compiler.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(4) @weight to ptr)], section "llvm.metadata"

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @heat(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, i32 noundef %2) local_unnamed_addr #0 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = shl nsw i32 %4, 4
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %7 = add nuw nsw i32 %5, %6
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %9 = shl nuw nsw i32 %8, 4
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %11 = add nuw nsw i32 %9, %10
  %12 = icmp samesign ult i32 %10, 18
  br i1 %12, label %13, label %26

13:                                               ; preds = %3
  %14 = icmp samesign ult i32 %6, 18
  br label %15

15:                                               ; preds = %13, %30
  %16 = phi i32 [ %10, %13 ], [ %31, %30 ]
  br i1 %14, label %17, label %30

17:                                               ; preds = %15
  %18 = add nuw nsw i32 %16, %9
  %19 = icmp eq i32 %18, 0
  %20 = icmp sgt i32 %18, %2
  %21 = or i1 %19, %20
  %22 = add nsw i32 %18, -1
  %23 = mul nsw i32 %22, %2
  %24 = add i32 %23, -1
  %25 = zext nneg i32 %16 to i64
  br label %33

26:                                               ; preds = %30, %3
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %27 = icmp slt i32 %7, %2
  %28 = icmp slt i32 %11, %2
  %29 = select i1 %27, i1 %28, i1 false
  br i1 %29, label %51, label %83

30:                                               ; preds = %45, %15
  %31 = add nuw nsw i32 %16, 16
  %32 = icmp samesign ult i32 %16, 2
  br i1 %32, label %15, label %26, !llvm.loop !11

33:                                               ; preds = %17, %45
  %34 = phi i32 [ %6, %17 ], [ %49, %45 ]
  %35 = add nuw nsw i32 %34, %5
  %36 = icmp eq i32 %35, 0
  %37 = icmp sgt i32 %35, %2
  %38 = or i1 %36, %37
  %39 = select i1 %38, i1 true, i1 %21
  br i1 %39, label %45, label %40

40:                                               ; preds = %33
  %41 = add i32 %24, %35
  %42 = zext nneg i32 %41 to i64
  %43 = getelementptr inbounds nuw float, ptr %0, i64 %42
  %44 = load float, ptr %43, align 4, !tbaa !13
  br label %45

45:                                               ; preds = %33, %40
  %46 = phi contract float [ %44, %40 ], [ 0.000000e+00, %33 ]
  %47 = zext nneg i32 %34 to i64
  %48 = getelementptr inbounds nuw [18 x [18 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ4heatE4tile to ptr), i64 0, i64 %25, i64 %47
  store float %46, ptr %48, align 4, !tbaa !13
  %49 = add nuw nsw i32 %34, 16
  %50 = icmp samesign ult i32 %34, 2
  br i1 %50, label %33, label %30, !llvm.loop !17

51:                                               ; preds = %26
  %52 = add nuw nsw i32 %10, 1
  %53 = zext nneg i32 %52 to i64
  %54 = add nuw nsw i32 %6, 1
  %55 = zext nneg i32 %54 to i64
  %56 = getelementptr inbounds nuw [18 x [18 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ4heatE4tile to ptr), i64 0, i64 %53, i64 %55
  %57 = load float, ptr %56, align 4, !tbaa !13
  %58 = zext nneg i32 %10 to i64
  %59 = getelementptr inbounds nuw [18 x [18 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ4heatE4tile to ptr), i64 0, i64 %58, i64 %55
  %60 = load float, ptr %59, align 4, !tbaa !13
  %61 = add nuw nsw i32 %10, 2
  %62 = zext nneg i32 %61 to i64
  %63 = getelementptr inbounds nuw [18 x [18 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ4heatE4tile to ptr), i64 0, i64 %62, i64 %55
  %64 = load float, ptr %63, align 4, !tbaa !13
  %65 = fadd contract float %60, %64
  %66 = zext nneg i32 %6 to i64
  %67 = getelementptr inbounds nuw [18 x [18 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ4heatE4tile to ptr), i64 0, i64 %53, i64 %66
  %68 = load float, ptr %67, align 4, !tbaa !13
  %69 = fadd contract float %65, %68
  %70 = add nuw nsw i32 %6, 2
  %71 = zext nneg i32 %70 to i64
  %72 = getelementptr inbounds nuw [18 x [18 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ4heatE4tile to ptr), i64 0, i64 %53, i64 %71
  %73 = load float, ptr %72, align 4, !tbaa !13
  %74 = fadd contract float %69, %73
  %75 = fmul contract float %57, 4.000000e+00
  %76 = fsub contract float %74, %75
  %77 = fmul contract float %76, 2.500000e-01
  %78 = fadd contract float %57, %77
  %79 = mul nsw i32 %2, %11
  %80 = add nuw nsw i32 %79, %7
  %81 = zext nneg i32 %80 to i64
  %82 = getelementptr inbounds nuw float, ptr %1, i64 %81
  store float %78, ptr %82, align 4, !tbaa !13
  br label %83

83:                                               ; preds = %51, %26
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #1

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @planes(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, i32 noundef %2) local_unnamed_addr #2 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul nuw nsw i32 %4, %5
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add nuw nsw i32 %6, %7
  %9 = sdiv i32 %8, %2
  %10 = mul i32 %9, %2
  %11 = sub i32 %8, %10
  %12 = icmp eq i32 %11, 0
  %13 = icmp slt i32 %9, 1
  %14 = or i1 %12, %13
  br i1 %14, label %60, label %15

15:                                               ; preds = %3
  %16 = add nsw i32 %2, -1
  %17 = icmp slt i32 %11, %16
  %18 = icmp slt i32 %9, %16
  %19 = and i1 %17, %18
  br i1 %19, label %20, label %60

20:                                               ; preds = %15
  %21 = getelementptr i8, ptr %0, i64 -4
  %22 = icmp sgt i32 %2, 2
  br i1 %22, label %23, label %60

23:                                               ; preds = %20
  %24 = add nuw nsw i32 %9, %2
  %25 = mul nuw nsw i32 %24, %2
  %26 = add nuw nsw i32 %25, %11
  %27 = zext nneg i32 %26 to i64
  %28 = getelementptr inbounds nuw float, ptr %0, i64 %27
  %29 = load float, ptr %28, align 4, !tbaa !13
  %30 = mul nuw nsw i32 %9, %2
  %31 = add nuw nsw i32 %30, %11
  %32 = zext nneg i32 %31 to i64
  %33 = getelementptr inbounds nuw float, ptr %0, i64 %32
  %34 = load float, ptr %33, align 4, !tbaa !13
  br label %35

35:                                               ; preds = %23, %35
  %36 = phi i32 [ %39, %35 ], [ 1, %23 ]
  %37 = phi float [ %46, %35 ], [ %29, %23 ]
  %38 = phi float [ %37, %35 ], [ %34, %23 ]
  %39 = add nuw nsw i32 %36, 1
  %40 = mul nuw nsw i32 %39, %2
  %41 = add nuw nsw i32 %40, %9
  %42 = mul nuw nsw i32 %41, %2
  %43 = add nuw nsw i32 %42, %11
  %44 = zext nneg i32 %43 to i64
  %45 = getelementptr inbounds nuw float, ptr %0, i64 %44
  %46 = load float, ptr %45, align 4, !tbaa !13
  %47 = fadd contract float %38, %46
  %48 = fmul contract float %37, 2.000000e+00
  %49 = fsub contract float %47, %48
  %50 = mul nuw nsw i32 %36, %2
  %51 = add nuw nsw i32 %50, %9
  %52 = mul nuw nsw i32 %51, %2
  %53 = add nuw nsw i32 %52, %11
  %54 = zext nneg i32 %53 to i64
  %55 = getelementptr float, ptr %21, i64 %54
  %56 = load float, ptr %55, align 4, !tbaa !13
  %57 = fadd contract float %56, %49
  %58 = getelementptr inbounds nuw float, ptr %1, i64 %54
  store float %57, ptr %58, align 4, !tbaa !13
  %59 = icmp eq i32 %39, %16
  br i1 %59, label %60, label %35, !llvm.loop !18

60:                                               ; preds = %35, %20, %3, %15
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @life(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, i32 noundef %2) local_unnamed_addr #3 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul nuw nsw i32 %4, %5
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add nuw nsw i32 %6, %7
  %9 = mul nsw i32 %2, %2
  %10 = icmp samesign ult i32 %8, %9
  br i1 %10, label %11, label %107

11:                                               ; preds = %3
  %12 = sdiv i32 %8, %2
  %13 = mul i32 %12, %2
  %14 = sub i32 %8, %13
  %15 = add i32 %12, %2
  %16 = add i32 %14, %2
  %17 = add i32 %15, -1
  %18 = srem i32 %17, %2
  %19 = mul nsw i32 %18, %2
  %20 = add i32 %16, -1
  %21 = srem i32 %20, %2
  %22 = add nsw i32 %19, %21
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds i8, ptr %0, i64 %23
  %25 = load i8, ptr %24, align 1, !tbaa !19
  %26 = zext i8 %25 to i32
  %27 = srem i32 %17, %2
  %28 = mul nsw i32 %27, %2
  %29 = srem i32 %16, %2
  %30 = add nsw i32 %28, %29
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds i8, ptr %0, i64 %31
  %33 = load i8, ptr %32, align 1, !tbaa !19
  %34 = zext i8 %33 to i32
  %35 = add nuw nsw i32 %26, %34
  %36 = srem i32 %17, %2
  %37 = mul nsw i32 %36, %2
  %38 = add i32 %16, 1
  %39 = srem i32 %38, %2
  %40 = add nsw i32 %37, %39
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds i8, ptr %0, i64 %41
  %43 = load i8, ptr %42, align 1, !tbaa !19
  %44 = zext i8 %43 to i32
  %45 = add nuw nsw i32 %35, %44
  %46 = srem i32 %15, %2
  %47 = mul nsw i32 %46, %2
  %48 = add i32 %16, -1
  %49 = srem i32 %48, %2
  %50 = add nsw i32 %47, %49
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds i8, ptr %0, i64 %51
  %53 = load i8, ptr %52, align 1, !tbaa !19
  %54 = zext i8 %53 to i32
  %55 = add nuw nsw i32 %45, %54
  %56 = srem i32 %15, %2
  %57 = mul nsw i32 %56, %2
  %58 = add i32 %16, 1
  %59 = srem i32 %58, %2
  %60 = add nsw i32 %57, %59
  %61 = sext i32 %60 to i64
  %62 = getelementptr inbounds i8, ptr %0, i64 %61
  %63 = load i8, ptr %62, align 1, !tbaa !19
  %64 = zext i8 %63 to i32
  %65 = add nuw nsw i32 %55, %64
  %66 = add i32 %15, 1
  %67 = srem i32 %66, %2
  %68 = mul nsw i32 %67, %2
  %69 = add i32 %16, -1
  %70 = srem i32 %69, %2
  %71 = add nsw i32 %68, %70
  %72 = sext i32 %71 to i64
  %73 = getelementptr inbounds i8, ptr %0, i64 %72
  %74 = load i8, ptr %73, align 1, !tbaa !19
  %75 = zext i8 %74 to i32
  %76 = add nuw nsw i32 %65, %75
  %77 = srem i32 %66, %2
  %78 = mul nsw i32 %77, %2
  %79 = srem i32 %16, %2
  %80 = add nsw i32 %78, %79
  %81 = sext i32 %80 to i64
  %82 = getelementptr inbounds i8, ptr %0, i64 %81
  %83 = load i8, ptr %82, align 1, !tbaa !19
  %84 = zext i8 %83 to i32
  %85 = add nuw nsw i32 %76, %84
  %86 = srem i32 %66, %2
  %87 = mul nsw i32 %86, %2
  %88 = add i32 %16, 1
  %89 = srem i32 %88, %2
  %90 = add nsw i32 %87, %89
  %91 = sext i32 %90 to i64
  %92 = getelementptr inbounds i8, ptr %0, i64 %91
  %93 = load i8, ptr %92, align 1, !tbaa !19
  %94 = zext i8 %93 to i32
  %95 = add nuw nsw i32 %85, %94
  switch i32 %95, label %101 [
    i32 3, label %102
    i32 2, label %96
  ]

96:                                               ; preds = %11
  %97 = zext nneg i32 %8 to i64
  %98 = getelementptr inbounds nuw i8, ptr %0, i64 %97
  %99 = load i8, ptr %98, align 1, !tbaa !19
  %100 = icmp ne i8 %99, 0
  br label %102

101:                                              ; preds = %11
  br label %102

102:                                              ; preds = %11, %101, %96
  %103 = phi i1 [ true, %11 ], [ %100, %96 ], [ false, %101 ]
  %104 = zext i1 %103 to i8
  %105 = zext nneg i32 %8 to i64
  %106 = getelementptr inbounds nuw i8, ptr %1, i64 %105
  store i8 %104, ptr %106, align 1, !tbaa !19
  br label %107

107:                                              ; preds = %3, %102
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: write)
define dso_local ptx_kernel void @fill_weights(ptr noundef writeonly captures(none) %0) local_unnamed_addr #4 {
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %3 = icmp samesign ult i32 %2, 49
  br i1 %3, label %4, label %11

4:                                                ; preds = %1
  %5 = zext nneg i32 %2 to i64
  %6 = getelementptr inbounds nuw float, ptr %0, i64 %5
  %7 = uitofp nneg i32 %2 to float
  %8 = getelementptr inbounds nuw [49 x float], ptr addrspacecast (ptr addrspace(4) @weight to ptr), i64 0, i64 %5
  %9 = load float, ptr %8, align 4, !tbaa !13
  %10 = fadd contract float %9, %7
  store float %10, ptr %6, align 4, !tbaa !13
  br label %11

11:                                               ; preds = %4, %1
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @convolve(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef writeonly captures(none) %2, i32 noundef %3) local_unnamed_addr #3 {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul nuw nsw i32 %5, %6
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add nuw nsw i32 %7, %8
  %10 = sdiv i32 %9, %3
  %11 = mul i32 %10, %3
  %12 = sub i32 %9, %11
  %13 = icmp sge i32 %10, %3
  %14 = icmp samesign ult i32 %12, 3
  %15 = select i1 %13, i1 true, i1 %14
  %16 = icmp slt i32 %10, 3
  %17 = or i1 %16, %15
  br i1 %17, label %430, label %18

18:                                               ; preds = %4
  %19 = add nsw i32 %3, -3
  %20 = icmp slt i32 %12, %19
  %21 = icmp slt i32 %10, %19
  %22 = and i1 %20, %21
  br i1 %22, label %23, label %430

23:                                               ; preds = %18
  %24 = getelementptr i8, ptr %1, i64 12
  %25 = add nsw i32 %10, -3
  %26 = mul nsw i32 %25, %3
  %27 = add nsw i32 %26, %12
  %28 = sext i32 %27 to i64
  %29 = getelementptr float, ptr %0, i64 %28
  %30 = getelementptr i8, ptr %29, i64 -12
  %31 = load float, ptr %30, align 4, !tbaa !13
  %32 = load float, ptr %1, align 4, !tbaa !13
  %33 = fmul contract float %31, %32
  %34 = fadd contract float %33, 0.000000e+00
  %35 = sext i32 %27 to i64
  %36 = getelementptr float, ptr %0, i64 %35
  %37 = getelementptr i8, ptr %36, i64 -8
  %38 = load float, ptr %37, align 4, !tbaa !13
  %39 = getelementptr i8, ptr %1, i64 4
  %40 = load float, ptr %39, align 4, !tbaa !13
  %41 = fmul contract float %38, %40
  %42 = fadd contract float %34, %41
  %43 = sext i32 %27 to i64
  %44 = getelementptr float, ptr %0, i64 %43
  %45 = getelementptr i8, ptr %44, i64 -4
  %46 = load float, ptr %45, align 4, !tbaa !13
  %47 = getelementptr i8, ptr %1, i64 8
  %48 = load float, ptr %47, align 4, !tbaa !13
  %49 = fmul contract float %46, %48
  %50 = fadd contract float %42, %49
  %51 = sext i32 %27 to i64
  %52 = getelementptr inbounds float, ptr %0, i64 %51
  %53 = load float, ptr %52, align 4, !tbaa !13
  %54 = load float, ptr %24, align 4, !tbaa !13
  %55 = fmul contract float %53, %54
  %56 = fadd contract float %50, %55
  %57 = sext i32 %27 to i64
  %58 = getelementptr float, ptr %0, i64 %57
  %59 = getelementptr i8, ptr %58, i64 4
  %60 = load float, ptr %59, align 4, !tbaa !13
  %61 = getelementptr i8, ptr %1, i64 16
  %62 = load float, ptr %61, align 4, !tbaa !13
  %63 = fmul contract float %60, %62
  %64 = fadd contract float %56, %63
  %65 = sext i32 %27 to i64
  %66 = getelementptr float, ptr %0, i64 %65
  %67 = getelementptr i8, ptr %66, i64 8
  %68 = load float, ptr %67, align 4, !tbaa !13
  %69 = getelementptr i8, ptr %1, i64 20
  %70 = load float, ptr %69, align 4, !tbaa !13
  %71 = fmul contract float %68, %70
  %72 = fadd contract float %64, %71
  %73 = sext i32 %27 to i64
  %74 = getelementptr float, ptr %0, i64 %73
  %75 = getelementptr i8, ptr %74, i64 12
  %76 = load float, ptr %75, align 4, !tbaa !13
  %77 = getelementptr i8, ptr %1, i64 24
  %78 = load float, ptr %77, align 4, !tbaa !13
  %79 = fmul contract float %76, %78
  %80 = fadd contract float %72, %79
  %81 = add nsw i32 %10, -2
  %82 = mul nsw i32 %81, %3
  %83 = add nsw i32 %82, %12
  %84 = sext i32 %83 to i64
  %85 = getelementptr float, ptr %0, i64 %84
  %86 = getelementptr i8, ptr %85, i64 -12
  %87 = load float, ptr %86, align 4, !tbaa !13
  %88 = getelementptr i8, ptr %1, i64 28
  %89 = load float, ptr %88, align 4, !tbaa !13
  %90 = fmul contract float %87, %89
  %91 = fadd contract float %80, %90
  %92 = sext i32 %83 to i64
  %93 = getelementptr float, ptr %0, i64 %92
  %94 = getelementptr i8, ptr %93, i64 -8
  %95 = load float, ptr %94, align 4, !tbaa !13
  %96 = getelementptr i8, ptr %1, i64 32
  %97 = load float, ptr %96, align 4, !tbaa !13
  %98 = fmul contract float %95, %97
  %99 = fadd contract float %91, %98
  %100 = sext i32 %83 to i64
  %101 = getelementptr float, ptr %0, i64 %100
  %102 = getelementptr i8, ptr %101, i64 -4
  %103 = load float, ptr %102, align 4, !tbaa !13
  %104 = getelementptr i8, ptr %1, i64 36
  %105 = load float, ptr %104, align 4, !tbaa !13
  %106 = fmul contract float %103, %105
  %107 = fadd contract float %99, %106
  %108 = sext i32 %83 to i64
  %109 = getelementptr inbounds float, ptr %0, i64 %108
  %110 = load float, ptr %109, align 4, !tbaa !13
  %111 = getelementptr i8, ptr %1, i64 40
  %112 = load float, ptr %111, align 4, !tbaa !13
  %113 = fmul contract float %110, %112
  %114 = fadd contract float %107, %113
  %115 = sext i32 %83 to i64
  %116 = getelementptr float, ptr %0, i64 %115
  %117 = getelementptr i8, ptr %116, i64 4
  %118 = load float, ptr %117, align 4, !tbaa !13
  %119 = getelementptr i8, ptr %1, i64 44
  %120 = load float, ptr %119, align 4, !tbaa !13
  %121 = fmul contract float %118, %120
  %122 = fadd contract float %114, %121
  %123 = sext i32 %83 to i64
  %124 = getelementptr float, ptr %0, i64 %123
  %125 = getelementptr i8, ptr %124, i64 8
  %126 = load float, ptr %125, align 4, !tbaa !13
  %127 = getelementptr i8, ptr %1, i64 48
  %128 = load float, ptr %127, align 4, !tbaa !13
  %129 = fmul contract float %126, %128
  %130 = fadd contract float %122, %129
  %131 = sext i32 %83 to i64
  %132 = getelementptr float, ptr %0, i64 %131
  %133 = getelementptr i8, ptr %132, i64 12
  %134 = load float, ptr %133, align 4, !tbaa !13
  %135 = getelementptr i8, ptr %1, i64 52
  %136 = load float, ptr %135, align 4, !tbaa !13
  %137 = fmul contract float %134, %136
  %138 = fadd contract float %130, %137
  %139 = add nsw i32 %10, -1
  %140 = mul nsw i32 %139, %3
  %141 = add nsw i32 %140, %12
  %142 = sext i32 %141 to i64
  %143 = getelementptr float, ptr %0, i64 %142
  %144 = getelementptr i8, ptr %143, i64 -12
  %145 = load float, ptr %144, align 4, !tbaa !13
  %146 = getelementptr i8, ptr %1, i64 56
  %147 = load float, ptr %146, align 4, !tbaa !13
  %148 = fmul contract float %145, %147
  %149 = fadd contract float %138, %148
  %150 = sext i32 %141 to i64
  %151 = getelementptr float, ptr %0, i64 %150
  %152 = getelementptr i8, ptr %151, i64 -8
  %153 = load float, ptr %152, align 4, !tbaa !13
  %154 = getelementptr i8, ptr %1, i64 60
  %155 = load float, ptr %154, align 4, !tbaa !13
  %156 = fmul contract float %153, %155
  %157 = fadd contract float %149, %156
  %158 = sext i32 %141 to i64
  %159 = getelementptr float, ptr %0, i64 %158
  %160 = getelementptr i8, ptr %159, i64 -4
  %161 = load float, ptr %160, align 4, !tbaa !13
  %162 = getelementptr i8, ptr %1, i64 64
  %163 = load float, ptr %162, align 4, !tbaa !13
  %164 = fmul contract float %161, %163
  %165 = fadd contract float %157, %164
  %166 = sext i32 %141 to i64
  %167 = getelementptr inbounds float, ptr %0, i64 %166
  %168 = load float, ptr %167, align 4, !tbaa !13
  %169 = getelementptr i8, ptr %1, i64 68
  %170 = load float, ptr %169, align 4, !tbaa !13
  %171 = fmul contract float %168, %170
  %172 = fadd contract float %165, %171
  %173 = sext i32 %141 to i64
  %174 = getelementptr float, ptr %0, i64 %173
  %175 = getelementptr i8, ptr %174, i64 4
  %176 = load float, ptr %175, align 4, !tbaa !13
  %177 = getelementptr i8, ptr %1, i64 72
  %178 = load float, ptr %177, align 4, !tbaa !13
  %179 = fmul contract float %176, %178
  %180 = fadd contract float %172, %179
  %181 = sext i32 %141 to i64
  %182 = getelementptr float, ptr %0, i64 %181
  %183 = getelementptr i8, ptr %182, i64 8
  %184 = load float, ptr %183, align 4, !tbaa !13
  %185 = getelementptr i8, ptr %1, i64 76
  %186 = load float, ptr %185, align 4, !tbaa !13
  %187 = fmul contract float %184, %186
  %188 = fadd contract float %180, %187
  %189 = sext i32 %141 to i64
  %190 = getelementptr float, ptr %0, i64 %189
  %191 = getelementptr i8, ptr %190, i64 12
  %192 = load float, ptr %191, align 4, !tbaa !13
  %193 = getelementptr i8, ptr %1, i64 80
  %194 = load float, ptr %193, align 4, !tbaa !13
  %195 = fmul contract float %192, %194
  %196 = fadd contract float %188, %195
  %197 = mul nsw i32 %10, %3
  %198 = add nsw i32 %197, %12
  %199 = sext i32 %198 to i64
  %200 = getelementptr float, ptr %0, i64 %199
  %201 = getelementptr i8, ptr %200, i64 -12
  %202 = load float, ptr %201, align 4, !tbaa !13
  %203 = getelementptr i8, ptr %1, i64 84
  %204 = load float, ptr %203, align 4, !tbaa !13
  %205 = fmul contract float %202, %204
  %206 = fadd contract float %196, %205
  %207 = sext i32 %198 to i64
  %208 = getelementptr float, ptr %0, i64 %207
  %209 = getelementptr i8, ptr %208, i64 -8
  %210 = load float, ptr %209, align 4, !tbaa !13
  %211 = getelementptr i8, ptr %1, i64 88
  %212 = load float, ptr %211, align 4, !tbaa !13
  %213 = fmul contract float %210, %212
  %214 = fadd contract float %206, %213
  %215 = sext i32 %198 to i64
  %216 = getelementptr float, ptr %0, i64 %215
  %217 = getelementptr i8, ptr %216, i64 -4
  %218 = load float, ptr %217, align 4, !tbaa !13
  %219 = getelementptr i8, ptr %1, i64 92
  %220 = load float, ptr %219, align 4, !tbaa !13
  %221 = fmul contract float %218, %220
  %222 = fadd contract float %214, %221
  %223 = sext i32 %198 to i64
  %224 = getelementptr inbounds float, ptr %0, i64 %223
  %225 = load float, ptr %224, align 4, !tbaa !13
  %226 = getelementptr i8, ptr %1, i64 96
  %227 = load float, ptr %226, align 4, !tbaa !13
  %228 = fmul contract float %225, %227
  %229 = fadd contract float %222, %228
  %230 = sext i32 %198 to i64
  %231 = getelementptr float, ptr %0, i64 %230
  %232 = getelementptr i8, ptr %231, i64 4
  %233 = load float, ptr %232, align 4, !tbaa !13
  %234 = getelementptr i8, ptr %1, i64 100
  %235 = load float, ptr %234, align 4, !tbaa !13
  %236 = fmul contract float %233, %235
  %237 = fadd contract float %229, %236
  %238 = sext i32 %198 to i64
  %239 = getelementptr float, ptr %0, i64 %238
  %240 = getelementptr i8, ptr %239, i64 8
  %241 = load float, ptr %240, align 4, !tbaa !13
  %242 = getelementptr i8, ptr %1, i64 104
  %243 = load float, ptr %242, align 4, !tbaa !13
  %244 = fmul contract float %241, %243
  %245 = fadd contract float %237, %244
  %246 = sext i32 %198 to i64
  %247 = getelementptr float, ptr %0, i64 %246
  %248 = getelementptr i8, ptr %247, i64 12
  %249 = load float, ptr %248, align 4, !tbaa !13
  %250 = getelementptr i8, ptr %1, i64 108
  %251 = load float, ptr %250, align 4, !tbaa !13
  %252 = fmul contract float %249, %251
  %253 = fadd contract float %245, %252
  %254 = add nuw nsw i32 %10, 1
  %255 = mul nsw i32 %254, %3
  %256 = add nsw i32 %255, %12
  %257 = sext i32 %256 to i64
  %258 = getelementptr float, ptr %0, i64 %257
  %259 = getelementptr i8, ptr %258, i64 -12
  %260 = load float, ptr %259, align 4, !tbaa !13
  %261 = getelementptr i8, ptr %1, i64 112
  %262 = load float, ptr %261, align 4, !tbaa !13
  %263 = fmul contract float %260, %262
  %264 = fadd contract float %253, %263
  %265 = sext i32 %256 to i64
  %266 = getelementptr float, ptr %0, i64 %265
  %267 = getelementptr i8, ptr %266, i64 -8
  %268 = load float, ptr %267, align 4, !tbaa !13
  %269 = getelementptr i8, ptr %1, i64 116
  %270 = load float, ptr %269, align 4, !tbaa !13
  %271 = fmul contract float %268, %270
  %272 = fadd contract float %264, %271
  %273 = sext i32 %256 to i64
  %274 = getelementptr float, ptr %0, i64 %273
  %275 = getelementptr i8, ptr %274, i64 -4
  %276 = load float, ptr %275, align 4, !tbaa !13
  %277 = getelementptr i8, ptr %1, i64 120
  %278 = load float, ptr %277, align 4, !tbaa !13
  %279 = fmul contract float %276, %278
  %280 = fadd contract float %272, %279
  %281 = sext i32 %256 to i64
  %282 = getelementptr inbounds float, ptr %0, i64 %281
  %283 = load float, ptr %282, align 4, !tbaa !13
  %284 = getelementptr i8, ptr %1, i64 124
  %285 = load float, ptr %284, align 4, !tbaa !13
  %286 = fmul contract float %283, %285
  %287 = fadd contract float %280, %286
  %288 = sext i32 %256 to i64
  %289 = getelementptr float, ptr %0, i64 %288
  %290 = getelementptr i8, ptr %289, i64 4
  %291 = load float, ptr %290, align 4, !tbaa !13
  %292 = getelementptr i8, ptr %1, i64 128
  %293 = load float, ptr %292, align 4, !tbaa !13
  %294 = fmul contract float %291, %293
  %295 = fadd contract float %287, %294
  %296 = sext i32 %256 to i64
  %297 = getelementptr float, ptr %0, i64 %296
  %298 = getelementptr i8, ptr %297, i64 8
  %299 = load float, ptr %298, align 4, !tbaa !13
  %300 = getelementptr i8, ptr %1, i64 132
  %301 = load float, ptr %300, align 4, !tbaa !13
  %302 = fmul contract float %299, %301
  %303 = fadd contract float %295, %302
  %304 = sext i32 %256 to i64
  %305 = getelementptr float, ptr %0, i64 %304
  %306 = getelementptr i8, ptr %305, i64 12
  %307 = load float, ptr %306, align 4, !tbaa !13
  %308 = getelementptr i8, ptr %1, i64 136
  %309 = load float, ptr %308, align 4, !tbaa !13
  %310 = fmul contract float %307, %309
  %311 = fadd contract float %303, %310
  %312 = add nuw nsw i32 %10, 2
  %313 = mul nsw i32 %312, %3
  %314 = add nsw i32 %313, %12
  %315 = sext i32 %314 to i64
  %316 = getelementptr float, ptr %0, i64 %315
  %317 = getelementptr i8, ptr %316, i64 -12
  %318 = load float, ptr %317, align 4, !tbaa !13
  %319 = getelementptr i8, ptr %1, i64 140
  %320 = load float, ptr %319, align 4, !tbaa !13
  %321 = fmul contract float %318, %320
  %322 = fadd contract float %311, %321
  %323 = sext i32 %314 to i64
  %324 = getelementptr float, ptr %0, i64 %323
  %325 = getelementptr i8, ptr %324, i64 -8
  %326 = load float, ptr %325, align 4, !tbaa !13
  %327 = getelementptr i8, ptr %1, i64 144
  %328 = load float, ptr %327, align 4, !tbaa !13
  %329 = fmul contract float %326, %328
  %330 = fadd contract float %322, %329
  %331 = sext i32 %314 to i64
  %332 = getelementptr float, ptr %0, i64 %331
  %333 = getelementptr i8, ptr %332, i64 -4
  %334 = load float, ptr %333, align 4, !tbaa !13
  %335 = getelementptr i8, ptr %1, i64 148
  %336 = load float, ptr %335, align 4, !tbaa !13
  %337 = fmul contract float %334, %336
  %338 = fadd contract float %330, %337
  %339 = sext i32 %314 to i64
  %340 = getelementptr inbounds float, ptr %0, i64 %339
  %341 = load float, ptr %340, align 4, !tbaa !13
  %342 = getelementptr i8, ptr %1, i64 152
  %343 = load float, ptr %342, align 4, !tbaa !13
  %344 = fmul contract float %341, %343
  %345 = fadd contract float %338, %344
  %346 = sext i32 %314 to i64
  %347 = getelementptr float, ptr %0, i64 %346
  %348 = getelementptr i8, ptr %347, i64 4
  %349 = load float, ptr %348, align 4, !tbaa !13
  %350 = getelementptr i8, ptr %1, i64 156
  %351 = load float, ptr %350, align 4, !tbaa !13
  %352 = fmul contract float %349, %351
  %353 = fadd contract float %345, %352
  %354 = sext i32 %314 to i64
  %355 = getelementptr float, ptr %0, i64 %354
  %356 = getelementptr i8, ptr %355, i64 8
  %357 = load float, ptr %356, align 4, !tbaa !13
  %358 = getelementptr i8, ptr %1, i64 160
  %359 = load float, ptr %358, align 4, !tbaa !13
  %360 = fmul contract float %357, %359
  %361 = fadd contract float %353, %360
  %362 = sext i32 %314 to i64
  %363 = getelementptr float, ptr %0, i64 %362
  %364 = getelementptr i8, ptr %363, i64 12
  %365 = load float, ptr %364, align 4, !tbaa !13
  %366 = getelementptr i8, ptr %1, i64 164
  %367 = load float, ptr %366, align 4, !tbaa !13
  %368 = fmul contract float %365, %367
  %369 = fadd contract float %361, %368
  %370 = add nuw nsw i32 %10, 3
  %371 = mul nsw i32 %370, %3
  %372 = add nsw i32 %371, %12
  %373 = sext i32 %372 to i64
  %374 = getelementptr float, ptr %0, i64 %373
  %375 = getelementptr i8, ptr %374, i64 -12
  %376 = load float, ptr %375, align 4, !tbaa !13
  %377 = getelementptr i8, ptr %1, i64 168
  %378 = load float, ptr %377, align 4, !tbaa !13
  %379 = fmul contract float %376, %378
  %380 = fadd contract float %369, %379
  %381 = sext i32 %372 to i64
  %382 = getelementptr float, ptr %0, i64 %381
  %383 = getelementptr i8, ptr %382, i64 -8
  %384 = load float, ptr %383, align 4, !tbaa !13
  %385 = getelementptr i8, ptr %1, i64 172
  %386 = load float, ptr %385, align 4, !tbaa !13
  %387 = fmul contract float %384, %386
  %388 = fadd contract float %380, %387
  %389 = sext i32 %372 to i64
  %390 = getelementptr float, ptr %0, i64 %389
  %391 = getelementptr i8, ptr %390, i64 -4
  %392 = load float, ptr %391, align 4, !tbaa !13
  %393 = getelementptr i8, ptr %1, i64 176
  %394 = load float, ptr %393, align 4, !tbaa !13
  %395 = fmul contract float %392, %394
  %396 = fadd contract float %388, %395
  %397 = sext i32 %372 to i64
  %398 = getelementptr inbounds float, ptr %0, i64 %397
  %399 = load float, ptr %398, align 4, !tbaa !13
  %400 = getelementptr i8, ptr %1, i64 180
  %401 = load float, ptr %400, align 4, !tbaa !13
  %402 = fmul contract float %399, %401
  %403 = fadd contract float %396, %402
  %404 = sext i32 %372 to i64
  %405 = getelementptr float, ptr %0, i64 %404
  %406 = getelementptr i8, ptr %405, i64 4
  %407 = load float, ptr %406, align 4, !tbaa !13
  %408 = getelementptr i8, ptr %1, i64 184
  %409 = load float, ptr %408, align 4, !tbaa !13
  %410 = fmul contract float %407, %409
  %411 = fadd contract float %403, %410
  %412 = sext i32 %372 to i64
  %413 = getelementptr float, ptr %0, i64 %412
  %414 = getelementptr i8, ptr %413, i64 8
  %415 = load float, ptr %414, align 4, !tbaa !13
  %416 = getelementptr i8, ptr %1, i64 188
  %417 = load float, ptr %416, align 4, !tbaa !13
  %418 = fmul contract float %415, %417
  %419 = fadd contract float %411, %418
  %420 = sext i32 %372 to i64
  %421 = getelementptr float, ptr %0, i64 %420
  %422 = getelementptr i8, ptr %421, i64 12
  %423 = load float, ptr %422, align 4, !tbaa !13
  %424 = getelementptr i8, ptr %1, i64 192
  %425 = load float, ptr %424, align 4, !tbaa !13
  %426 = fmul contract float %423, %425
  %427 = fadd contract float %419, %426
  %428 = zext nneg i32 %9 to i64
  %429 = getelementptr inbounds nuw float, ptr %2, i64 %428
  store float %427, ptr %429, align 4, !tbaa !13
  br label %430

430:                                              ; preds = %4, %18, %23
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @median(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, i32 noundef %2) local_unnamed_addr #3 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul nuw nsw i32 %4, %5
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add nuw nsw i32 %6, %7
  %9 = sdiv i32 %8, %2
  %10 = mul i32 %9, %2
  %11 = sub i32 %8, %10
  %12 = icmp eq i32 %11, 0
  %13 = icmp slt i32 %9, 1
  %14 = or i1 %12, %13
  br i1 %14, label %119, label %15

15:                                               ; preds = %3
  %16 = add nsw i32 %2, -1
  %17 = icmp slt i32 %11, %16
  %18 = icmp slt i32 %9, %16
  %19 = and i1 %17, %18
  br i1 %19, label %20, label %119

20:                                               ; preds = %15
  %21 = add nsw i32 %9, -1
  %22 = getelementptr i8, ptr %0, i64 -1
  %23 = mul nsw i32 %21, %2
  %24 = add nuw nsw i32 %11, 1
  %25 = add nuw nsw i32 %11, 2
  %26 = add i32 %25, %23
  %27 = sext i32 %26 to i64
  %28 = getelementptr i8, ptr %22, i64 %27
  %29 = load i8, ptr %28, align 1, !tbaa !19
  %30 = mul nsw i32 %9, %2
  %31 = add i32 %11, %30
  %32 = sext i32 %31 to i64
  %33 = getelementptr i8, ptr %22, i64 %32
  %34 = load i8, ptr %33, align 1, !tbaa !19
  %35 = add i32 %24, %30
  %36 = sext i32 %35 to i64
  %37 = getelementptr i8, ptr %22, i64 %36
  %38 = load i8, ptr %37, align 1, !tbaa !19
  %39 = add i32 %25, %30
  %40 = sext i32 %39 to i64
  %41 = getelementptr i8, ptr %22, i64 %40
  %42 = load i8, ptr %41, align 1, !tbaa !19
  %43 = add nuw nsw i32 %9, 1
  %44 = mul nsw i32 %43, %2
  %45 = add i32 %11, %44
  %46 = sext i32 %45 to i64
  %47 = getelementptr i8, ptr %22, i64 %46
  %48 = load i8, ptr %47, align 1, !tbaa !19
  %49 = add i32 %24, %44
  %50 = sext i32 %49 to i64
  %51 = getelementptr i8, ptr %22, i64 %50
  %52 = load i8, ptr %51, align 1, !tbaa !19
  %53 = add i32 %25, %44
  %54 = sext i32 %53 to i64
  %55 = getelementptr i8, ptr %22, i64 %54
  %56 = load i8, ptr %55, align 1, !tbaa !19
  %57 = add i32 %24, %23
  %58 = sext i32 %57 to i64
  %59 = getelementptr i8, ptr %22, i64 %58
  %60 = load i8, ptr %59, align 1, !tbaa !19
  %61 = add i32 %11, %23
  %62 = sext i32 %61 to i64
  %63 = getelementptr i8, ptr %22, i64 %62
  %64 = load i8, ptr %63, align 1, !tbaa !19
  %65 = tail call i8 @llvm.umin.i8(i8 %64, i8 %60)
  %66 = tail call i8 @llvm.umax.i8(i8 %64, i8 %60)
  %67 = tail call i8 @llvm.umin.i8(i8 %66, i8 %29)
  %68 = tail call i8 @llvm.umax.i8(i8 %66, i8 %29)
  %69 = tail call i8 @llvm.umin.i8(i8 %68, i8 %34)
  %70 = tail call i8 @llvm.umax.i8(i8 %68, i8 %34)
  %71 = tail call i8 @llvm.umin.i8(i8 %70, i8 %38)
  %72 = tail call i8 @llvm.umax.i8(i8 %70, i8 %38)
  %73 = tail call i8 @llvm.umin.i8(i8 %72, i8 %42)
  %74 = tail call i8 @llvm.umax.i8(i8 %72, i8 %42)
  %75 = tail call i8 @llvm.umin.i8(i8 %74, i8 %48)
  %76 = tail call i8 @llvm.umax.i8(i8 %74, i8 %48)
  %77 = tail call i8 @llvm.umin.i8(i8 %76, i8 %52)
  %78 = tail call i8 @llvm.umax.i8(i8 %76, i8 %52)
  %79 = tail call i8 @llvm.umin.i8(i8 %78, i8 %56)
  %80 = tail call i8 @llvm.umin.i8(i8 %65, i8 %67)
  %81 = tail call i8 @llvm.umax.i8(i8 %65, i8 %67)
  %82 = tail call i8 @llvm.umin.i8(i8 %81, i8 %69)
  %83 = tail call i8 @llvm.umax.i8(i8 %81, i8 %69)
  %84 = tail call i8 @llvm.umin.i8(i8 %83, i8 %71)
  %85 = tail call i8 @llvm.umax.i8(i8 %83, i8 %71)
  %86 = tail call i8 @llvm.umin.i8(i8 %85, i8 %73)
  %87 = tail call i8 @llvm.umax.i8(i8 %85, i8 %73)
  %88 = tail call i8 @llvm.umin.i8(i8 %87, i8 %75)
  %89 = tail call i8 @llvm.umax.i8(i8 %87, i8 %75)
  %90 = tail call i8 @llvm.umin.i8(i8 %89, i8 %77)
  %91 = tail call i8 @llvm.umax.i8(i8 %89, i8 %77)
  %92 = tail call i8 @llvm.umin.i8(i8 %91, i8 %79)
  %93 = tail call i8 @llvm.umin.i8(i8 %80, i8 %82)
  %94 = tail call i8 @llvm.umax.i8(i8 %80, i8 %82)
  %95 = tail call i8 @llvm.umin.i8(i8 %94, i8 %84)
  %96 = tail call i8 @llvm.umax.i8(i8 %94, i8 %84)
  %97 = tail call i8 @llvm.umin.i8(i8 %96, i8 %86)
  %98 = tail call i8 @llvm.umax.i8(i8 %96, i8 %86)
  %99 = tail call i8 @llvm.umin.i8(i8 %98, i8 %88)
  %100 = tail call i8 @llvm.umax.i8(i8 %98, i8 %88)
  %101 = tail call i8 @llvm.umin.i8(i8 %100, i8 %90)
  %102 = tail call i8 @llvm.umax.i8(i8 %100, i8 %90)
  %103 = tail call i8 @llvm.umin.i8(i8 %102, i8 %92)
  %104 = tail call i8 @llvm.umin.i8(i8 %93, i8 %95)
  %105 = tail call i8 @llvm.umax.i8(i8 %93, i8 %95)
  %106 = tail call i8 @llvm.umin.i8(i8 %105, i8 %97)
  %107 = tail call i8 @llvm.umax.i8(i8 %105, i8 %97)
  %108 = tail call i8 @llvm.umin.i8(i8 %107, i8 %99)
  %109 = tail call i8 @llvm.umax.i8(i8 %107, i8 %99)
  %110 = tail call i8 @llvm.umin.i8(i8 %109, i8 %101)
  %111 = tail call i8 @llvm.umax.i8(i8 %109, i8 %101)
  %112 = tail call i8 @llvm.umin.i8(i8 %111, i8 %103)
  %113 = tail call i8 @llvm.umax.i8(i8 %104, i8 %106)
  %114 = tail call i8 @llvm.umax.i8(i8 %113, i8 %108)
  %115 = tail call i8 @llvm.umax.i8(i8 %114, i8 %110)
  %116 = tail call i8 @llvm.umax.i8(i8 %115, i8 %112)
  %117 = zext nneg i32 %8 to i64
  %118 = getelementptr inbounds nuw i8, ptr %1, i64 %117
  store i8 %116, ptr %118, align 1, !tbaa !19
  br label %119

119:                                              ; preds = %3, %15, %20
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @edges(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, i32 noundef %2) local_unnamed_addr #3 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul nuw nsw i32 %4, %5
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add nuw nsw i32 %6, %7
  %9 = sdiv i32 %8, %2
  %10 = mul i32 %9, %2
  %11 = sub i32 %8, %10
  %12 = icmp eq i32 %11, 0
  %13 = icmp slt i32 %9, 1
  %14 = or i1 %12, %13
  br i1 %14, label %71, label %15

15:                                               ; preds = %3
  %16 = add nsw i32 %2, -1
  %17 = icmp slt i32 %11, %16
  %18 = icmp slt i32 %9, %16
  %19 = and i1 %17, %18
  br i1 %19, label %20, label %71

20:                                               ; preds = %15
  %21 = zext nneg i32 %8 to i64
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 %21
  %23 = sub nsw i32 1, %2
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds i8, ptr %22, i64 %24
  %26 = load i8, ptr %25, align 1, !tbaa !19
  %27 = zext i8 %26 to i32
  %28 = getelementptr inbounds nuw i8, ptr %22, i64 1
  %29 = load i8, ptr %28, align 1, !tbaa !19
  %30 = zext i8 %29 to i32
  %31 = sext i32 %2 to i64
  %32 = getelementptr i8, ptr %22, i64 %31
  %33 = getelementptr i8, ptr %32, i64 1
  %34 = load i8, ptr %33, align 1, !tbaa !19
  %35 = zext i8 %34 to i32
  %36 = xor i32 %2, -1
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds i8, ptr %22, i64 %37
  %39 = load i8, ptr %38, align 1, !tbaa !19
  %40 = zext i8 %39 to i32
  %41 = getelementptr inbounds i8, ptr %22, i64 -1
  %42 = load i8, ptr %41, align 1, !tbaa !19
  %43 = zext i8 %42 to i32
  %44 = zext nneg i32 %16 to i64
  %45 = getelementptr inbounds nuw i8, ptr %22, i64 %44
  %46 = load i8, ptr %45, align 1, !tbaa !19
  %47 = zext i8 %46 to i32
  %48 = sub nsw i32 %30, %43
  %49 = shl nsw i32 %48, 1
  %50 = add nuw nsw i32 %35, %27
  %51 = add nuw nsw i32 %40, %47
  %52 = sub nsw i32 %50, %51
  %53 = add nsw i32 %52, %49
  %54 = load i8, ptr %32, align 1, !tbaa !19
  %55 = zext i8 %54 to i32
  %56 = sub nsw i32 0, %2
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds i8, ptr %22, i64 %57
  %59 = load i8, ptr %58, align 1, !tbaa !19
  %60 = zext i8 %59 to i32
  %61 = sub nsw i32 %55, %60
  %62 = shl nsw i32 %61, 1
  %63 = add nuw nsw i32 %27, %40
  %64 = sub nsw i32 %35, %63
  %65 = add nsw i32 %64, %47
  %66 = add nsw i32 %65, %62
  %67 = tail call i32 @llvm.abs.i32(i32 %53, i1 true)
  %68 = tail call i32 @llvm.abs.i32(i32 %66, i1 true)
  %69 = add nuw nsw i32 %68, %67
  %70 = getelementptr inbounds nuw i32, ptr %1, i64 %21
  store i32 %69, ptr %70, align 4, !tbaa !20
  br label %71

71:                                               ; preds = %3, %15, %20
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #5

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.abs.i32(i32, i1 immarg) #6

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i8 @llvm.umin.i8(i8, i8) #6

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i8 @llvm.umax.i8(i8, i8) #6

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #3 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #4 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: write) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #5 = { convergent nocallback nounwind }
attributes #6 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6}
!llvm.module.flags = !{!7, !8, !9}
!llvm.ident = !{!10}

!0 = !{ptr @heat}
!1 = !{ptr @planes}
!2 = !{ptr @life}
!3 = !{ptr @fill_weights}
!4 = !{ptr @convolve}
!5 = !{ptr @median}
!6 = !{ptr @edges}
!7 = !{i32 1, !"wchar_size", i32 4}
!8 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!9 = !{i32 7, !"frame-pointer", i32 2}
!10 = !{!"clang version 21.1.0"}
!11 = distinct !{!11, !12}
!12 = !{!"llvm.loop.mustprogress"}
!13 = !{!14, !14, i64 0}
!14 = !{!"float", !15, i64 0}
!15 = !{!"omnipotent char", !16, i64 0}
!16 = !{!"Simple C++ TBAA"}
!17 = distinct !{!17, !12}
!18 = distinct !{!18, !12}
!19 = !{!15, !15, i64 0}
!20 = !{!21, !21, i64 0}
!21 = !{!"int", !15, i64 0}
