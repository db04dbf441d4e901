; Made by `nox -s library`.
; from: 95b5ae673c86b42e6c069dd84c3866de0785e5566213dcaca07da0e7be205706
; code: 62eb44a5689cda1527bef9587da9defa9ff8aded1213a80db5a5a83ce93a7958
define internal i1 @load_cells(ptr %0, i64 %1, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, ptr %7, i32 %8) alwaysinline {
  %10 = zext i32 %8 to i64
  %11 = shl nuw i64 %10, 32
  %12 = zext i32 %2 to i64
  %13 = or disjoint i64 %11, %12
  %14 = or disjoint i64 %11, 65535
  %15 = icmp eq i64 %1, 0
  br i1 %15, label %35, label %16
16:
  %17 = phi i64 [ %33, %32 ], [ 0, %9 ]
  %18 = getelementptr inbounds nuw { { i32, i32 }, { i32, i32 } }, ptr %0, i64 %17
  %19 = getelementptr inbounds nuw i8, ptr %18, i64 8
  %20 = load i64, ptr %19, align 4
  %21 = icmp eq i64 %20, %13
  %22 = or i64 %20, 1
  %23 = icmp eq i64 %22, %14
  %24 = or i1 %21, %23
  br i1 %24, label %32, label %25
25:
  %26 = load i64, ptr %18, align 4
  %27 = or i64 %26, %20
  %28 = icmp eq i64 %27, 0
  br i1 %28, label %29, label %30
29:
  store i64 %13, ptr %19, align 4
  br label %32
30:
  %31 = tail call fastcc i1 @load_cell(ptr %18, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, ptr %7, i32 %8)
  br i1 %31, label %35, label %32
32:
  %33 = add nuw i64 %17, 1
  %34 = icmp ult i64 %33, %1
  br i1 %34, label %16, label %35
35:
  %36 = phi i1 [ false, %9 ], [ true, %30 ], [ false, %32 ]
  ret i1 %36
}
define internal fastcc i1 @load_cell(ptr %0, i32 %1, i32 %2, i32 %3, i32 %4, i32 %5, ptr %6, i32 %7) noinline {
  %9 = load i32, ptr %0, align 4
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %11 = load i32, ptr %10, align 4
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %13 = load i32, ptr %12, align 4
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %15 = load i32, ptr %14, align 4
  %16 = and i32 %13, 65535
  %17 = icmp ne i32 %9, %1
  %18 = icmp uge i32 %11, %2
  %19 = and i32 %9, 65535
  %20 = icmp samesign ugt i32 %19, 32767
  %21 = and i32 %9, 32767
  %22 = lshr i32 %19, 5
  %23 = select i1 %20, i32 %21, i32 %22
  %24 = lshr i32 %1, 5
  %25 = and i32 %24, 2047
  %26 = icmp ne i32 %23, %25
  %27 = icmp uge i32 %11, %7
  %28 = or i1 %27, %26
  %29 = and i1 %28, %17
  %30 = and i1 %29, %18
  %31 = icmp ne i32 %11, 0
  %32 = icmp ult i32 %11, %4
  %33 = and i1 %31, %32
  %34 = icmp eq i32 %19, 65535
  %35 = or i1 %34, %33
  %36 = or i1 %35, %30
  br i1 %36, label %96, label %37
37:
  %38 = and i32 %9, 65533
  %39 = icmp eq i32 %38, 65533
  %40 = icmp ult i32 %11, %3
  %41 = xor i32 %9, %1
  %42 = and i32 %41, 65535
  %43 = icmp eq i32 %42, 0
  %44 = or i1 %40, %43
  %45 = or i1 %44, %39
  %46 = icmp eq i32 %11, 0
  %47 = or i1 %45, %46
  %48 = or i1 %47, %18
  br i1 %48, label %53, label %49
49:
  %50 = icmp ult i32 %11, %5
  %51 = select i1 %50, i64 2, i64 0
  %52 = getelementptr inbounds nuw i8, ptr %6, i64 %51
  store i8 1, ptr %52, align 1
  br label %53
53:
  %54 = and i32 %13, 65533
  %55 = icmp ne i32 %54, 65533
  %56 = icmp ult i32 %15, %2
  %57 = icmp uge i32 %15, %3
  %58 = and i1 %56, %57
  %59 = xor i32 %13, %1
  %60 = and i32 %59, 65535
  %61 = icmp ne i32 %60, 0
  %62 = and i1 %55, %58
  %63 = and i1 %61, %62
  %64 = icmp ugt i32 %15, %11
  %65 = select i1 %63, i1 %64, i1 false
  %66 = lshr i32 %13, 16
  %67 = and i32 %66, 1
  %68 = select i1 %64, i32 %67, i32 0
  %69 = zext i1 %65 to i32
  %70 = or i32 %68, %69
  %71 = icmp eq i32 %70, 0
  %72 = select i1 %71, i32 0, i32 65536
  %73 = or i32 %72, %1
  %74 = and i32 %1, -65536
  %75 = or disjoint i32 %25, 32768
  %76 = icmp samesign ugt i32 %16, 32767
  %77 = and i32 %13, 32767
  %78 = lshr i32 %16, 5
  %79 = select i1 %76, i32 %77, i32 %78
  %80 = icmp eq i32 %79, %25
  %81 = select i1 %80, i32 %75, i32 65534
  %82 = or disjoint i32 %81, %74
  %83 = icmp uge i32 %15, %2
  %84 = icmp ne i32 %79, %25
  %85 = icmp uge i32 %15, %7
  %86 = or i1 %85, %84
  %87 = and i1 %83, %86
  %88 = and i1 %61, %87
  %89 = select i1 %88, i32 %82, i32 %73
  %90 = icmp ne i32 %15, 0
  %91 = icmp ult i32 %15, %4
  %92 = and i1 %90, %91
  %93 = icmp eq i32 %16, 65535
  %94 = or i1 %93, %92
  %95 = select i1 %94, i32 65535, i32 %89
  store i32 %95, ptr %12, align 4
  store i32 %7, ptr %14, align 4
  br label %96
96:
  ret i1 %36
}
define internal i1 @store_cells(ptr %0, i64 %1, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, ptr %7, i32 %8) alwaysinline {
  %10 = zext i32 %8 to i64
  %11 = shl nuw i64 %10, 32
  %12 = zext i32 %2 to i64
  %13 = or disjoint i64 %11, %12
  %14 = icmp eq i64 %1, 0
  br i1 %14, label %31, label %15
15:
  %16 = phi i64 [ %29, %28 ], [ 0, %9 ]
  %17 = getelementptr inbounds nuw { { i32, i32 }, { i32, i32 } }, ptr %0, i64 %16
  %18 = load i64, ptr %17, align 4
  %19 = icmp eq i64 %18, %13
  br i1 %19, label %28, label %20
20:
  %21 = getelementptr inbounds nuw i8, ptr %17, i64 8
  %22 = load i64, ptr %21, align 4
  %23 = or i64 %22, %18
  %24 = icmp eq i64 %23, 0
  br i1 %24, label %25, label %26
25:
  store i64 %13, ptr %17, align 4
  br label %28
26:
  %27 = tail call fastcc i1 @store_cell(ptr %17, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, ptr %7, i32 %8)
  br i1 %27, label %31, label %28
28:
  %29 = add nuw i64 %16, 1
  %30 = icmp ult i64 %29, %1
  br i1 %30, label %15, label %31
31:
  %32 = phi i1 [ false, %9 ], [ true, %26 ], [ false, %28 ]
  ret i1 %32
}
define internal fastcc i1 @store_cell(ptr %0, i32 %1, i32 %2, i32 %3, i32 %4, i32 %5, ptr %6, i32 %7) noinline {
  %9 = load i32, ptr %0, align 4
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %11 = load i32, ptr %10, align 4
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %13 = load i32, ptr %12, align 4
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %15 = load i32, ptr %14, align 4
  %16 = icmp ne i32 %9, %1
  %17 = icmp uge i32 %11, %2
  %18 = and i32 %9, 65535
  %19 = icmp samesign ugt i32 %18, 32767
  %20 = and i32 %9, 32767
  %21 = lshr i32 %18, 5
  %22 = select i1 %19, i32 %20, i32 %21
  %23 = lshr i32 %1, 5
  %24 = and i32 %23, 2047
  %25 = icmp ne i32 %22, %24
  %26 = icmp uge i32 %11, %7
  %27 = or i1 %26, %25
  %28 = and i1 %17, %27
  %29 = and i1 %16, %28
  %30 = icmp ne i32 %11, 0
  %31 = icmp ult i32 %11, %4
  %32 = and i1 %30, %31
  %33 = icmp eq i32 %18, 65535
  %34 = or i1 %33, %32
  %35 = or i1 %34, %29
  %36 = and i32 %13, 65535
  %37 = icmp ne i32 %36, %1
  %38 = icmp uge i32 %15, %2
  %39 = icmp samesign ugt i32 %36, 32767
  %40 = and i32 %13, 32767
  %41 = lshr i32 %36, 5
  %42 = select i1 %39, i32 %40, i32 %41
  %43 = icmp ne i32 %42, %24
  %44 = icmp uge i32 %15, %7
  %45 = or i1 %44, %43
  %46 = and i1 %38, %45
  %47 = and i1 %37, %46
  %48 = icmp ne i32 %15, 0
  %49 = icmp ult i32 %15, %4
  %50 = and i1 %48, %49
  %51 = icmp eq i32 %36, 65535
  %52 = or i1 %51, %50
  %53 = or i1 %52, %47
  %54 = or i1 %35, %53
  br i1 %54, label %93, label %55
55:
  %56 = and i32 %9, 65533
  %57 = icmp ne i32 %56, 65533
  %58 = icmp ult i32 %11, %2
  %59 = icmp uge i32 %11, %3
  %60 = and i1 %58, %59
  %61 = xor i32 %9, %1
  %62 = and i32 %61, 65535
  %63 = icmp ne i32 %62, 0
  %64 = and i1 %60, %63
  %65 = and i1 %57, %64
  %66 = and i32 %13, 65533
  %67 = icmp ne i32 %66, 65533
  %68 = icmp ult i32 %15, %2
  %69 = icmp uge i32 %15, %3
  %70 = and i1 %68, %69
  %71 = xor i32 %13, %1
  %72 = and i32 %71, 65535
  %73 = icmp ne i32 %72, 0
  %74 = and i1 %70, %73
  %75 = and i1 %67, %74
  %76 = select i1 %75, i32 %15, i32 0
  %77 = icmp ugt i32 %15, %11
  %78 = icmp eq i32 %76, 0
  %79 = select i1 %78, i1 %77, i1 false
  %80 = and i32 %13, 65536
  %81 = icmp ne i32 %80, 0
  %82 = select i1 %79, i1 %81, i1 false
  %83 = tail call i32 @llvm.umax.i32(i32 %11, i32 %76)
  %84 = select i1 %65, i32 %83, i32 %76
  %85 = icmp ne i32 %84, 0
  %86 = or i1 %85, %82
  br i1 %86, label %87, label %92
87:
  %88 = icmp ult i32 %84, %5
  %89 = select i1 %82, i64 1, i64 2
  %90 = select i1 %88, i64 %89, i64 0
  %91 = getelementptr inbounds nuw i8, ptr %6, i64 %90
  store i8 1, ptr %91, align 1
  br label %92
92:
  store i32 %1, ptr %0, align 4
  store i32 %7, ptr %10, align 4
  br label %93
93:
  ret i1 %54
}
define internal i1 @update_cells(ptr %0, i64 %1, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, ptr %7, i32 %8) alwaysinline {
  %10 = zext i32 %8 to i64
  %11 = shl nuw i64 %10, 32
  %12 = zext i32 %2 to i64
  %13 = or disjoint i64 %11, %12
  %14 = icmp eq i64 %1, 0
  br i1 %14, label %31, label %15
15:
  %16 = phi i64 [ %29, %28 ], [ 0, %9 ]
  %17 = getelementptr inbounds nuw { { i32, i32 }, { i32, i32 } }, ptr %0, i64 %16
  %18 = load i64, ptr %17, align 4
  %19 = icmp eq i64 %18, %13
  br i1 %19, label %28, label %20
20:
  %21 = getelementptr inbounds nuw i8, ptr %17, i64 8
  %22 = load i64, ptr %21, align 4
  %23 = or i64 %22, %18
  %24 = icmp eq i64 %23, 0
  br i1 %24, label %25, label %26
25:
  store i64 %13, ptr %17, align 4
  br label %28
26:
  %27 = tail call fastcc i1 @update_cell(ptr %17, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, ptr %7, i32 %8)
  br i1 %27, label %31, label %28
28:
  %29 = add nuw i64 %16, 1
  %30 = icmp ult i64 %29, %1
  br i1 %30, label %15, label %31
31:
  %32 = phi i1 [ false, %9 ], [ true, %26 ], [ false, %28 ]
  ret i1 %32
}
define internal fastcc i1 @update_cell(ptr %0, i32 %1, i32 %2, i32 %3, i32 %4, i32 %5, ptr %6, i32 %7) noinline {
  %9 = load i32, ptr %0, align 4
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %11 = load i32, ptr %10, align 4
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %13 = load i32, ptr %12, align 4
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %15 = load i32, ptr %14, align 4
  %16 = xor i32 %9, %1
  %17 = and i32 %16, 2147418112
  %18 = icmp ne i32 %17, 0
  %19 = icmp ne i32 %9, %1
  %20 = icmp uge i32 %11, %2
  %21 = and i32 %9, 65535
  %22 = icmp samesign ugt i32 %21, 32767
  %23 = and i32 %9, 32767
  %24 = lshr i32 %21, 5
  %25 = select i1 %22, i32 %23, i32 %24
  %26 = lshr i32 %1, 5
  %27 = and i32 %26, 2047
  %28 = icmp ne i32 %25, %27
  %29 = icmp uge i32 %11, %7
  %30 = or i1 %29, %28
  %31 = and i1 %20, %30
  %32 = and i1 %19, %31
  %33 = icmp ne i32 %11, 0
  %34 = icmp ult i32 %11, %4
  %35 = and i1 %33, %34
  %36 = icmp eq i32 %21, 65535
  %37 = or i1 %36, %35
  %38 = or i1 %37, %32
  %39 = or i32 %9, %1
  %40 = icmp ne i32 %4, 0
  %41 = or i1 %40, %20
  %42 = icmp slt i32 %39, 0
  %43 = and i1 %42, %41
  %44 = and i1 %33, %41
  %45 = or i1 %18, %43
  %46 = and i1 %45, %38
  %47 = and i32 %13, 65535
  %48 = icmp ne i32 %47, %1
  %49 = icmp uge i32 %15, %2
  %50 = icmp samesign ugt i32 %47, 32767
  %51 = and i32 %13, 32767
  %52 = lshr i32 %47, 5
  %53 = select i1 %50, i32 %51, i32 %52
  %54 = icmp ne i32 %53, %27
  %55 = icmp uge i32 %15, %7
  %56 = or i1 %55, %54
  %57 = and i1 %49, %56
  %58 = and i1 %48, %57
  %59 = icmp ne i32 %15, 0
  %60 = icmp ult i32 %15, %4
  %61 = and i1 %59, %60
  %62 = icmp eq i32 %47, 65535
  %63 = or i1 %62, %61
  %64 = or i1 %63, %58
  %65 = or i1 %46, %64
  br i1 %65, label %116, label %66
66:
  %67 = and i32 %9, 65533
  %68 = icmp ne i32 %67, 65533
  %69 = icmp ult i32 %11, %2
  %70 = icmp uge i32 %11, %3
  %71 = and i1 %69, %70
  %72 = and i32 %16, 65535
  %73 = icmp ne i32 %72, 0
  %74 = and i1 %68, %71
  %75 = and i1 %73, %74
  %76 = and i32 %13, 65533
  %77 = icmp ne i32 %76, 65533
  %78 = icmp ult i32 %15, %2
  %79 = icmp uge i32 %15, %3
  %80 = and i1 %78, %79
  %81 = xor i32 %13, %1
  %82 = and i32 %81, 65535
  %83 = icmp ne i32 %82, 0
  %84 = and i1 %80, %83
  %85 = and i1 %77, %84
  %86 = select i1 %85, i32 %15, i32 0
  %87 = icmp ugt i32 %15, %11
  %88 = icmp eq i32 %86, 0
  %89 = select i1 %88, i1 %87, i1 false
  %90 = and i32 %13, 65536
  %91 = icmp ne i32 %90, 0
  %92 = select i1 %89, i1 %91, i1 false
  %93 = tail call i32 @llvm.umax.i32(i32 %11, i32 %86)
  %94 = select i1 %75, i32 %93, i32 %86
  %95 = icmp ne i32 %94, 0
  %96 = or i1 %95, %92
  br i1 %96, label %97, label %102
97:
  %98 = icmp ult i32 %94, %5
  %99 = select i1 %92, i64 1, i64 2
  %100 = select i1 %98, i64 %99, i64 0
  %101 = getelementptr inbounds nuw i8, ptr %6, i64 %100
  store i8 1, ptr %101, align 1
  br label %102
102:
  %103 = and i32 %1, -65536
  %104 = or disjoint i32 %27, 32768
  %105 = icmp eq i32 %25, %27
  %106 = select i1 %105, i32 %104, i32 65534
  %107 = or disjoint i32 %106, %103
  %108 = and i1 %73, %31
  %109 = select i1 %108, i32 %107, i32 %1
  %110 = or i32 %1, 65535
  %111 = select i1 %37, i32 %110, i32 %109
  %112 = and i1 %18, %44
  %113 = or i1 %43, %112
  %114 = select i1 %113, i32 -2147483648, i32 0
  %115 = or i32 %111, %114
  store i32 %115, ptr %0, align 4
  store i32 %7, ptr %10, align 4
  br label %116
116:
  ret i1 %65
}
