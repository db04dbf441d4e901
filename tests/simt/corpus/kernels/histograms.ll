; ModuleID = 'histograms.cu'
source_filename = "histograms.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ12count_sharedE3own = internal addrspace(3) global [64 x i32] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @count_shared(ptr noundef readonly captures(none) %0, ptr noundef captures(none) %1, i32 noundef %2) local_unnamed_addr #0 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %5 = icmp samesign ult i32 %4, 64
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br i1 %5, label %15, label %7

7:                                                ; preds = %15, %3
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %9 = mul nuw nsw i32 %8, %6
  %10 = add nuw nsw i32 %9, %4
  %11 = icmp slt i32 %10, %2
  br i1 %11, label %12, label %21

12:                                               ; preds = %7
  %13 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %14 = mul nuw nsw i32 %6, %13
  br label %22

15:                                               ; preds = %3, %15
  %16 = phi i32 [ %19, %15 ], [ %4, %3 ]
  %17 = zext nneg i32 %16 to i64
  %18 = getelementptr inbounds nuw [64 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12count_sharedE3own to ptr), i64 0, i64 %17
  store i32 0, ptr %18, align 4, !tbaa !10
  %19 = add nuw nsw i32 %16, %6
  %20 = icmp samesign ult i32 %19, 64
  br i1 %20, label %15, label %7, !llvm.loop !14

21:                                               ; preds = %22, %7
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %5, label %34, label %33

22:                                               ; preds = %12, %22
  %23 = phi i32 [ %10, %12 ], [ %31, %22 ]
  %24 = zext nneg i32 %23 to i64
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 %24
  %26 = load i8, ptr %25, align 1, !tbaa !16
  %27 = and i8 %26, 63
  %28 = zext nneg i8 %27 to i64
  %29 = getelementptr inbounds nuw [64 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12count_sharedE3own to ptr), i64 0, i64 %28
  %30 = atomicrmw add ptr %29, i32 1 seq_cst, align 4
  %31 = add nuw nsw i32 %23, %14
  %32 = icmp slt i32 %31, %2
  br i1 %32, label %22, label %21, !llvm.loop !17

33:                                               ; preds = %43, %21
  ret void

34:                                               ; preds = %21, %43
  %35 = phi i32 [ %44, %43 ], [ %4, %21 ]
  %36 = zext nneg i32 %35 to i64
  %37 = getelementptr inbounds nuw [64 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12count_sharedE3own to ptr), i64 0, i64 %36
  %38 = load i32, ptr %37, align 4, !tbaa !10
  %39 = icmp eq i32 %38, 0
  br i1 %39, label %43, label %40

40:                                               ; preds = %34
  %41 = getelementptr inbounds nuw i32, ptr %1, i64 %36
  %42 = atomicrmw add ptr %41, i32 %38 seq_cst, align 4
  br label %43

43:                                               ; preds = %34, %40
  %44 = add nuw nsw i32 %35, %6
  %45 = icmp samesign ult i32 %44, 64
  br i1 %45, label %34, label %33, !llvm.loop !18
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr captures(none)) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr captures(none)) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #2

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @count_private(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, i32 noundef %2) local_unnamed_addr #3 {
  %4 = alloca [8 x i32], align 4
  call void @llvm.lifetime.start.p0(i64 32, ptr nonnull %4) #10
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 4 dereferenceable(32) %4, i8 0, i64 32, i1 false)
  %5 = icmp sgt i32 %2, 0
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %8 = mul nuw nsw i32 %6, %7
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = add nuw nsw i32 %8, %9
  br i1 %5, label %11, label %46

11:                                               ; preds = %3
  %12 = mul nuw nsw i32 %2, %10
  %13 = and i32 %2, 1
  %14 = icmp eq i32 %2, 1
  br i1 %14, label %17, label %15

15:                                               ; preds = %11
  %16 = and i32 %2, 2147483646
  br label %79

17:                                               ; preds = %79, %11
  %18 = phi i32 [ 0, %11 ], [ %101, %79 ]
  %19 = icmp eq i32 %13, 0
  br i1 %19, label %30, label %20

