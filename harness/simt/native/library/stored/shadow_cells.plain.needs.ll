; Made by `nox -s library`.
; from: 1a015d4f135f52080206b664a590255ed249ddfe203ace2fcb44ae1221f710df
; code: c5f624bab919b7d406295117a066a7ddc0da9465602a8202dbd0c7adfd8efd23
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
  %30 = tail call fastcc i1 @load_cell(ptr %17, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, ptr %7)
  br i1 %30, label %34, label %31
31:
  %32 = add nuw i64 %16, 1
  %33 = icmp ult i64 %32, %1
  br i1 %33, label %15, label %34
34:
  %35 = phi i1 [ false, %8 ], [ true, %29 ], [ false, %31 ]
  ret i1 %35
}
define internal fastcc i1 @load_cell(ptr %0, i32 %1, i32 %2, i32 %3, i32 %4, i32 %5, ptr %6) noinline {
  %8 = load i32, ptr %0, align 4
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %10 = load i32, ptr %9, align 4
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %12 = load i32, ptr %11, align 4
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %14 = load i32, ptr %13, align 4
  %15 = and i32 %12, 65535
  %16 = icmp ne i32 %8, %1
  %17 = icmp eq i32 %10, %2
  %18 = and i1 %16, %17
  %19 = icmp ne i32 %10, 0
  %20 = icmp ult i32 %10, %4
  %21 = and i1 %19, %20
  %22 = and i32 %8, 65535
  %23 = icmp eq i32 %22, 65535
  %24 = or i1 %23, %21
  %25 = or i1 %18, %24
  br i1 %25, label %75, label %26
26:
  %27 = and i32 %8, 65533
  %28 = icmp eq i32 %27, 65533
  %29 = icmp uge i32 %10, %2
  %30 = icmp ult i32 %10, %3
  %31 = or i1 %29, %30
  %32 = xor i32 %8, %1
  %33 = and i32 %32, 65535
  %34 = icmp eq i32 %33, 0
  %35 = or i1 %31, %34
  %36 = or i1 %28, %35
  %37 = icmp eq i32 %10, 0
  %38 = or i1 %37, %36
  br i1 %38, label %43, label %39
39:
  %40 = icmp ult i32 %10, %5
  %41 = select i1 %40, i64 2, i64 0
  %42 = getelementptr inbounds nuw i8, ptr %6, i64 %41
  store i8 1, ptr %42, align 1
  br label %43
43:
  %44 = and i32 %12, 65533
  %45 = icmp ne i32 %44, 65533
  %46 = icmp ult i32 %14, %2
  %47 = icmp uge i32 %14, %3
  %48 = and i1 %46, %47
  %49 = xor i32 %12, %1
  %50 = and i32 %49, 65535
  %51 = icmp ne i32 %50, 0
  %52 = and i1 %45, %48
  %53 = and i1 %51, %52
  %54 = icmp ugt i32 %14, %10
  %55 = select i1 %53, i1 %54, i1 false
  %56 = lshr i32 %12, 16
  %57 = and i32 %56, 1
  %58 = select i1 %54, i32 %57, i32 0
  %59 = zext i1 %55 to i32
  %60 = or i32 %58, %59
  %61 = icmp eq i32 %60, 0
  %62 = select i1 %61, i32 0, i32 65536
  %63 = or i32 %62, %1
  %64 = and i32 %1, -65536
  %65 = icmp eq i32 %14, %2
  %66 = and i1 %65, %51
  %67 = or disjoint i32 %64, 65534
  %68 = select i1 %66, i32 %67, i32 %63
  %69 = icmp ne i32 %14, 0
  %70 = icmp ult i32 %14, %4
  %71 = and i1 %69, %70
  %72 = icmp eq i32 %15, 65535
  %73 = or i1 %72, %71
  %74 = select i1 %73, i32 65535, i32 %68
  store i32 %74, ptr %11, align 4
  store i32 %2, ptr %13, align 4
  br label %75
75:
  ret i1 %25
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
  %26 = tail call fastcc i1 @store_cell(ptr %16, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, ptr %7)
  br i1 %26, label %30, label %27
27:
  %28 = add nuw i64 %15, 1
  %29 = icmp ult i64 %28, %1
  br i1 %29, label %14, label %30
30:
  %31 = phi i1 [ false, %8 ], [ true, %25 ], [ false, %27 ]
  ret i1 %31
}
define internal fastcc i1 @store_cell(ptr %0, i32 %1, i32 %2, i32 %3, i32 %4, i32 %5, ptr %6) noinline {
  %8 = load i32, ptr %0, align 4
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %10 = load i32, ptr %9, align 4
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %12 = load i32, ptr %11, align 4
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %14 = load i32, ptr %13, align 4
  %15 = icmp ne i32 %8, %1
  %16 = icmp eq i32 %10, %2
  %17 = and i1 %15, %16
  %18 = icmp ne i32 %10, 0
  %19 = icmp ult i32 %10, %4
  %20 = and i1 %18, %19
  %21 = and i32 %8, 65535
  %22 = icmp eq i32 %21, 65535
  %23 = or i1 %22, %20
  %24 = or i1 %17, %23
  %25 = and i32 %12, 65535
  %26 = icmp ne i32 %25, %1
  %27 = icmp eq i32 %14, %2
  %28 = and i1 %26, %27
  %29 = icmp ne i32 %14, 0
  %30 = icmp ult i32 %14, %4
  %31 = and i1 %29, %30
  %32 = icmp eq i32 %25, 65535
  %33 = or i1 %32, %31
  %34 = or i1 %28, %33
  %35 = or i1 %24, %34
  br i1 %35, label %74, label %36
36:
  %37 = and i32 %8, 65533
  %38 = icmp ne i32 %37, 65533
  %39 = icmp ult i32 %10, %2
  %40 = icmp uge i32 %10, %3
  %41 = and i1 %39, %40
  %42 = xor i32 %8, %1
  %43 = and i32 %42, 65535
  %44 = icmp ne i32 %43, 0
  %45 = and i1 %41, %44
  %46 = and i1 %38, %45
  %47 = and i32 %12, 65533
  %48 = icmp ne i32 %47, 65533
  %49 = icmp ult i32 %14, %2
  %50 = icmp uge i32 %14, %3
  %51 = and i1 %49, %50
  %52 = xor i32 %12, %1
  %53 = and i32 %52, 65535
  %54 = icmp ne i32 %53, 0
  %55 = and i1 %51, %54
  %56 = and i1 %48, %55
  %57 = select i1 %56, i32 %14, i32 0
  %58 = icmp ugt i32 %14, %10
  %59 = icmp eq i32 %57, 0
  %60 = and i1 %58, %59
  %61 = and i32 %12, 65536
  %62 = icmp ne i32 %61, 0
  %63 = and i1 %62, %60
  %64 = tail call i32 @llvm.umax.i32(i32 %10, i32 %57)
  %65 = select i1 %46, i32 %64, i32 %57
  %66 = icmp ne i32 %65, 0
  %67 = or i1 %66, %63
  br i1 %67, label %68, label %73
68:
  %69 = icmp ult i32 %65, %5
  %70 = select i1 %63, i64 1, i64 2
  %71 = select i1 %69, i64 %70, i64 0
  %72 = getelementptr inbounds nuw i8, ptr %6, i64 %71
  store i8 1, ptr %72, align 1
  br label %73
73:
  store i32 %1, ptr %0, align 4
  store i32 %2, ptr %9, align 4
  br label %74
74:
  ret i1 %35
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
  %26 = tail call fastcc i1 @update_cell(ptr %16, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, ptr %7)
  br i1 %26, label %30, label %27
27:
  %28 = add nuw i64 %15, 1
  %29 = icmp ult i64 %28, %1
  br i1 %29, label %14, label %30
30:
  %31 = phi i1 [ false, %8 ], [ true, %25 ], [ false, %27 ]
  ret i1 %31
}
define internal fastcc i1 @update_cell(ptr %0, i32 %1, i32 %2, i32 %3, i32 %4, i32 %5, ptr %6) noinline {
  %8 = load i32, ptr %0, align 4
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %10 = load i32, ptr %9, align 4
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %12 = load i32, ptr %11, align 4
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %14 = load i32, ptr %13, align 4
  %15 = xor i32 %8, %1
  %16 = and i32 %15, 2147418112
  %17 = icmp ne i32 %16, 0
  %18 = icmp ne i32 %8, %1
  %19 = icmp eq i32 %10, %2
  %20 = and i1 %18, %19
  %21 = icmp ne i32 %10, 0
  %22 = icmp ult i32 %10, %4
  %23 = and i1 %21, %22
  %24 = and i32 %8, 65535
  %25 = icmp eq i32 %24, 65535
  %26 = or i1 %25, %23
  %27 = or i1 %20, %26
  %28 = or i32 %8, %1
  %29 = and i1 %17, %27
  %30 = zext i1 %29 to i32
  %31 = lshr i32 %28, 31
  %32 = select i1 %26, i32 %31, i32 0
  %33 = or i32 %32, %30
  %34 = and i32 %12, 65535
  %35 = icmp ne i32 %34, %1
  %36 = icmp eq i32 %14, %2
  %37 = and i1 %35, %36
  %38 = icmp ne i32 %14, 0
  %39 = icmp ult i32 %14, %4
  %40 = and i1 %38, %39
  %41 = icmp eq i32 %34, 65535
  %42 = or i1 %41, %40
  %43 = or i1 %37, %42
  %44 = zext i1 %43 to i32
  %45 = or i32 %33, %44
  %46 = icmp ne i32 %45, 0
  br i1 %46, label %96, label %47
47:
  %48 = and i32 %8, 65533
  %49 = icmp ne i32 %48, 65533
  %50 = icmp ult i32 %10, %2
  %51 = icmp uge i32 %10, %3
  %52 = and i1 %50, %51
  %53 = and i32 %15, 65535
  %54 = icmp ne i32 %53, 0
  %55 = and i1 %49, %52
  %56 = and i1 %54, %55
  %57 = and i32 %12, 65533
  %58 = icmp ne i32 %57, 65533
  %59 = icmp ult i32 %14, %2
  %60 = icmp uge i32 %14, %3
  %61 = and i1 %59, %60
  %62 = xor i32 %12, %1
  %63 = and i32 %62, 65535
  %64 = icmp ne i32 %63, 0
  %65 = and i1 %61, %64
  %66 = and i1 %58, %65
  %67 = select i1 %66, i32 %14, i32 0
  %68 = icmp ugt i32 %14, %10
  %69 = icmp eq i32 %67, 0
  %70 = select i1 %69, i1 %68, i1 false
  %71 = and i32 %12, 65536
  %72 = icmp ne i32 %71, 0
  %73 = select i1 %70, i1 %72, i1 false
  %74 = tail call i32 @llvm.umax.i32(i32 %10, i32 %67)
  %75 = select i1 %56, i32 %74, i32 %67
  %76 = icmp ne i32 %75, 0
  %77 = or i1 %76, %73
  br i1 %77, label %78, label %83
78:
  %79 = icmp ult i32 %75, %5
  %80 = select i1 %73, i64 1, i64 2
  %81 = select i1 %79, i64 %80, i64 0
  %82 = getelementptr inbounds nuw i8, ptr %6, i64 %81
  store i8 1, ptr %82, align 1
  br label %83
83:
  %84 = and i32 %1, -65536
  %85 = and i1 %19, %54
  %86 = or disjoint i32 %84, 65534
  %87 = select i1 %85, i32 %86, i32 %1
  %88 = or i32 %1, 65535
  %89 = select i1 %26, i32 %88, i32 %87
  %90 = and i1 %21, %17
  %91 = zext i1 %90 to i32
  %92 = or i32 %31, %91
  %93 = icmp eq i32 %92, 0
  %94 = select i1 %93, i32 0, i32 -2147483648
  %95 = or i32 %94, %89
  store i32 %95, ptr %0, align 4
  store i32 %2, ptr %9, align 4
  br label %96
96:
  ret i1 %46
}
