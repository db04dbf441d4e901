; Made by `nox -s library`.
; from: 11f28bc5b5366aa0327ade164b752474b2e967fe6c1d6f3b455957b35a0b5a39
; code: 0e6f7bb1bd6e6f820ad44763f706387200ed39e3a5b208ae0704dab61b7a5e24
define internal void @count_shared_load(ptr %0, i64 %1, i64 %2, i64 %3, i32 %4, ptr %5) {
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %8 = getelementptr inbounds i32, ptr %7, i64 %1
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %10 = load i64, ptr %9, align 8
  %11 = or i64 %10, %3
  store i64 %11, ptr %9, align 8
  %12 = add i32 %4, 1
  %13 = getelementptr inbounds nuw i8, ptr %5, i64 128
  %14 = zext i32 %4 to i64
  %15 = getelementptr inbounds nuw i8, ptr %13, i64 %14
  %16 = getelementptr inbounds nuw i8, ptr %5, i64 32
  br label %17
17:
  %18 = phi i64 [ 0, %6 ], [ %34, %33 ]
  %19 = getelementptr inbounds nuw i32, ptr %8, i64 %18
  %20 = load i32, ptr %19, align 4
  %21 = and i32 %20, 1073741823
  %22 = icmp ne i32 %21, 0
  %23 = icmp ne i32 %21, %12
  %24 = and i1 %22, %23
  br i1 %24, label %25, label %26
25:
  store i8 1, ptr %15, align 1
  store i64 1, ptr %16, align 8
  br label %26
26:
  %27 = and i32 %20, 1073741824
  %28 = icmp eq i32 %27, 0
  br i1 %28, label %29, label %33
29:
  %30 = or disjoint i32 %20, 1073741824
  store i32 %30, ptr %19, align 4
  %31 = load i64, ptr %0, align 8
  %32 = add nsw i64 %31, 1
  store i64 %32, ptr %0, align 8
  br label %33
33:
  %34 = add nuw nsw i64 %18, 1
  %35 = icmp ult i64 %34, %2
  br i1 %35, label %17, label %36
36:
  ret void
}
define internal void @count_shared_store(ptr %0, i64 %1, i64 %2, i64 %3, i32 %4, ptr %5) {
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %8 = getelementptr inbounds i32, ptr %7, i64 %1
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %10 = load i64, ptr %9, align 8
  %11 = or i64 %10, %3
  store i64 %11, ptr %9, align 8
  %12 = add i32 %4, 1
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %14 = or i32 %12, -2147483648
  br label %15
15:
  %16 = phi i64 [ 0, %6 ], [ %25, %15 ]
  %17 = getelementptr inbounds nuw i32, ptr %8, i64 %16
  %18 = load i32, ptr %17, align 4
  %19 = and i32 %18, 1073741824
  %20 = or i32 %19, %14
  store i32 %20, ptr %17, align 4
  %21 = icmp sgt i32 %18, -1
  %22 = zext i1 %21 to i64
  %23 = load i64, ptr %13, align 8
  %24 = add nsw i64 %23, %22
  store i64 %24, ptr %13, align 8
  %25 = add nuw nsw i64 %16, 1
  %26 = icmp ult i64 %25, %2
  br i1 %26, label %15, label %27
27:
  ret void
}
define internal void @end_lane(ptr %0, ptr %1) alwaysinline {
  %3 = load <8 x i64>, ptr %0, align 8
  %4 = load <8 x i64>, ptr %1, align 8
  %5 = add <8 x i64> %4, %3
  store <8 x i64> %5, ptr %1, align 8
  %6 = getelementptr inbounds nuw i8, ptr %1, i64 64
  %7 = load <8 x i64>, ptr %6, align 8
  %8 = tail call <8 x i64> @llvm.smax.v8i64(<8 x i64> %7, <8 x i64> %3)
  store <8 x i64> %8, ptr %6, align 8
  store <8 x i64> zeroinitializer, ptr %0, align 8
  ret void
}
define internal void @begin_block(ptr %0) noinline {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 416
  %3 = load ptr, ptr %2, align 8
  tail call void @llvm.memset.p0.i64(ptr align 8 %3, i8 0, i64 40, i1 false)
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 128
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %6 = load i64, ptr %5, align 8
  %7 = shl nsw i64 %6, 1
  tail call void @llvm.memset.p0.i64(ptr align 1 %4, i8 0, i64 %7, i1 false)
  %8 = load ptr, ptr %0, align 8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %10 = load i64, ptr %9, align 8
  %11 = getelementptr inbounds { ptr, i64, i64, i64, ptr, i64, ptr, i64, i64, i64, i64, i64, i64, i64, i64, i64 }, ptr %8, i64 %10
  br label %12
12:
  %13 = phi ptr [ %8, %1 ], [ %29, %28 ]
  %14 = getelementptr inbounds nuw i8, ptr %13, i64 40
  %15 = load i64, ptr %14, align 8
  %16 = icmp eq i64 %15, 0
  br i1 %16, label %17, label %28
17:
  %18 = getelementptr inbounds nuw i8, ptr %13, i64 72
  %19 = load i64, ptr %18, align 8
  %20 = icmp eq i64 %19, 0
  br i1 %20, label %28, label %21
21:
  %22 = inttoptr i64 %19 to ptr
  %23 = getelementptr inbounds nuw i8, ptr %22, i64 16
  store i64 0, ptr %23, align 8
  %24 = getelementptr inbounds nuw i8, ptr %22, i64 8
  store i64 0, ptr %24, align 8
  store i64 0, ptr %22, align 8
  %25 = getelementptr inbounds nuw i8, ptr %22, i64 32
  %26 = getelementptr inbounds nuw i8, ptr %13, i64 80
  %27 = load i64, ptr %26, align 8
  tail call void @llvm.memset.p0.i64(ptr align 4 %25, i8 0, i64 %27, i1 false)
  br label %28
28:
  %29 = getelementptr inbounds nuw i8, ptr %13, i64 128
  %30 = icmp ult ptr %29, %11
  br i1 %30, label %12, label %31
31:
  ret void
}
define internal void @end_step(ptr %0) noinline {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 416
  %3 = load ptr, ptr %2, align 8
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 32
  %5 = load i64, ptr %4, align 8
  %6 = icmp eq i64 %5, 0
  br i1 %6, label %33, label %7
7:
  store i64 0, ptr %4, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %9 = load i64, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %3, i64 128
  %11 = getelementptr inbounds i8, ptr %10, i64 %9
  br label %12
12:
  %13 = phi i32 [ 0, %7 ], [ %21, %12 ]
  %14 = phi i64 [ 0, %7 ], [ %22, %12 ]
  %15 = getelementptr inbounds nuw i8, ptr %10, i64 %14
  %16 = load i8, ptr %15, align 1
  %17 = getelementptr inbounds nuw i8, ptr %11, i64 %14
  %18 = load i8, ptr %17, align 1
  %19 = and i8 %18, %16
  %20 = zext i8 %19 to i32
  %21 = or i32 %13, %20
  store i8 %16, ptr %17, align 1
  store i8 0, ptr %15, align 1
  %22 = add nuw nsw i64 %14, 1
  %23 = icmp ult i64 %22, %9
  br i1 %23, label %12, label %24
24:
  %25 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %26 = load i64, ptr %25, align 8
  %27 = icmp ne i64 %26, 0
  %28 = icmp eq i32 %21, 0
  %29 = and i1 %28, %27
  %30 = zext i1 %29 to i64
  %31 = getelementptr inbounds nuw i8, ptr %3, i64 24
  store i64 %30, ptr %31, align 8
  %32 = add nsw i64 %26, 1
  store i64 %32, ptr %25, align 8
  br label %33
33:
  ret void
}
define internal void @end_block(ptr %0) noinline {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 416
  %3 = load ptr, ptr %2, align 8
  tail call void @end_step(ptr %0)
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %5 = load i64, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %7 = load i64, ptr %6, align 8
  %8 = sub nsw i64 %7, %5
  store i64 %8, ptr %6, align 8
  %9 = load ptr, ptr %0, align 8
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %11 = load i64, ptr %10, align 8
  %12 = getelementptr inbounds { ptr, i64, i64, i64, ptr, i64, ptr, i64, i64, i64, i64, i64, i64, i64, i64, i64 }, ptr %9, i64 %11
  %13 = getelementptr inbounds nuw i8, ptr %3, i64 104
  %14 = getelementptr inbounds nuw i8, ptr %3, i64 8
  br label %15
15:
  %16 = phi ptr [ %9, %1 ], [ %53, %52 ]
  %17 = getelementptr inbounds nuw i8, ptr %16, i64 40
  %18 = load i64, ptr %17, align 8
  %19 = icmp eq i64 %18, 0
  br i1 %19, label %20, label %52
20:
  %21 = getelementptr inbounds nuw i8, ptr %16, i64 72
  %22 = load i64, ptr %21, align 8
  %23 = inttoptr i64 %22 to ptr
  %24 = icmp eq i64 %22, 0
  br i1 %24, label %52, label %25
25:
  %26 = getelementptr inbounds nuw i8, ptr %23, i64 16
  %27 = load i64, ptr %26, align 8
  %28 = icmp eq i64 %27, 0
  br i1 %28, label %52, label %29
29:
  %30 = sub nsw i64 0, %27
  %31 = and i64 %27, %30
  %32 = getelementptr inbounds nuw i8, ptr %23, i64 24
  %33 = load i64, ptr %32, align 8
  %34 = or i64 %33, %31
  store i64 %34, ptr %32, align 8
  %35 = add nsw i64 %34, -1
  %36 = and i64 %35, %34
  %37 = load i64, ptr %13, align 8
  %38 = or i64 %36, %37
  store i64 %38, ptr %13, align 8
  %39 = tail call i64 @llvm.cttz.i64(i64 %27, i1 true)
  %40 = load i64, ptr %23, align 8
  %41 = tail call i64 @cell_bytes()
  %42 = mul nsw i64 %41, %40
  %43 = lshr i64 %42, %39
  %44 = load i64, ptr %3, align 8
  %45 = add nsw i64 %43, %44
  store i64 %45, ptr %3, align 8
  %46 = getelementptr inbounds nuw i8, ptr %23, i64 8
  %47 = load i64, ptr %46, align 8
  %48 = mul nsw i64 %47, %41
  %49 = lshr i64 %48, %39
  %50 = load i64, ptr %14, align 8
  %51 = add nsw i64 %49, %50
  store i64 %51, ptr %14, align 8
  br label %52
52:
  %53 = getelementptr inbounds nuw i8, ptr %16, i64 128
  %54 = icmp ult ptr %53, %12
  br i1 %54, label %15, label %55
55:
  %56 = load i64, ptr %3, align 8
  %57 = getelementptr inbounds nuw i8, ptr %3, i64 40
  %58 = load i64, ptr %57, align 8
  %59 = tail call i64 @llvm.smax.i64(i64 %56, i64 %58)
  store i64 %59, ptr %57, align 8
  %60 = load i64, ptr %14, align 8
  %61 = getelementptr inbounds nuw i8, ptr %3, i64 48
  %62 = load i64, ptr %61, align 8
  %63 = tail call i64 @llvm.smax.i64(i64 %60, i64 %62)
  store i64 %63, ptr %61, align 8
  %64 = load i64, ptr %6, align 8
  %65 = getelementptr inbounds nuw i8, ptr %3, i64 56
  %66 = load i64, ptr %65, align 8
  %67 = tail call i64 @llvm.smax.i64(i64 %64, i64 %66)
  store i64 %67, ptr %65, align 8
  ret void
}
