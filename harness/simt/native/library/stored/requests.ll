; Made by `nox -s library`.
; from: 70ce542deb324604cb6a29beaff205cc13a0aa810c15e1a2a7a4ebd845e7d5fe
; code: dba37a2b0657e0108548d4a17cf083daeb51277d7074b83ff1422f4eaff7187c
define internal void @count_request(ptr %0, ptr %1, i64 %2, i64 %3, i64 %4) alwaysinline {
  %6 = load i64, ptr %1, align 8
  %7 = icmp eq i64 %6, %2
  %8 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %9 = load i64, ptr %8, align 8
  %10 = icmp eq i64 %3, %9
  %11 = and i1 %7, %10
  %12 = icmp eq i64 %4, %9
  %13 = and i1 %12, %11
  br i1 %13, label %15, label %14
14:
  tail call fastcc void @add_sectors(ptr %0, ptr %1, i64 %2, i64 %3, i64 %4)
  br label %15
15:
  ret void
}
define internal fastcc void @add_sectors(ptr %0, ptr %1, i64 %2, i64 %3, i64 %4) noinline {
  %6 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %7 = load i64, ptr %1, align 8
  %8 = icmp eq i64 %7, %2
  br i1 %8, label %12, label %9
9:
  store i64 %2, ptr %1, align 8
  %10 = getelementptr inbounds nuw i8, ptr %1, i64 8
  store i64 -1, ptr %10, align 8
  %11 = getelementptr inbounds nuw i8, ptr %1, i64 16
  store i64 0, ptr %11, align 8
  br label %12
12:
  %13 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %14 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 8
  br label %16
16:
  %17 = phi i64 [ %3, %12 ], [ %37, %36 ]
  %18 = load i64, ptr %13, align 8
  %19 = icmp sgt i64 %17, %18
  %20 = load i64, ptr %14, align 8
  br i1 %19, label %29, label %21
21:
  %22 = phi i64 [ %25, %24 ], [ %20, %16 ]
  %23 = icmp sgt i64 %22, 0
  br i1 %23, label %24, label %29
24:
  %25 = add nsw i64 %22, -1
  %26 = getelementptr inbounds nuw i64, ptr %6, i64 %25
  %27 = load i64, ptr %26, align 8
  %28 = icmp eq i64 %27, %17
  br i1 %28, label %36, label %21
29:
  %30 = add nsw i64 %20, 1
  store i64 %30, ptr %14, align 8
  %31 = getelementptr inbounds i64, ptr %6, i64 %20
  store i64 %17, ptr %31, align 8
  %32 = load i64, ptr %13, align 8
  %33 = tail call i64 @llvm.smax.i64(i64 %17, i64 %32)
  store i64 %33, ptr %13, align 8
  %34 = load i64, ptr %15, align 8
  %35 = add nsw i64 %34, 1
  store i64 %35, ptr %15, align 8
  br label %36
36:
  %37 = add nsw i64 %17, 1
  %38 = icmp slt i64 %17, %4
  br i1 %38, label %16, label %39
39:
  ret void
}
