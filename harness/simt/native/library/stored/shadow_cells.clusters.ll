; Made by `nox -s library`.
; from: e96847a86fa822d46c88a4d427994a04ab813b225dfc6f409c9f182af0a03c3b
; code: 9aa91b4fe919c7e1d6dc0e0bcd696f2a835260a639c07efa02900fed4325adb3
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
  %27 = tail call fastcc i1 @load_cell(ptr %19, i32 %2, i32 %3, i32 %4, i32 %5, i32 %8, i32 %9, i32 %10)
  br i1 %27, label %31, label %28
28:
  %29 = add nuw i64 %18, 1
  %30 = icmp ult i64 %29, %1
  br i1 %30, label %17, label %31
31:
  %32 = phi i1 [ false, %11 ], [ false, %28 ], [ true, %26 ]
  ret i1 %32
}
define internal fastcc i1 @load_cell(ptr %0, i32 %1, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, i32 %7) noinline {
  %9 = load i32, ptr %0, align 4
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %11 = load i32, ptr %10, align 4
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %13 = load i32, ptr %12, align 4
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %15 = load i32, ptr %14, align 4
  %16 = and i32 %13, 65535
  %17 = icmp ne i32 %9, %1
  %18 = icmp eq i32 %11, %2
  %19 = and i1 %17, %18
  %20 = icmp ult i32 %11, %3
  %21 = and i32 %9, 65535
  %22 = icmp eq i32 %21, 65533
  %23 = or i1 %22, %20
  %24 = xor i32 %9, %1
  %25 = and i32 %24, 65535
  %26 = icmp ne i32 %25, 0
  %27 = icmp uge i32 %11, %6
  %28 = and i1 %27, %23
  %29 = icmp eq i32 %11, %7
  %30 = or i1 %29, %28
  %31 = and i1 %26, %30
  %32 = or i1 %19, %31
  %33 = icmp ne i32 %11, 0
  %34 = icmp ult i32 %11, %4
  %35 = and i1 %33, %34
  %36 = icmp eq i32 %21, 65535
  %37 = or i1 %36, %35
  %38 = or i1 %37, %32
  br i1 %38, label %76, label %39
39:
  %40 = and i32 %1, -65536
  %41 = icmp ult i32 %15, %3
  %42 = icmp eq i32 %16, 65533
  %43 = or i1 %42, %41
  %44 = xor i32 %13, %1
  %45 = and i32 %44, 65535
  %46 = icmp ne i32 %45, 0
  %47 = icmp uge i32 %15, %6
  %48 = and i1 %47, %43
  %49 = icmp eq i32 %15, %7
  %50 = or i1 %49, %48
  %51 = and i1 %46, %50
  br i1 %51, label %52, label %54
52:
  %53 = or disjoint i32 %40, 65533
  br label %65
54:
  %55 = icmp ule i32 %15, %11
  %56 = and i32 %13, 65536
  %57 = icmp eq i32 %56, 0
  %58 = or i1 %55, %57
  %59 = select i1 %58, i32 0, i32 65536
  %60 = or i32 %59, %1
  %61 = icmp eq i32 %15, %2
  %62 = and i1 %61, %46
  %63 = or disjoint i32 %40, 65534
  %64 = select i1 %62, i32 %63, i32 %60
  br label %65
65:
  %66 = phi i32 [ %53, %52 ], [ %64, %54 ]
  %67 = icmp ne i32 %15, 0
  %68 = icmp ult i32 %15, %4
  %69 = and i1 %67, %68
  %70 = icmp eq i32 %16, 65535
  %71 = or i1 %70, %69
  %72 = select i1 %71, i32 65535, i32 %66
  store i32 %72, ptr %12, align 4
  %73 = icmp eq i32 %15, %6
  %74 = and i1 %73, %51
  %75 = select i1 %74, i32 %6, i32 %5
  store i32 %75, ptr %14, align 4
  br label %76
76:
  ret i1 %38
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
  %27 = tail call fastcc i1 @store_cell(ptr %19, i32 %2, i32 %3, i32 %4, i32 %5, i32 %8, i32 %9, i32 %10)
  br i1 %27, label %31, label %28
28:
  %29 = add nuw i64 %18, 1
  %30 = icmp ult i64 %29, %1
  br i1 %30, label %17, label %31
31:
  %32 = phi i1 [ false, %11 ], [ false, %28 ], [ true, %26 ]
  ret i1 %32
}
define internal fastcc i1 @store_cell(ptr %0, i32 %1, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, i32 %7) noinline {
  %9 = load i32, ptr %0, align 4
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %11 = load i32, ptr %10, align 4
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %13 = load i32, ptr %12, align 4
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %15 = load i32, ptr %14, align 4
  %16 = icmp ne i32 %9, %1
  %17 = icmp eq i32 %11, %2
  %18 = and i1 %16, %17
  %19 = icmp ult i32 %11, %3
  %20 = and i32 %9, 65535
  %21 = icmp eq i32 %20, 65533
  %22 = or i1 %21, %19
  %23 = xor i32 %9, %1
  %24 = and i32 %23, 65535
  %25 = icmp ne i32 %24, 0
  %26 = icmp uge i32 %11, %6
  %27 = and i1 %26, %22
  %28 = icmp eq i32 %11, %7
  %29 = or i1 %28, %27
  %30 = and i1 %25, %29
  %31 = or i1 %18, %30
  %32 = icmp ne i32 %11, 0
  %33 = icmp ult i32 %11, %4
  %34 = and i1 %32, %33
  %35 = icmp eq i32 %20, 65535
  %36 = or i1 %35, %34
  %37 = or i1 %36, %31
  %38 = and i32 %13, 65535
  %39 = icmp ne i32 %38, %1
  %40 = icmp eq i32 %15, %2
  %41 = and i1 %39, %40
  %42 = icmp ult i32 %15, %3
  %43 = icmp eq i32 %38, 65533
  %44 = or i1 %43, %42
  %45 = xor i32 %13, %1
  %46 = and i32 %45, 65535
  %47 = icmp ne i32 %46, 0
  %48 = icmp uge i32 %15, %6
  %49 = and i1 %48, %44
  %50 = icmp eq i32 %15, %7
  %51 = or i1 %50, %49
  %52 = and i1 %47, %51
  %53 = or i1 %41, %52
  %54 = icmp ne i32 %15, 0
  %55 = icmp ult i32 %15, %4
  %56 = and i1 %54, %55
  %57 = icmp eq i32 %38, 65535
  %58 = or i1 %57, %56
  %59 = or i1 %58, %53
  %60 = or i1 %37, %59
  br i1 %60, label %62, label %61
61:
  store i32 %1, ptr %0, align 4
  store i32 %5, ptr %10, align 4
  br label %62
62:
  ret i1 %60
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
  %27 = tail call fastcc i1 @update_cell(ptr %19, i32 %2, i32 %3, i32 %4, i32 %5, i32 %8, i32 %9, i32 %10)
  br i1 %27, label %31, label %28
28:
  %29 = add nuw i64 %18, 1
  %30 = icmp ult i64 %29, %1
  br i1 %30, label %17, label %31
31:
  %32 = phi i1 [ false, %11 ], [ false, %28 ], [ true, %26 ]
  ret i1 %32
}
define internal fastcc i1 @update_cell(ptr %0, i32 %1, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, i32 %7) noinline {
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
  %20 = icmp eq i32 %11, %2
  %21 = and i1 %19, %20
  %22 = icmp ult i32 %11, %3
  %23 = and i32 %9, 65535
  %24 = icmp eq i32 %23, 65533
  %25 = or i1 %24, %22
  %26 = and i32 %16, 65535
  %27 = icmp ne i32 %26, 0
  %28 = icmp uge i32 %11, %6
  %29 = and i1 %28, %25
  %30 = icmp eq i32 %11, %7
  %31 = or i1 %30, %29
  %32 = and i1 %27, %31
  %33 = or i1 %21, %32
  %34 = icmp ne i32 %11, 0
  %35 = icmp ult i32 %11, %4
  %36 = and i1 %34, %35
  %37 = icmp eq i32 %23, 65535
  %38 = or i1 %37, %36
  %39 = or i1 %38, %33
  %40 = or i1 %28, %30
  %41 = lshr i32 %9, 31
  %42 = select i1 %40, i32 %41, i32 0
  %43 = or i1 %38, %32
  %44 = and i1 %18, %39
  %45 = zext i1 %44 to i32
  %46 = select i1 %43, i32 %42, i32 0
  %47 = or i32 %46, %45
  %48 = and i32 %13, 65535
  %49 = icmp ne i32 %48, %1
  %50 = icmp eq i32 %15, %2
  %51 = and i1 %49, %50
  %52 = icmp ult i32 %15, %3
  %53 = icmp eq i32 %48, 65533
  %54 = or i1 %53, %52
  %55 = xor i32 %13, %1
  %56 = and i32 %55, 65535
  %57 = icmp ne i32 %56, 0
  %58 = icmp uge i32 %15, %6
  %59 = and i1 %58, %54
  %60 = icmp eq i32 %15, %7
  %61 = or i1 %60, %59
  %62 = and i1 %57, %61
  %63 = or i1 %51, %62
  %64 = icmp ne i32 %15, 0
  %65 = icmp ult i32 %15, %4
  %66 = and i1 %64, %65
  %67 = icmp eq i32 %48, 65535
  %68 = or i1 %67, %66
  %69 = or i1 %68, %63
  %70 = zext i1 %69 to i32
  %71 = or i32 %47, %70
  %72 = icmp ne i32 %71, 0
  br i1 %72, label %91, label %73
73:
  %74 = and i32 %1, -65536
  %75 = or disjoint i32 %74, 65533
  %76 = and i1 %20, %27
  %77 = or disjoint i32 %74, 65534
  %78 = select i1 %76, i32 %77, i32 %1
  %79 = select i1 %32, i32 %75, i32 %78
  %80 = or i32 %1, 65535
  %81 = select i1 %38, i32 %80, i32 %79
  %82 = and i1 %40, %18
  %83 = zext i1 %82 to i32
  %84 = or i32 %42, %83
  %85 = icmp eq i32 %84, 0
  %86 = select i1 %85, i32 0, i32 -2147483648
  %87 = or i32 %81, %86
  store i32 %87, ptr %0, align 4
  %88 = icmp eq i32 %11, %6
  %89 = and i1 %88, %32
  %90 = select i1 %89, i32 %6, i32 %5
  store i32 %90, ptr %10, align 4
  br label %91
91:
  ret i1 %72
}
