; Made by `nox -s library`.
; from: c5aeafaed6007767093ea1175cd847856ac12f775bbf39c962eef963b354eb04
; code: db8b89877fbcb4a31eae785292f3f1343eb1a0c1f539a368cfafa1333d31e95e
define internal i32 @run_lanes(ptr %0, ptr %1, i64 %2, i64 %3, i1 %4, i64 %5, i64 %6, i64 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17, ptr %18, ptr %19, i32 %20, ptr %21) alwaysinline {
  br label %23
23:
  %24 = phi i64 [ %2, %22 ], [ %35, %34 ]
  %25 = sub nsw i64 %24, %2
  %26 = trunc i64 %25 to i32
  %27 = shl nuw i32 1, %26
  %28 = and i32 %27, %20
  %29 = icmp eq i32 %28, 0
  br i1 %29, label %34, label %30
30:
  %31 = tail call i32 %0(ptr %1, i64 %24, i1 %4, i64 %5, i64 %6, i64 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17, ptr %18, ptr %19)
  %32 = getelementptr inbounds i32, ptr %21, i64 %25
  store i32 %31, ptr %32, align 4
  %33 = icmp eq i32 %31, -2
  br i1 %33, label %37, label %34
34:
  %35 = add nsw i64 %24, 1
  %36 = icmp ult i64 %35, %3
  br i1 %36, label %23, label %37
37:
  %38 = phi i32 [ -2, %30 ], [ 0, %34 ]
  ret i32 %38
}
define internal i32 @run_interval(ptr %0, i32 %1, i64 %2, i64 %3, i1 %4, i64 %5, i64 %6, i64 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17, ptr %18, ptr %19) {
  %21 = alloca [32 x i32], align 16
  call void @llvm.lifetime.start.p0(ptr %21)
  %22 = tail call i32 @named_threads(i32 %1)
  %23 = icmp eq i32 %22, -1
  br i1 %23, label %24, label %55
24:
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %26 = load i64, ptr %25, align 8
  %27 = icmp ult i64 %26, 2
  br i1 %27, label %55, label %31
28:
  %29 = load i64, ptr %25, align 8
  %30 = icmp ult i64 %29, 2
  br i1 %30, label %55, label %31
31:
  %32 = phi i64 [ %29, %28 ], [ %26, %24 ]
  %33 = phi i32 [ %47, %28 ], [ -1, %24 ]
  %34 = phi i32 [ %43, %28 ], [ %1, %24 ]
  %35 = add nsw i64 %32, -1
  store i64 %35, ptr %25, align 8
  %36 = call i32 @run_part(ptr %0, i32 %34, i64 %2, i64 %3, i1 %4, i64 %5, i64 %6, i64 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17, ptr %18, ptr %19, i32 %33, ptr %21)
  %37 = icmp eq i32 %36, -2
  br i1 %37, label %55, label %38
38:
  %39 = load <32 x i32>, ptr %21, align 16
  br label %40
40:
  %41 = phi i64 [ 0, %38 ], [ %53, %52 ]
  %42 = getelementptr inbounds nuw i32, ptr %21, i64 %41
  %43 = load i32, ptr %42, align 4
  %44 = insertelement <32 x i32> poison, i32 %43, i64 0
  %45 = shufflevector <32 x i32> %44, <32 x i32> poison, <32 x i32> zeroinitializer
  %46 = icmp eq <32 x i32> %39, %45
  %47 = bitcast <32 x i1> %46 to i32
  %48 = icmp eq i32 %47, -1
  br i1 %48, label %55, label %49
49:
  %50 = call i32 @named_threads(i32 %43)
  %51 = icmp eq i32 %50, %47
  br i1 %51, label %28, label %52
52:
  %53 = add nuw nsw i64 %41, 1
  %54 = icmp eq i64 %53, 32
  br i1 %54, label %55, label %40
55:
  %56 = phi i32 [ -2, %52 ], [ -2, %20 ], [ -2, %24 ], [ %43, %40 ], [ -2, %31 ], [ -2, %28 ]
  call void @llvm.lifetime.end.p0(ptr %21)
  ret i32 %56
}
