; ModuleID = 'graphs.cu'
source_filename = "graphs.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @bfs(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef readonly captures(none) %2, ptr noundef captures(none) %3, ptr noundef captures(none) %4, i32 noundef %5, i32 noundef %6) local_unnamed_addr #0 {
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %10 = mul nuw nsw i32 %8, %9
  %11 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %12 = add nuw nsw i32 %10, %11
  %13 = icmp slt i32 %12, %6
  br i1 %13, label %14, label %42

14:                                               ; preds = %7
  %15 = zext nneg i32 %12 to i64
  %16 = getelementptr inbounds nuw i32, ptr %2, i64 %15
  %17 = load i32, ptr %16, align 4, !tbaa !12
  %18 = icmp eq i32 %17, %5
  br i1 %18, label %19, label %42

19:                                               ; preds = %14
  %20 = getelementptr inbounds nuw i32, ptr %0, i64 %15
  %21 = load i32, ptr %20, align 4, !tbaa !12
  %22 = getelementptr inbounds nuw i8, ptr %20, i64 4
  %23 = load i32, ptr %22, align 4, !tbaa !12
  %24 = icmp slt i32 %21, %23
  br i1 %24, label %25, label %42

25:                                               ; preds = %19
  %26 = add nsw i32 %5, 1
  br label %27

27:                                               ; preds = %25, %38
  %28 = phi i32 [ %21, %25 ], [ %39, %38 ]
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds i32, ptr %1, i64 %29
  %31 = load i32, ptr %30, align 4, !tbaa !12
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds i32, ptr %3, i64 %32
  %34 = cmpxchg ptr %33, i32 -1, i32 %26 seq_cst seq_cst, align 4
  %35 = extractvalue { i32, i1 } %34, 1
  br i1 %35, label %36, label %38

36:                                               ; preds = %27
  %37 = atomicrmw add ptr %4, i32 1 seq_cst, align 4
  br label %38

38:                                               ; preds = %27, %36
  %39 = add nsw i32 %28, 1
  %40 = load i32, ptr %22, align 4, !tbaa !12
  %41 = icmp slt i32 %39, %40
  br i1 %41, label %27, label %42, !llvm.loop !16

42:                                               ; preds = %38, %19, %7, %14
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @relax(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef readonly captures(none) %2, ptr noundef readonly captures(none) %3, ptr noundef captures(none) %4, i32 noundef %5) local_unnamed_addr #0 {
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = mul nuw nsw i32 %7, %8
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = add nuw nsw i32 %9, %10
  %12 = icmp slt i32 %11, %5
  br i1 %12, label %13, label %39

13:                                               ; preds = %6
  %14 = zext nneg i32 %11 to i64
  %15 = getelementptr inbounds nuw i32, ptr %3, i64 %14
  %16 = load i32, ptr %15, align 4, !tbaa !12
  %17 = icmp sgt i32 %16, 536870911
  br i1 %17, label %39, label %18

18:                                               ; preds = %13
  %19 = getelementptr inbounds nuw i32, ptr %0, i64 %14
  %20 = load i32, ptr %19, align 4, !tbaa !12
  %21 = getelementptr inbounds nuw i8, ptr %19, i64 4
  %22 = load i32, ptr %21, align 4, !tbaa !12
  %23 = icmp slt i32 %20, %22
  br i1 %23, label %24, label %39

24:                                               ; preds = %18, %24
  %25 = phi i32 [ %36, %24 ], [ %20, %18 ]
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds i32, ptr %1, i64 %26
  %28 = load i32, ptr %27, align 4, !tbaa !12
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds i32, ptr %4, i64 %29
  %31 = load i32, ptr %15, align 4, !tbaa !12
  %32 = getelementptr inbounds i32, ptr %2, i64 %26
  %33 = load i32, ptr %32, align 4, !tbaa !12
  %34 = add nsw i32 %33, %31
  %35 = atomicrmw min ptr %30, i32 %34 seq_cst, align 4
  %36 = add nsw i32 %25, 1
  %37 = load i32, ptr %21, align 4, !tbaa !12
  %38 = icmp slt i32 %36, %37
  br i1 %38, label %24, label %39, !llvm.loop !18

39:                                               ; preds = %24, %18, %6, %13
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @rank_pages(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef readonly captures(none) %2, ptr noundef captures(none) %3, i32 noundef %4) local_unnamed_addr #0 {
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %8 = mul nuw nsw i32 %6, %7
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = add nuw nsw i32 %8, %9
  %11 = icmp slt i32 %10, %4
  br i1 %11, label %12, label %37

