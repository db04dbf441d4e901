; Made by `nox -s library`.
; from: 6f926f804c657d33db5b90533ded1aba7a006d006e34b75fac236378fbd8fcd8
; code: 1ec5b02729e6f213802b839316407fca19ffe3109c11dc2df45c9ce3c7db8a0e
define internal i1 @load_cells(ptr %0, i64 %1, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, ptr %7, i32 %8, i32 %9, i32 %10) alwaysinline {
  %12 = zext i32 %8 to i64
  %13 = shl nuw i64 %12, 32
  %14 = zext i32 %2 to i64
  %15 = or disjoint i64 %13, %14
  %16 = icmp eq i64 %1, 0
  br i1 %16, label %31, label %17
17:
  %18 = phi i64 [ %29, %28 ], [ 0, %11 ]
  %19 = getelementptr inbounds nuw { { i32, i32 }, { i32, i32 } }, ptr %0, i64 %18
  %20 = getelementptr inbounds nuw i8, ptr %19, i64 8
  %21 = load i64, ptr %20, align 4
  %22 = load i64, ptr %19, align 4
  %23 = or i64 %22, %21
  %24 = icmp eq i64 %23, 0
  br i1 %24, label %25, label %26
25:
  store i64 %15, ptr %20, align 4
  br label %28
26:
  %27 = tail call fastcc i1 @load_cell(ptr %19, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, ptr %7, i32 %8, i32 %9, i32 %10)
  br i1 %27, label %31, label %28
28:
  %29 = add nuw i64 %18, 1
  %30 = icmp ult i64 %29, %1
  br i1 %30, label %17, label %31
31:
  %32 = phi i1 [ false, %11 ], [ false, %28 ], [ true, %26 ]
  ret i1 %32
}
define internal fastcc i1 @load_cell(ptr %0, i32 %1, i32 %2, i32 %3, i32 %4, i32 %5, ptr %6, i32 %7, i32 %8, i32 %9) noinline {
  %11 = load i32, ptr %0, align 4
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %13 = load i32, ptr %12, align 4
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %15 = load i32, ptr %14, align 4
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %17 = load i32, ptr %16, align 4
  %18 = and i32 %15, 65535
  %19 = icmp ne i32 %11, %1
  %20 = icmp eq i32 %13, %2
  %21 = and i1 %19, %20
  %22 = icmp ult i32 %13, %3
  %23 = and i32 %11, 65535
  %24 = icmp eq i32 %23, 65533
  %25 = or i1 %24, %22
  %26 = xor i32 %11, %1
  %27 = and i32 %26, 65535
  %28 = icmp ne i32 %27, 0
  %29 = icmp uge i32 %13, %8
  %30 = and i1 %29, %25
  %31 = icmp eq i32 %13, %9
  %32 = or i1 %31, %30
  %33 = and i1 %28, %32
  %34 = or i1 %21, %33
  %35 = icmp ne i32 %13, 0
  %36 = icmp ult i32 %13, %4
  %37 = and i1 %35, %36
  %38 = icmp eq i32 %23, 65535
  %39 = or i1 %38, %37
  %40 = or i1 %39, %34
  br i1 %40, label %102, label %41
41:
  %42 = and i32 %11, 65533
  %43 = icmp ne i32 %42, 65533
  %44 = icmp ult i32 %13, %2
  %45 = icmp uge i32 %13, %3
  %46 = and i1 %44, %45
  %47 = and i1 %43, %46
  %48 = and i1 %35, %47
  %49 = and i1 %28, %48
  br i1 %49, label %50, label %54
50:
  %51 = icmp ult i32 %13, %5
  %52 = select i1 %51, i64 2, i64 0
  %53 = getelementptr inbounds nuw i8, ptr %6, i64 %52
  store i8 1, ptr %53, align 1
  br label %54
54:
  %55 = xor i32 %15, %1
  %56 = and i32 %55, 65535
  %57 = icmp ne i32 %56, 0
  %58 = and i32 %1, -65536
  %59 = icmp ult i32 %17, %3
  %60 = icmp eq i32 %18, 65533
  %61 = or i1 %60, %59
  %62 = icmp uge i32 %17, %8
  %63 = and i1 %62, %61
  %64 = icmp eq i32 %17, %9
  %65 = or i1 %64, %63
  %66 = and i1 %57, %65
  br i1 %66, label %67, label %69
67:
  %68 = or disjoint i32 %58, 65533
  br label %91
69:
  %70 = icmp ugt i32 %17, %13
  %71 = lshr i32 %15, 16
  %72 = and i32 %71, 1
  %73 = select i1 %70, i32 %72, i32 0
  %74 = icmp ult i32 %17, %2
  %75 = icmp uge i32 %17, %3
  %76 = and i1 %74, %75
  %77 = and i32 %15, 65533
  %78 = icmp ne i32 %77, 65533
  %79 = and i1 %78, %76
  %80 = and i1 %57, %79
  %81 = select i1 %80, i1 %70, i1 false
  %82 = zext i1 %81 to i32
  %83 = or i32 %73, %82
  %84 = icmp eq i32 %83, 0
  %85 = select i1 %84, i32 0, i32 65536
  %86 = or i32 %85, %1
  %87 = icmp eq i32 %17, %2
  %88 = and i1 %87, %57
  %89 = or disjoint i32 %58, 65534
  %90 = select i1 %88, i32 %89, i32 %86
  br label %91
91:
  %92 = phi i32 [ %68, %67 ], [ %90, %69 ]
  %93 = icmp ne i32 %17, 0
  %94 = icmp ult i32 %17, %4
  %95 = and i1 %93, %94
  %96 = icmp eq i32 %18, 65535
  %97 = or i1 %96, %95
  %98 = select i1 %97, i32 65535, i32 %92
  store i32 %98, ptr %14, align 4
  %99 = icmp eq i32 %17, %8
  %100 = and i1 %99, %66
  %101 = select i1 %100, i32 %8, i32 %7
  store i32 %101, ptr %16, align 4
  br label %102
102:
  ret i1 %40
}
define internal i1 @store_cells(ptr %0, i64 %1, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, ptr %7, i32 %8, i32 %9, i32 %10) alwaysinline {
  %12 = zext i32 %8 to i64
  %13 = shl nuw i64 %12, 32
  %14 = zext i32 %2 to i64
  %15 = or disjoint i64 %13, %14
  %16 = icmp eq i64 %1, 0
  br i1 %16, label %31, label %17
17:
  %18 = phi i64 [ %29, %28 ], [ 0, %11 ]
  %19 = getelementptr inbounds nuw { { i32, i32 }, { i32, i32 } }, ptr %0, i64 %18
  %20 = load i64, ptr %19, align 4
  %21 = getelementptr inbounds nuw i8, ptr %19, i64 8
  %22 = load i64, ptr %21, align 4
  %23 = or i64 %22, %20
  %24 = icmp eq i64 %23, 0
  br i1 %24, label %25, label %26
25:
  store i64 %15, ptr %19, align 4
  br label %28
26:
  %27 = tail call fastcc i1 @store_cell(ptr %19, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, ptr %7, i32 %8, i32 %9, i32 %10)
  br i1 %27, label %31, label %28
28:
  %29 = add nuw i64 %18, 1
  %30 = icmp ult i64 %29, %1
  br i1 %30, label %17, label %31
31:
  %32 = phi i1 [ false, %11 ], [ false, %28 ], [ true, %26 ]
  ret i1 %32
}
define internal fastcc i1 @store_cell(ptr %0, i32 %1, i32 %2, i32 %3, i32 %4, i32 %5, ptr %6, i32 %7, i32 %8, i32 %9) noinline {
  %11 = load i32, ptr %0, align 4
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %13 = load i32, ptr %12, align 4
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %15 = load i32, ptr %14, align 4
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %17 = load i32, ptr %16, align 4
  %18 = icmp ne i32 %11, %1
  %19 = icmp eq i32 %13, %2
  %20 = and i1 %18, %19
  %21 = icmp ult i32 %13, %3
  %22 = and i32 %11, 65535
  %23 = icmp eq i32 %22, 65533
  %24 = or i1 %23, %21
  %25 = xor i32 %11, %1
  %26 = and i32 %25, 65535
  %27 = icmp ne i32 %26, 0
  %28 = icmp uge i32 %13, %8
  %29 = and i1 %28, %24
  %30 = icmp eq i32 %13, %9
  %31 = or i1 %30, %29
  %32 = and i1 %27, %31
  %33 = or i1 %20, %32
  %34 = icmp ne i32 %13, 0
  %35 = icmp ult i32 %13, %4
  %36 = and i1 %34, %35
  %37 = icmp eq i32 %22, 65535
  %38 = or i1 %37, %36
  %39 = or i1 %38, %33
  %40 = and i32 %15, 65535
  %41 = icmp ne i32 %40, %1
  %42 = icmp eq i32 %17, %2
  %43 = and i1 %41, %42
  %44 = icmp ult i32 %17, %3
  %45 = icmp eq i32 %40, 65533
  %46 = or i1 %45, %44
  %47 = xor i32 %15, %1
  %48 = and i32 %47, 65535
  %49 = icmp ne i32 %48, 0
  %50 = icmp uge i32 %17, %8
  %51 = and i1 %50, %46
  %52 = icmp eq i32 %17, %9
  %53 = or i1 %52, %51
  %54 = and i1 %49, %53
  %55 = or i1 %43, %54
  %56 = icmp ne i32 %17, 0
  %57 = icmp ult i32 %17, %4
  %58 = and i1 %56, %57
  %59 = icmp eq i32 %40, 65535
  %60 = or i1 %59, %58
  %61 = or i1 %60, %55
  %62 = or i1 %39, %61
  br i1 %62, label %95, label %63
63:
  %64 = and i32 %11, 65533
  %65 = icmp ne i32 %64, 65533
  %66 = icmp ult i32 %13, %2
  %67 = icmp uge i32 %13, %3
  %68 = and i1 %66, %67
  %69 = and i1 %65, %68
  %70 = and i1 %27, %69
  %71 = and i32 %15, 65533
  %72 = icmp ne i32 %71, 65533
  %73 = icmp ult i32 %17, %2
  %74 = icmp uge i32 %17, %3
  %75 = and i1 %73, %74
  %76 = and i1 %75, %72
  %77 = and i1 %76, %49
  %78 = select i1 %77, i32 %17, i32 0
  %79 = icmp ugt i32 %17, %13
  %80 = icmp eq i32 %78, 0
  %81 = select i1 %80, i1 %79, i1 false
  %82 = and i32 %15, 65536
  %83 = icmp ne i32 %82, 0
  %84 = select i1 %81, i1 %83, i1 false
  %85 = tail call i32 @llvm.umax.i32(i32 %13, i32 %78)
  %86 = select i1 %70, i32 %85, i32 %78
  %87 = icmp ne i32 %86, 0
  %88 = or i1 %87, %84
  br i1 %88, label %89, label %94
89:
  %90 = icmp ult i32 %86, %5
  %91 = select i1 %84, i64 1, i64 2
  %92 = select i1 %90, i64 %91, i64 0
  %93 = getelementptr inbounds nuw i8, ptr %6, i64 %92
  store i8 1, ptr %93, align 1
  br label %94
94:
  store i32 %1, ptr %0, align 4
  store i32 %7, ptr %12, align 4
  br label %95
95:
  ret i1 %62
}
define internal i1 @update_cells(ptr %0, i64 %1, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, ptr %7, i32 %8, i32 %9, i32 %10) alwaysinline {
  %12 = zext i32 %8 to i64
  %13 = shl nuw i64 %12, 32
  %14 = zext i32 %2 to i64
  %15 = or disjoint i64 %13, %14
  %16 = icmp eq i64 %1, 0
  br i1 %16, label %31, label %17
17:
  %18 = phi i64 [ %29, %28 ], [ 0, %11 ]
  %19 = getelementptr inbounds nuw { { i32, i32 }, { i32, i32 } }, ptr %0, i64 %18
  %20 = load i64, ptr %19, align 4
  %21 = getelementptr inbounds nuw i8, ptr %19, i64 8
  %22 = load i64, ptr %21, align 4
  %23 = or i64 %22, %20
  %24 = icmp eq i64 %23, 0
  br i1 %24, label %25, label %26
25:
  store i64 %15, ptr %19, align 4
  br label %28
26:
  %27 = tail call fastcc i1 @update_cell(ptr %19, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, ptr %7, i32 %8, i32 %9, i32 %10)
  br i1 %27, label %31, label %28
28:
  %29 = add nuw i64 %18, 1
  %30 = icmp ult i64 %29, %1
  br i1 %30, label %17, label %31
31:
  %32 = phi i1 [ false, %11 ], [ false, %28 ], [ true, %26 ]
  ret i1 %32
}
define internal fastcc i1 @update_cell(ptr %0, i32 %1, i32 %2, i32 %3, i32 %4, i32 %5, ptr %6, i32 %7, i32 %8, i32 %9) noinline {
  %11 = load i32, ptr %0, align 4
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %13 = load i32, ptr %12, align 4
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %15 = load i32, ptr %14, align 4
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %17 = load i32, ptr %16, align 4
  %18 = xor i32 %11, %1
  %19 = and i32 %18, 2147418112
  %20 = icmp ne i32 %19, 0
  %21 = icmp ne i32 %11, %1
  %22 = icmp eq i32 %13, %2
  %23 = and i1 %21, %22
  %24 = icmp ult i32 %13, %3
  %25 = and i32 %11, 65535
  %26 = icmp eq i32 %25, 65533
  %27 = or i1 %26, %24
  %28 = and i32 %18, 65535
  %29 = icmp ne i32 %28, 0
  %30 = icmp uge i32 %13, %8
  %31 = and i1 %30, %27
  %32 = icmp eq i32 %13, %9
  %33 = or i1 %32, %31
  %34 = and i1 %29, %33
  %35 = or i1 %23, %34
  %36 = icmp ne i32 %13, 0
  %37 = icmp ult i32 %13, %4
  %38 = and i1 %36, %37
  %39 = icmp eq i32 %25, 65535
  %40 = or i1 %39, %38
  %41 = or i1 %40, %35
  %42 = or i1 %30, %32
  %43 = lshr i32 %11, 31
  %44 = select i1 %42, i32 %43, i32 0
  %45 = or i1 %40, %34
  %46 = and i1 %20, %41
  %47 = zext i1 %46 to i32
  %48 = select i1 %45, i32 %44, i32 0
  %49 = or i32 %48, %47
  %50 = and i32 %15, 65535
  %51 = icmp ne i32 %50, %1
  %52 = icmp eq i32 %17, %2
  %53 = and i1 %51, %52
  %54 = icmp ult i32 %17, %3
  %55 = icmp eq i32 %50, 65533
  %56 = or i1 %55, %54
  %57 = xor i32 %15, %1
  %58 = and i32 %57, 65535
  %59 = icmp ne i32 %58, 0
  %60 = icmp uge i32 %17, %8
  %61 = and i1 %60, %56
  %62 = icmp eq i32 %17, %9
  %63 = or i1 %62, %61
  %64 = and i1 %59, %63
  %65 = or i1 %53, %64
  %66 = icmp ne i32 %17, 0
  %67 = icmp ult i32 %17, %4
  %68 = and i1 %66, %67
  %69 = icmp eq i32 %50, 65535
  %70 = or i1 %69, %68
  %71 = or i1 %70, %65
  %72 = zext i1 %71 to i32
  %73 = or i32 %49, %72
  %74 = icmp ne i32 %73, 0
  br i1 %74, label %124, label %75
75:
  %76 = and i32 %11, 65533
  %77 = icmp ne i32 %76, 65533
  %78 = icmp ult i32 %13, %2
  %79 = icmp uge i32 %13, %3
  %80 = and i1 %78, %79
  %81 = and i1 %77, %80
  %82 = and i1 %29, %81
  %83 = and i32 %15, 65533
  %84 = icmp ne i32 %83, 65533
  %85 = icmp ult i32 %17, %2
  %86 = icmp uge i32 %17, %3
  %87 = and i1 %85, %86
  %88 = and i1 %87, %84
  %89 = and i1 %88, %59
  %90 = select i1 %89, i32 %17, i32 0
  %91 = icmp ugt i32 %17, %13
  %92 = icmp eq i32 %90, 0
  %93 = select i1 %92, i1 %91, i1 false
  %94 = and i32 %15, 65536
  %95 = icmp ne i32 %94, 0
  %96 = select i1 %93, i1 %95, i1 false
  %97 = tail call i32 @llvm.umax.i32(i32 %13, i32 %90)
  %98 = select i1 %82, i32 %97, i32 %90
  %99 = icmp ne i32 %98, 0
  %100 = or i1 %99, %96
  br i1 %100, label %101, label %106
101:
  %102 = icmp ult i32 %98, %5
  %103 = select i1 %96, i64 1, i64 2
  %104 = select i1 %102, i64 %103, i64 0
  %105 = getelementptr inbounds nuw i8, ptr %6, i64 %104
  store i8 1, ptr %105, align 1
  br label %106
106:
  %107 = and i32 %1, -65536
  %108 = or disjoint i32 %107, 65533
  %109 = and i1 %22, %29
  %110 = or disjoint i32 %107, 65534
  %111 = select i1 %109, i32 %110, i32 %1
  %112 = select i1 %34, i32 %108, i32 %111
  %113 = or i32 %1, 65535
  %114 = select i1 %40, i32 %113, i32 %112
  %115 = and i1 %42, %20
  %116 = zext i1 %115 to i32
  %117 = or i32 %44, %116
  %118 = icmp eq i32 %117, 0
  %119 = select i1 %118, i32 0, i32 -2147483648
  %120 = or i32 %114, %119
  store i32 %120, ptr %0, align 4
  %121 = icmp eq i32 %13, %8
  %122 = and i1 %121, %34
  %123 = select i1 %122, i32 %8, i32 %7
  store i32 %123, ptr %12, align 4
  br label %124
124:
  ret i1 %74
}