20:                                               ; preds = %17
  %21 = add nuw nsw i32 %18, %12
  %22 = zext nneg i32 %21 to i64
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 %22
  %24 = load i8, ptr %23, align 1, !tbaa !16
  %25 = and i8 %24, 7
  %26 = zext nneg i8 %25 to i64
  %27 = getelementptr inbounds nuw [8 x i32], ptr %4, i64 0, i64 %26
  %28 = load i32, ptr %27, align 4, !tbaa !10
  %29 = add nsw i32 %28, 1
  store i32 %29, ptr %27, align 4, !tbaa !10
  br label %30

30:                                               ; preds = %17, %20
  %31 = load i32, ptr %4, align 4, !tbaa !10
  %32 = getelementptr inbounds nuw i8, ptr %4, i64 4
  %33 = load i32, ptr %32, align 4, !tbaa !10
  %34 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %35 = load i32, ptr %34, align 4, !tbaa !10
  %36 = getelementptr inbounds nuw i8, ptr %4, i64 12
  %37 = load i32, ptr %36, align 4, !tbaa !10
  %38 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %39 = load i32, ptr %38, align 4, !tbaa !10
  %40 = getelementptr inbounds nuw i8, ptr %4, i64 20
  %41 = load i32, ptr %40, align 4, !tbaa !10
  %42 = getelementptr inbounds nuw i8, ptr %4, i64 24
  %43 = load i32, ptr %42, align 4, !tbaa !10
  %44 = getelementptr inbounds nuw i8, ptr %4, i64 28
  %45 = load i32, ptr %44, align 4, !tbaa !10
  br label %46

46:                                               ; preds = %3, %30
  %47 = phi i32 [ %45, %30 ], [ 0, %3 ]
  %48 = phi i32 [ %43, %30 ], [ 0, %3 ]
  %49 = phi i32 [ %41, %30 ], [ 0, %3 ]
  %50 = phi i32 [ %39, %30 ], [ 0, %3 ]
  %51 = phi i32 [ %37, %30 ], [ 0, %3 ]
  %52 = phi i32 [ %35, %30 ], [ 0, %3 ]
  %53 = phi i32 [ %33, %30 ], [ 0, %3 ]
  %54 = phi i32 [ %31, %30 ], [ 0, %3 ]
  %55 = shl nsw i32 %10, 3
  %56 = zext nneg i32 %55 to i64
  %57 = getelementptr inbounds nuw i32, ptr %1, i64 %56
  store i32 %54, ptr %57, align 4, !tbaa !10
  %58 = zext nneg i32 %55 to i64
  %59 = getelementptr inbounds nuw i32, ptr %1, i64 %58
  %60 = getelementptr inbounds nuw i8, ptr %59, i64 4
  store i32 %53, ptr %60, align 4, !tbaa !10
  %61 = zext nneg i32 %55 to i64
  %62 = getelementptr inbounds nuw i32, ptr %1, i64 %61
  %63 = getelementptr inbounds nuw i8, ptr %62, i64 8
  store i32 %52, ptr %63, align 4, !tbaa !10
  %64 = zext nneg i32 %55 to i64
  %65 = getelementptr inbounds nuw i32, ptr %1, i64 %64
  %66 = getelementptr inbounds nuw i8, ptr %65, i64 12
  store i32 %51, ptr %66, align 4, !tbaa !10
  %67 = zext nneg i32 %55 to i64
  %68 = getelementptr inbounds nuw i32, ptr %1, i64 %67
  %69 = getelementptr inbounds nuw i8, ptr %68, i64 16
  store i32 %50, ptr %69, align 4, !tbaa !10
  %70 = zext nneg i32 %55 to i64
  %71 = getelementptr inbounds nuw i32, ptr %1, i64 %70
  %72 = getelementptr inbounds nuw i8, ptr %71, i64 20
  store i32 %49, ptr %72, align 4, !tbaa !10
  %73 = zext nneg i32 %55 to i64
  %74 = getelementptr inbounds nuw i32, ptr %1, i64 %73
  %75 = getelementptr inbounds nuw i8, ptr %74, i64 24
  store i32 %48, ptr %75, align 4, !tbaa !10
  %76 = zext nneg i32 %55 to i64
  %77 = getelementptr inbounds nuw i32, ptr %1, i64 %76
  %78 = getelementptr inbounds nuw i8, ptr %77, i64 28
  store i32 %47, ptr %78, align 4, !tbaa !10
  call void @llvm.lifetime.end.p0(i64 32, ptr nonnull %4) #10
  ret void