12:                                               ; preds = %5
  %13 = zext nneg i32 %10 to i64
  %14 = getelementptr inbounds nuw i32, ptr %0, i64 %13
  %15 = load i32, ptr %14, align 4, !tbaa !12
  %16 = getelementptr inbounds nuw i8, ptr %14, i64 4
  %17 = load i32, ptr %16, align 4, !tbaa !12
  %18 = icmp eq i32 %15, %17
  br i1 %18, label %37, label %19

19:                                               ; preds = %12
  %20 = getelementptr inbounds nuw float, ptr %2, i64 %13
  %21 = load float, ptr %20, align 4, !tbaa !19
  %22 = sub nsw i32 %17, %15
  %23 = sitofp i32 %22 to float
  %24 = fdiv contract float %21, %23
  %25 = icmp slt i32 %15, %17
  br i1 %25, label %26, label %37

26:                                               ; preds = %19, %26
  %27 = phi i32 [ %34, %26 ], [ %15, %19 ]
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds i32, ptr %1, i64 %28
  %30 = load i32, ptr %29, align 4, !tbaa !12
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds float, ptr %3, i64 %31
  %33 = atomicrmw fadd ptr %32, float %24 seq_cst, align 4
  %34 = add nsw i32 %27, 1
  %35 = load i32, ptr %16, align 4, !tbaa !12
  %36 = icmp slt i32 %34, %35
  br i1 %36, label %26, label %37, !llvm.loop !21

37:                                               ; preds = %26, %19, %5, %12
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @pull_ranks(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef readonly captures(none) %2, ptr noundef readonly captures(none) %3, ptr noundef writeonly captures(none) %4, i32 noundef %5) local_unnamed_addr #2 {
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = mul nuw nsw i32 %7, %8
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = add nuw nsw i32 %9, %10
  %12 = icmp slt i32 %11, %5
  br i1 %12, label %13, label %81

13:                                               ; preds = %6
  %14 = zext nneg i32 %11 to i64
  %15 = getelementptr inbounds nuw i32, ptr %0, i64 %14
  %16 = load i32, ptr %15, align 4, !tbaa !12
  %17 = getelementptr inbounds nuw i8, ptr %15, i64 4
  %18 = load i32, ptr %17, align 4, !tbaa !12
  %19 = icmp slt i32 %16, %18
  br i1 %19, label %20, label %48

20:                                               ; preds = %13
  %21 = sub i32 %18, %16
  %22 = add i32 %16, 1
  %23 = and i32 %21, 1
  %24 = icmp eq i32 %23, 0
  br i1 %24, label %38, label %25

25:                                               ; preds = %20
  %26 = sext i32 %16 to i64
  %27 = getelementptr inbounds i32, ptr %1, i64 %26
  %28 = load i32, ptr %27, align 4, !tbaa !12
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds float, ptr %3, i64 %29
  %31 = load float, ptr %30, align 4, !tbaa !19
  %32 = getelementptr inbounds i32, ptr %2, i64 %29
  %33 = load i32, ptr %32, align 4, !tbaa !12
  %34 = sitofp i32 %33 to float
  %35 = fdiv contract float %31, %34
  %36 = fadd contract float %35, 0.000000e+00
  %37 = add nsw i32 %16, 1
  br label %38

38:                                               ; preds = %25, %20
  %39 = phi float [ poison, %20 ], [ %36, %25 ]
  %40 = phi i32 [ %16, %20 ], [ %37, %25 ]
  %41 = phi float [ 0.000000e+00, %20 ], [ %36, %25 ]
  %42 = icmp eq i32 %18, %22
  br i1 %42, label %45, label %43

43:                                               ; preds = %38
  %44 = getelementptr i8, ptr %1, i64 4
  br label %54

45:                                               ; preds = %54, %38
  %46 = phi float [ %39, %38 ], [ %78, %54 ]
  %47 = fmul contract float %46, 0x3FEB333340000000
  br label %48

48:                                               ; preds = %45, %13
  %49 = phi float [ 0.000000e+00, %13 ], [ %47, %45 ]
  %50 = uitofp nneg i32 %5 to float
  %51 = fdiv contract float 0x3FC3333340000000, %50
  %52 = fadd contract float %51, %49
  %53 = getelementptr inbounds nuw float, ptr %4, i64 %14
  store float %52, ptr %53, align 4, !tbaa !19
  br label %81

