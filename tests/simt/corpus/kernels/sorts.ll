; ModuleID = 'sorts.cu'
source_filename = "sorts.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ12sort_bitonicE4tile = internal unnamed_addr addrspace(3) global [256 x i32] undef, align 4
@_ZZ12digit_countsE4bins = internal addrspace(3) global [16 x i32] undef, align 4
@_ZZ13digit_scatterE5warps = internal unnamed_addr addrspace(3) global [8 x [16 x i32]] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @sort_bitonic(ptr noundef captures(none) %0) local_unnamed_addr #0 {
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %3 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %4 = mul nuw nsw i32 %2, %3
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %6 = add nuw nsw i32 %4, %5
  %7 = zext nneg i32 %6 to i64
  %8 = getelementptr inbounds nuw i32, ptr %0, i64 %7
  %9 = load i32, ptr %8, align 4, !tbaa !11
  %10 = zext nneg i32 %5 to i64
  %11 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12sort_bitonicE4tile to ptr), i64 0, i64 %10
  store i32 %9, ptr %11, align 4, !tbaa !11
  br label %12

12:                                               ; preds = %1, %18
  %13 = phi i32 [ 2, %1 ], [ %19, %18 ]
  %14 = and i32 %13, %5
  %15 = icmp eq i32 %14, 0
  br label %21

16:                                               ; preds = %18
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %17 = load i32, ptr %11, align 4, !tbaa !11
  store i32 %17, ptr %8, align 4, !tbaa !11
  ret void

18:                                               ; preds = %34
  %19 = shl nuw nsw i32 %13, 1
  %20 = icmp ult i32 %13, 129
  br i1 %20, label %12, label %16, !llvm.loop !15

21:                                               ; preds = %12, %34
  %22 = phi i32 [ %13, %12 ], [ %23, %34 ]
  %23 = lshr i32 %22, 1
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %24 = xor i32 %23, %5
  %25 = icmp samesign ugt i32 %24, %5
  br i1 %25, label %26, label %34

26:                                               ; preds = %21
  %27 = load i32, ptr %11, align 4, !tbaa !11
  %28 = zext nneg i32 %24 to i64
  %29 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12sort_bitonicE4tile to ptr), i64 0, i64 %28
  %30 = load i32, ptr %29, align 4, !tbaa !11
  %31 = icmp sle i32 %27, %30
  %32 = xor i1 %15, %31
  br i1 %32, label %33, label %34

33:                                               ; preds = %26
  store i32 %30, ptr %11, align 4, !tbaa !11
  store i32 %27, ptr %29, align 4, !tbaa !11
  br label %34

