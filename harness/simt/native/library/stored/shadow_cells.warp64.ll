; Made by `nox -s library`.
; from: 04baf8fd24a3426db264dcb5bf8e89cc1241e2fb347caac8faef27d393482777
; code: 57e5dd49d2550254ef16125f078c0ae52731938500e9b6dfc168ddb912360bf4
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
  %31 = tail call fastcc i1 @load_cell(ptr %18, i32 %2, i32 %3, i32 %5, i32 %8)
  br i1 %31, label %35, label %32
32:
  %33 = add nuw i64 %17, 1
  %34 = icmp ult i64 %33, %1
  br i1 %34, label %16, label %35
35:
  %36 = phi i1 [ false, %9 ], [ true, %30 ], [ false, %32 ]
  ret i1 %36
}
define internal fastcc i1 @load_cell(ptr %0, i32 %1, i32 %2, i32 %3, i32 %4) noinline {
  %6 = load i32, ptr %0, align 4
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %8 = load i32, ptr %7, align 4
  %9 = icmp ne i32 %6, %1
  %10 = icmp uge i32 %8, %2
  %11 = and i32 %6, 65535
  %12 = icmp samesign ugt i32 %11, 32767
  %13 = and i32 %6, 32767
  %14 = lshr i32 %11, 6
  %15 = select i1 %12, i32 %13, i32 %14
  %16 = lshr i32 %1, 6
  %17 = and i32 %16, 1023
  %18 = icmp ne i32 %15, %17
  %19 = icmp uge i32 %8, %4
  %20 = or i1 %19, %18
  %21 = and i1 %10, %20
  %22 = and i1 %9, %21
  %23 = icmp ne i32 %8, 0
  %24 = icmp ult i32 %8, %3
  %25 = and i1 %23, %24
  %26 = icmp eq i32 %11, 65535
  %27 = or i1 %26, %25
  %28 = or i1 %27, %22
  br i1 %28, label %66, label %29
29:
  %30 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %31 = load i32, ptr %30, align 4
  %32 = and i32 %31, 65535
  %33 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %34 = load i32, ptr %33, align 4
  %35 = icmp ule i32 %34, %8
  %36 = and i32 %31, 65536
  %37 = icmp eq i32 %36, 0
  %38 = or i1 %35, %37
  %39 = select i1 %38, i32 0, i32 65536
  %40 = or i32 %39, %1
  %41 = and i32 %1, -65536
  %42 = or disjoint i32 %17, 32768
  %43 = icmp samesign ugt i32 %32, 32767
  %44 = and i32 %31, 32767
  %45 = lshr i32 %32, 6
  %46 = select i1 %43, i32 %44, i32 %45
  %47 = icmp eq i32 %46, %17
  %48 = select i1 %47, i32 %42, i32 65534
  %49 = or disjoint i32 %48, %41
  %50 = xor i32 %31, %1
  %51 = and i32 %50, 65535
  %52 = icmp ne i32 %51, 0
  %53 = icmp uge i32 %34, %2
  %54 = icmp ne i32 %46, %17
  %55 = icmp uge i32 %34, %4
  %56 = or i1 %55, %54
  %57 = and i1 %53, %56
  %58 = and i1 %52, %57
  %59 = select i1 %58, i32 %49, i32 %40
  %60 = icmp ne i32 %34, 0
  %61 = icmp ult i32 %34, %3
  %62 = and i1 %60, %61
  %63 = icmp eq i32 %32, 65535
  %64 = or i1 %63, %62
  %65 = select i1 %64, i32 65535, i32 %59
  store i32 %65, ptr %30, align 4
  store i32 %4, ptr %33, align 4
  br label %66
66:
  ret i1 %28
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
  %27 = tail call fastcc i1 @store_cell(ptr %17, i32 %2, i32 %3, i32 %5, i32 %8)
  br i1 %27, label %31, label %28
28:
  %29 = add nuw i64 %16, 1
  %30 = icmp ult i64 %29, %1
  br i1 %30, label %15, label %31
31:
  %32 = phi i1 [ false, %9 ], [ true, %26 ], [ false, %28 ]
  ret i1 %32
}
define internal fastcc i1 @store_cell(ptr %0, i32 %1, i32 %2, i32 %3, i32 %4) noinline {
  %6 = load i32, ptr %0, align 4
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %8 = load i32, ptr %7, align 4
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %10 = load i32, ptr %9, align 4
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %12 = load i32, ptr %11, align 4
  %13 = icmp ne i32 %6, %1
  %14 = icmp uge i32 %8, %2
  %15 = and i32 %6, 65535
  %16 = icmp samesign ugt i32 %15, 32767
  %17 = and i32 %6, 32767
  %18 = lshr i32 %15, 6
  %19 = select i1 %16, i32 %17, i32 %18
  %20 = lshr i32 %1, 6
  %21 = and i32 %20, 1023
  %22 = icmp ne i32 %19, %21
  %23 = icmp uge i32 %8, %4
  %24 = or i1 %23, %22
  %25 = and i1 %14, %24
  %26 = and i1 %13, %25
  %27 = icmp ne i32 %8, 0
  %28 = icmp ult i32 %8, %3
  %29 = and i1 %27, %28
  %30 = icmp eq i32 %15, 65535
  %31 = or i1 %30, %29
  %32 = or i1 %31, %26
  %33 = and i32 %10, 65535
  %34 = icmp ne i32 %33, %1
  %35 = icmp uge i32 %12, %2
  %36 = icmp samesign ugt i32 %33, 32767
  %37 = and i32 %10, 32767
  %38 = lshr i32 %33, 6
  %39 = select i1 %36, i32 %37, i32 %38
  %40 = icmp ne i32 %39, %21
  %41 = icmp uge i32 %12, %4
  %42 = or i1 %41, %40
  %43 = and i1 %35, %42
  %44 = and i1 %34, %43
  %45 = icmp ne i32 %12, 0
  %46 = icmp ult i32 %12, %3
  %47 = and i1 %45, %46
  %48 = icmp eq i32 %33, 65535
  %49 = or i1 %48, %47
  %50 = or i1 %49, %44
  %51 = or i1 %32, %50
  br i1 %51, label %53, label %52
52:
  store i32 %1, ptr %0, align 4
  store i32 %4, ptr %7, align 4
  br label %53
53:
  ret i1 %51
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
  %27 = tail call fastcc i1 @update_cell(ptr %17, i32 %2, i32 %3, i32 %5, i32 %8)
  br i1 %27, label %31, label %28
28:
  %29 = add nuw i64 %16, 1
  %30 = icmp ult i64 %29, %1
  br i1 %30, label %15, label %31
31:
  %32 = phi i1 [ false, %9 ], [ true, %26 ], [ false, %28 ]
  ret i1 %32
}
define internal fastcc i1 @update_cell(ptr %0, i32 %1, i32 %2, i32 %3, i32 %4) noinline {
  %6 = load i32, ptr %0, align 4
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %8 = load i32, ptr %7, align 4
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %10 = load i32, ptr %9, align 4
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %12 = load i32, ptr %11, align 4
  %13 = xor i32 %6, %1
  %14 = and i32 %13, 2147418112
  %15 = icmp ne i32 %14, 0
  %16 = icmp ne i32 %6, %1
  %17 = icmp uge i32 %8, %2
  %18 = and i32 %6, 65535
  %19 = icmp samesign ugt i32 %18, 32767
  %20 = and i32 %6, 32767
  %21 = lshr i32 %18, 6
  %22 = select i1 %19, i32 %20, i32 %21
  %23 = lshr i32 %1, 6
  %24 = and i32 %23, 1023
  %25 = icmp ne i32 %22, %24
  %26 = icmp uge i32 %8, %4
  %27 = or i1 %26, %25
  %28 = and i1 %17, %27
  %29 = and i1 %16, %28
  %30 = icmp ne i32 %8, 0
  %31 = icmp ult i32 %8, %3
  %32 = and i1 %30, %31
  %33 = icmp eq i32 %18, 65535
  %34 = or i1 %33, %32
  %35 = or i1 %34, %29
  %36 = or i32 %6, %1
  %37 = icmp ne i32 %3, 0
  %38 = or i1 %37, %17
  %39 = icmp slt i32 %36, 0
  %40 = and i1 %39, %38
  %41 = or i1 %15, %40
  %42 = and i1 %41, %35
  %43 = and i32 %10, 65535
  %44 = icmp ne i32 %43, %1
  %45 = icmp uge i32 %12, %2
  %46 = icmp samesign ugt i32 %43, 32767
  %47 = and i32 %10, 32767
  %48 = lshr i32 %43, 6
  %49 = select i1 %46, i32 %47, i32 %48
  %50 = icmp ne i32 %49, %24
  %51 = icmp uge i32 %12, %4
  %52 = or i1 %51, %50
  %53 = and i1 %45, %52
  %54 = and i1 %44, %53
  %55 = icmp ne i32 %12, 0
  %56 = icmp ult i32 %12, %3
  %57 = and i1 %55, %56
  %58 = icmp eq i32 %43, 65535
  %59 = or i1 %58, %57
  %60 = or i1 %59, %54
  %61 = or i1 %42, %60
  br i1 %61, label %79, label %62
62:
  %63 = and i1 %30, %38
  %64 = and i32 %1, -65536
  %65 = or disjoint i32 %24, 32768
  %66 = icmp eq i32 %22, %24
  %67 = select i1 %66, i32 %65, i32 65534
  %68 = or disjoint i32 %67, %64
  %69 = and i32 %13, 65535
  %70 = icmp ne i32 %69, 0
  %71 = and i1 %70, %28
  %72 = select i1 %71, i32 %68, i32 %1
  %73 = or i32 %1, 65535
  %74 = select i1 %34, i32 %73, i32 %72
  %75 = and i1 %15, %63
  %76 = or i1 %40, %75
  %77 = select i1 %76, i32 -2147483648, i32 0
  %78 = or i32 %74, %77
  store i32 %78, ptr %0, align 4
  store i32 %4, ptr %7, align 4
  br label %79
79:
  ret i1 %61
}
