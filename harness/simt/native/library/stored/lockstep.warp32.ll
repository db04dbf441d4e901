; Made by `nox -s library`.
; from: d17ccc48435713bd46b2d8ae26119f8255ec39dc8fc9658a11c6dc80fe9337e8
; code: acc4f42f2e24d71110ef58cf582a01189e3fc925325e5a0a82daea333ad3fc8a
define internal i32 @run_lanes(ptr %0, i1 %1, ptr %2, i64 %3, i1 %4, i64 %5, i64 %6, i64 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17, ptr %18, ptr %19, i64 %20, i32 %21, ptr %22) alwaysinline {
  %24 = alloca i64, align 8
  call void @llvm.lifetime.start.p0(ptr %24)
  store i64 0, ptr %24, align 8
  %25 = icmp ne i32 %21, 0
  tail call void @llvm.assume(i1 %25)
  br label %26
26:
  %27 = phi i32 [ -4, %23 ], [ %39, %35 ]
  %28 = phi i32 [ %21, %23 ], [ %41, %35 ]
  %29 = call i32 @llvm.cttz.i32(i32 %28, i1 true)
  %30 = zext nneg i32 %29 to i64
  %31 = add nsw i64 %3, %30
  %32 = call i32 %0(ptr %2, i64 %31, i1 %4, i64 %5, i64 %6, i64 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17, ptr %18, ptr %19, i64 %20, ptr %24)
  %33 = getelementptr inbounds nuw i32, ptr %22, i64 %30
  store i32 %32, ptr %33, align 4
  %34 = icmp eq i32 %32, -2
  br i1 %34, label %58, label %35
35:
  %36 = icmp eq i32 %27, -4
  %37 = icmp eq i32 %27, %32
  %38 = or i1 %36, %37
  %39 = select i1 %38, i32 %32, i32 -3
  %40 = add i32 %28, -1
  %41 = and i32 %40, %28
  %42 = icmp eq i32 %41, 0
  br i1 %42, label %43, label %26
43:
  %44 = load i64, ptr %24, align 8
  %45 = icmp eq i64 %44, 0
  %46 = xor i1 %1, true
  %47 = select i1 %46, i1 true, i1 %45
  %48 = call i32 @llvm.ctpop.i32(i32 %21)
  %49 = zext nneg i32 %48 to i64
  %50 = icmp eq i64 %44, %49
  %51 = select i1 %47, i1 true, i1 %50
  br i1 %51, label %58, label %52
52:
  %53 = getelementptr inbounds nuw i8, ptr %2, i64 416
  %54 = load ptr, ptr %53, align 8
  %55 = getelementptr inbounds nuw i8, ptr %54, i64 96
  %56 = load i64, ptr %55, align 8
  %57 = add nsw i64 %56, 1
  store i64 %57, ptr %55, align 8
  br label %58
58:
  %59 = phi i32 [ %39, %43 ], [ %39, %52 ], [ -2, %26 ]
  call void @llvm.lifetime.end.p0(ptr %24)
  ret i32 %59
}
define internal i32 @run_interval(ptr %0, i32 %1, i64 %2, i64 %3, i1 %4, i64 %5, i64 %6, i64 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17, ptr %18, ptr %19) {
  %21 = alloca <32 x i32>, align 64
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
  %33 = sub i64 %2, %3
  %34 = trunc i64 %33 to i32
  %35 = add i32 %34, 32
  %36 = lshr i32 -1, %35
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %38 = load i64, ptr %37, align 8
  %39 = getelementptr inbounds nuw i8, ptr %23, i64 64
  %40 = load i64, ptr %39, align 8
  %41 = getelementptr inbounds nuw i8, ptr %23, i64 88
  %42 = load i64, ptr %41, align 8
  %43 = getelementptr inbounds nuw i8, ptr %23, i64 80
  %44 = load i64, ptr %43, align 8
  %45 = getelementptr inbounds nuw i8, ptr %23, i64 72
  %46 = load i64, ptr %45, align 8
  call void @llvm.lifetime.start.p0(ptr %21)
  store <32 x i32> splat (i32 2147483647), ptr %21, align 64
  %47 = icmp slt i64 %38, 2
  br i1 %47, label %117, label %48
48:
  %49 = phi i64 [ %59, %101 ], [ %38, %32 ]
  %50 = phi i32 [ %87, %101 ], [ %1, %32 ]
  %51 = phi i32 [ %86, %101 ], [ -1, %32 ]
  %52 = phi i32 [ %85, %101 ], [ 2147483647, %32 ]
  %53 = phi i64 [ %105, %101 ], [ 0, %32 ]
  %54 = phi i32 [ %84, %101 ], [ %36, %32 ]
  %55 = phi i64 [ %104, %101 ], [ %46, %32 ]
  %56 = phi i64 [ %103, %101 ], [ %44, %32 ]
  %57 = phi i64 [ %102, %101 ], [ %42, %32 ]
  %58 = phi i64 [ %60, %101 ], [ %40, %32 ]
  %59 = add nsw i64 %49, -1
  %60 = add nsw i64 %58, 1
  %61 = call i32 @run_set(ptr %0, i32 %50, i64 %2, i64 %3, i1 %4, i64 %5, i64 %6, i64 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17, ptr %18, ptr %19, i64 %60, i32 %54, ptr %21)
  %62 = icmp eq i32 %61, -2
  br i1 %62, label %117, label %63
63:
  %64 = icmp sgt i32 %61, -1
  %65 = call i32 @llvm.smin.i32(i32 %52, i32 1073741824)
  %66 = icmp slt i32 %61, %65
  %67 = and i1 %64, %66
  br i1 %67, label %83, label %68
68:
  %69 = load <32 x i32>, ptr %21, align 64
  %70 = call i32 @llvm.vector.reduce.smin.v32i32(<32 x i32> %69)
  %71 = insertelement <32 x i32> poison, i32 %70, i64 0
  %72 = shufflevector <32 x i32> %71, <32 x i32> poison, <32 x i32> zeroinitializer
  %73 = icmp eq <32 x i32> %69, %72
  %74 = bitcast <32 x i1> %73 to i32
  %75 = icmp sgt i32 %70, 1073741823
  br i1 %75, label %107, label %76
76:
  %77 = select <32 x i1> %73, <32 x i32> splat (i32 2147483647), <32 x i32> %69
  %78 = call i32 @llvm.vector.reduce.smin.v32i32(<32 x i32> %77)
  %79 = icmp eq <32 x i32> %69, splat (i32 2147483647)
  %80 = or <32 x i1> %79, %73
  %81 = select <32 x i1> %80, <32 x i32> splat (i32 -1), <32 x i32> %69
  %82 = call i32 @llvm.vector.reduce.smax.v32i32(<32 x i32> %81)
  br label %83
83:
  %84 = phi i32 [ %54, %63 ], [ %74, %76 ]
  %85 = phi i32 [ %52, %63 ], [ %78, %76 ]
  %86 = phi i32 [ %51, %63 ], [ %82, %76 ]
  %87 = phi i32 [ %61, %63 ], [ %70, %76 ]
  %88 = call i32 @end_of_loop(i32 %87)
  %89 = icmp sgt i32 %87, %50
  br i1 %89, label %98, label %90
90:
  %91 = add nsw i64 %53, 1
  %92 = add nsw i64 %57, 1
  %93 = call i64 @llvm.smax.i64(i64 %56, i64 %91)
  %94 = icmp sgt i32 %86, %88
  %95 = call i64 @llvm.smax.i64(i64 %55, i64 %91)
  %96 = select i1 %94, i64 %95, i64 %55
  %97 = icmp sgt i64 %53, 16777215
  br i1 %97, label %117, label %101
98:
  %99 = icmp slt i32 %88, 0
  %100 = select i1 %99, i64 0, i64 %53
  br label %101
101:
  %102 = phi i64 [ %57, %98 ], [ %92, %90 ]
  %103 = phi i64 [ %56, %98 ], [ %93, %90 ]
  %104 = phi i64 [ %55, %98 ], [ %96, %90 ]
  %105 = phi i64 [ %100, %98 ], [ %91, %90 ]
  %106 = icmp samesign ult i64 %49, 3
  br i1 %106, label %117, label %48
107:
  store i64 %59, ptr %37, align 8
  store i64 %60, ptr %39, align 8
  store i64 %57, ptr %41, align 8
  store i64 %56, ptr %43, align 8
  store i64 %55, ptr %45, align 8
  %108 = icmp eq i32 %36, %74
  br i1 %108, label %109, label %117
109:
  %110 = add nsw i32 %70, -1073741825
  %111 = icmp eq i32 %110, -1
  br i1 %111, label %112, label %117
112:
  %113 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %114 = load i64, ptr %113, align 8
  %115 = icmp eq i64 %3, %114
  br i1 %115, label %116, label %117
116:
  call void @end_block(ptr %0)
  br label %117
117:
  %118 = phi i32 [ -2, %107 ], [ -1, %116 ], [ %110, %109 ], [ -1, %112 ], [ -2, %32 ], [ -2, %90 ], [ -2, %48 ], [ -2, %101 ]
  call void @llvm.lifetime.end.p0(ptr %21)
  ret i32 %118
}