79:                                               ; preds = %79, %15
  %80 = phi i32 [ 0, %15 ], [ %101, %79 ]
  %81 = phi i32 [ 0, %15 ], [ %102, %79 ]
  %82 = add nuw nsw i32 %80, %12
  %83 = zext nneg i32 %82 to i64
  %84 = getelementptr inbounds nuw i8, ptr %0, i64 %83
  %85 = load i8, ptr %84, align 1, !tbaa !16
  %86 = and i8 %85, 7
  %87 = zext nneg i8 %86 to i64
  %88 = getelementptr inbounds nuw [8 x i32], ptr %4, i64 0, i64 %87
  %89 = load i32, ptr %88, align 4, !tbaa !10
  %90 = add nsw i32 %89, 1
  store i32 %90, ptr %88, align 4, !tbaa !10
  %91 = or disjoint i32 %80, 1
  %92 = add nuw nsw i32 %91, %12
  %93 = zext nneg i32 %92 to i64
  %94 = getelementptr inbounds nuw i8, ptr %0, i64 %93
  %95 = load i8, ptr %94, align 1, !tbaa !16
  %96 = and i8 %95, 7
  %97 = zext nneg i8 %96 to i64
  %98 = getelementptr inbounds nuw [8 x i32], ptr %4, i64 0, i64 %97
  %99 = load i32, ptr %98, align 4, !tbaa !10
  %100 = add nsw i32 %99, 1
  store i32 %100, ptr %98, align 4, !tbaa !10
  %101 = add nuw nsw i32 %80, 2
  %102 = add i32 %81, 2
  %103 = icmp eq i32 %102, %16
  br i1 %103, label %17, label %79, !llvm.loop !19
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #4

; Function Attrs: mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @count_wrapping(ptr noundef readonly captures(none) %0, ptr noundef captures(none) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #5 {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul nuw nsw i32 %5, %6
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add nuw nsw i32 %7, %8
  %10 = icmp slt i32 %9, %3
  br i1 %10, label %11, label %19

11:                                               ; preds = %4
  %12 = zext nneg i32 %9 to i64
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 %12
  %14 = load i8, ptr %13, align 1, !tbaa !16
  %15 = and i8 %14, 15
  %16 = zext nneg i8 %15 to i64
  %17 = getelementptr inbounds nuw i32, ptr %1, i64 %16
  %18 = atomicrmw uinc_wrap ptr %17, i32 %2 seq_cst, align 4
  br label %19

19:                                               ; preds = %11, %4
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define dso_local ptx_kernel void @count_matched(ptr noundef readonly captures(none) %0, ptr noundef captures(none) %1) local_unnamed_addr #6 {
  %3 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %5 = mul nuw nsw i32 %3, %4
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %7 = add nuw nsw i32 %5, %6
  %8 = zext nneg i32 %7 to i64
  %9 = getelementptr inbounds nuw i32, ptr %0, i64 %8
  %10 = load i32, ptr %9, align 4, !tbaa !10
  %11 = tail call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %10)
  %12 = and i32 %6, 31
  %13 = shl nsw i32 -1, %12
  %14 = xor i32 %13, -1
  %15 = and i32 %11, %14
  %16 = icmp eq i32 %15, 0
  br i1 %16, label %17, label %22

17:                                               ; preds = %2
  %18 = tail call range(i32 0, 33) i32 @llvm.ctpop.i32(i32 %11)
  %19 = sext i32 %10 to i64
  %20 = getelementptr inbounds i32, ptr %1, i64 %19
  %21 = atomicrmw add ptr %20, i32 %18 seq_cst, align 4
  br label %22

