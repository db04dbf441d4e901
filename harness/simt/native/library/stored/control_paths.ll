; Made by `nox -s library`.
; from: 3733c5e5f527538ef14eb107d58f5f9cd2125e2ea06005ebfac3b35c4f64196c
; code: 23492e331f244a6e6721b9a4fb5d60162ff74dfaecbf6f69d0be7a75441b3dde
define internal void @begin_paths(ptr %0, i64 %1, i64 %2) alwaysinline {
  %4 = sub nsw i64 %2, %1
  %5 = shl nsw i64 %4, 3
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 304
  %7 = load i64, ptr %6, align 8
  %8 = add nsw i64 %7, %5
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 320
  %10 = load i64, ptr %9, align 8
  %11 = icmp ugt i64 %8, %10
  br i1 %11, label %12, label %17
12:
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 312
  %14 = load i64, ptr %13, align 8
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 280
  store i64 -4611686018427387904, ptr %15, align 8
  %16 = add nsw i64 %14, %5
  br label %17
17:
  %18 = phi i64 [ %16, %12 ], [ %8, %3 ]
  %19 = phi i64 [ %14, %12 ], [ %7, %3 ]
  store i64 %18, ptr %6, align 8
  %20 = shl nsw i64 %1, 3
  %21 = sub nsw i64 %19, %20
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 296
  store i64 %21, ptr %22, align 8
  ret void
}