54:                                               ; preds = %54, %43
  %55 = phi i32 [ %40, %43 ], [ %79, %54 ]
  %56 = phi float [ %41, %43 ], [ %78, %54 ]
  %57 = sext i32 %55 to i64
  %58 = getelementptr inbounds i32, ptr %1, i64 %57
  %59 = load i32, ptr %58, align 4, !tbaa !12
  %60 = sext i32 %59 to i64
  %61 = getelementptr inbounds float, ptr %3, i64 %60
  %62 = load float, ptr %61, align 4, !tbaa !19
  %63 = getelementptr inbounds i32, ptr %2, i64 %60
  %64 = load i32, ptr %63, align 4, !tbaa !12
  %65 = sitofp i32 %64 to float
  %66 = fdiv contract float %62, %65
  %67 = fadd contract float %56, %66
  %68 = sext i32 %55 to i64
  %69 = getelementptr i32, ptr %44, i64 %68
  %70 = load i32, ptr %69, align 4, !tbaa !12
  %71 = sext i32 %70 to i64
  %72 = getelementptr inbounds float, ptr %3, i64 %71
  %73 = load float, ptr %72, align 4, !tbaa !19
  %74 = getelementptr inbounds i32, ptr %2, i64 %71
  %75 = load i32, ptr %74, align 4, !tbaa !12
  %76 = sitofp i32 %75 to float
  %77 = fdiv contract float %73, %76
  %78 = fadd contract float %67, %77
  %79 = add nsw i32 %55, 2
  %80 = icmp eq i32 %79, %18
  br i1 %80, label %45, label %54, !llvm.loop !22

81:                                               ; preds = %6, %48
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @labels(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef readonly captures(none) %2, ptr noundef writeonly captures(none) %3, i32 noundef %4) local_unnamed_addr #2 {
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %8 = mul nuw nsw i32 %6, %7
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = add nuw nsw i32 %8, %9
  %11 = icmp slt i32 %10, %4
  br i1 %11, label %12, label %85

12:                                               ; preds = %5
  %13 = zext nneg i32 %10 to i64
  %14 = getelementptr inbounds nuw i32, ptr %2, i64 %13
  %15 = load i32, ptr %14, align 4, !tbaa !12
  %16 = getelementptr inbounds nuw i32, ptr %0, i64 %13
  %17 = load i32, ptr %16, align 4, !tbaa !12
  %18 = getelementptr inbounds nuw i8, ptr %16, i64 4
  %19 = load i32, ptr %18, align 4, !tbaa !12
  %20 = icmp slt i32 %17, %19
  br i1 %20, label %21, label %49

21:                                               ; preds = %12
  %22 = sub i32 %19, %17
  %23 = and i32 %22, 3
  %24 = icmp eq i32 %23, 0
  br i1 %24, label %39, label %25

25:                                               ; preds = %21, %25
  %26 = phi i32 [ %36, %25 ], [ %17, %21 ]
  %27 = phi i32 [ %35, %25 ], [ %15, %21 ]
  %28 = phi i32 [ %37, %25 ], [ 0, %21 ]
  %29 = sext i32 %26 to i64
  %30 = getelementptr inbounds i32, ptr %1, i64 %29
  %31 = load i32, ptr %30, align 4, !tbaa !12
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds i32, ptr %2, i64 %32
  %34 = load i32, ptr %33, align 4, !tbaa !12
  %35 = tail call noundef i32 @llvm.smin.i32(i32 %27, i32 %34)
  %36 = add nsw i32 %26, 1
  %37 = add i32 %28, 1
  %38 = icmp eq i32 %37, %23
  br i1 %38, label %39, label %25, !llvm.loop !23

39:                                               ; preds = %25, %21
  %40 = phi i32 [ poison, %21 ], [ %35, %25 ]
  %41 = phi i32 [ %17, %21 ], [ %36, %25 ]
  %42 = phi i32 [ %15, %21 ], [ %35, %25 ]
  %43 = sub i32 %17, %19
  %44 = icmp ugt i32 %43, -4
  br i1 %44, label %49, label %45

45:                                               ; preds = %39
  %46 = getelementptr i8, ptr %1, i64 4
  %47 = getelementptr i8, ptr %1, i64 8
  %48 = getelementptr i8, ptr %1, i64 12
  br label %52

