; Made by `nox -s library`.
; from: 7b212d9e6c37d8b4f5ed9c948f5c5b575daa6fc80540f61c13421cd11c535268
; code: 23cf0c7248d834256843a23a313175680ac8b81d898dae9b8197e618b4392586
define internal void @count_bank_conflicts(ptr %0, ptr %1, i64 %2, i64 %3, i64 %4, i64 %5, i64 %6, i1 %7) noinline {
  %9 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %10 = getelementptr inbounds nuw i8, ptr %1, i64 152
  %11 = load i64, ptr %1, align 8
  %12 = icmp eq i64 %11, %2
  %13 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %14 = load i64, ptr %13, align 8
  %15 = icmp eq i64 %14, %3
  %16 = and i1 %12, %15
  br i1 %16, label %19, label %17
17:
  store i64 %2, ptr %1, align 8
  store i64 %3, ptr %13, align 8
  %18 = getelementptr inbounds nuw i8, ptr %1, i64 16
  store i64 %6, ptr %18, align 8
  tail call void @llvm.memset.p0.i64(ptr align 4 %9, i8 0, i64 128, i1 false)
  br label %19
19:
  %20 = add nsw i64 %5, %4
  %21 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 8
  br label %23
23:
  %24 = phi i64 [ %4, %19 ], [ %54, %53 ]
  %25 = and i64 %24, 31
  %26 = getelementptr inbounds nuw i32, ptr %9, i64 %25
  %27 = load i32, ptr %26, align 4
  %28 = shl nuw nsw i64 %25, 7
  %29 = getelementptr inbounds nuw i8, ptr %10, i64 %28
  %30 = trunc i64 %24 to i32
  %31 = icmp eq i32 %27, 0
  %32 = select i1 %7, i1 true, i1 %31
  br i1 %32, label %43, label %33
33:
  %34 = zext i32 %27 to i64
  br label %38
35:
  %36 = add nuw nsw i64 %39, 1
  %37 = icmp samesign ult i64 %36, %34
  br i1 %37, label %38, label %43
38:
  %39 = phi i64 [ 0, %33 ], [ %36, %35 ]
  %40 = getelementptr inbounds nuw i32, ptr %29, i64 %39
  %41 = load i32, ptr %40, align 4
  %42 = icmp eq i32 %41, %30
  br i1 %42, label %53, label %35
43:
  %44 = add i32 %27, 1
  %45 = zext i32 %27 to i64
  %46 = getelementptr inbounds nuw i32, ptr %29, i64 %45
  store i32 %30, ptr %46, align 4
  store i32 %44, ptr %26, align 4
  %47 = zext i32 %44 to i64
  %48 = load i64, ptr %21, align 8
  %49 = icmp ult i64 %48, %47
  br i1 %49, label %50, label %53
50:
  store i64 %47, ptr %21, align 8
  %51 = load i64, ptr %22, align 8
  %52 = add nsw i64 %51, 1
  store i64 %52, ptr %22, align 8
  br label %53
53:
  %54 = add nsw i64 %24, 1
  %55 = icmp eq i64 %54, %20
  br i1 %55, label %56, label %23
56:
  ret void
}
