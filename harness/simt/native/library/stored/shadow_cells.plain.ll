; Made by `nox -s library`.
; from: 8f5260630f288a4de5620dd6b54a2e7f668ed5790d40a24037faeda4029956e3
; code: b1fe53c7d3f0e52295b5185658aabc01ae410dc6c4efb92686f60298f00c6b6c
define internal i1 @load_cells(ptr %0, i64 %1, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, ptr %7) alwaysinline {
  %9 = zext i32 %3 to i64
  %10 = shl nuw i64 %9, 32
  %11 = zext i32 %2 to i64
  %12 = or disjoint i64 %10, %11
  %13 = or disjoint i64 %10, 65535
  %14 = icmp eq i64 %1, 0
  br i1 %14, label %34, label %15
15:
  %16 = phi i64 [ %32, %31 ], [ 0, %8 ]
  %17 = getelementptr inbounds nuw { { i32, i32 }, { i32, i32 } }, ptr %0, i64 %16
  %18 = getelementptr inbounds nuw i8, ptr %17, i64 8
  %19 = load i64, ptr %18, align 4
  %20 = icmp eq i64 %19, %12
  %21 = or i64 %19, 1
  %22 = icmp eq i64 %21, %13
  %23 = or i1 %20, %22
  br i1 %23, label %31, label %24
24:
  %25 = load i64, ptr %17, align 4
  %26 = or i64 %25, %19
  %27 = icmp eq i64 %26, 0
  br i1 %27, label %28, label %29
28:
  store i64 %12, ptr %18, align 4
  br label %31
29:
  %30 = tail call fastcc i1 @load_cell(ptr %17, i32 %2, i32 %3, i32 %5)
  br i1 %30, label %34, label %31
31:
  %32 = add nuw i64 %16, 1
  %33 = icmp ult i64 %32, %1
  br i1 %33, label %15, label %34
34:
  %35 = phi i1 [ false, %8 ], [ true, %29 ], [ false, %31 ]
  ret i1 %35
}
define internal fastcc i1 @load_cell(ptr %0, i32 %1, i32 %2, i32 %3) noinline {
  %5 = load i32, ptr %0, align 4
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %7 = load i32, ptr %6, align 4
  %8 = icmp ne i32 %5, %1
  %9 = icmp eq i32 %7, %2
  %10 = and i1 %8, %9
  %11 = icmp ne i32 %7, 0
  %12 = icmp ult i32 %7, %3
  %13 = and i1 %11, %12
  %14 = and i32 %5, 65535
  %15 = icmp eq i32 %14, 65535
  %16 = or i1 %15, %13
  %17 = or i1 %10, %16
  br i1 %17, label %44, label %18
18:
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %20 = load i32, ptr %19, align 4
  %21 = and i32 %20, 65535
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %23 = load i32, ptr %22, align 4
  %24 = icmp ule i32 %23, %7
  %25 = and i32 %20, 65536
  %26 = icmp eq i32 %25, 0
  %27 = or i1 %24, %26
  %28 = select i1 %27, i32 0, i32 65536
  %29 = or i32 %28, %1
  %30 = and i32 %1, -65536
  %31 = icmp eq i32 %23, %2
  %32 = xor i32 %20, %1
  %33 = and i32 %32, 65535
  %34 = icmp ne i32 %33, 0
  %35 = and i1 %31, %34
  %36 = or disjoint i32 %30, 65534
  %37 = select i1 %35, i32 %36, i32 %29
  %38 = icmp ne i32 %23, 0
  %39 = icmp ult i32 %23, %3
  %40 = and i1 %38, %39
  %41 = icmp eq i32 %21, 65535
  %42 = or i1 %41, %40
  %43 = select i1 %42, i32 65535, i32 %37
  store i32 %43, ptr %19, align 4
  store i32 %2, ptr %22, align 4
  br label %44
44:
  ret i1 %17
}
define internal i1 @store_cells(ptr %0, i64 %1, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, ptr %7) alwaysinline {
  %9 = zext i32 %3 to i64
  %10 = shl nuw i64 %9, 32
  %11 = zext i32 %2 to i64
  %12 = or disjoint i64 %10, %11
  %13 = icmp eq i64 %1, 0
  br i1 %13, label %30, label %14
14:
  %15 = phi i64 [ %28, %27 ], [ 0, %8 ]
  %16 = getelementptr inbounds nuw { { i32, i32 }, { i32, i32 } }, ptr %0, i64 %15
  %17 = load i64, ptr %16, align 4
  %18 = icmp eq i64 %17, %12
  br i1 %18, label %27, label %19
19:
  %20 = getelementptr inbounds nuw i8, ptr %16, i64 8
  %21 = load i64, ptr %20, align 4
  %22 = or i64 %21, %17
  %23 = icmp eq i64 %22, 0
  br i1 %23, label %24, label %25
24:
  store i64 %12, ptr %16, align 4
  br label %27
25:
  %26 = tail call fastcc i1 @store_cell(ptr %16, i32 %2, i32 %3, i32 %5)
  br i1 %26, label %30, label %27
27:
  %28 = add nuw i64 %15, 1
  %29 = icmp ult i64 %28, %1
  br i1 %29, label %14, label %30
30:
  %31 = phi i1 [ false, %8 ], [ true, %25 ], [ false, %27 ]
  ret i1 %31
}
define internal fastcc i1 @store_cell(ptr %0, i32 %1, i32 %2, i32 %3) noinline {
  %5 = load i32, ptr %0, align 4
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %7 = load i32, ptr %6, align 4
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %9 = load i32, ptr %8, align 4
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %11 = load i32, ptr %10, align 4
  %12 = icmp ne i32 %5, %1
  %13 = icmp eq i32 %7, %2
  %14 = and i1 %12, %13
  %15 = icmp ne i32 %7, 0
  %16 = icmp ult i32 %7, %3
  %17 = and i1 %15, %16
  %18 = and i32 %5, 65535
  %19 = icmp eq i32 %18, 65535
  %20 = or i1 %19, %17
  %21 = or i1 %14, %20
  %22 = and i32 %9, 65535
  %23 = icmp ne i32 %22, %1
  %24 = icmp eq i32 %11, %2
  %25 = and i1 %23, %24
  %26 = icmp ne i32 %11, 0
  %27 = icmp ult i32 %11, %3
  %28 = and i1 %26, %27
  %29 = icmp eq i32 %22, 65535
  %30 = or i1 %29, %28
  %31 = or i1 %25, %30
  %32 = or i1 %21, %31
  br i1 %32, label %34, label %33
33:
  store i32 %1, ptr %0, align 4
  store i32 %2, ptr %6, align 4
  br label %34
34:
  ret i1 %32
}
define internal i1 @update_cells(ptr %0, i64 %1, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, ptr %7) alwaysinline {
  %9 = zext i32 %3 to i64
  %10 = shl nuw i64 %9, 32
  %11 = zext i32 %2 to i64
  %12 = or disjoint i64 %10, %11
  %13 = icmp eq i64 %1, 0
  br i1 %13, label %30, label %14
14:
  %15 = phi i64 [ %28, %27 ], [ 0, %8 ]
  %16 = getelementptr inbounds nuw { { i32, i32 }, { i32, i32 } }, ptr %0, i64 %15
  %17 = load i64, ptr %16, align 4
  %18 = icmp eq i64 %17, %12
  br i1 %18, label %27, label %19
19:
  %20 = getelementptr inbounds nuw i8, ptr %16, i64 8
  %21 = load i64, ptr %20, align 4
  %22 = or i64 %21, %17
  %23 = icmp eq i64 %22, 0
  br i1 %23, label %24, label %25
24:
  store i64 %12, ptr %16, align 4
  br label %27
25:
  %26 = tail call fastcc i1 @update_cell(ptr %16, i32 %2, i32 %3, i32 %5)
  br i1 %26, label %30, label %27
27:
  %28 = add nuw i64 %15, 1
  %29 = icmp ult i64 %28, %1
  br i1 %29, label %14, label %30
30:
  %31 = phi i1 [ false, %8 ], [ true, %25 ], [ false, %27 ]
  ret i1 %31
}
define internal fastcc i1 @update_cell(ptr %0, i32 %1, i32 %2, i32 %3) noinline {
  %5 = load i32, ptr %0, align 4
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %7 = load i32, ptr %6, align 4
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %9 = load i32, ptr %8, align 4
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %11 = load i32, ptr %10, align 4
  %12 = xor i32 %5, %1
  %13 = and i32 %12, 2147418112
  %14 = icmp ne i32 %13, 0
  %15 = icmp ne i32 %5, %1
  %16 = icmp eq i32 %7, %2
  %17 = and i1 %15, %16
  %18 = icmp ne i32 %7, 0
  %19 = icmp ult i32 %7, %3
  %20 = and i1 %18, %19
  %21 = and i32 %5, 65535
  %22 = icmp eq i32 %21, 65535
  %23 = or i1 %22, %20
  %24 = or i1 %17, %23
  %25 = or i32 %5, %1
  %26 = and i1 %14, %24
  %27 = zext i1 %26 to i32
  %28 = lshr i32 %25, 31
  %29 = select i1 %23, i32 %28, i32 0
  %30 = or i32 %29, %27
  %31 = and i32 %9, 65535
  %32 = icmp ne i32 %31, %1
  %33 = icmp eq i32 %11, %2
  %34 = and i1 %32, %33
  %35 = icmp ne i32 %11, 0
  %36 = icmp ult i32 %11, %3
  %37 = and i1 %35, %36
  %38 = icmp eq i32 %31, 65535
  %39 = or i1 %38, %37
  %40 = or i1 %34, %39
  %41 = zext i1 %40 to i32
  %42 = or i32 %30, %41
  %43 = icmp ne i32 %42, 0
  br i1 %43, label %59, label %44
44:
  %45 = and i32 %1, -65536
  %46 = and i32 %12, 65535
  %47 = icmp ne i32 %46, 0
  %48 = and i1 %16, %47
  %49 = or disjoint i32 %45, 65534
  %50 = select i1 %48, i32 %49, i32 %1
  %51 = or i32 %1, 65535
  %52 = select i1 %23, i32 %51, i32 %50
  %53 = and i1 %18, %14
  %54 = zext i1 %53 to i32
  %55 = or i32 %28, %54
  %56 = icmp eq i32 %55, 0
  %57 = select i1 %56, i32 0, i32 -2147483648
  %58 = or i32 %57, %52
  store i32 %58, ptr %0, align 4
  store i32 %2, ptr %6, align 4
  br label %59
59:
  ret i1 %43
}
