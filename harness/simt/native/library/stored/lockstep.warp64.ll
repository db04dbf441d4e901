; Made by `nox -s library`.
; from: 4957daf892aced61d0e4a85228678bd2ccb05ea257fa7e43b2c0d603ed027151
; code: 71c523b3588a8d5f3327f22aee92a8b331ad22df727bb3109496143c27f7281a
define internal i32 @run_lanes(ptr %0, i1 %1, ptr %2, i64 %3, i1 %4, i64 %5, i64 %6, i64 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17, ptr %18, ptr %19, i64 %20, i64 %21, ptr %22) alwaysinline {
  %24 = alloca i64, align 8
  call void @llvm.lifetime.start.p0(ptr %24)
  store i64 0, ptr %24, align 8
  %25 = icmp ne i64 %21, 0
  tail call void @llvm.assume(i1 %25)
  br label %26
26:
  %27 = phi i32 [ -4, %23 ], [ %38, %34 ]
  %28 = phi i64 [ %21, %23 ], [ %40, %34 ]
  %29 = call i64 @llvm.cttz.i64(i64 %28, i1 true)
  %30 = add nsw i64 %29, %3
  %31 = call i32 %0(ptr %2, i64 %30, i1 %4, i64 %5, i64 %6, i64 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17, ptr %18, ptr %19, i64 %20, ptr %24)
  %32 = getelementptr inbounds nuw i32, ptr %22, i64 %29
  store i32 %31, ptr %32, align 4
  %33 = icmp eq i32 %31, -2
  br i1 %33, label %56, label %34
34:
  %35 = icmp eq i32 %27, -4
  %36 = icmp eq i32 %27, %31
  %37 = or i1 %35, %36
  %38 = select i1 %37, i32 %31, i32 -3
  %39 = add i64 %28, -1
  %40 = and i64 %39, %28
  %41 = icmp eq i64 %40, 0
  br i1 %41, label %42, label %26
42:
  %43 = load i64, ptr %24, align 8
  %44 = icmp eq i64 %43, 0
  %45 = xor i1 %1, true
  %46 = select i1 %45, i1 true, i1 %44
  %47 = call i64 @llvm.ctpop.i64(i64 %21)
  %48 = icmp eq i64 %43, %47
  %49 = select i1 %46, i1 true, i1 %48
  br i1 %49, label %56, label %50
50:
  %51 = getelementptr inbounds nuw i8, ptr %2, i64 416
  %52 = load ptr, ptr %51, align 8
  %53 = getelementptr inbounds nuw i8, ptr %52, i64 96
  %54 = load i64, ptr %53, align 8
  %55 = add nsw i64 %54, 1
  store i64 %55, ptr %53, align 8
  br label %56
56:
  %57 = phi i32 [ %38, %42 ], [ %38, %50 ], [ -2, %26 ]
  call void @llvm.lifetime.end.p0(ptr %24)
  ret i32 %57
}
define internal i32 @run_interval(ptr %0, i32 %1, i64 %2, i64 %3, i1 %4, i64 %5, i64 %6, i64 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17, ptr %18, ptr %19) {
  %21 = alloca <64 x i32>, align 64
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 416
  %23 = load ptr, ptr %22, align 8
  %24 = icmp eq i64 %2, 0
  br i1 %24, label %25, label %32
25:
  %26 = icmp eq i32 %1, 0
  br i1 %26, label %27, label %28
27:
  tail call void @begin_block(ptr %0)
  br label %32
28:
  %29 = tail call i32 @wait_of(i32 %1)
  %30 = icmp eq i32 %29, 0
  br i1 %30, label %31, label %32
31:
  tail call void @end_step(ptr %0)
  br label %32
32:
  %33 = add i64 %2, 64
  %34 = sub i64 %33, %3
  %35 = lshr i64 -1, %34
  %36 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %37 = load i64, ptr %36, align 8
  %38 = getelementptr inbounds nuw i8, ptr %23, i64 64
  %39 = load i64, ptr %38, align 8
  %40 = getelementptr inbounds nuw i8, ptr %23, i64 88
  %41 = load i64, ptr %40, align 8
  %42 = getelementptr inbounds nuw i8, ptr %23, i64 80
  %43 = load i64, ptr %42, align 8
  %44 = getelementptr inbounds nuw i8, ptr %23, i64 72
  %45 = load i64, ptr %44, align 8
  call void @llvm.lifetime.start.p0(ptr %21)
  store <64 x i32> splat (i32 2147483647), ptr %21, align 64
  %46 = icmp slt i64 %37, 2
  br i1 %46, label %116, label %47
47:
  %48 = phi i64 [ %58, %100 ], [ %37, %32 ]
  %49 = phi i32 [ %86, %100 ], [ %1, %32 ]
  %50 = phi i32 [ %85, %100 ], [ -1, %32 ]
  %51 = phi i32 [ %84, %100 ], [ 2147483647, %32 ]
  %52 = phi i64 [ %104, %100 ], [ 0, %32 ]
  %53 = phi i64 [ %83, %100 ], [ %35, %32 ]
  %54 = phi i64 [ %103, %100 ], [ %45, %32 ]
  %55 = phi i64 [ %102, %100 ], [ %43, %32 ]
  %56 = phi i64 [ %101, %100 ], [ %41, %32 ]
  %57 = phi i64 [ %59, %100 ], [ %39, %32 ]
  %58 = add nsw i64 %48, -1
  %59 = add nsw i64 %57, 1
  %60 = call i32 @run_set(ptr %0, i32 %49, i64 %2, i64 %3, i1 %4, i64 %5, i64 %6, i64 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17, ptr %18, ptr %19, i64 %59, i64 %53, ptr %21)
  %61 = icmp eq i32 %60, -2
  br i1 %61, label %116, label %62
62:
  %63 = icmp sgt i32 %60, -1
  %64 = call i32 @llvm.smin.i32(i32 %51, i32 1073741824)
  %65 = icmp slt i32 %60, %64
  %66 = and i1 %63, %65
  br i1 %66, label %82, label %67
67:
  %68 = load <64 x i32>, ptr %21, align 64
  %69 = call i32 @llvm.vector.reduce.smin.v64i32(<64 x i32> %68)
  %70 = insertelement <64 x i32> poison, i32 %69, i64 0
  %71 = shufflevector <64 x i32> %70, <64 x i32> poison, <64 x i32> zeroinitializer
  %72 = icmp eq <64 x i32> %68, %71
  %73 = bitcast <64 x i1> %72 to i64
  %74 = icmp sgt i32 %69, 1073741823
  br i1 %74, label %106, label %75
75:
  %76 = select <64 x i1> %72, <64 x i32> splat (i32 2147483647), <64 x i32> %68
  %77 = call i32 @llvm.vector.reduce.smin.v64i32(<64 x i32> %76)
  %78 = icmp eq <64 x i32> %68, splat (i32 2147483647)
  %79 = or <64 x i1> %78, %72
  %80 = select <64 x i1> %79, <64 x i32> splat (i32 -1), <64 x i32> %68
  %81 = call i32 @llvm.vector.reduce.smax.v64i32(<64 x i32> %80)
  br label %82
82:
  %83 = phi i64 [ %53, %62 ], [ %73, %75 ]
  %84 = phi i32 [ %51, %62 ], [ %77, %75 ]
  %85 = phi i32 [ %50, %62 ], [ %81, %75 ]
  %86 = phi i32 [ %60, %62 ], [ %69, %75 ]
  %87 = call i32 @end_of_loop(i32 %86)
  %88 = icmp sgt i32 %86, %49
  br i1 %88, label %97, label %89
89:
  %90 = add nsw i64 %52, 1
  %91 = add nsw i64 %56, 1
  %92 = call i64 @llvm.smax.i64(i64 %55, i64 %90)
  %93 = icmp sgt i32 %85, %87
  %94 = call i64 @llvm.smax.i64(i64 %54, i64 %90)
  %95 = select i1 %93, i64 %94, i64 %54
  %96 = icmp sgt i64 %52, 16777215
  br i1 %96, label %116, label %100
97:
  %98 = icmp slt i32 %87, 0
  %99 = select i1 %98, i64 0, i64 %52
  br label %100
100:
  %101 = phi i64 [ %56, %97 ], [ %91, %89 ]
  %102 = phi i64 [ %55, %97 ], [ %92, %89 ]
  %103 = phi i64 [ %54, %97 ], [ %95, %89 ]
  %104 = phi i64 [ %99, %97 ], [ %90, %89 ]
  %105 = icmp samesign ult i64 %48, 3
  br i1 %105, label %116, label %47
106:
  store i64 %58, ptr %36, align 8
  store i64 %59, ptr %38, align 8
  store i64 %56, ptr %40, align 8
  store i64 %55, ptr %42, align 8
  store i64 %54, ptr %44, align 8
  %107 = icmp eq i64 %35, %73
  br i1 %107, label %108, label %116
108:
  %109 = add nsw i32 %69, -1073741825
  %110 = icmp eq i32 %109, -1
  br i1 %110, label %111, label %116
111:
  %112 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %113 = load i64, ptr %112, align 8
  %114 = icmp eq i64 %3, %113
  br i1 %114, label %115, label %116
115:
  call void @end_block(ptr %0)
  br label %116
116:
  %117 = phi i32 [ -2, %106 ], [ -1, %115 ], [ %109, %108 ], [ -1, %111 ], [ -2, %32 ], [ -2, %89 ], [ -2, %47 ], [ -2, %100 ]
  call void @llvm.lifetime.end.p0(ptr %21)
  ret i32 %117
}