49:                                               ; preds = %39, %52, %12
  %50 = phi i32 [ %15, %12 ], [ %40, %39 ], [ %82, %52 ]
  %51 = getelementptr inbounds nuw i32, ptr %3, i64 %13
  store i32 %50, ptr %51, align 4, !tbaa !12
  br label %85

52:                                               ; preds = %52, %45
  %53 = phi i32 [ %41, %45 ], [ %83, %52 ]
  %54 = phi i32 [ %42, %45 ], [ %82, %52 ]
  %55 = sext i32 %53 to i64
  %56 = getelementptr inbounds i32, ptr %1, i64 %55
  %57 = load i32, ptr %56, align 4, !tbaa !12
  %58 = sext i32 %57 to i64
  %59 = getelementptr inbounds i32, ptr %2, i64 %58
  %60 = load i32, ptr %59, align 4, !tbaa !12
  %61 = tail call noundef i32 @llvm.smin.i32(i32 %54, i32 %60)
  %62 = sext i32 %53 to i64
  %63 = getelementptr i32, ptr %46, i64 %62
  %64 = load i32, ptr %63, align 4, !tbaa !12
  %65 = sext i32 %64 to i64
  %66 = getelementptr inbounds i32, ptr %2, i64 %65
  %67 = load i32, ptr %66, align 4, !tbaa !12
  %68 = tail call noundef i32 @llvm.smin.i32(i32 %61, i32 %67)
  %69 = sext i32 %53 to i64
  %70 = getelementptr i32, ptr %47, i64 %69
  %71 = load i32, ptr %70, align 4, !tbaa !12
  %72 = sext i32 %71 to i64
  %73 = getelementptr inbounds i32, ptr %2, i64 %72
  %74 = load i32, ptr %73, align 4, !tbaa !12
  %75 = tail call noundef i32 @llvm.smin.i32(i32 %68, i32 %74)
  %76 = sext i32 %53 to i64
  %77 = getelementptr i32, ptr %48, i64 %76
  %78 = load i32, ptr %77, align 4, !tbaa !12
  %79 = sext i32 %78 to i64
  %80 = getelementptr inbounds i32, ptr %2, i64 %79
  %81 = load i32, ptr %80, align 4, !tbaa !12
  %82 = tail call noundef i32 @llvm.smin.i32(i32 %75, i32 %81)
  %83 = add nsw i32 %53, 4
  %84 = icmp eq i32 %83, %19
  br i1 %84, label %49, label %52, !llvm.loop !25