34:                                               ; preds = %26, %33, %21
  %35 = icmp ult i32 %22, 4
  br i1 %35, label %18, label %21, !llvm.loop !17
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr captures(none)) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr captures(none)) #2

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @sort_odd_even(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #3 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul nuw nsw i32 %4, %5
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add nuw nsw i32 %6, %7
  %9 = shl nuw nsw i32 %8, 1
  %10 = add nsw i32 %9, %1
  %11 = add nsw i32 %10, 1
  %12 = icmp slt i32 %11, %2
  br i1 %12, label %13, label %22

13:                                               ; preds = %3
  %14 = sext i32 %10 to i64
  %15 = getelementptr inbounds i32, ptr %0, i64 %14
  %16 = load i32, ptr %15, align 4, !tbaa !11
  %17 = sext i32 %11 to i64
  %18 = getelementptr inbounds i32, ptr %0, i64 %17
  %19 = load i32, ptr %18, align 4, !tbaa !11
  %20 = icmp sgt i32 %16, %19
  br i1 %20, label %21, label %22

21:                                               ; preds = %13
  store i32 %19, ptr %15, align 4, !tbaa !11
  store i32 %16, ptr %18, align 4, !tbaa !11
  br label %22

22:                                               ; preds = %21, %13, %3
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @digit_counts(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, i32 noundef %2) local_unnamed_addr #0 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %5 = icmp samesign ult i32 %4, 16
  br i1 %5, label %6, label %9

6:                                                ; preds = %3
  %7 = zext nneg i32 %4 to i64
  %8 = getelementptr inbounds nuw [16 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12digit_countsE4bins to ptr), i64 0, i64 %7
  store i32 0, ptr %8, align 4, !tbaa !11
  br label %9

9:                                                ; preds = %6, %3
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %11 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %12 = mul nuw nsw i32 %10, %11
  %13 = add nuw nsw i32 %12, %4
  %14 = zext nneg i32 %13 to i64
  %15 = getelementptr inbounds nuw i32, ptr %0, i64 %14
  %16 = load i32, ptr %15, align 4, !tbaa !11
  %17 = lshr i32 %16, %2
  %18 = and i32 %17, 15
  %19 = zext nneg i32 %18 to i64
  %20 = getelementptr inbounds nuw [16 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12digit_countsE4bins to ptr), i64 0, i64 %19
  %21 = atomicrmw add ptr %20, i32 1 seq_cst, align 4
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %5, label %22, label %31

22:                                               ; preds = %9
  %23 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %24 = mul nuw nsw i32 %4, %23
  %25 = add nuw nsw i32 %24, %10
  %26 = zext nneg i32 %25 to i64
  %27 = getelementptr inbounds nuw i32, ptr %1, i64 %26
  %28 = zext nneg i32 %4 to i64
  %29 = getelementptr inbounds nuw [16 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12digit_countsE4bins to ptr), i64 0, i64 %28
  %30 = load i32, ptr %29, align 4, !tbaa !11
  store i32 %30, ptr %27, align 4, !tbaa !11
  br label %31

31:                                               ; preds = %22, %9
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #1

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @digit_scatter(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef writeonly captures(none) %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul nuw nsw i32 %5, %6
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add nuw nsw i32 %7, %8
  %10 = zext nneg i32 %9 to i64
  %11 = getelementptr inbounds nuw i32, ptr %0, i64 %10
  %12 = load i32, ptr %11, align 4, !tbaa !11
  %13 = lshr i32 %12, %3
  %14 = and i32 %13, 15
  %15 = and i32 %8, 31
  %16 = shl nsw i32 -1, %15
  %17 = xor i32 %16, -1
  %18 = icmp eq i32 %15, 0
  %19 = lshr i32 %8, 5
  %20 = zext nneg i32 %19 to i64
  br label %30

21:                                               ; preds = %53
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %22 = icmp samesign ult i32 %8, 32
  br i1 %22, label %72, label %23

23:                                               ; preds = %21
  %24 = zext nneg i32 %14 to i64
  %25 = add nsw i32 %19, -1
  %26 = and i32 %19, 3
  %27 = icmp ult i32 %25, 3
  br i1 %27, label %56, label %28

28:                                               ; preds = %23
  %29 = and i32 %19, 28
  br label %84

30:                                               ; preds = %53, %4
  %31 = phi i32 [ 0, %4 ], [ %48, %53 ]
  %32 = phi i32 [ 0, %4 ], [ %54, %53 ]
  %33 = icmp eq i32 %14, %32
  %34 = tail call noundef i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %33)
  %35 = and i32 %34, %17
  %36 = tail call range(i32 0, 32) i32 @llvm.ctpop.i32(i32 %35)
  %37 = select i1 %33, i32 %36, i32 %31
  br i1 %18, label %38, label %42

38:                                               ; preds = %30
  %39 = zext nneg i32 %32 to i64
  %40 = getelementptr inbounds nuw [8 x [16 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ13digit_scatterE5warps to ptr), i64 0, i64 %20, i64 %39
  %41 = tail call range(i32 0, 33) i32 @llvm.ctpop.i32(i32 %34)
  store i32 %41, ptr %40, align 4, !tbaa !11
  br label %42

42:                                               ; preds = %38, %30
  %43 = or disjoint i32 %32, 1
  %44 = icmp eq i32 %14, %43
  %45 = tail call noundef i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %44)
  %46 = and i32 %45, %17
  %47 = tail call range(i32 0, 32) i32 @llvm.ctpop.i32(i32 %46)
  %48 = select i1 %44, i32 %47, i32 %37
  br i1 %18, label %49, label %53

49:                                               ; preds = %42
  %50 = zext nneg i32 %43 to i64
  %51 = getelementptr inbounds nuw [8 x [16 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ13digit_scatterE5warps to ptr), i64 0, i64 %20, i64 %50
  %52 = tail call range(i32 0, 33) i32 @llvm.ctpop.i32(i32 %45)
  store i32 %52, ptr %51, align 4, !tbaa !11
  br label %53

53:                                               ; preds = %49, %42
  %54 = add nuw nsw i32 %32, 2
  %55 = icmp eq i32 %54, 16
  br i1 %55, label %21, label %30, !llvm.loop !18

56:                                               ; preds = %84, %23
  %57 = phi i32 [ poison, %23 ], [ %106, %84 ]
  %58 = phi i32 [ 0, %23 ], [ %107, %84 ]
  %59 = phi i32 [ %48, %23 ], [ %106, %84 ]
  %60 = icmp eq i32 %26, 0
  br i1 %60, label %72, label %61

61:                                               ; preds = %56, %61
  %62 = phi i32 [ %69, %61 ], [ %58, %56 ]
  %63 = phi i32 [ %68, %61 ], [ %59, %56 ]
  %64 = phi i32 [ %70, %61 ], [ 0, %56 ]
  %65 = zext nneg i32 %62 to i64
  %66 = getelementptr inbounds nuw [8 x [16 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ13digit_scatterE5warps to ptr), i64 0, i64 %65, i64 %24
  %67 = load i32, ptr %66, align 4, !tbaa !11
  %68 = add i32 %67, %63
  %69 = add nuw nsw i32 %62, 1
  %70 = add i32 %64, 1
  %71 = icmp eq i32 %70, %26
  br i1 %71, label %72, label %61, !llvm.loop !19

72:                                               ; preds = %56, %61, %21
  %73 = phi i32 [ %48, %21 ], [ %57, %56 ], [ %68, %61 ]
  %74 = load i32, ptr %11, align 4, !tbaa !11
  %75 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %76 = mul i32 %14, %75
  %77 = add i32 %76, %5
  %78 = zext i32 %77 to i64
  %79 = getelementptr inbounds nuw i32, ptr %1, i64 %78
  %80 = load i32, ptr %79, align 4, !tbaa !11
  %81 = add i32 %80, %73
  %82 = zext i32 %81 to i64
  %83 = getelementptr inbounds nuw i32, ptr %2, i64 %82
  store i32 %74, ptr %83, align 4, !tbaa !11
  ret void

84:                                               ; preds = %84, %28
  %85 = phi i32 [ 0, %28 ], [ %107, %84 ]
  %86 = phi i32 [ %48, %28 ], [ %106, %84 ]
  %87 = phi i32 [ 0, %28 ], [ %108, %84 ]
  %88 = zext nneg i32 %85 to i64
  %89 = getelementptr inbounds nuw [8 x [16 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ13digit_scatterE5warps to ptr), i64 0, i64 %88, i64 %24
  %90 = load i32, ptr %89, align 4, !tbaa !11
  %91 = add i32 %90, %86
  %92 = or disjoint i32 %85, 1
  %93 = zext nneg i32 %92 to i64
  %94 = getelementptr inbounds nuw [8 x [16 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ13digit_scatterE5warps to ptr), i64 0, i64 %93, i64 %24
  %95 = load i32, ptr %94, align 4, !tbaa !11
  %96 = add i32 %95, %91
  %97 = or disjoint i32 %85, 2
  %98 = zext nneg i32 %97 to i64
  %99 = getelementptr inbounds nuw [8 x [16 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ13digit_scatterE5warps to ptr), i64 0, i64 %98, i64 %24
  %100 = load i32, ptr %99, align 4, !tbaa !11
  %101 = add i32 %100, %96
  %102 = or disjoint i32 %85, 3
  %103 = zext nneg i32 %102 to i64
  %104 = getelementptr inbounds nuw [8 x [16 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ13digit_scatterE5warps to ptr), i64 0, i64 %103, i64 %24
  %105 = load i32, ptr %104, align 4, !tbaa !11
  %106 = add i32 %105, %101
  %107 = add nuw nsw i32 %85, 4
  %108 = add i32 %87, 4
  %109 = icmp eq i32 %108, %29
  br i1 %109, label %56, label %84, !llvm.loop !21
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.ctpop.i32(i32) #1

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none)
define dso_local ptx_kernel void @merge(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef writeonly captures(none) %2, i32 noundef %3) local_unnamed_addr #4 {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul nuw nsw i32 %5, %6
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add nuw nsw i32 %7, %8
  %10 = shl nsw i32 %3, 1
  %11 = icmp slt i32 %9, %10
  br i1 %11, label %12, label %45

12:                                               ; preds = %4
  %13 = icmp slt i32 %9, %3
  %14 = select i1 %13, ptr %0, ptr %1
  %15 = select i1 %13, ptr %1, ptr %0
  %16 = select i1 %13, i32 0, i32 %3
  %17 = sub nsw i32 %9, %16
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds i32, ptr %14, i64 %18
  %20 = load i32, ptr %19, align 4, !tbaa !11
  %21 = icmp sgt i32 %3, 0
  br i1 %21, label %22, label %40

22:                                               ; preds = %12
  %23 = icmp samesign uge i32 %9, %3
  br label %24

24:                                               ; preds = %22, %24
  %25 = phi i32 [ 0, %22 ], [ %38, %24 ]
  %26 = phi i32 [ %3, %22 ], [ %37, %24 ]
  %27 = add nuw nsw i32 %25, %26
  %28 = lshr i32 %27, 1
  %29 = zext nneg i32 %28 to i64
  %30 = getelementptr inbounds nuw i32, ptr %15, i64 %29
  %31 = load i32, ptr %30, align 4, !tbaa !11
  %32 = icmp slt i32 %31, %20
  %33 = icmp eq i32 %31, %20
  %34 = select i1 %23, i1 %33, i1 false
  %35 = or i1 %32, %34
  %36 = add nuw nsw i32 %28, 1
  %37 = select i1 %35, i32 %26, i32 %28
  %38 = select i1 %35, i32 %36, i32 %25
  %39 = icmp slt i32 %38, %37
  br i1 %39, label %24, label %40, !llvm.loop !22

40:                                               ; preds = %24, %12
  %41 = phi i32 [ 0, %12 ], [ %38, %24 ]
  %42 = add nsw i32 %41, %17
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds i32, ptr %2, i64 %43
  store i32 %20, ptr %44, align 4, !tbaa !11
  br label %45

45:                                               ; preds = %4, %40
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @sort_by_rank(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, i32 noundef %2) local_unnamed_addr #5 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul nuw nsw i32 %4, %5
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add nuw nsw i32 %6, %7
  %9 = icmp slt i32 %8, %2
  br i1 %9, label %10, label %66

10:                                               ; preds = %3
  %11 = zext nneg i32 %8 to i64
  %12 = getelementptr inbounds nuw i32, ptr %0, i64 %11
  %13 = load i32, ptr %12, align 4, !tbaa !11
  %14 = and i32 %2, 1
  %15 = icmp eq i32 %2, 1
  br i1 %15, label %18, label %16

16:                                               ; preds = %10
  %17 = and i32 %2, -2
  br label %38

18:                                               ; preds = %38, %10
  %19 = phi i32 [ poison, %10 ], [ %62, %38 ]
  %20 = phi i32 [ 0, %10 ], [ %63, %38 ]
  %21 = phi i32 [ 0, %10 ], [ %62, %38 ]
  %22 = icmp eq i32 %14, 0
  br i1 %22, label %34, label %23

23:                                               ; preds = %18
  %24 = zext nneg i32 %20 to i64
  %25 = getelementptr inbounds nuw i32, ptr %0, i64 %24
  %26 = load i32, ptr %25, align 4, !tbaa !11
  %27 = icmp slt i32 %26, %13
  %28 = icmp eq i32 %26, %13
  %29 = icmp samesign ult i32 %20, %8
  %30 = select i1 %28, i1 %29, i1 false
  %31 = select i1 %27, i1 true, i1 %30
  %32 = zext i1 %31 to i32
  %33 = add nuw nsw i32 %21, %32
  br label %34

34:                                               ; preds = %18, %23
  %35 = phi i32 [ %19, %18 ], [ %33, %23 ]
  %36 = zext nneg i32 %35 to i64
  %37 = getelementptr inbounds nuw i32, ptr %1, i64 %36
  store i32 %13, ptr %37, align 4, !tbaa !11
  br label %66

38:                                               ; preds = %38, %16
  %39 = phi i32 [ 0, %16 ], [ %63, %38 ]
  %40 = phi i32 [ 0, %16 ], [ %62, %38 ]
  %41 = phi i32 [ 0, %16 ], [ %64, %38 ]
  %42 = zext nneg i32 %39 to i64
  %43 = getelementptr inbounds nuw i32, ptr %0, i64 %42
  %44 = load i32, ptr %43, align 4, !tbaa !11
  %45 = icmp slt i32 %44, %13
  %46 = icmp eq i32 %44, %13
  %47 = icmp samesign ult i32 %39, %8
  %48 = select i1 %46, i1 %47, i1 false
  %49 = select i1 %45, i1 true, i1 %48
  %50 = zext i1 %49 to i32
  %51 = add nuw nsw i32 %40, %50
  %52 = or disjoint i32 %39, 1
  %53 = zext nneg i32 %52 to i64
  %54 = getelementptr inbounds nuw i32, ptr %0, i64 %53
  %55 = load i32, ptr %54, align 4, !tbaa !11
  %56 = icmp slt i32 %55, %13
  %57 = icmp eq i32 %55, %13
  %58 = icmp samesign ult i32 %52, %8
  %59 = select i1 %57, i1 %58, i1 false
  %60 = select i1 %56, i1 true, i1 %59
  %61 = zext i1 %60 to i32
  %62 = add nuw nsw i32 %51, %61
  %63 = add nuw nsw i32 %39, 2
  %64 = add i32 %41, 2
  %65 = icmp eq i32 %64, %17
  br i1 %65, label %18, label %38, !llvm.loop !23

66:                                               ; preds = %3, %34
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @sort_inserting(ptr noundef captures(none) %0, i32 noundef %1) local_unnamed_addr #5 {
  %3 = alloca [16 x i32], align 4
  call void @llvm.lifetime.start.p0(i64 64, ptr nonnull %3) #8
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul nuw nsw i32 %4, %5
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add nuw nsw i32 %6, %7
  %9 = icmp slt i32 %8, %1
  br i1 %9, label %10, label %117

10:                                               ; preds = %2
  %11 = shl nsw i32 %8, 4
  br label %91

12:                                               ; preds = %112
  %13 = load i32, ptr %3, align 4, !tbaa !11
  %14 = zext nneg i32 %11 to i64
  %15 = getelementptr inbounds nuw i32, ptr %0, i64 %14
  store i32 %13, ptr %15, align 4, !tbaa !11
  %16 = getelementptr inbounds nuw i8, ptr %3, i64 4
  %17 = load i32, ptr %16, align 4, !tbaa !11
  %18 = zext nneg i32 %11 to i64
  %19 = getelementptr inbounds nuw i32, ptr %0, i64 %18
  %20 = getelementptr inbounds nuw i8, ptr %19, i64 4
  store i32 %17, ptr %20, align 4, !tbaa !11
  %21 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %22 = load i32, ptr %21, align 4, !tbaa !11
  %23 = zext nneg i32 %11 to i64
  %24 = getelementptr inbounds nuw i32, ptr %0, i64 %23
  %25 = getelementptr inbounds nuw i8, ptr %24, i64 8
  store i32 %22, ptr %25, align 4, !tbaa !11
  %26 = getelementptr inbounds nuw i8, ptr %3, i64 12
  %27 = load i32, ptr %26, align 4, !tbaa !11
  %28 = zext nneg i32 %11 to i64
  %29 = getelementptr inbounds nuw i32, ptr %0, i64 %28
  %30 = getelementptr inbounds nuw i8, ptr %29, i64 12
  store i32 %27, ptr %30, align 4, !tbaa !11
  %31 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %32 = load i32, ptr %31, align 4, !tbaa !11
  %33 = zext nneg i32 %11 to i64
  %34 = getelementptr inbounds nuw i32, ptr %0, i64 %33
  %35 = getelementptr inbounds nuw i8, ptr %34, i64 16
  store i32 %32, ptr %35, align 4, !tbaa !11
  %36 = getelementptr inbounds nuw i8, ptr %3, i64 20
  %37 = load i32, ptr %36, align 4, !tbaa !11
  %38 = zext nneg i32 %11 to i64
  %39 = getelementptr inbounds nuw i32, ptr %0, i64 %38
  %40 = getelementptr inbounds nuw i8, ptr %39, i64 20
  store i32 %37, ptr %40, align 4, !tbaa !11
  %41 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %42 = load i32, ptr %41, align 4, !tbaa !11
  %43 = zext nneg i32 %11 to i64
  %44 = getelementptr inbounds nuw i32, ptr %0, i64 %43
  %45 = getelementptr inbounds nuw i8, ptr %44, i64 24
  store i32 %42, ptr %45, align 4, !tbaa !11
  %46 = getelementptr inbounds nuw i8, ptr %3, i64 28
  %47 = load i32, ptr %46, align 4, !tbaa !11
  %48 = zext nneg i32 %11 to i64
  %49 = getelementptr inbounds nuw i32, ptr %0, i64 %48
  %50 = getelementptr inbounds nuw i8, ptr %49, i64 28
  store i32 %47, ptr %50, align 4, !tbaa !11
  %51 = getelementptr inbounds nuw i8, ptr %3, i64 32
  %52 = load i32, ptr %51, align 4, !tbaa !11
  %53 = zext nneg i32 %11 to i64
  %54 = getelementptr inbounds nuw i32, ptr %0, i64 %53
  %55 = getelementptr inbounds nuw i8, ptr %54, i64 32
  store i32 %52, ptr %55, align 4, !tbaa !11
  %56 = getelementptr inbounds nuw i8, ptr %3, i64 36
  %57 = load i32, ptr %56, align 4, !tbaa !11
  %58 = zext nneg i32 %11 to i64
  %59 = getelementptr inbounds nuw i32, ptr %0, i64 %58
  %60 = getelementptr inbounds nuw i8, ptr %59, i64 36
  store i32 %57, ptr %60, align 4, !tbaa !11
  %61 = getelementptr inbounds nuw i8, ptr %3, i64 40
  %62 = load i32, ptr %61, align 4, !tbaa !11
  %63 = zext nneg i32 %11 to i64
  %64 = getelementptr inbounds nuw i32, ptr %0, i64 %63
  %65 = getelementptr inbounds nuw i8, ptr %64, i64 40
  store i32 %62, ptr %65, align 4, !tbaa !11
  %66 = getelementptr inbounds nuw i8, ptr %3, i64 44
  %67 = load i32, ptr %66, align 4, !tbaa !11
  %68 = zext nneg i32 %11 to i64
  %69 = getelementptr inbounds nuw i32, ptr %0, i64 %68
  %70 = getelementptr inbounds nuw i8, ptr %69, i64 44
  store i32 %67, ptr %70, align 4, !tbaa !11
  %71 = getelementptr inbounds nuw i8, ptr %3, i64 48
  %72 = load i32, ptr %71, align 4, !tbaa !11
  %73 = zext nneg i32 %11 to i64
  %74 = getelementptr inbounds nuw i32, ptr %0, i64 %73
  %75 = getelementptr inbounds nuw i8, ptr %74, i64 48
  store i32 %72, ptr %75, align 4, !tbaa !11
  %76 = getelementptr inbounds nuw i8, ptr %3, i64 52
  %77 = load i32, ptr %76, align 4, !tbaa !11
  %78 = zext nneg i32 %11 to i64
  %79 = getelementptr inbounds nuw i32, ptr %0, i64 %78
  %80 = getelementptr inbounds nuw i8, ptr %79, i64 52
  store i32 %77, ptr %80, align 4, !tbaa !11
  %81 = getelementptr inbounds nuw i8, ptr %3, i64 56
  %82 = load i32, ptr %81, align 4, !tbaa !11
  %83 = zext nneg i32 %11 to i64
  %84 = getelementptr inbounds nuw i32, ptr %0, i64 %83
  %85 = getelementptr inbounds nuw i8, ptr %84, i64 56
  store i32 %82, ptr %85, align 4, !tbaa !11
  %86 = getelementptr inbounds nuw i8, ptr %3, i64 60
  %87 = load i32, ptr %86, align 4, !tbaa !11
  %88 = zext nneg i32 %11 to i64
  %89 = getelementptr inbounds nuw i32, ptr %0, i64 %88
  %90 = getelementptr inbounds nuw i8, ptr %89, i64 60
  store i32 %87, ptr %90, align 4, !tbaa !11
  br label %117

91:                                               ; preds = %10, %112
  %92 = phi i32 [ 0, %10 ], [ %115, %112 ]
  %93 = add nuw nsw i32 %92, %11
  %94 = zext nneg i32 %93 to i64
  %95 = getelementptr inbounds nuw i32, ptr %0, i64 %94
  %96 = load i32, ptr %95, align 4, !tbaa !11
  %97 = icmp eq i32 %92, 0
  br i1 %97, label %112, label %98

98:                                               ; preds = %91, %105
  %99 = phi i32 [ %100, %105 ], [ %92, %91 ]
  %100 = add nsw i32 %99, -1
  %101 = zext nneg i32 %100 to i64
  %102 = getelementptr inbounds nuw [16 x i32], ptr %3, i64 0, i64 %101
  %103 = load i32, ptr %102, align 4, !tbaa !11
  %104 = icmp sgt i32 %103, %96
  br i1 %104, label %105, label %109

105:                                              ; preds = %98
  %106 = zext nneg i32 %99 to i64
  %107 = getelementptr inbounds nuw [16 x i32], ptr %3, i64 0, i64 %106
  store i32 %103, ptr %107, align 4, !tbaa !11
  %108 = icmp sgt i32 %99, 1
  br i1 %108, label %98, label %109, !llvm.loop !24

109:                                              ; preds = %105, %98
  %110 = phi i32 [ %99, %98 ], [ 0, %105 ]
  %111 = sext i32 %110 to i64
  br label %112

112:                                              ; preds = %109, %91
  %113 = phi i64 [ 0, %91 ], [ %111, %109 ]
  %114 = getelementptr inbounds [16 x i32], ptr %3, i64 0, i64 %113
  store i32 %96, ptr %114, align 4, !tbaa !11
  %115 = add nuw nsw i32 %92, 1
  %116 = icmp eq i32 %115, 16
  br i1 %116, label %12, label %91, !llvm.loop !25

117:                                              ; preds = %12, %2
  call void @llvm.lifetime.end.p0(i64 64, ptr nonnull %3) #8
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #6

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) #7

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #4 = { mustprogress nofree noinline norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #5 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #6 = { convergent nocallback nounwind }
attributes #7 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #8 = { nounwind }

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6}
!llvm.module.flags = !{!7, !8, !9}
!llvm.ident = !{!10}

!0 = !{ptr @sort_bitonic}
!1 = !{ptr @sort_odd_even}
!2 = !{ptr @digit_counts}
!3 = !{ptr @digit_scatter}
!4 = !{ptr @merge}
!5 = !{ptr @sort_by_rank}
!6 = !{ptr @sort_inserting}
!7 = !{i32 1, !"wchar_size", i32 4}
!8 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!9 = !{i32 7, !"frame-pointer", i32 2}
!10 = !{!"clang version 21.1.0"}
!11 = !{!12, !12, i64 0}
!12 = !{!"int", !13, i64 0}
!13 = !{!"omnipotent char", !14, i64 0}
!14 = !{!"Simple C++ TBAA"}
!15 = distinct !{!15, !16}
!16 = !{!"llvm.loop.mustprogress"}
!17 = distinct !{!17, !16}
!18 = distinct !{!18, !16}
!19 = distinct !{!19, !20}
!20 = !{!"llvm.loop.unroll.disable"}
!21 = distinct !{!21, !16}
!22 = distinct !{!22, !16}
!23 = distinct !{!23, !16}
!24 = distinct !{!24, !16}
!25 = distinct !{!25, !16}
