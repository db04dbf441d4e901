; ModuleID = 'dynamics.cu'
source_filename = "dynamics.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ7attractE4tile = internal unnamed_addr addrspace(3) global [64 x [3 x float]] undef, align 4
@_ZZ9distancesE3own = internal addrspace(3) global [32 x i32] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @attract(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, i32 noundef %2) local_unnamed_addr #0 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul nuw nsw i32 %4, %5
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add nuw nsw i32 %6, %7
  %9 = mul nuw nsw i32 %8, 3
  %10 = zext nneg i32 %9 to i64
  %11 = getelementptr inbounds nuw float, ptr %0, i64 %10
  %12 = load float, ptr %11, align 4, !tbaa !12
  %13 = add nuw nsw i32 %9, 1
  %14 = zext nneg i32 %13 to i64
  %15 = getelementptr inbounds nuw float, ptr %0, i64 %14
  %16 = load float, ptr %15, align 4, !tbaa !12
  %17 = add nuw nsw i32 %9, 2
  %18 = zext nneg i32 %17 to i64
  %19 = getelementptr inbounds nuw float, ptr %0, i64 %18
  %20 = load float, ptr %19, align 4, !tbaa !12
  %21 = icmp sgt i32 %2, 0
  br i1 %21, label %22, label %45

