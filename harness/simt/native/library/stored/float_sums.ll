; Made by `nox -s library`.
; from: fa7b7568acd3fc92c21a49c59404ec694cc3b5d80fdab90a18f0b4485de8baad
; code: 55e77023c885fd2a4a0f3342363202277153ed183726a2e5fd99c40375c00057
define internal i1 @note_float_sum(ptr %0, float %1, float %2) alwaysinline {
  %4 = bitcast float %1 to i32
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 352
  %6 = lshr i32 %4, 23
  %7 = and i32 %6, 255
  %8 = icmp eq i32 %7, 255
  br i1 %8, label %52, label %9
9:
  %10 = and i32 %4, 8388607
  %11 = icmp eq i32 %7, 0
  %12 = or disjoint i32 %10, 8388608
  %13 = select i1 %11, i32 %10, i32 %12
  %14 = icmp eq i32 %13, 0
  br i1 %14, label %22, label %15
15:
  %16 = tail call i32 @llvm.umax.i32(i32 %7, i32 1)
  %17 = tail call i32 @llvm.cttz.i32(i32 %13, i1 true)
  %18 = add nuw nsw i32 %17, %16
  %19 = zext nneg i32 %18 to i64
  %20 = load i64, ptr %5, align 8
  %21 = tail call i64 @llvm.smin.i64(i64 %20, i64 %19)
  store i64 %21, ptr %5, align 8
  br label %22
22:
  %23 = bitcast float %2 to i32
  %24 = lshr i32 %23, 23
  %25 = and i32 %24, 255
  %26 = icmp eq i32 %25, 255
  br i1 %26, label %52, label %27
27:
  %28 = and i32 %23, 8388607
  %29 = icmp eq i32 %25, 0
  %30 = or disjoint i32 %28, 8388608
  %31 = select i1 %29, i32 %28, i32 %30
  %32 = icmp eq i32 %31, 0
  br i1 %32, label %40, label %33
33:
  %34 = tail call i32 @llvm.umax.i32(i32 %25, i32 1)
  %35 = tail call i32 @llvm.cttz.i32(i32 %31, i1 true)
  %36 = add nuw nsw i32 %35, %34
  %37 = zext nneg i32 %36 to i64
  %38 = load i64, ptr %5, align 8
  %39 = tail call i64 @llvm.smin.i64(i64 %38, i64 %37)
  store i64 %39, ptr %5, align 8
  br label %40
40:
  %41 = tail call float @llvm.fabs.f32(float %2)
  %42 = fpext float %41 to double
  %43 = tail call float @llvm.fabs.f32(float %1)
  %44 = fpext float %43 to double
  %45 = getelementptr inbounds nuw i8, ptr %0, i64 360
  %46 = load double, ptr %45, align 8
  %47 = fadd double %46, %44
  store double %47, ptr %45, align 8
  %48 = getelementptr inbounds nuw i8, ptr %0, i64 368
  %49 = load double, ptr %48, align 8
  %50 = fcmp olt double %49, %42
  br i1 %50, label %51, label %52
51:
  store double %42, ptr %48, align 8
  br label %52
52:
  %53 = phi i1 [ true, %3 ], [ false, %40 ], [ false, %51 ], [ true, %22 ]
  ret i1 %53
}
define internal i1 @note_double_sum(ptr %0, double %1, double %2) alwaysinline {
  %4 = bitcast double %1 to i64
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 376
  %6 = lshr i64 %4, 52
  %7 = and i64 %6, 2047
  %8 = icmp eq i64 %7, 2047
  br i1 %8, label %48, label %9
9:
  %10 = and i64 %4, 4503599627370495
  %11 = icmp eq i64 %7, 0
  %12 = or disjoint i64 %10, 4503599627370496
  %13 = select i1 %11, i64 %10, i64 %12
  %14 = icmp eq i64 %13, 0
  br i1 %14, label %21, label %15
15:
  %16 = tail call i64 @llvm.umax.i64(i64 %7, i64 1)
  %17 = tail call i64 @llvm.cttz.i64(i64 %13, i1 true)
  %18 = add nuw nsw i64 %17, %16
  %19 = load i64, ptr %5, align 8
  %20 = tail call i64 @llvm.smin.i64(i64 %18, i64 %19)
  store i64 %20, ptr %5, align 8
  br label %21
21:
  %22 = bitcast double %2 to i64
  %23 = lshr i64 %22, 52
  %24 = and i64 %23, 2047
  %25 = icmp eq i64 %24, 2047
  br i1 %25, label %48, label %26
26:
  %27 = and i64 %22, 4503599627370495
  %28 = icmp eq i64 %24, 0
  %29 = or disjoint i64 %27, 4503599627370496
  %30 = select i1 %28, i64 %27, i64 %29
  %31 = icmp eq i64 %30, 0
  br i1 %31, label %38, label %32
32:
  %33 = tail call i64 @llvm.umax.i64(i64 %24, i64 1)
  %34 = tail call i64 @llvm.cttz.i64(i64 %30, i1 true)
  %35 = add nuw nsw i64 %34, %33
  %36 = load i64, ptr %5, align 8
  %37 = tail call i64 @llvm.smin.i64(i64 %35, i64 %36)
  store i64 %37, ptr %5, align 8
  br label %38
38:
  %39 = tail call double @llvm.fabs.f64(double %2)
  %40 = tail call double @llvm.fabs.f64(double %1)
  %41 = getelementptr inbounds nuw i8, ptr %0, i64 384
  %42 = load double, ptr %41, align 8
  %43 = fadd double %40, %42
  store double %43, ptr %41, align 8
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 392
  %45 = load double, ptr %44, align 8
  %46 = fcmp ogt double %39, %45
  br i1 %46, label %47, label %48
47:
  store double %39, ptr %44, align 8
  br label %48
48:
  %49 = phi i1 [ true, %3 ], [ false, %38 ], [ false, %47 ], [ true, %21 ]
  ret i1 %49
}