85:                                               ; preds = %5, %49
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @triangles(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef captures(none) %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul nuw nsw i32 %5, %6
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add nuw nsw i32 %7, %8
  %10 = icmp slt i32 %9, %3
  br i1 %10, label %11, label %67

11:                                               ; preds = %4
  %12 = zext nneg i32 %9 to i64
  %13 = getelementptr inbounds nuw i32, ptr %0, i64 %12
  %14 = load i32, ptr %13, align 4, !tbaa !12
  %15 = getelementptr inbounds nuw i8, ptr %13, i64 4
  %16 = load i32, ptr %15, align 4, !tbaa !12
  %17 = icmp slt i32 %14, %16
  br i1 %17, label %24, label %21

18:                                               ; preds = %60, %24
  %19 = phi i32 [ %25, %24 ], [ %63, %60 ]
  %20 = icmp eq i32 %27, %16
  br i1 %20, label %21, label %24, !llvm.loop !26

21:                                               ; preds = %18, %11
  %22 = phi i32 [ 0, %11 ], [ %19, %18 ]
  %23 = atomicrmw add ptr %2, i32 %22 seq_cst, align 4
  br label %67

24:                                               ; preds = %11, %18
  %25 = phi i32 [ %19, %18 ], [ 0, %11 ]
  %26 = phi i32 [ %27, %18 ], [ %14, %11 ]
  %27 = add nsw i32 %26, 1
  %28 = sext i32 %26 to i64
  %29 = getelementptr inbounds i32, ptr %1, i64 %28
  %30 = load i32, ptr %29, align 4, !tbaa !12
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds i32, ptr %0, i64 %31
  %33 = load i32, ptr %32, align 4, !tbaa !12
  %34 = getelementptr i8, ptr %32, i64 4
  %35 = load i32, ptr %34, align 4, !tbaa !12
  %36 = icmp slt i32 %27, %16
  %37 = icmp slt i32 %33, %35
  %38 = select i1 %36, i1 %37, i1 false
  br i1 %38, label %39, label %18

39:                                               ; preds = %24, %60
  %40 = phi i32 [ %63, %60 ], [ %25, %24 ]
  %41 = phi i32 [ %62, %60 ], [ %33, %24 ]
  %42 = phi i32 [ %61, %60 ], [ %27, %24 ]
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds i32, ptr %1, i64 %43
  %45 = load i32, ptr %44, align 4, !tbaa !12
  %46 = sext i32 %41 to i64
  %47 = getelementptr inbounds i32, ptr %1, i64 %46
  %48 = load i32, ptr %47, align 4, !tbaa !12
  %49 = icmp slt i32 %45, %48
  br i1 %49, label %50, label %52

50:                                               ; preds = %39
  %51 = add nsw i32 %42, 1
  br label %60

52:                                               ; preds = %39
  %53 = icmp sgt i32 %45, %48
  br i1 %53, label %54, label %56

54:                                               ; preds = %52
  %55 = add nsw i32 %41, 1
  br label %60

56:                                               ; preds = %52
  %57 = add nsw i32 %40, 1
  %58 = add nsw i32 %42, 1
  %59 = add nsw i32 %41, 1
  br label %60

60:                                               ; preds = %54, %56, %50
  %61 = phi i32 [ %51, %50 ], [ %42, %54 ], [ %58, %56 ]
  %62 = phi i32 [ %41, %50 ], [ %55, %54 ], [ %59, %56 ]
  %63 = phi i32 [ %40, %50 ], [ %40, %54 ], [ %57, %56 ]
  %64 = icmp slt i32 %61, %16
  %65 = icmp slt i32 %62, %35
  %66 = select i1 %64, i1 %65, i1 false
  br i1 %66, label %39, label %18, !llvm.loop !27

67:                                               ; preds = %4, %21
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define dso_local ptx_kernel void @multiply_rows(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef readonly captures(none) %2, ptr noundef readonly captures(none) %3, ptr noundef writeonly captures(none) %4, i32 noundef %5) local_unnamed_addr #3 {
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = mul nuw nsw i32 %7, %8
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = add nuw nsw i32 %9, %10
  %12 = lshr i32 %11, 5
  %13 = zext nneg i32 %12 to i64
  %14 = getelementptr inbounds nuw i32, ptr %0, i64 %13
  %15 = load i32, ptr %14, align 4, !tbaa !12
  %16 = and i32 %10, 31
  %17 = add nsw i32 %15, %16
  %18 = getelementptr inbounds nuw i8, ptr %14, i64 4
  %19 = load i32, ptr %18, align 4, !tbaa !12
  %20 = icmp slt i32 %17, %19
  br i1 %20, label %33, label %21

21:                                               ; preds = %33, %6
  %22 = phi float [ 0.000000e+00, %6 ], [ %45, %33 ]
  %23 = tail call contract noundef float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %22, i32 range(i32 1, -2147483648) 16, i32 31)
  %24 = fadd contract float %22, %23
  %25 = tail call contract noundef float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %24, i32 range(i32 1, -2147483648) 8, i32 31)
  %26 = fadd contract float %24, %25
  %27 = tail call contract noundef float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %26, i32 range(i32 1, -2147483648) 4, i32 31)
  %28 = fadd contract float %26, %27
  %29 = tail call contract noundef float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %28, i32 range(i32 1, -2147483648) 2, i32 31)
  %30 = fadd contract float %28, %29
  %31 = tail call contract noundef float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %30, i32 range(i32 1, -2147483648) 1, i32 31)
  %32 = icmp eq i32 %16, 0
  br i1 %32, label %48, label %51

33:                                               ; preds = %6, %33
  %34 = phi i32 [ %46, %33 ], [ %17, %6 ]
  %35 = phi float [ %45, %33 ], [ 0.000000e+00, %6 ]
  %36 = sext i32 %34 to i64
  %37 = getelementptr inbounds float, ptr %2, i64 %36
  %38 = load float, ptr %37, align 4, !tbaa !19
  %39 = getelementptr inbounds i32, ptr %1, i64 %36
  %40 = load i32, ptr %39, align 4, !tbaa !12
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds float, ptr %3, i64 %41
  %43 = load float, ptr %42, align 4, !tbaa !19
  %44 = fmul contract float %38, %43
  %45 = fadd contract float %35, %44
  %46 = add nsw i32 %34, 32
  %47 = icmp slt i32 %46, %19
  br i1 %47, label %33, label %21, !llvm.loop !28

