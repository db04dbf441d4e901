; Made by `nox -s library`.
; from: 5c5ca026d23d1ebdf0f2f04435ad8a33d224593e24c1c7e64bf9537593626886
; code: 5f3a0198a67117048d2e86115da89d093c2bfb8292b0c0d63006809e73125c1b
define internal void @clear_written(ptr %0, i64 %1, i1 %2) {
  br label %4
4:
  %5 = phi i64 [ 0, %3 ], [ %17, %16 ]
  %6 = getelementptr inbounds nuw { ptr, i64, i64, i64, ptr, i64, ptr, i64, i64, i64, i64, i64, i64, i64, i64, i64 }, ptr %0, i64 %5
  %7 = getelementptr inbounds nuw i8, ptr %6, i64 64
  %8 = load i64, ptr %7, align 8
  %9 = icmp eq i64 %8, 0
  br i1 %9, label %16, label %10
10:
  br i1 %2, label %11, label %13
11:
  %12 = tail call i1 @is_block_invariant(i64 %5)
  br i1 %12, label %16, label %13
13:
  %14 = getelementptr inbounds nuw i8, ptr %6, i64 48
  %15 = load ptr, ptr %14, align 8
  tail call void @llvm.memset.p0.i64(ptr align 1 %15, i8 0, i64 %8, i1 false)
  br label %16
16:
  %17 = add nuw nsw i64 %5, 1
  %18 = icmp slt i64 %17, %1
  br i1 %18, label %4, label %19
19:
  ret void
}
define i64 @run(ptr %0, i64 %1, i64 %2) {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 272
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 336
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 280
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 248
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 288
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 312
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 304
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 256
  %22 = load i64, ptr %4, align 8
  %23 = icmp ne i64 %22, 0
  br label %24
24:
  %25 = phi i1 [ %23, %3 ], [ %195, %194 ]
  %26 = phi i32 [ 0, %3 ], [ %196, %194 ]
  %27 = phi i64 [ %1, %3 ], [ %197, %194 ]
  br i1 %25, label %28, label %39
28:
  %29 = load i64, ptr %5, align 8
  %30 = icmp eq i64 %29, 0
  br i1 %30, label %39, label %31
31:
  %32 = tail call i64 @run_batch(ptr %0, i64 %27, i64 %2)
  %33 = icmp eq i64 %32, %2
  br i1 %33, label %209, label %34
34:
  %35 = load i64, ptr %6, align 8
  %36 = load i32, ptr %7, align 8
  store i64 0, ptr %4, align 8
  %37 = load i64, ptr %8, align 8
  %38 = add nsw i64 %37, -4
  store i64 %38, ptr %8, align 8
  br label %201
39:
  %40 = load i32, ptr %9, align 8
  %41 = add i32 %40, 1
  store i32 %41, ptr %9, align 8
  %42 = icmp eq i32 %26, 0
  %43 = select i1 %42, i32 %41, i32 %26
  store i32 %43, ptr %7, align 8
  store i64 0, ptr %10, align 8
  store i64 0, ptr %11, align 8
  %44 = load i64, ptr %6, align 8
  %45 = load i64, ptr %12, align 8
  store i64 %45, ptr %13, align 8
  %46 = load ptr, ptr %0, align 8
  %47 = load i64, ptr %14, align 8
  br label %48
48:
  %49 = phi i64 [ 0, %39 ], [ %61, %60 ]
  %50 = getelementptr inbounds nuw { ptr, i64, i64, i64, ptr, i64, ptr, i64, i64, i64, i64, i64, i64, i64, i64, i64 }, ptr %46, i64 %49
  %51 = getelementptr inbounds nuw i8, ptr %50, i64 64
  %52 = load i64, ptr %51, align 8
  %53 = icmp eq i64 %52, 0
  br i1 %53, label %60, label %54
54:
  br i1 %25, label %55, label %57
55:
  %56 = tail call i1 @is_block_invariant(i64 %49)
  br i1 %56, label %60, label %57
57:
  %58 = getelementptr inbounds nuw i8, ptr %50, i64 48
  %59 = load ptr, ptr %58, align 8
  tail call void @llvm.memset.p0.i64(ptr align 1 %59, i8 0, i64 %52, i1 false)
  br label %60
60:
  %61 = add nuw nsw i64 %49, 1
  %62 = icmp slt i64 %61, %47
  br i1 %62, label %48, label %63
63:
  %64 = load i64, ptr %15, align 8
  %65 = mul nsw i64 %64, %27
  br label %66
66:
  %67 = phi i32 [ 0, %63 ], [ %100, %181 ]
  %68 = phi i32 [ %43, %63 ], [ %183, %181 ]
  %69 = phi i32 [ %43, %63 ], [ %68, %181 ]
  br label %70
70:
  %71 = phi i32 [ -3, %66 ], [ %100, %173 ]
  %72 = phi i64 [ 0, %66 ], [ %174, %173 ]
  %73 = add nsw i64 %72, %27
  %74 = load i32, ptr %9, align 8
  %75 = add i32 %74, 1
  store i32 %75, ptr %9, align 8
  br label %76
76:
  %77 = phi i32 [ %67, %70 ], [ %100, %160 ]
  %78 = phi i32 [ %75, %70 ], [ %161, %160 ]
  %79 = phi i32 [ %75, %70 ], [ %162, %160 ]
  %80 = phi ptr [ %16, %70 ], [ %163, %160 ]
  %81 = phi i32 [ %75, %70 ], [ %164, %160 ]
  %82 = phi i32 [ %75, %70 ], [ %165, %160 ]
  %83 = phi ptr [ %16, %70 ], [ %166, %160 ]
  %84 = phi i64 [ 0, %70 ], [ %167, %160 ]
  %85 = load i64, ptr %15, align 8
  %86 = load i64, ptr %17, align 8
  %87 = mul nsw i64 %85, %72
  %88 = add nsw i64 %87, %85
  br label %89
89:
  %90 = phi i64 [ %87, %76 ], [ %93, %120 ]
  %91 = phi i32 [ -3, %76 ], [ %100, %120 ]
  %92 = add nsw i64 %90, %86
  %93 = tail call i64 @llvm.umin.i64(i64 %92, i64 %88)
  br label %94
94:
  %95 = phi i32 [ %100, %108 ], [ %77, %89 ]
  %96 = phi i32 [ %112, %108 ], [ 0, %89 ]
  %97 = phi i32 [ %114, %108 ], [ 0, %89 ]
  br label %98
98:
  %99 = phi i32 [ %100, %106 ], [ %95, %94 ]
  %100 = tail call i32 @run_interval(ptr %0, i32 %99, i64 %90, i64 %93, i1 %25, i64 %65, i64 %73, i64 %72, i32 %78, i32 %81, i32 %75, i32 %79, i32 %82, i32 %43, i32 %68, i32 %69, i32 %96, i32 %97, ptr %80, ptr %83)
  %101 = icmp eq i32 %100, -2
  br i1 %101, label %198, label %102
102:
  %103 = load i64, ptr %6, align 8
  %104 = add nsw i64 %103, -1
  store i64 %104, ptr %6, align 8
  %105 = icmp eq i64 %104, 0
  br i1 %105, label %209, label %106
106:
  %107 = tail call i32 @wait_of(i32 %100)
  switch i32 %107, label %116 [
    i32 2, label %108
    i32 1, label %98
  ]
108:
  %109 = load i32, ptr %9, align 8
  %110 = add i32 %109, 1
  store i32 %110, ptr %9, align 8
  %111 = tail call i1 @orders_shared(i32 %100)
  %112 = select i1 %111, i32 %110, i32 %96
  %113 = tail call i1 @orders_global(i32 %100)
  %114 = select i1 %113, i32 %110, i32 %97
  %115 = icmp sgt i32 %110, -1
  br i1 %115, label %94, label %209
116:
  %117 = icmp eq i32 %91, -3
  %118 = icmp eq i32 %91, %100
  %119 = or i1 %117, %118
  br i1 %119, label %120, label %209
120:
  %121 = icmp ult i64 %92, %88
  br i1 %121, label %89, label %122
122:
  %123 = icmp eq i32 %100, -1
  %124 = icmp eq i32 %107, 3
  %125 = or i1 %123, %124
  br i1 %125, label %169, label %126
126:
  %127 = load i32, ptr %9, align 8
  %128 = add i32 %127, 1
  store i32 %128, ptr %9, align 8
  %129 = icmp eq i32 %107, 4
  br i1 %129, label %130, label %137
130:
  %131 = icmp ne i32 %79, 0
  %132 = zext i1 %131 to i64
  %133 = getelementptr inbounds nuw i8, ptr %80, i64 %132
  %134 = icmp ne i32 %82, 0
  %135 = zext i1 %134 to i64
  %136 = getelementptr inbounds nuw i8, ptr %83, i64 %135
  br label %160
137:
  %138 = tail call i32 @barrier_line(i32 %100)
  %139 = sext i32 %138 to i64
  %140 = load ptr, ptr %18, align 8
  %141 = mul nsw i64 %139, 3
  %142 = getelementptr inbounds i8, ptr %140, i64 %141
  %143 = tail call i1 @orders_shared(i32 %100)
  %144 = select i1 %143, ptr %142, ptr %80
  %145 = icmp eq ptr %144, %80
  %146 = select i1 %145, i32 %79, i32 %78
  %147 = select i1 %143, i32 %128, i32 %78
  %148 = tail call i1 @orders_global(i32 %100)
  %149 = select i1 %148, ptr %142, ptr %83
  %150 = icmp eq ptr %149, %83
  %151 = select i1 %150, i32 %82, i32 %81
  %152 = select i1 %148, i32 %128, i32 %81
  %153 = load ptr, ptr %19, align 8
  %154 = getelementptr inbounds i64, ptr %153, i64 %139
  %155 = load i64, ptr %154, align 8
  %156 = and i64 %155, %84
  store i64 %156, ptr %154, align 8
  %157 = urem i64 %139, 63
  %158 = shl nuw nsw i64 1, %157
  %159 = or i64 %158, %84
  br label %160
160:
  %161 = phi i32 [ %128, %130 ], [ %147, %137 ]
  %162 = phi i32 [ 0, %130 ], [ %146, %137 ]
  %163 = phi ptr [ %133, %130 ], [ %144, %137 ]
  %164 = phi i32 [ %128, %130 ], [ %152, %137 ]
  %165 = phi i32 [ 0, %130 ], [ %151, %137 ]
  %166 = phi ptr [ %136, %130 ], [ %149, %137 ]
  %167 = phi i64 [ %84, %130 ], [ %159, %137 ]
  %168 = icmp sgt i32 %128, -1
  br i1 %168, label %76, label %209
169:
  %170 = icmp eq i64 %72, 0
  %171 = icmp eq i32 %100, %71
  %172 = or i1 %170, %171
  br i1 %172, label %173, label %209
173:
  %174 = add nuw nsw i64 %72, 1
  %175 = load i64, ptr %20, align 8
  %176 = icmp ult i64 %174, %175
  br i1 %176, label %70, label %177
177:
  br i1 %123, label %178, label %181
178:
  %179 = load i64, ptr %10, align 8
  %180 = icmp eq i64 %179, 0
  br i1 %180, label %187, label %209
181:
  %182 = load i32, ptr %9, align 8
  %183 = add i32 %182, 1
  store i32 %183, ptr %9, align 8
  %184 = load i64, ptr %10, align 8
  %185 = load i64, ptr %21, align 8
  %186 = or i64 %185, %184
  store i64 %186, ptr %21, align 8
  store i64 0, ptr %10, align 8
  br label %66
187:
  %188 = load i64, ptr %8, align 8
  %189 = add nsw i64 %188, 1
  store i64 %189, ptr %8, align 8
  %190 = icmp sgt i64 %188, -1
  %191 = zext i1 %190 to i64
  store i64 %191, ptr %4, align 8
  %192 = add nsw i64 %175, %27
  %193 = icmp ult i64 %192, %2
  br i1 %193, label %194, label %209
194:
  %195 = phi i1 [ false, %206 ], [ %190, %187 ]
  %196 = phi i32 [ %204, %206 ], [ 0, %187 ]
  %197 = phi i64 [ %202, %206 ], [ %192, %187 ]
  br label %24
198:
  store i64 0, ptr %4, align 8
  %199 = load i64, ptr %8, align 8
  %200 = add nsw i64 %199, -4
  store i64 %200, ptr %8, align 8
  br i1 %25, label %201, label %209
201:
  %202 = phi i64 [ %32, %34 ], [ %27, %198 ]
  %203 = phi i64 [ %35, %34 ], [ %44, %198 ]
  %204 = phi i32 [ %36, %34 ], [ %43, %198 ]
  %205 = tail call i1 @restarts_blocks()
  br i1 %205, label %206, label %209
206:
  store i64 %203, ptr %6, align 8
  %207 = load i64, ptr %11, align 8
  %208 = icmp eq i64 %207, 0
  br i1 %208, label %194, label %209
209:
  %210 = phi i64 [ %27, %160 ], [ %27, %102 ], [ %27, %169 ], [ %27, %116 ], [ %27, %108 ], [ %27, %178 ], [ %2, %187 ], [ %27, %198 ], [ %2, %31 ], [ %202, %201 ], [ -1, %206 ]
  ret i64 %210
}