22:                                               ; preds = %17, %2
  ret void
}

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32) #7

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.ctpop.i32(i32) #2

; Function Attrs: mustprogress nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @weights(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef captures(none) %2, i32 noundef %3) local_unnamed_addr #8 {
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
  br label %15

14:                                               ; preds = %15, %4
  ret void

15:                                               ; preds = %11, %15
  %16 = phi i32 [ %9, %11 ], [ %26, %15 ]
  %17 = zext nneg i32 %16 to i64
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 %17
  %19 = load i8, ptr %18, align 1, !tbaa !16
  %20 = and i8 %19, 31
  %21 = zext nneg i8 %20 to i64
  %22 = getelementptr inbounds nuw float, ptr %2, i64 %21
  %23 = getelementptr inbounds nuw float, ptr %1, i64 %17
  %24 = load float, ptr %23, align 4, !tbaa !20
  %25 = atomicrmw fadd ptr %22, float %24 seq_cst, align 4
  %26 = add nuw nsw i32 %16, %13
  %27 = icmp slt i32 %26, %3
  br i1 %27, label %15, label %14, !llvm.loop !22
}

; Function Attrs: mustprogress nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @bounds(ptr noundef readonly captures(none) %0, ptr noundef captures(none) %1, ptr noundef captures(none) %2, i32 noundef %3) local_unnamed_addr #8 {
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
  br label %15

14:                                               ; preds = %15, %4
  ret void

15:                                               ; preds = %11, %15
  %16 = phi i32 [ %9, %11 ], [ %29, %15 ]
  %17 = zext nneg i32 %16 to i64
  %18 = getelementptr inbounds nuw i32, ptr %0, i64 %17
  %19 = load i32, ptr %18, align 4, !tbaa !10
  %20 = and i32 %19, 3
  %21 = zext nneg i32 %20 to i64
  %22 = getelementptr inbounds nuw i32, ptr %1, i64 %21
  %23 = atomicrmw min ptr %22, i32 %19 seq_cst, align 4
  %24 = load i32, ptr %18, align 4, !tbaa !10
  %25 = and i32 %24, 3
  %26 = zext nneg i32 %25 to i64
  %27 = getelementptr inbounds nuw i32, ptr %2, i64 %26
  %28 = atomicrmw max ptr %27, i32 %24 seq_cst, align 4
  %29 = add nuw nsw i32 %16, %13
  %30 = icmp slt i32 %29, %3
  br i1 %30, label %15, label %14, !llvm.loop !23
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #9

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #4 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #5 = { mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #6 = { convergent mustprogress noinline norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #7 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #8 = { mustprogress nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #9 = { convergent nocallback nounwind }
attributes #10 = { nounwind }

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5}
!llvm.module.flags = !{!6, !7, !8}
!llvm.ident = !{!9}

!0 = !{ptr @count_shared}
!1 = !{ptr @count_private}
!2 = !{ptr @count_wrapping}
!3 = !{ptr @count_matched}
!4 = !{ptr @weights}
!5 = !{ptr @bounds}
!6 = !{i32 1, !"wchar_size", i32 4}
!7 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!8 = !{i32 7, !"frame-pointer", i32 2}
!9 = !{!"clang version 21.1.0"}
!10 = !{!11, !11, i64 0}
!11 = !{!"int", !12, i64 0}
!12 = !{!"omnipotent char", !13, i64 0}
!13 = !{!"Simple C++ TBAA"}
!14 = distinct !{!14, !15}
!15 = !{!"llvm.loop.mustprogress"}
!16 = !{!12, !12, i64 0}
!17 = distinct !{!17, !15}
!18 = distinct !{!18, !15}
!19 = distinct !{!19, !15}
!20 = !{!21, !21, i64 0}
!21 = !{!"float", !12, i64 0}
!22 = distinct !{!22, !15}
!23 = distinct !{!23, !15}