22:                                               ; preds = %3
  %23 = zext nneg i32 %7 to i64
  %24 = getelementptr inbounds nuw [64 x [3 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ7attractE4tile to ptr), i64 0, i64 %23, i64 0
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %26 = getelementptr inbounds nuw [64 x [3 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ7attractE4tile to ptr), i64 0, i64 %23, i64 1
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %28 = getelementptr inbounds nuw [64 x [3 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ7attractE4tile to ptr), i64 0, i64 %23, i64 2
  br label %29

29:                                               ; preds = %22, %52
  %30 = phi float [ 0.000000e+00, %22 ], [ %84, %52 ]
  %31 = phi float [ 0.000000e+00, %22 ], [ %82, %52 ]
  %32 = phi i32 [ 0, %22 ], [ %53, %52 ]
  %33 = phi float [ 0.000000e+00, %22 ], [ %80, %52 ]
  %34 = add nuw nsw i32 %32, %7
  %35 = mul nuw nsw i32 %34, 3
  %36 = zext nneg i32 %35 to i64
  %37 = getelementptr inbounds nuw float, ptr %0, i64 %36
  %38 = load float, ptr %37, align 4, !tbaa !12
  store float %38, ptr %24, align 4, !tbaa !12
  %39 = zext nneg i32 %35 to i64
  %40 = getelementptr inbounds nuw float, ptr %25, i64 %39
  %41 = load float, ptr %40, align 4, !tbaa !12
  store float %41, ptr %26, align 4, !tbaa !12
  %42 = zext nneg i32 %35 to i64
  %43 = getelementptr inbounds nuw float, ptr %27, i64 %42
  %44 = load float, ptr %43, align 4, !tbaa !12
  store float %44, ptr %28, align 4, !tbaa !12
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %55

45:                                               ; preds = %52, %3
  %46 = phi float [ 0.000000e+00, %3 ], [ %82, %52 ]
  %47 = phi float [ 0.000000e+00, %3 ], [ %84, %52 ]
  %48 = phi float [ 0.000000e+00, %3 ], [ %80, %52 ]
  %49 = getelementptr inbounds nuw float, ptr %1, i64 %10
  store float %48, ptr %49, align 4, !tbaa !12
  %50 = getelementptr inbounds nuw float, ptr %1, i64 %14
  store float %46, ptr %50, align 4, !tbaa !12
  %51 = getelementptr inbounds nuw float, ptr %1, i64 %18
  store float %47, ptr %51, align 4, !tbaa !12
  ret void

52:                                               ; preds = %55
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %53 = add nuw nsw i32 %32, %5
  %54 = icmp slt i32 %53, %2
  br i1 %54, label %29, label %45, !llvm.loop !16

55:                                               ; preds = %29, %55
  %56 = phi float [ %30, %29 ], [ %84, %55 ]
  %57 = phi float [ %31, %29 ], [ %82, %55 ]
  %58 = phi i32 [ 0, %29 ], [ %85, %55 ]
  %59 = phi float [ %33, %29 ], [ %80, %55 ]
  %60 = zext nneg i32 %58 to i64
  %61 = getelementptr inbounds nuw [64 x [3 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ7attractE4tile to ptr), i64 0, i64 %60
  %62 = load float, ptr %61, align 4, !tbaa !12
  %63 = fsub contract float %62, %12
  %64 = getelementptr inbounds nuw i8, ptr %61, i64 4
  %65 = load float, ptr %64, align 4, !tbaa !12
  %66 = fsub contract float %65, %16
  %67 = getelementptr inbounds nuw i8, ptr %61, i64 8
  %68 = load float, ptr %67, align 4, !tbaa !12
  %69 = fsub contract float %68, %20
  %70 = fmul contract float %63, %63
  %71 = fmul contract float %66, %66
  %72 = fadd contract float %70, %71
  %73 = fmul contract float %69, %69
  %74 = fadd contract float %72, %73
  %75 = fadd contract float %74, 0x3F847AE140000000
  %76 = tail call contract float @__nv_rsqrtf(float noundef %75) #6
  %77 = fmul contract float %76, %76
  %78 = fmul contract float %76, %77
  %79 = fmul contract float %63, %78
  %80 = fadd contract float %59, %79
  %81 = fmul contract float %66, %78
  %82 = fadd contract float %57, %81
  %83 = fmul contract float %69, %78
  %84 = fadd contract float %83, %56
  %85 = add nuw nsw i32 %58, 1
  %86 = icmp eq i32 %85, %5
  br i1 %86, label %52, label %55, !llvm.loop !18
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: convergent nounwind
declare dso_local float @__nv_rsqrtf(float noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @bin_atoms(ptr noundef readonly captures(none) %0, ptr noundef captures(none) %1, ptr noundef writeonly captures(none) %2, float noundef %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr #0 {
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = mul nuw nsw i32 %7, %8
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = add nuw nsw i32 %9, %10
  %12 = icmp slt i32 %11, %5
  br i1 %12, label %13, label %47

13:                                               ; preds = %6
  %14 = mul nuw nsw i32 %11, 3
  %15 = zext nneg i32 %14 to i64
  %16 = getelementptr inbounds nuw float, ptr %0, i64 %15
  %17 = load float, ptr %16, align 4, !tbaa !12
  %18 = fdiv contract float %17, %3
  %19 = tail call i32 @__nv_float2int_rd(float noundef %18) #6
  %20 = mul nsw i32 %19, %4
  %21 = zext nneg i32 %14 to i64
  %22 = getelementptr inbounds nuw float, ptr %0, i64 %21
  %23 = getelementptr inbounds nuw i8, ptr %22, i64 4
  %24 = load float, ptr %23, align 4, !tbaa !12
  %25 = fdiv contract float %24, %3
  %26 = tail call i32 @__nv_float2int_rd(float noundef %25) #6
  %27 = add nsw i32 %26, %20
  %28 = mul nsw i32 %27, %4
  %29 = zext nneg i32 %14 to i64
  %30 = getelementptr inbounds nuw float, ptr %0, i64 %29
  %31 = getelementptr inbounds nuw i8, ptr %30, i64 8
  %32 = load float, ptr %31, align 4, !tbaa !12
  %33 = fdiv contract float %32, %3
  %34 = tail call i32 @__nv_float2int_rd(float noundef %33) #6
  %35 = add nsw i32 %34, %28
  %36 = tail call contract float @__nv_sqrtf(float noundef 0.000000e+00) #6
  %37 = sext i32 %35 to i64
  %38 = getelementptr inbounds i32, ptr %1, i64 %37
  %39 = atomicrmw add ptr %38, i32 1 seq_cst, align 4
  %40 = sitofp i32 %39 to float
  %41 = fadd contract float %36, %40
  %42 = fptosi float %41 to i32
  %43 = shl nsw i32 %35, 4
  %44 = add nsw i32 %43, %42
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds i32, ptr %2, i64 %45
  store i32 %11, ptr %46, align 4, !tbaa !19
  br label %47

47:                                               ; preds = %6, %13
  ret void
}

; Function Attrs: convergent nounwind
declare dso_local i32 @__nv_float2int_rd(float noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare dso_local float @__nv_sqrtf(float noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @list_neighbours(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, ptr noundef writeonly captures(none) %2, float noundef %3, i32 noundef %4) local_unnamed_addr #3 {
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %8 = mul nuw nsw i32 %6, %7
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = add nuw nsw i32 %8, %9
  %11 = icmp slt i32 %10, %4
  br i1 %11, label %12, label %67

12:                                               ; preds = %5
  %13 = mul nuw nsw i32 %10, 3
  %14 = fmul contract float %3, %3
  %15 = shl nsw i32 %10, 5
  %16 = zext nneg i32 %13 to i64
  %17 = getelementptr inbounds nuw float, ptr %0, i64 %16
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %19 = zext nneg i32 %13 to i64
  %20 = getelementptr inbounds nuw float, ptr %0, i64 %19
  %21 = getelementptr inbounds nuw i8, ptr %20, i64 4
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %23 = zext nneg i32 %13 to i64
  %24 = getelementptr inbounds nuw float, ptr %0, i64 %23
  %25 = getelementptr inbounds nuw i8, ptr %24, i64 8
  br label %29

26:                                               ; preds = %63
  %27 = zext nneg i32 %10 to i64
  %28 = getelementptr inbounds nuw i32, ptr %2, i64 %27
  store i32 %64, ptr %28, align 4, !tbaa !19
  br label %67

29:                                               ; preds = %12, %63
  %30 = phi i32 [ 0, %12 ], [ %65, %63 ]
  %31 = phi i32 [ 0, %12 ], [ %64, %63 ]
  %32 = icmp eq i32 %30, %10
  br i1 %32, label %63, label %33

33:                                               ; preds = %29
  %34 = mul nuw nsw i32 %30, 3
  %35 = zext nneg i32 %34 to i64
  %36 = getelementptr inbounds nuw float, ptr %0, i64 %35
  %37 = load float, ptr %36, align 4, !tbaa !12
  %38 = load float, ptr %17, align 4, !tbaa !12
  %39 = fsub contract float %37, %38
  %40 = fmul contract float %39, %39
  %41 = zext nneg i32 %34 to i64
  %42 = getelementptr inbounds nuw float, ptr %18, i64 %41
  %43 = load float, ptr %42, align 4, !tbaa !12
  %44 = load float, ptr %21, align 4, !tbaa !12
  %45 = fsub contract float %43, %44
  %46 = fmul contract float %45, %45
  %47 = fadd contract float %40, %46
  %48 = zext nneg i32 %34 to i64
  %49 = getelementptr inbounds nuw float, ptr %22, i64 %48
  %50 = load float, ptr %49, align 4, !tbaa !12
  %51 = load float, ptr %25, align 4, !tbaa !12
  %52 = fsub contract float %50, %51
  %53 = fmul contract float %52, %52
  %54 = fadd contract float %47, %53
  %55 = fcmp contract olt float %54, %14
  %56 = icmp slt i32 %31, 32
  %57 = select i1 %55, i1 %56, i1 false
  br i1 %57, label %58, label %63

58:                                               ; preds = %33
  %59 = add nsw i32 %31, %15
  %60 = sext i32 %59 to i64
  %61 = getelementptr inbounds i32, ptr %1, i64 %60
  %62 = add nsw i32 %31, 1
  store i32 %30, ptr %61, align 4, !tbaa !19
  br label %63

63:                                               ; preds = %33, %58, %29
  %64 = phi i32 [ %31, %29 ], [ %62, %58 ], [ %31, %33 ]
  %65 = add nuw nsw i32 %30, 1
  %66 = icmp eq i32 %65, %4
  br i1 %66, label %26, label %29, !llvm.loop !21

67:                                               ; preds = %5, %26
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @lennard_jones(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef readonly captures(none) %2, ptr noundef writeonly captures(none) %3, i32 noundef %4) local_unnamed_addr #3 {
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %8 = mul nuw nsw i32 %6, %7
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = add nuw nsw i32 %8, %9
  %11 = icmp slt i32 %10, %4
  br i1 %11, label %12, label %70

12:                                               ; preds = %5
  %13 = zext nneg i32 %10 to i64
  %14 = getelementptr inbounds nuw i32, ptr %2, i64 %13
  %15 = load i32, ptr %14, align 4, !tbaa !19
  %16 = icmp sgt i32 %15, 0
  br i1 %16, label %17, label %33

17:                                               ; preds = %12
  %18 = shl nsw i32 %10, 5
  %19 = mul nuw nsw i32 %10, 3
  %20 = zext nneg i32 %19 to i64
  %21 = getelementptr inbounds nuw double, ptr %0, i64 %20
  %22 = load double, ptr %21, align 8, !tbaa !22
  %23 = getelementptr i8, ptr %0, i64 8
  %24 = zext nneg i32 %19 to i64
  %25 = getelementptr inbounds nuw double, ptr %0, i64 %24
  %26 = getelementptr inbounds nuw i8, ptr %25, i64 8
  %27 = load double, ptr %26, align 8, !tbaa !22
  %28 = getelementptr i8, ptr %0, i64 16
  %29 = zext nneg i32 %19 to i64
  %30 = getelementptr inbounds nuw double, ptr %0, i64 %29
  %31 = getelementptr inbounds nuw i8, ptr %30, i64 16
  %32 = load double, ptr %31, align 8, !tbaa !22
  br label %36

33:                                               ; preds = %36, %12
  %34 = phi double [ 0.000000e+00, %12 ], [ %67, %36 ]
  %35 = getelementptr inbounds nuw double, ptr %3, i64 %13
  store double %34, ptr %35, align 8, !tbaa !22
  br label %70

36:                                               ; preds = %17, %36
  %37 = phi double [ 0.000000e+00, %17 ], [ %67, %36 ]
  %38 = phi i32 [ 0, %17 ], [ %68, %36 ]
  %39 = add nuw nsw i32 %38, %18
  %40 = zext nneg i32 %39 to i64
  %41 = getelementptr inbounds nuw i32, ptr %1, i64 %40
  %42 = load i32, ptr %41, align 4, !tbaa !19
  %43 = mul nsw i32 %42, 3
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds double, ptr %0, i64 %44
  %46 = load double, ptr %45, align 8, !tbaa !22
  %47 = fsub contract double %46, %22
  %48 = fmul contract double %47, %47
  %49 = sext i32 %43 to i64
  %50 = getelementptr double, ptr %23, i64 %49
  %51 = load double, ptr %50, align 8, !tbaa !22
  %52 = fsub contract double %51, %27
  %53 = fmul contract double %52, %52
  %54 = fadd contract double %48, %53
  %55 = sext i32 %43 to i64
  %56 = getelementptr double, ptr %28, i64 %55
  %57 = load double, ptr %56, align 8, !tbaa !22
  %58 = fsub contract double %57, %32
  %59 = fmul contract double %58, %58
  %60 = fadd contract double %54, %59
  %61 = fmul contract double %60, %60
  %62 = fmul contract double %60, %61
  %63 = fdiv contract double 1.000000e+00, %62
  %64 = fmul contract double %63, %63
  %65 = fsub contract double %64, %63
  %66 = fmul contract double %65, 4.000000e+00
  %67 = fadd contract double %37, %66
  %68 = add nuw nsw i32 %38, 1
  %69 = icmp eq i32 %68, %15
  br i1 %69, label %33, label %36, !llvm.loop !24

70:                                               ; preds = %5, %33
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @bonds(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef captures(none) %2, i32 noundef %3) local_unnamed_addr #4 {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul nuw nsw i32 %5, %6
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add nuw nsw i32 %7, %8
  %10 = icmp slt i32 %9, %3
  br i1 %10, label %11, label %60

11:                                               ; preds = %4
  %12 = shl nuw nsw i32 %9, 1
  %13 = zext nneg i32 %12 to i64
  %14 = getelementptr inbounds nuw i32, ptr %0, i64 %13
  %15 = load i32, ptr %14, align 4, !tbaa !19
  %16 = getelementptr inbounds nuw i8, ptr %14, i64 4
  %17 = load i32, ptr %16, align 4, !tbaa !19
  %18 = mul nsw i32 %17, 3
  %19 = mul nsw i32 %15, 3
  %20 = sext i32 %18 to i64
  %21 = getelementptr inbounds float, ptr %1, i64 %20
  %22 = load float, ptr %21, align 4, !tbaa !12
  %23 = sext i32 %19 to i64
  %24 = getelementptr inbounds float, ptr %1, i64 %23
  %25 = load float, ptr %24, align 4, !tbaa !12
  %26 = fsub contract float %22, %25
  %27 = getelementptr inbounds float, ptr %2, i64 %23
  %28 = atomicrmw fadd ptr %27, float %26 seq_cst, align 4
  %29 = getelementptr inbounds float, ptr %2, i64 %20
  %30 = fneg contract float %26
  %31 = atomicrmw fadd ptr %29, float %30 seq_cst, align 4
  %32 = add nsw i32 %18, 1
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds float, ptr %1, i64 %33
  %35 = load float, ptr %34, align 4, !tbaa !12
  %36 = add nsw i32 %19, 1
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds float, ptr %1, i64 %37
  %39 = load float, ptr %38, align 4, !tbaa !12
  %40 = fsub contract float %35, %39
  %41 = getelementptr inbounds float, ptr %2, i64 %37
  %42 = atomicrmw fadd ptr %41, float %40 seq_cst, align 4
  %43 = getelementptr inbounds float, ptr %2, i64 %33
  %44 = fneg contract float %40
  %45 = atomicrmw fadd ptr %43, float %44 seq_cst, align 4
  %46 = add nsw i32 %18, 2
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds float, ptr %1, i64 %47
  %49 = load float, ptr %48, align 4, !tbaa !12
  %50 = add nsw i32 %19, 2
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds float, ptr %1, i64 %51
  %53 = load float, ptr %52, align 4, !tbaa !12
  %54 = fsub contract float %49, %53
  %55 = getelementptr inbounds float, ptr %2, i64 %51
  %56 = atomicrmw fadd ptr %55, float %54 seq_cst, align 4
  %57 = getelementptr inbounds float, ptr %2, i64 %47
  %58 = fneg contract float %54
  %59 = atomicrmw fadd ptr %57, float %58 seq_cst, align 4
  br label %60

60:                                               ; preds = %11, %4
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @screened(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef writeonly captures(none) %2, double noundef %3, i32 noundef %4) local_unnamed_addr #0 {
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %8 = mul nuw nsw i32 %6, %7
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = add nuw nsw i32 %8, %9
  %11 = icmp slt i32 %10, %4
  br i1 %11, label %12, label %69

12:                                               ; preds = %5
  %13 = mul nuw nsw i32 %10, 3
  %14 = zext nneg i32 %10 to i64
  %15 = getelementptr inbounds nuw double, ptr %1, i64 %14
  %16 = zext nneg i32 %13 to i64
  %17 = getelementptr inbounds nuw double, ptr %0, i64 %16
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %19 = zext nneg i32 %13 to i64
  %20 = getelementptr inbounds nuw double, ptr %0, i64 %19
  %21 = getelementptr inbounds nuw i8, ptr %20, i64 8
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %23 = zext nneg i32 %13 to i64
  %24 = getelementptr inbounds nuw double, ptr %0, i64 %23
  %25 = getelementptr inbounds nuw i8, ptr %24, i64 16
  br label %28

26:                                               ; preds = %65
  %27 = getelementptr inbounds nuw double, ptr %2, i64 %14
  store double %66, ptr %27, align 8, !tbaa !22
  br label %69

28:                                               ; preds = %12, %65
  %29 = phi i32 [ 0, %12 ], [ %67, %65 ]
  %30 = phi double [ 0.000000e+00, %12 ], [ %66, %65 ]
  %31 = icmp eq i32 %29, %10
  br i1 %31, label %65, label %32

32:                                               ; preds = %28
  %33 = mul nuw nsw i32 %29, 3
  %34 = zext nneg i32 %33 to i64
  %35 = getelementptr inbounds nuw double, ptr %0, i64 %34
  %36 = load double, ptr %35, align 8, !tbaa !22
  %37 = load double, ptr %17, align 8, !tbaa !22
  %38 = fsub contract double %36, %37
  %39 = fmul contract double %38, %38
  %40 = zext nneg i32 %33 to i64
  %41 = getelementptr inbounds nuw double, ptr %18, i64 %40
  %42 = load double, ptr %41, align 8, !tbaa !22
  %43 = load double, ptr %21, align 8, !tbaa !22
  %44 = fsub contract double %42, %43
  %45 = fmul contract double %44, %44
  %46 = fadd contract double %39, %45
  %47 = zext nneg i32 %33 to i64
  %48 = getelementptr inbounds nuw double, ptr %22, i64 %47
  %49 = load double, ptr %48, align 8, !tbaa !22
  %50 = load double, ptr %25, align 8, !tbaa !22
  %51 = fsub contract double %49, %50
  %52 = fmul contract double %51, %51
  %53 = fadd contract double %46, %52
  %54 = tail call contract double @__nv_sqrt(double noundef %53) #6
  %55 = load double, ptr %15, align 8, !tbaa !22
  %56 = zext nneg i32 %29 to i64
  %57 = getelementptr inbounds nuw double, ptr %1, i64 %56
  %58 = load double, ptr %57, align 8, !tbaa !22
  %59 = fmul contract double %55, %58
  %60 = fmul contract double %3, %54
  %61 = tail call contract double @__nv_erfc(double noundef %60) #6
  %62 = fmul contract double %59, %61
  %63 = fdiv contract double %62, %54
  %64 = fadd contract double %30, %63
  br label %65

65:                                               ; preds = %28, %32
  %66 = phi double [ %64, %32 ], [ %30, %28 ]
  %67 = add nuw nsw i32 %29, 1
  %68 = icmp eq i32 %67, %4
  br i1 %68, label %26, label %28, !llvm.loop !25

69:                                               ; preds = %5, %26
  ret void
}

; Function Attrs: convergent nounwind
declare dso_local double @__nv_sqrt(double noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare dso_local double @__nv_erfc(double noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @integrate(ptr noundef captures(none) %0, ptr noundef captures(none) %1, ptr noundef readonly captures(none) %2, double noundef %3, i32 noundef %4) local_unnamed_addr #0 {
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %8 = mul nuw nsw i32 %6, %7
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = add nuw nsw i32 %8, %9
  %11 = icmp slt i32 %10, %4
  br i1 %11, label %12, label %16

12:                                               ; preds = %5
  %13 = fmul contract double %3, -1.000000e-01
  %14 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %15 = mul nuw nsw i32 %7, %14
  br label %17

16:                                               ; preds = %17, %5
  ret void

17:                                               ; preds = %12, %17
  %18 = phi i32 [ %10, %12 ], [ %32, %17 ]
  %19 = zext nneg i32 %18 to i64
  %20 = getelementptr inbounds nuw double, ptr %2, i64 %19
  %21 = load double, ptr %20, align 8, !tbaa !22
  %22 = fmul contract double %3, %21
  %23 = tail call contract double @__nv_exp(double noundef %13) #6
  %24 = fmul contract double %22, %23
  %25 = getelementptr inbounds nuw double, ptr %1, i64 %19
  %26 = load double, ptr %25, align 8, !tbaa !22
  %27 = fadd contract double %26, %24
  store double %27, ptr %25, align 8, !tbaa !22
  %28 = fmul contract double %3, %27
  %29 = getelementptr inbounds nuw double, ptr %0, i64 %19
  %30 = load double, ptr %29, align 8, !tbaa !22
  %31 = fadd contract double %30, %28
  store double %31, ptr %29, align 8, !tbaa !22
  %32 = add nuw nsw i32 %18, %15
  %33 = icmp slt i32 %32, %4
  br i1 %33, label %17, label %16, !llvm.loop !26
}

; Function Attrs: convergent nounwind
declare dso_local double @__nv_exp(double noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #1

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @distances(ptr noundef readonly captures(none) %0, ptr noundef captures(none) %1, float noundef %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %6 = icmp samesign ult i32 %5, 32
  br i1 %6, label %7, label %10

7:                                                ; preds = %4
  %8 = zext nneg i32 %5 to i64
  %9 = getelementptr inbounds nuw [32 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9distancesE3own to ptr), i64 0, i64 %8
  store i32 0, ptr %9, align 4, !tbaa !19
  br label %10

10:                                               ; preds = %7, %4
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %11 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %12 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %13 = mul nuw nsw i32 %11, %12
  %14 = add nuw nsw i32 %13, %5
  %15 = icmp slt i32 %14, %3
  %16 = add nuw nsw i32 %14, 1
  %17 = icmp slt i32 %16, %3
  %18 = select i1 %15, i1 %17, i1 false
  br i1 %18, label %19, label %58

19:                                               ; preds = %10
  %20 = mul nuw nsw i32 %14, 3
  %21 = zext nneg i32 %20 to i64
  %22 = getelementptr inbounds nuw float, ptr %0, i64 %21
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %24 = zext nneg i32 %20 to i64
  %25 = getelementptr inbounds nuw float, ptr %0, i64 %24
  %26 = getelementptr inbounds nuw i8, ptr %25, i64 4
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %28 = zext nneg i32 %20 to i64
  %29 = getelementptr inbounds nuw float, ptr %0, i64 %28
  %30 = getelementptr inbounds nuw i8, ptr %29, i64 8
  br label %31

31:                                               ; preds = %19, %63
  %32 = phi i32 [ %16, %19 ], [ %64, %63 ]
  %33 = mul nuw nsw i32 %32, 3
  %34 = zext nneg i32 %33 to i64
  %35 = getelementptr inbounds nuw float, ptr %0, i64 %34
  %36 = load float, ptr %35, align 4, !tbaa !12
  %37 = load float, ptr %22, align 4, !tbaa !12
  %38 = fsub contract float %36, %37
  %39 = fmul contract float %38, %38
  %40 = zext nneg i32 %33 to i64
  %41 = getelementptr inbounds nuw float, ptr %23, i64 %40
  %42 = load float, ptr %41, align 4, !tbaa !12
  %43 = load float, ptr %26, align 4, !tbaa !12
  %44 = fsub contract float %42, %43
  %45 = fmul contract float %44, %44
  %46 = fadd contract float %39, %45
  %47 = zext nneg i32 %33 to i64
  %48 = getelementptr inbounds nuw float, ptr %27, i64 %47
  %49 = load float, ptr %48, align 4, !tbaa !12
  %50 = load float, ptr %30, align 4, !tbaa !12
  %51 = fsub contract float %49, %50
  %52 = fmul contract float %51, %51
  %53 = fadd contract float %46, %52
  %54 = tail call contract float @__nv_sqrtf(float noundef %53) #6
  %55 = fdiv contract float %54, %2
  %56 = tail call i32 @__nv_float2int_rd(float noundef %55) #6
  %57 = icmp slt i32 %56, 32
  br i1 %57, label %59, label %63

58:                                               ; preds = %63, %10
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %6, label %66, label %72

59:                                               ; preds = %31
  %60 = sext i32 %56 to i64
  %61 = getelementptr inbounds [32 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9distancesE3own to ptr), i64 0, i64 %60
  %62 = atomicrmw add ptr %61, i32 1 seq_cst, align 4
  br label %63

63:                                               ; preds = %59, %31
  %64 = add nuw nsw i32 %32, 1
  %65 = icmp slt i32 %64, %3
  br i1 %65, label %31, label %58, !llvm.loop !27

66:                                               ; preds = %58
  %67 = zext nneg i32 %5 to i64
  %68 = getelementptr inbounds nuw [32 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9distancesE3own to ptr), i64 0, i64 %67
  %69 = getelementptr inbounds nuw i32, ptr %1, i64 %67
  %70 = load i32, ptr %68, align 4, !tbaa !19
  %71 = atomicrmw add ptr %69, i32 %70 seq_cst, align 4
  br label %72

72:                                               ; preds = %66, %58
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #5

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" }
attributes #3 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #4 = { mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #5 = { convergent nocallback nounwind }
attributes #6 = { convergent nounwind }

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6, !7}
!llvm.module.flags = !{!8, !9, !10}
!llvm.ident = !{!11}

!0 = !{ptr @attract}
!1 = !{ptr @bin_atoms}
!2 = !{ptr @list_neighbours}
!3 = !{ptr @lennard_jones}
!4 = !{ptr @bonds}
!5 = !{ptr @screened}
!6 = !{ptr @integrate}
!7 = !{ptr @distances}
!8 = !{i32 1, !"wchar_size", i32 4}
!9 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!10 = !{i32 7, !"frame-pointer", i32 2}
!11 = !{!"clang version 21.1.0"}
!12 = !{!13, !13, i64 0}
!13 = !{!"float", !14, i64 0}
!14 = !{!"omnipotent char", !15, i64 0}
!15 = !{!"Simple C++ TBAA"}
!16 = distinct !{!16, !17}
!17 = !{!"llvm.loop.mustprogress"}
!18 = distinct !{!18, !17}
!19 = !{!20, !20, i64 0}
!20 = !{!"int", !14, i64 0}
!21 = distinct !{!21, !17}
!22 = !{!23, !23, i64 0}
!23 = !{!"double", !14, i64 0}
!24 = distinct !{!24, !17}
!25 = distinct !{!25, !17}
!26 = distinct !{!26, !17}
!27 = distinct !{!27, !17}