48:                                               ; preds = %21
  %49 = fadd contract float %30, %31
  %50 = getelementptr inbounds nuw float, ptr %4, i64 %13
  store float %49, ptr %50, align 4, !tbaa !19
  br label %51

51:                                               ; preds = %48, %21
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @independent(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef readonly captures(none) %2, ptr noundef readonly captures(none) %3, ptr noundef writeonly captures(none) %4, i32 noundef %5) local_unnamed_addr #2 {
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = mul nuw nsw i32 %7, %8
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = add nuw nsw i32 %9, %10
  %12 = icmp slt i32 %11, %5
  br i1 %12, label %13, label %48

13:                                               ; preds = %6
  %14 = zext nneg i32 %11 to i64
  %15 = getelementptr inbounds nuw i32, ptr %3, i64 %14
  %16 = load i32, ptr %15, align 4, !tbaa !12
  %17 = icmp eq i32 %16, 0
  br i1 %17, label %18, label %45

18:                                               ; preds = %13
  %19 = getelementptr inbounds nuw i32, ptr %0, i64 %14
  %20 = load i32, ptr %19, align 4, !tbaa !12
  %21 = getelementptr inbounds nuw i8, ptr %19, i64 4
  %22 = load i32, ptr %21, align 4, !tbaa !12
  %23 = icmp slt i32 %20, %22
  br i1 %23, label %24, label %45

24:                                               ; preds = %18
  %25 = getelementptr inbounds nuw i32, ptr %2, i64 %14
  br label %26

26:                                               ; preds = %24, %41
  %27 = phi i32 [ %20, %24 ], [ %43, %41 ]
  %28 = phi i32 [ 1, %24 ], [ %42, %41 ]
  %29 = sext i32 %27 to i64
  %30 = getelementptr inbounds i32, ptr %1, i64 %29
  %31 = load i32, ptr %30, align 4, !tbaa !12
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds i32, ptr %3, i64 %32
  %34 = load i32, ptr %33, align 4, !tbaa !12
  switch i32 %34, label %41 [
    i32 1, label %45
    i32 0, label %35
  ]

35:                                               ; preds = %26
  %36 = getelementptr inbounds i32, ptr %2, i64 %32
  %37 = load i32, ptr %36, align 4, !tbaa !12
  %38 = load i32, ptr %25, align 4, !tbaa !12
  %39 = icmp sgt i32 %37, %38
  %40 = select i1 %39, i32 0, i32 %28
  br label %41

41:                                               ; preds = %35, %26
  %42 = phi i32 [ %28, %26 ], [ %40, %35 ]
  %43 = add i32 %27, 1
  %44 = icmp eq i32 %43, %22
  br i1 %44, label %45, label %26, !llvm.loop !29

45:                                               ; preds = %26, %41, %18, %13
  %46 = phi i32 [ %16, %13 ], [ 1, %18 ], [ %42, %41 ], [ 2, %26 ]
  %47 = getelementptr inbounds nuw i32, ptr %4, i64 %14
  store i32 %46, ptr %47, align 4, !tbaa !12
  br label %48

48:                                               ; preds = %6, %45
  ret void
}

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32) #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #5

attributes #0 = { mustprogress nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #3 = { convergent mustprogress noinline norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #4 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #5 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6, !7}
!llvm.module.flags = !{!8, !9, !10}
!llvm.ident = !{!11}

!0 = !{ptr @bfs}
!1 = !{ptr @relax}
!2 = !{ptr @rank_pages}
!3 = !{ptr @pull_ranks}
!4 = !{ptr @labels}
!5 = !{ptr @triangles}
!6 = !{ptr @multiply_rows}
!7 = !{ptr @independent}
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
!18 = distinct !{!18, !17}
!19 = !{!20, !20, i64 0}
!20 = !{!"float", !14, i64 0}
!21 = distinct !{!21, !17}
!22 = distinct !{!22, !17}
!23 = distinct !{!23, !24}
!24 = !{!"llvm.loop.unroll.disable"}
!25 = distinct !{!25, !17}
!26 = distinct !{!26, !17}
!27 = distinct !{!27, !17}
!28 = distinct !{!28, !17}
!29 = distinct !{!29, !17}
