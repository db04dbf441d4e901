; ModuleID = 'attention.cu'
source_filename = "attention.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ6attendE5score = internal unnamed_addr addrspace(3) global [64 x float] undef, align 4
@_ZZ6attendE5total = internal unnamed_addr addrspace(3) global float undef, align 4
@_ZZ13attend_onlineE2tk = internal unnamed_addr addrspace(3) global [16 x [17 x float]] undef, align 4
@_ZZ13attend_onlineE2tv = internal unnamed_addr addrspace(3) global [16 x [17 x float]] undef, align 4
@_ZZ9normaliseE5warps = internal unnamed_addr addrspace(3) global [4 x float] undef, align 4
@_ZZ9normaliseE5scale = internal unnamed_addr addrspace(3) global float undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @softmax(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, i32 noundef %2) local_unnamed_addr #0 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul nuw nsw i32 %4, %5
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add nuw nsw i32 %6, %7
  %9 = lshr i32 %8, 5
  %10 = and i32 %7, 31
  %11 = icmp slt i32 %10, %2
  br i1 %11, label %12, label %14

12:                                               ; preds = %3
  %13 = mul nsw i32 %2, %9
  br label %26

14:                                               ; preds = %26, %3
  %15 = phi float [ 0xC7EC363CC0000000, %3 ], [ %33, %26 ]
  %16 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %15, i32 range(i32 1, -2147483648) 16, i32 31)
  %17 = tail call contract float @__nv_fmaxf(float noundef %15, float noundef %16) #8
  %18 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %17, i32 range(i32 1, -2147483648) 8, i32 31)
  %19 = tail call contract float @__nv_fmaxf(float noundef %17, float noundef %18) #8
  %20 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %19, i32 range(i32 1, -2147483648) 4, i32 31)
  %21 = tail call contract float @__nv_fmaxf(float noundef %19, float noundef %20) #8
  %22 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %21, i32 range(i32 1, -2147483648) 2, i32 31)
  %23 = tail call contract float @__nv_fmaxf(float noundef %21, float noundef %22) #8
  %24 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %23, i32 range(i32 1, -2147483648) 1, i32 31)
  %25 = tail call contract float @__nv_fmaxf(float noundef %23, float noundef %24) #8
  br i1 %11, label %36, label %38

26:                                               ; preds = %12, %26
  %27 = phi i32 [ %10, %12 ], [ %34, %26 ]
  %28 = phi float [ 0xC7EC363CC0000000, %12 ], [ %33, %26 ]
  %29 = add nsw i32 %27, %13
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds float, ptr %0, i64 %30
  %32 = load float, ptr %31, align 4, !tbaa !12
  %33 = tail call contract float @__nv_fmaxf(float noundef %28, float noundef %32) #8
  %34 = add nuw nsw i32 %27, 32
  %35 = icmp slt i32 %34, %2
  br i1 %35, label %26, label %14, !llvm.loop !16

36:                                               ; preds = %14
  %37 = mul nsw i32 %2, %9
  br label %50

38:                                               ; preds = %50, %14
  %39 = phi float [ 0.000000e+00, %14 ], [ %59, %50 ]
  %40 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %39, i32 range(i32 1, -2147483648) 16, i32 31)
  %41 = fadd contract float %39, %40
  %42 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %41, i32 range(i32 1, -2147483648) 8, i32 31)
  %43 = fadd contract float %41, %42
  %44 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %43, i32 range(i32 1, -2147483648) 4, i32 31)
  %45 = fadd contract float %43, %44
  %46 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %45, i32 range(i32 1, -2147483648) 2, i32 31)
  %47 = fadd contract float %45, %46
  %48 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %47, i32 range(i32 1, -2147483648) 1, i32 31)
  %49 = fadd contract float %47, %48
  br i1 %11, label %62, label %64

50:                                               ; preds = %36, %50
  %51 = phi i32 [ %10, %36 ], [ %60, %50 ]
  %52 = phi float [ 0.000000e+00, %36 ], [ %59, %50 ]
  %53 = add nsw i32 %51, %37
  %54 = sext i32 %53 to i64
  %55 = getelementptr inbounds float, ptr %0, i64 %54
  %56 = load float, ptr %55, align 4, !tbaa !12
  %57 = fsub contract float %56, %25
  %58 = tail call contract float @__nv_expf(float noundef %57) #8
  %59 = fadd contract float %52, %58
  %60 = add nuw nsw i32 %51, 32
  %61 = icmp slt i32 %60, %2
  br i1 %61, label %50, label %38, !llvm.loop !18

62:                                               ; preds = %38
  %63 = mul nsw i32 %2, %9
  br label %65

64:                                               ; preds = %65, %38
  ret void

65:                                               ; preds = %62, %65
  %66 = phi i32 [ %10, %62 ], [ %75, %65 ]
  %67 = add nsw i32 %66, %63
  %68 = sext i32 %67 to i64
  %69 = getelementptr inbounds float, ptr %0, i64 %68
  %70 = load float, ptr %69, align 4, !tbaa !12
  %71 = fsub contract float %70, %25
  %72 = tail call contract float @__nv_expf(float noundef %71) #8
  %73 = fdiv contract float %72, %49
  %74 = getelementptr inbounds float, ptr %1, i64 %68
  store float %73, ptr %74, align 4, !tbaa !12
  %75 = add nuw nsw i32 %66, 32
  %76 = icmp slt i32 %75, %2
  br i1 %76, label %65, label %64, !llvm.loop !19
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr captures(none)) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: convergent nounwind
declare dso_local float @__nv_fmaxf(float noundef, float noundef) local_unnamed_addr #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr captures(none)) #1

; Function Attrs: convergent nounwind
declare dso_local float @__nv_expf(float noundef) local_unnamed_addr #3

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @attend(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef readonly captures(none) %2, ptr noundef writeonly captures(none) %3, i32 noundef %4) local_unnamed_addr #0 {
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %7 = icmp slt i32 %6, %4
  br i1 %7, label %8, label %43

8:                                                ; preds = %5
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %10 = shl nsw i32 %9, 5
  %11 = shl nuw nsw i32 %6, 5
  br label %17

12:                                               ; preds = %17
  %13 = fmul contract float %40, 0x3FC6A09E60000000
  %14 = tail call contract float @__nv_expf(float noundef %13) #8
  %15 = zext nneg i32 %6 to i64
  %16 = getelementptr inbounds nuw [64 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ6attendE5score to ptr), i64 0, i64 %15
  store float %14, ptr %16, align 4, !tbaa !12
  br label %43

17:                                               ; preds = %17, %8
  %18 = phi i32 [ 0, %8 ], [ %41, %17 ]
  %19 = phi float [ 0.000000e+00, %8 ], [ %40, %17 ]
  %20 = add nuw nsw i32 %18, %10
  %21 = zext nneg i32 %20 to i64
  %22 = getelementptr inbounds nuw float, ptr %0, i64 %21
  %23 = load float, ptr %22, align 4, !tbaa !12
  %24 = add nuw nsw i32 %18, %11
  %25 = zext nneg i32 %24 to i64
  %26 = getelementptr inbounds nuw float, ptr %1, i64 %25
  %27 = load float, ptr %26, align 4, !tbaa !12
  %28 = fmul contract float %23, %27
  %29 = fadd contract float %19, %28
  %30 = or disjoint i32 %18, 1
  %31 = add nuw nsw i32 %30, %10
  %32 = zext nneg i32 %31 to i64
  %33 = getelementptr inbounds nuw float, ptr %0, i64 %32
  %34 = load float, ptr %33, align 4, !tbaa !12
  %35 = add nuw nsw i32 %30, %11
  %36 = zext nneg i32 %35 to i64
  %37 = getelementptr inbounds nuw float, ptr %1, i64 %36
  %38 = load float, ptr %37, align 4, !tbaa !12
  %39 = fmul contract float %34, %38
  %40 = fadd contract float %29, %39
  %41 = add nuw nsw i32 %18, 2
  %42 = icmp eq i32 %41, 32
  br i1 %42, label %12, label %17, !llvm.loop !20

43:                                               ; preds = %12, %5
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %44 = icmp eq i32 %6, 0
  br i1 %44, label %45, label %96

45:                                               ; preds = %43
  store float 0.000000e+00, ptr addrspacecast (ptr addrspace(3) @_ZZ6attendE5total to ptr), align 4, !tbaa !12
  %46 = icmp sgt i32 %4, 0
  br i1 %46, label %47, label %96

47:                                               ; preds = %45
  %48 = and i32 %4, 3
  %49 = icmp ult i32 %4, 4
  br i1 %49, label %78, label %50

50:                                               ; preds = %47
  %51 = and i32 %4, 2147483644
  br label %52

52:                                               ; preds = %52, %50
  %53 = phi i32 [ 0, %50 ], [ %75, %52 ]
  %54 = phi float [ 0.000000e+00, %50 ], [ %74, %52 ]
  %55 = phi i32 [ 0, %50 ], [ %76, %52 ]
  %56 = zext nneg i32 %53 to i64
  %57 = getelementptr inbounds nuw [64 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ6attendE5score to ptr), i64 0, i64 %56
  %58 = load float, ptr %57, align 4, !tbaa !12
  %59 = fadd contract float %58, %54
  %60 = or disjoint i32 %53, 1
  %61 = zext nneg i32 %60 to i64
  %62 = getelementptr inbounds nuw [64 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ6attendE5score to ptr), i64 0, i64 %61
  %63 = load float, ptr %62, align 4, !tbaa !12
  %64 = fadd contract float %63, %59
  %65 = or disjoint i32 %53, 2
  %66 = zext nneg i32 %65 to i64
  %67 = getelementptr inbounds nuw [64 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ6attendE5score to ptr), i64 0, i64 %66
  %68 = load float, ptr %67, align 4, !tbaa !12
  %69 = fadd contract float %68, %64
  %70 = or disjoint i32 %53, 3
  %71 = zext nneg i32 %70 to i64
  %72 = getelementptr inbounds nuw [64 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ6attendE5score to ptr), i64 0, i64 %71
  %73 = load float, ptr %72, align 4, !tbaa !12
  %74 = fadd contract float %73, %69
  %75 = add nuw nsw i32 %53, 4
  %76 = add i32 %55, 4
  %77 = icmp eq i32 %76, %51
  br i1 %77, label %78, label %52, !llvm.loop !21

78:                                               ; preds = %52, %47
  %79 = phi float [ poison, %47 ], [ %74, %52 ]
  %80 = phi i32 [ 0, %47 ], [ %75, %52 ]
  %81 = phi float [ 0.000000e+00, %47 ], [ %74, %52 ]
  %82 = icmp eq i32 %48, 0
  br i1 %82, label %94, label %83

83:                                               ; preds = %78, %83
  %84 = phi i32 [ %91, %83 ], [ %80, %78 ]
  %85 = phi float [ %90, %83 ], [ %81, %78 ]
  %86 = phi i32 [ %92, %83 ], [ 0, %78 ]
  %87 = zext nneg i32 %84 to i64
  %88 = getelementptr inbounds nuw [64 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ6attendE5score to ptr), i64 0, i64 %87
  %89 = load float, ptr %88, align 4, !tbaa !12
  %90 = fadd contract float %89, %85
  %91 = add nuw nsw i32 %84, 1
  %92 = add i32 %86, 1
  %93 = icmp eq i32 %92, %48
  br i1 %93, label %94, label %83, !llvm.loop !22

94:                                               ; preds = %83, %78
  %95 = phi float [ %79, %78 ], [ %90, %83 ]
  store float %95, ptr addrspacecast (ptr addrspace(3) @_ZZ6attendE5total to ptr), align 4, !tbaa !12
  br label %96

96:                                               ; preds = %45, %94, %43
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %97 = icmp samesign ult i32 %6, 32
  br i1 %97, label %98, label %158

98:                                               ; preds = %96
  %99 = icmp sgt i32 %4, 0
  br i1 %99, label %100, label %121

100:                                              ; preds = %98
  %101 = and i32 %4, 1
  %102 = icmp eq i32 %4, 1
  br i1 %102, label %105, label %103

103:                                              ; preds = %100
  %104 = and i32 %4, 2147483646
  br label %130

105:                                              ; preds = %130, %100
  %106 = phi float [ poison, %100 ], [ %154, %130 ]
  %107 = phi i32 [ 0, %100 ], [ %155, %130 ]
  %108 = phi float [ 0.000000e+00, %100 ], [ %154, %130 ]
  %109 = icmp eq i32 %101, 0
  br i1 %109, label %121, label %110

110:                                              ; preds = %105
  %111 = zext nneg i32 %107 to i64
  %112 = getelementptr inbounds nuw [64 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ6attendE5score to ptr), i64 0, i64 %111
  %113 = load float, ptr %112, align 4, !tbaa !12
  %114 = shl nsw i32 %107, 5
  %115 = or disjoint i32 %114, %6
  %116 = zext nneg i32 %115 to i64
  %117 = getelementptr inbounds nuw float, ptr %2, i64 %116
  %118 = load float, ptr %117, align 4, !tbaa !12
  %119 = fmul contract float %113, %118
  %120 = fadd contract float %108, %119
  br label %121

121:                                              ; preds = %110, %105, %98
  %122 = phi float [ 0.000000e+00, %98 ], [ %106, %105 ], [ %120, %110 ]
  %123 = load float, ptr addrspacecast (ptr addrspace(3) @_ZZ6attendE5total to ptr), align 4, !tbaa !12
  %124 = fdiv contract float %122, %123
  %125 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %126 = shl nsw i32 %125, 5
  %127 = or disjoint i32 %126, %6
  %128 = zext nneg i32 %127 to i64
  %129 = getelementptr inbounds nuw float, ptr %3, i64 %128
  store float %124, ptr %129, align 4, !tbaa !12
  br label %158

130:                                              ; preds = %130, %103
  %131 = phi i32 [ 0, %103 ], [ %155, %130 ]
  %132 = phi float [ 0.000000e+00, %103 ], [ %154, %130 ]
  %133 = phi i32 [ 0, %103 ], [ %156, %130 ]
  %134 = zext nneg i32 %131 to i64
  %135 = getelementptr inbounds nuw [64 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ6attendE5score to ptr), i64 0, i64 %134
  %136 = load float, ptr %135, align 4, !tbaa !12
  %137 = shl nsw i32 %131, 5
  %138 = or disjoint i32 %137, %6
  %139 = zext nneg i32 %138 to i64
  %140 = getelementptr inbounds nuw float, ptr %2, i64 %139
  %141 = load float, ptr %140, align 4, !tbaa !12
  %142 = fmul contract float %136, %141
  %143 = fadd contract float %132, %142
  %144 = or disjoint i32 %131, 1
  %145 = zext nneg i32 %144 to i64
  %146 = getelementptr inbounds nuw [64 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ6attendE5score to ptr), i64 0, i64 %145
  %147 = load float, ptr %146, align 4, !tbaa !12
  %148 = shl nsw i32 %144, 5
  %149 = or disjoint i32 %148, %6
  %150 = zext nneg i32 %149 to i64
  %151 = getelementptr inbounds nuw float, ptr %2, i64 %150
  %152 = load float, ptr %151, align 4, !tbaa !12
  %153 = fmul contract float %147, %152
  %154 = fadd contract float %143, %153
  %155 = add nuw nsw i32 %131, 2
  %156 = add i32 %133, 2
  %157 = icmp eq i32 %156, %104
  br i1 %157, label %105, label %130, !llvm.loop !24

158:                                              ; preds = %121, %96
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @attend_online(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef readonly captures(none) %2, ptr noundef writeonly captures(none) %3, i32 noundef %4) local_unnamed_addr #0 {
  %6 = alloca [16 x float], align 4
  call void @llvm.lifetime.start.p0(i64 64, ptr nonnull %6) #9
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 4 dereferenceable(64) %6, i8 0, i64 64, i1 false)
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = mul nuw nsw i32 %7, %8
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = add nuw nsw i32 %9, %10
  %12 = shl nsw i32 %11, 4
  %13 = zext nneg i32 %12 to i64
  %14 = getelementptr inbounds nuw float, ptr %0, i64 %13
  %15 = load float, ptr %14, align 4, !tbaa !12
  %16 = zext nneg i32 %12 to i64
  %17 = getelementptr inbounds nuw float, ptr %0, i64 %16
  %18 = getelementptr inbounds nuw i8, ptr %17, i64 4
  %19 = load float, ptr %18, align 4, !tbaa !12
  %20 = zext nneg i32 %12 to i64
  %21 = getelementptr inbounds nuw float, ptr %0, i64 %20
  %22 = getelementptr inbounds nuw i8, ptr %21, i64 8
  %23 = load float, ptr %22, align 4, !tbaa !12
  %24 = zext nneg i32 %12 to i64
  %25 = getelementptr inbounds nuw float, ptr %0, i64 %24
  %26 = getelementptr inbounds nuw i8, ptr %25, i64 12
  %27 = load float, ptr %26, align 4, !tbaa !12
  %28 = zext nneg i32 %12 to i64
  %29 = getelementptr inbounds nuw float, ptr %0, i64 %28
  %30 = getelementptr inbounds nuw i8, ptr %29, i64 16
  %31 = load float, ptr %30, align 4, !tbaa !12
  %32 = zext nneg i32 %12 to i64
  %33 = getelementptr inbounds nuw float, ptr %0, i64 %32
  %34 = getelementptr inbounds nuw i8, ptr %33, i64 20
  %35 = load float, ptr %34, align 4, !tbaa !12
  %36 = zext nneg i32 %12 to i64
  %37 = getelementptr inbounds nuw float, ptr %0, i64 %36
  %38 = getelementptr inbounds nuw i8, ptr %37, i64 24
  %39 = load float, ptr %38, align 4, !tbaa !12
  %40 = zext nneg i32 %12 to i64
  %41 = getelementptr inbounds nuw float, ptr %0, i64 %40
  %42 = getelementptr inbounds nuw i8, ptr %41, i64 28
  %43 = load float, ptr %42, align 4, !tbaa !12
  %44 = zext nneg i32 %12 to i64
  %45 = getelementptr inbounds nuw float, ptr %0, i64 %44
  %46 = getelementptr inbounds nuw i8, ptr %45, i64 32
  %47 = load float, ptr %46, align 4, !tbaa !12
  %48 = zext nneg i32 %12 to i64
  %49 = getelementptr inbounds nuw float, ptr %0, i64 %48
  %50 = getelementptr inbounds nuw i8, ptr %49, i64 36
  %51 = load float, ptr %50, align 4, !tbaa !12
  %52 = zext nneg i32 %12 to i64
  %53 = getelementptr inbounds nuw float, ptr %0, i64 %52
  %54 = getelementptr inbounds nuw i8, ptr %53, i64 40
  %55 = load float, ptr %54, align 4, !tbaa !12
  %56 = zext nneg i32 %12 to i64
  %57 = getelementptr inbounds nuw float, ptr %0, i64 %56
  %58 = getelementptr inbounds nuw i8, ptr %57, i64 44
  %59 = load float, ptr %58, align 4, !tbaa !12
  %60 = zext nneg i32 %12 to i64
  %61 = getelementptr inbounds nuw float, ptr %0, i64 %60
  %62 = getelementptr inbounds nuw i8, ptr %61, i64 48
  %63 = load float, ptr %62, align 4, !tbaa !12
  %64 = zext nneg i32 %12 to i64
  %65 = getelementptr inbounds nuw float, ptr %0, i64 %64
  %66 = getelementptr inbounds nuw i8, ptr %65, i64 52
  %67 = load float, ptr %66, align 4, !tbaa !12
  %68 = zext nneg i32 %12 to i64
  %69 = getelementptr inbounds nuw float, ptr %0, i64 %68
  %70 = getelementptr inbounds nuw i8, ptr %69, i64 56
  %71 = load float, ptr %70, align 4, !tbaa !12
  %72 = zext nneg i32 %12 to i64
  %73 = getelementptr inbounds nuw float, ptr %0, i64 %72
  %74 = getelementptr inbounds nuw i8, ptr %73, i64 60
  %75 = load float, ptr %74, align 4, !tbaa !12
  %76 = icmp sgt i32 %4, 0
  br i1 %76, label %77, label %79

77:                                               ; preds = %5
  %78 = icmp samesign ult i32 %10, 256
  br label %81

79:                                               ; preds = %182, %5
  %80 = phi float [ 0.000000e+00, %5 ], [ %183, %182 ]
  br label %214

81:                                               ; preds = %77, %182
  %82 = phi float [ 0xC7EC363CC0000000, %77 ], [ %184, %182 ]
  %83 = phi float [ 0.000000e+00, %77 ], [ %183, %182 ]
  %84 = phi i32 [ 0, %77 ], [ %185, %182 ]
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %78, label %85, label %87

85:                                               ; preds = %81
  %86 = shl nsw i32 %84, 4
  br label %88

87:                                               ; preds = %88, %81
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %104

88:                                               ; preds = %85, %88
  %89 = phi i32 [ %10, %85 ], [ %102, %88 ]
  %90 = add nuw nsw i32 %89, %86
  %91 = zext nneg i32 %90 to i64
  %92 = getelementptr inbounds nuw float, ptr %1, i64 %91
  %93 = load float, ptr %92, align 4, !tbaa !12
  %94 = lshr i32 %89, 4
  %95 = zext nneg i32 %94 to i64
  %96 = and i32 %89, 15
  %97 = zext nneg i32 %96 to i64
  %98 = getelementptr inbounds nuw [16 x [17 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ13attend_onlineE2tk to ptr), i64 0, i64 %95, i64 %97
  store float %93, ptr %98, align 4, !tbaa !12
  %99 = getelementptr inbounds nuw float, ptr %2, i64 %91
  %100 = load float, ptr %99, align 4, !tbaa !12
  %101 = getelementptr inbounds nuw [16 x [17 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ13attend_onlineE2tv to ptr), i64 0, i64 %95, i64 %97
  store float %100, ptr %101, align 4, !tbaa !12
  %102 = add nuw nsw i32 %89, %8
  %103 = icmp samesign ult i32 %102, 256
  br i1 %103, label %88, label %87, !llvm.loop !25

104:                                              ; preds = %87, %187
  %105 = phi float [ %82, %87 ], [ %177, %187 ]
  %106 = phi float [ %83, %87 ], [ %189, %187 ]
  %107 = phi i32 [ 0, %87 ], [ %190, %187 ]
  %108 = or disjoint i32 %107, %84
  %109 = icmp samesign ugt i32 %108, %11
  br i1 %109, label %182, label %110

110:                                              ; preds = %104
  %111 = zext nneg i32 %107 to i64
  %112 = getelementptr inbounds nuw [16 x [17 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ13attend_onlineE2tk to ptr), i64 0, i64 %111, i64 0
  %113 = load float, ptr %112, align 4, !tbaa !12
  %114 = fmul contract float %15, %113
  %115 = fadd contract float %114, 0.000000e+00
  %116 = getelementptr inbounds nuw [16 x [17 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ13attend_onlineE2tk to ptr), i64 0, i64 %111, i64 1
  %117 = load float, ptr %116, align 4, !tbaa !12
  %118 = fmul contract float %19, %117
  %119 = fadd contract float %115, %118
  %120 = getelementptr inbounds nuw [16 x [17 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ13attend_onlineE2tk to ptr), i64 0, i64 %111, i64 2
  %121 = load float, ptr %120, align 4, !tbaa !12
  %122 = fmul contract float %23, %121
  %123 = fadd contract float %119, %122
  %124 = getelementptr inbounds nuw [16 x [17 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ13attend_onlineE2tk to ptr), i64 0, i64 %111, i64 3
  %125 = load float, ptr %124, align 4, !tbaa !12
  %126 = fmul contract float %27, %125
  %127 = fadd contract float %123, %126
  %128 = getelementptr inbounds nuw [16 x [17 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ13attend_onlineE2tk to ptr), i64 0, i64 %111, i64 4
  %129 = load float, ptr %128, align 4, !tbaa !12
  %130 = fmul contract float %31, %129
  %131 = fadd contract float %127, %130
  %132 = getelementptr inbounds nuw [16 x [17 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ13attend_onlineE2tk to ptr), i64 0, i64 %111, i64 5
  %133 = load float, ptr %132, align 4, !tbaa !12
  %134 = fmul contract float %35, %133
  %135 = fadd contract float %131, %134
  %136 = getelementptr inbounds nuw [16 x [17 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ13attend_onlineE2tk to ptr), i64 0, i64 %111, i64 6
  %137 = load float, ptr %136, align 4, !tbaa !12
  %138 = fmul contract float %39, %137
  %139 = fadd contract float %135, %138
  %140 = getelementptr inbounds nuw [16 x [17 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ13attend_onlineE2tk to ptr), i64 0, i64 %111, i64 7
  %141 = load float, ptr %140, align 4, !tbaa !12
  %142 = fmul contract float %43, %141
  %143 = fadd contract float %139, %142
  %144 = getelementptr inbounds nuw [16 x [17 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ13attend_onlineE2tk to ptr), i64 0, i64 %111, i64 8
  %145 = load float, ptr %144, align 4, !tbaa !12
  %146 = fmul contract float %47, %145
  %147 = fadd contract float %143, %146
  %148 = getelementptr inbounds nuw [16 x [17 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ13attend_onlineE2tk to ptr), i64 0, i64 %111, i64 9
  %149 = load float, ptr %148, align 4, !tbaa !12
  %150 = fmul contract float %51, %149
  %151 = fadd contract float %147, %150
  %152 = getelementptr inbounds nuw [16 x [17 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ13attend_onlineE2tk to ptr), i64 0, i64 %111, i64 10
  %153 = load float, ptr %152, align 4, !tbaa !12
  %154 = fmul contract float %55, %153
  %155 = fadd contract float %151, %154
  %156 = getelementptr inbounds nuw [16 x [17 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ13attend_onlineE2tk to ptr), i64 0, i64 %111, i64 11
  %157 = load float, ptr %156, align 4, !tbaa !12
  %158 = fmul contract float %59, %157
  %159 = fadd contract float %155, %158
  %160 = getelementptr inbounds nuw [16 x [17 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ13attend_onlineE2tk to ptr), i64 0, i64 %111, i64 12
  %161 = load float, ptr %160, align 4, !tbaa !12
  %162 = fmul contract float %63, %161
  %163 = fadd contract float %159, %162
  %164 = getelementptr inbounds nuw [16 x [17 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ13attend_onlineE2tk to ptr), i64 0, i64 %111, i64 13
  %165 = load float, ptr %164, align 4, !tbaa !12
  %166 = fmul contract float %67, %165
  %167 = fadd contract float %163, %166
  %168 = getelementptr inbounds nuw [16 x [17 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ13attend_onlineE2tk to ptr), i64 0, i64 %111, i64 14
  %169 = load float, ptr %168, align 4, !tbaa !12
  %170 = fmul contract float %71, %169
  %171 = fadd contract float %167, %170
  %172 = getelementptr inbounds nuw [16 x [17 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ13attend_onlineE2tk to ptr), i64 0, i64 %111, i64 15
  %173 = load float, ptr %172, align 4, !tbaa !12
  %174 = fmul contract float %75, %173
  %175 = fadd contract float %171, %174
  %176 = fmul contract float %175, 2.500000e-01
  %177 = tail call contract float @__nv_fmaxf(float noundef %105, float noundef %176) #8
  %178 = fsub contract float %105, %177
  %179 = tail call contract float @__nv_fast_expf(float noundef %178) #8
  %180 = fsub contract float %176, %177
  %181 = tail call contract float @__nv_fast_expf(float noundef %180) #8
  br label %192

182:                                              ; preds = %187, %104
  %183 = phi float [ %189, %187 ], [ %106, %104 ]
  %184 = phi float [ %177, %187 ], [ %105, %104 ]
  %185 = add nuw nsw i32 %84, 16
  %186 = icmp slt i32 %185, %4
  br i1 %186, label %81, label %79, !llvm.loop !26

187:                                              ; preds = %192
  %188 = fmul contract float %106, %179
  %189 = fadd contract float %188, %181
  %190 = add nuw nsw i32 %107, 1
  %191 = icmp eq i32 %190, 16
  br i1 %191, label %182, label %104, !llvm.loop !27

192:                                              ; preds = %192, %110
  %193 = phi i32 [ 0, %110 ], [ %211, %192 ]
  %194 = zext nneg i32 %193 to i64
  %195 = getelementptr inbounds nuw [16 x float], ptr %6, i64 0, i64 %194
  %196 = load float, ptr %195, align 4, !tbaa !12
  %197 = fmul contract float %179, %196
  %198 = getelementptr inbounds nuw [16 x [17 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ13attend_onlineE2tv to ptr), i64 0, i64 %111, i64 %194
  %199 = load float, ptr %198, align 4, !tbaa !12
  %200 = fmul contract float %181, %199
  %201 = fadd contract float %197, %200
  store float %201, ptr %195, align 4, !tbaa !12
  %202 = or disjoint i32 %193, 1
  %203 = zext nneg i32 %202 to i64
  %204 = getelementptr inbounds nuw [16 x float], ptr %6, i64 0, i64 %203
  %205 = load float, ptr %204, align 4, !tbaa !12
  %206 = fmul contract float %179, %205
  %207 = getelementptr inbounds nuw [16 x [17 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ13attend_onlineE2tv to ptr), i64 0, i64 %111, i64 %203
  %208 = load float, ptr %207, align 4, !tbaa !12
  %209 = fmul contract float %181, %208
  %210 = fadd contract float %206, %209
  store float %210, ptr %204, align 4, !tbaa !12
  %211 = add nuw nsw i32 %193, 2
  %212 = icmp eq i32 %211, 16
  br i1 %212, label %187, label %192, !llvm.loop !28

213:                                              ; preds = %214
  call void @llvm.lifetime.end.p0(i64 64, ptr nonnull %6) #9
  ret void

214:                                              ; preds = %214, %79
  %215 = phi i32 [ 0, %79 ], [ %231, %214 ]
  %216 = zext nneg i32 %215 to i64
  %217 = getelementptr inbounds nuw [16 x float], ptr %6, i64 0, i64 %216
  %218 = load float, ptr %217, align 4, !tbaa !12
  %219 = fdiv contract float %218, %80
  %220 = add nuw nsw i32 %215, %12
  %221 = zext nneg i32 %220 to i64
  %222 = getelementptr inbounds nuw float, ptr %3, i64 %221
  store float %219, ptr %222, align 4, !tbaa !12
  %223 = or disjoint i32 %215, 1
  %224 = zext nneg i32 %223 to i64
  %225 = getelementptr inbounds nuw [16 x float], ptr %6, i64 0, i64 %224
  %226 = load float, ptr %225, align 4, !tbaa !12
  %227 = fdiv contract float %226, %80
  %228 = add nuw nsw i32 %223, %12
  %229 = zext nneg i32 %228 to i64
  %230 = getelementptr inbounds nuw float, ptr %3, i64 %229
  store float %227, ptr %230, align 4, !tbaa !12
  %231 = add nuw nsw i32 %215, 2
  %232 = icmp eq i32 %231, 16
  br i1 %232, label %213, label %214, !llvm.loop !29
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #4

; Function Attrs: convergent nounwind
declare dso_local float @__nv_fast_expf(float noundef) local_unnamed_addr #3

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @normalise(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef writeonly captures(none) %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %6 = icmp slt i32 %5, %3
  br i1 %6, label %7, label %11

7:                                                ; preds = %4
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %9 = mul nsw i32 %3, %8
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %24

11:                                               ; preds = %24, %4
  %12 = phi float [ 0.000000e+00, %4 ], [ %32, %24 ]
  %13 = tail call contract noundef float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %12, i32 range(i32 1, -2147483648) 16, i32 31)
  %14 = fadd contract float %12, %13
  %15 = tail call contract noundef float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %14, i32 range(i32 1, -2147483648) 8, i32 31)
  %16 = fadd contract float %14, %15
  %17 = tail call contract noundef float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %16, i32 range(i32 1, -2147483648) 4, i32 31)
  %18 = fadd contract float %16, %17
  %19 = tail call contract noundef float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %18, i32 range(i32 1, -2147483648) 2, i32 31)
  %20 = fadd contract float %18, %19
  %21 = tail call contract noundef float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %20, i32 range(i32 1, -2147483648) 1, i32 31)
  %22 = and i32 %5, 31
  %23 = icmp eq i32 %22, 0
  br i1 %23, label %35, label %40

24:                                               ; preds = %7, %24
  %25 = phi i32 [ %5, %7 ], [ %33, %24 ]
  %26 = phi float [ 0.000000e+00, %7 ], [ %32, %24 ]
  %27 = add nsw i32 %25, %9
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds float, ptr %0, i64 %28
  %30 = load float, ptr %29, align 4, !tbaa !12
  %31 = fmul contract float %30, %30
  %32 = fadd contract float %26, %31
  %33 = add nuw nsw i32 %25, %10
  %34 = icmp slt i32 %33, %3
  br i1 %34, label %24, label %11, !llvm.loop !30

35:                                               ; preds = %11
  %36 = fadd contract float %20, %21
  %37 = lshr exact i32 %5, 5
  %38 = zext nneg i32 %37 to i64
  %39 = getelementptr inbounds nuw [4 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ9normaliseE5warps to ptr), i64 0, i64 %38
  store float %36, ptr %39, align 4, !tbaa !12
  br label %40

40:                                               ; preds = %35, %11
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %41 = icmp eq i32 %5, 0
  br i1 %41, label %42, label %54

42:                                               ; preds = %40
  %43 = load float, ptr addrspacecast (ptr addrspace(3) @_ZZ9normaliseE5warps to ptr), align 4, !tbaa !12
  %44 = load float, ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ9normaliseE5warps to ptr), i64 4), align 4, !tbaa !12
  %45 = fadd contract float %43, %44
  %46 = load float, ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ9normaliseE5warps to ptr), i64 8), align 4, !tbaa !12
  %47 = fadd contract float %45, %46
  %48 = load float, ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ9normaliseE5warps to ptr), i64 12), align 4, !tbaa !12
  %49 = fadd contract float %47, %48
  %50 = sitofp i32 %3 to float
  %51 = fdiv contract float %49, %50
  %52 = fadd contract float %51, 0x3EE4F8B580000000
  %53 = tail call contract float @__nv_rsqrtf(float noundef %52) #8
  store float %53, ptr addrspacecast (ptr addrspace(3) @_ZZ9normaliseE5scale to ptr), align 4, !tbaa !12
  br label %54

54:                                               ; preds = %42, %40
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %6, label %55, label %60

55:                                               ; preds = %54
  %56 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %57 = mul nsw i32 %3, %56
  %58 = load float, ptr addrspacecast (ptr addrspace(3) @_ZZ9normaliseE5scale to ptr), align 4, !tbaa !12
  %59 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %61

60:                                               ; preds = %61, %54
  ret void

61:                                               ; preds = %55, %61
  %62 = phi i32 [ %5, %55 ], [ %73, %61 ]
  %63 = add nsw i32 %62, %57
  %64 = sext i32 %63 to i64
  %65 = getelementptr inbounds float, ptr %0, i64 %64
  %66 = load float, ptr %65, align 4, !tbaa !12
  %67 = fmul contract float %66, %58
  %68 = zext nneg i32 %62 to i64
  %69 = getelementptr inbounds nuw float, ptr %1, i64 %68
  %70 = load float, ptr %69, align 4, !tbaa !12
  %71 = fmul contract float %67, %70
  %72 = getelementptr inbounds float, ptr %2, i64 %64
  store float %71, ptr %72, align 4, !tbaa !12
  %73 = add nuw nsw i32 %62, %59
  %74 = icmp slt i32 %73, %3
  br i1 %74, label %61, label %60, !llvm.loop !31
}

; Function Attrs: convergent nounwind
declare dso_local float @__nv_rsqrtf(float noundef) local_unnamed_addr #3

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @gelu(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, ptr noundef writeonly captures(none) %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul nuw nsw i32 %5, %6
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add nuw nsw i32 %7, %8
  %10 = icmp slt i32 %9, %3
  br i1 %10, label %11, label %14

11:                                               ; preds = %4
  %12 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %13 = mul nuw nsw i32 %6, %12
  br label %15

14:                                               ; preds = %15, %4
  ret void

15:                                               ; preds = %11, %15
  %16 = phi i32 [ %9, %11 ], [ %35, %15 ]
  %17 = zext nneg i32 %16 to i64
  %18 = getelementptr inbounds nuw float, ptr %0, i64 %17
  %19 = load float, ptr %18, align 4, !tbaa !12
  %20 = fmul contract float %19, 5.000000e-01
  %21 = fmul contract float %19, 0x3FE6A09E60000000
  %22 = tail call contract float @__nv_erff(float noundef %21) #8
  %23 = fadd contract float %22, 1.000000e+00
  %24 = fmul contract float %20, %23
  %25 = getelementptr inbounds nuw float, ptr %1, i64 %17
  store float %24, ptr %25, align 4, !tbaa !12
  %26 = fmul contract float %19, 0x3FA6E4E260000000
  %27 = fmul contract float %19, %26
  %28 = fmul contract float %19, %27
  %29 = fadd contract float %19, %28
  %30 = fmul contract float %29, 0x3FE9884540000000
  %31 = tail call contract float @__nv_tanhf(float noundef %30) #8
  %32 = fadd contract float %31, 1.000000e+00
  %33 = fmul contract float %20, %32
  %34 = getelementptr inbounds nuw float, ptr %2, i64 %17
  store float %33, ptr %34, align 4, !tbaa !12
  %35 = add nuw nsw i32 %16, %13
  %36 = icmp slt i32 %35, %3
  br i1 %36, label %15, label %14, !llvm.loop !32
}

; Function Attrs: convergent nounwind
declare dso_local float @__nv_erff(float noundef) local_unnamed_addr #3

; Function Attrs: convergent nounwind
declare dso_local float @__nv_tanhf(float noundef) local_unnamed_addr #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #2

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @rotate(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #0 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul nuw nsw i32 %4, %5
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add nuw nsw i32 %6, %7
  %9 = icmp slt i32 %8, %2
  br i1 %9, label %10, label %36

10:                                               ; preds = %3
  %11 = sdiv i32 %8, %1
  %12 = mul i32 %11, %1
  %13 = sub i32 %8, %12
  %14 = sitofp i32 %11 to float
  %15 = uitofp nneg i32 %13 to float
  %16 = fmul contract float %15, -2.000000e+00
  %17 = shl nsw i32 %1, 1
  %18 = sitofp i32 %17 to float
  %19 = fdiv contract float %16, %18
  %20 = tail call contract float @__nv_powf(float noundef 1.000000e+04, float noundef %19) #8
  %21 = fmul contract float %20, %14
  %22 = tail call contract float @__nv_cosf(float noundef %21) #8
  %23 = tail call contract float @__nv_sinf(float noundef %21) #8
  %24 = shl nuw nsw i32 %8, 1
  %25 = zext nneg i32 %24 to i64
  %26 = getelementptr inbounds nuw float, ptr %0, i64 %25
  %27 = load float, ptr %26, align 4, !tbaa !12
  %28 = getelementptr inbounds nuw i8, ptr %26, i64 4
  %29 = load float, ptr %28, align 4, !tbaa !12
  %30 = fmul contract float %22, %27
  %31 = fmul contract float %23, %29
  %32 = fsub contract float %30, %31
  store float %32, ptr %26, align 4, !tbaa !12
  %33 = fmul contract float %23, %27
  %34 = fmul contract float %22, %29
  %35 = fadd contract float %33, %34
  store float %35, ptr %28, align 4, !tbaa !12
  br label %36

36:                                               ; preds = %3, %10
  ret void
}

; Function Attrs: convergent nounwind
declare dso_local float @__nv_powf(float noundef, float noundef) local_unnamed_addr #3

; Function Attrs: convergent nounwind
declare dso_local float @__nv_cosf(float noundef) local_unnamed_addr #3

; Function Attrs: convergent nounwind
declare dso_local float @__nv_sinf(float noundef) local_unnamed_addr #3

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @top4(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, i32 noundef %2) local_unnamed_addr #5 {
  %4 = icmp sgt i32 %2, 0
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul nuw nsw i32 %5, %6
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add nuw nsw i32 %7, %8
  br i1 %4, label %10, label %50

10:                                               ; preds = %3
  %11 = mul nuw nsw i32 %2, %9
  %12 = and i32 %2, 1
  %13 = icmp eq i32 %2, 1
  br i1 %13, label %16, label %14

14:                                               ; preds = %10
  %15 = and i32 %2, 2147483646
  br label %67

16:                                               ; preds = %127, %10
  %17 = phi i32 [ poison, %10 ], [ %129, %127 ]
  %18 = phi i32 [ poison, %10 ], [ %134, %127 ]
  %19 = phi i32 [ poison, %10 ], [ %122, %127 ]
  %20 = phi i32 [ poison, %10 ], [ %115, %127 ]
  %21 = phi float [ 0xC7EC363CC0000000, %10 ], [ %133, %127 ]
  %22 = phi float [ 0xC7EC363CC0000000, %10 ], [ %128, %127 ]
  %23 = phi float [ 0xC7EC363CC0000000, %10 ], [ %121, %127 ]
  %24 = phi float [ 0xC7EC363CC0000000, %10 ], [ %114, %127 ]
  %25 = phi i32 [ -1, %10 ], [ %134, %127 ]
  %26 = phi i32 [ -1, %10 ], [ %129, %127 ]
  %27 = phi i32 [ -1, %10 ], [ %122, %127 ]
  %28 = phi i32 [ -1, %10 ], [ %115, %127 ]
  %29 = phi i32 [ 0, %10 ], [ %135, %127 ]
  %30 = icmp eq i32 %12, 0
  br i1 %30, label %50, label %31

31:                                               ; preds = %16
  %32 = add nuw nsw i32 %29, %11
  %33 = zext nneg i32 %32 to i64
  %34 = getelementptr inbounds nuw float, ptr %0, i64 %33
  %35 = load float, ptr %34, align 4, !tbaa !12
  %36 = fcmp contract ogt float %35, %24
  %37 = select i1 %36, i32 %29, i32 %28
  %38 = select i1 %36, float %24, float %35
  %39 = select i1 %36, i32 %28, i32 %29
  %40 = fcmp contract ogt float %38, %23
  %41 = select i1 %40, i32 %39, i32 %27
  %42 = select i1 %40, float %23, float %38
  %43 = select i1 %40, i32 %27, i32 %39
  %44 = fcmp contract ogt float %42, %22
  %45 = select i1 %44, i32 %43, i32 %26
  %46 = select i1 %44, float %22, float %42
  %47 = select i1 %44, i32 %26, i32 %43
  %48 = fcmp contract ogt float %46, %21
  %49 = select i1 %48, i32 %47, i32 %25
  br label %50

50:                                               ; preds = %31, %16, %3
  %51 = phi i32 [ -1, %3 ], [ %18, %16 ], [ %49, %31 ]
  %52 = phi i32 [ -1, %3 ], [ %17, %16 ], [ %45, %31 ]
  %53 = phi i32 [ -1, %3 ], [ %19, %16 ], [ %41, %31 ]
  %54 = phi i32 [ -1, %3 ], [ %20, %16 ], [ %37, %31 ]
  %55 = shl nsw i32 %9, 2
  %56 = zext nneg i32 %55 to i64
  %57 = getelementptr inbounds nuw i32, ptr %1, i64 %56
  store i32 %54, ptr %57, align 4, !tbaa !33
  %58 = zext nneg i32 %55 to i64
  %59 = getelementptr inbounds nuw i32, ptr %1, i64 %58
  %60 = getelementptr inbounds nuw i8, ptr %59, i64 4
  store i32 %53, ptr %60, align 4, !tbaa !33
  %61 = zext nneg i32 %55 to i64
  %62 = getelementptr inbounds nuw i32, ptr %1, i64 %61
  %63 = getelementptr inbounds nuw i8, ptr %62, i64 8
  store i32 %52, ptr %63, align 4, !tbaa !33
  %64 = zext nneg i32 %55 to i64
  %65 = getelementptr inbounds nuw i32, ptr %1, i64 %64
  %66 = getelementptr inbounds nuw i8, ptr %65, i64 12
  store i32 %51, ptr %66, align 4, !tbaa !33
  ret void

67:                                               ; preds = %127, %14
  %68 = phi float [ 0xC7EC363CC0000000, %14 ], [ %133, %127 ]
  %69 = phi float [ 0xC7EC363CC0000000, %14 ], [ %128, %127 ]
  %70 = phi float [ 0xC7EC363CC0000000, %14 ], [ %121, %127 ]
  %71 = phi float [ 0xC7EC363CC0000000, %14 ], [ %114, %127 ]
  %72 = phi i32 [ -1, %14 ], [ %134, %127 ]
  %73 = phi i32 [ -1, %14 ], [ %129, %127 ]
  %74 = phi i32 [ -1, %14 ], [ %122, %127 ]
  %75 = phi i32 [ -1, %14 ], [ %115, %127 ]
  %76 = phi i32 [ 0, %14 ], [ %135, %127 ]
  %77 = phi i32 [ 0, %14 ], [ %136, %127 ]
  %78 = add nuw nsw i32 %76, %11
  %79 = zext nneg i32 %78 to i64
  %80 = getelementptr inbounds nuw float, ptr %0, i64 %79
  %81 = load float, ptr %80, align 4, !tbaa !12
  %82 = fcmp contract ogt float %81, %71
  br i1 %82, label %83, label %84

83:                                               ; preds = %67
  br label %84

84:                                               ; preds = %67, %83
  %85 = phi float [ %81, %83 ], [ %71, %67 ]
  %86 = phi i32 [ %76, %83 ], [ %75, %67 ]
  %87 = phi float [ %71, %83 ], [ %81, %67 ]
  %88 = phi i32 [ %75, %83 ], [ %76, %67 ]
  %89 = fcmp contract ogt float %87, %70
  br i1 %89, label %90, label %91

90:                                               ; preds = %84
  br label %91

91:                                               ; preds = %90, %84
  %92 = phi float [ %87, %90 ], [ %70, %84 ]
  %93 = phi i32 [ %88, %90 ], [ %74, %84 ]
  %94 = phi float [ %70, %90 ], [ %87, %84 ]
  %95 = phi i32 [ %74, %90 ], [ %88, %84 ]
  %96 = fcmp contract ogt float %94, %69
  br i1 %96, label %97, label %98

97:                                               ; preds = %91
  br label %98

98:                                               ; preds = %97, %91
  %99 = phi float [ %94, %97 ], [ %69, %91 ]
  %100 = phi i32 [ %95, %97 ], [ %73, %91 ]
  %101 = phi float [ %69, %97 ], [ %94, %91 ]
  %102 = phi i32 [ %73, %97 ], [ %95, %91 ]
  %103 = fcmp contract ogt float %101, %68
  %104 = select i1 %103, float %101, float %68
  %105 = select i1 %103, i32 %102, i32 %72
  %106 = or disjoint i32 %76, 1
  %107 = add nuw nsw i32 %106, %11
  %108 = zext nneg i32 %107 to i64
  %109 = getelementptr inbounds nuw float, ptr %0, i64 %108
  %110 = load float, ptr %109, align 4, !tbaa !12
  %111 = fcmp contract ogt float %110, %85
  br i1 %111, label %112, label %113

112:                                              ; preds = %98
  br label %113

113:                                              ; preds = %112, %98
  %114 = phi float [ %110, %112 ], [ %85, %98 ]
  %115 = phi i32 [ %106, %112 ], [ %86, %98 ]
  %116 = phi float [ %85, %112 ], [ %110, %98 ]
  %117 = phi i32 [ %86, %112 ], [ %106, %98 ]
  %118 = fcmp contract ogt float %116, %92
  br i1 %118, label %119, label %120

119:                                              ; preds = %113
  br label %120

120:                                              ; preds = %119, %113
  %121 = phi float [ %116, %119 ], [ %92, %113 ]
  %122 = phi i32 [ %117, %119 ], [ %93, %113 ]
  %123 = phi float [ %92, %119 ], [ %116, %113 ]
  %124 = phi i32 [ %93, %119 ], [ %117, %113 ]
  %125 = fcmp contract ogt float %123, %99
  br i1 %125, label %126, label %127

126:                                              ; preds = %120
  br label %127

127:                                              ; preds = %126, %120
  %128 = phi float [ %123, %126 ], [ %99, %120 ]
  %129 = phi i32 [ %124, %126 ], [ %100, %120 ]
  %130 = phi float [ %99, %126 ], [ %123, %120 ]
  %131 = phi i32 [ %100, %126 ], [ %124, %120 ]
  %132 = fcmp contract ogt float %130, %104
  %133 = select i1 %132, float %130, float %104
  %134 = select i1 %132, i32 %131, i32 %105
  %135 = add nuw nsw i32 %76, 2
  %136 = add i32 %77, 2
  %137 = icmp eq i32 %136, %15
  br i1 %137, label %16, label %67, !llvm.loop !35
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @loss(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef writeonly captures(none) %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = icmp sgt i32 %3, 0
  br i1 %5, label %6, label %13

6:                                                ; preds = %4
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = mul nuw nsw i32 %7, %8
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = add nuw nsw i32 %9, %10
  %12 = mul nuw nsw i32 %3, %11
  br label %21

13:                                               ; preds = %21, %4
  %14 = phi float [ 0xC7EC363CC0000000, %4 ], [ %28, %21 ]
  %15 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %16 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %17 = mul nuw nsw i32 %15, %16
  %18 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %19 = add nuw nsw i32 %17, %18
  %20 = mul nsw i32 %3, %19
  br i1 %5, label %44, label %31

21:                                               ; preds = %6, %21
  %22 = phi i32 [ 0, %6 ], [ %29, %21 ]
  %23 = phi float [ 0xC7EC363CC0000000, %6 ], [ %28, %21 ]
  %24 = add nuw nsw i32 %22, %12
  %25 = zext nneg i32 %24 to i64
  %26 = getelementptr inbounds nuw float, ptr %0, i64 %25
  %27 = load float, ptr %26, align 4, !tbaa !12
  %28 = tail call contract float @__nv_fmaxf(float noundef %23, float noundef %27) #8
  %29 = add nuw nsw i32 %22, 1
  %30 = icmp eq i32 %29, %3
  br i1 %30, label %13, label %21, !llvm.loop !36

31:                                               ; preds = %44, %13
  %32 = phi float [ 0.000000e+00, %13 ], [ %53, %44 ]
  %33 = tail call contract float @__nv_logf(float noundef %32) #8
  %34 = fadd contract float %14, %33
  %35 = zext nneg i32 %19 to i64
  %36 = getelementptr inbounds nuw i32, ptr %1, i64 %35
  %37 = load i32, ptr %36, align 4, !tbaa !33
  %38 = add nsw i32 %37, %20
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds float, ptr %0, i64 %39
  %41 = load float, ptr %40, align 4, !tbaa !12
  %42 = fsub contract float %34, %41
  %43 = getelementptr inbounds nuw float, ptr %2, i64 %35
  store float %42, ptr %43, align 4, !tbaa !12
  ret void

44:                                               ; preds = %13, %44
  %45 = phi i32 [ %54, %44 ], [ 0, %13 ]
  %46 = phi float [ %53, %44 ], [ 0.000000e+00, %13 ]
  %47 = add nuw nsw i32 %45, %20
  %48 = zext nneg i32 %47 to i64
  %49 = getelementptr inbounds nuw float, ptr %0, i64 %48
  %50 = load float, ptr %49, align 4, !tbaa !12
  %51 = fsub contract float %50, %14
  %52 = tail call contract float @__nv_expf(float noundef %51) #8
  %53 = fadd contract float %46, %52
  %54 = add nuw nsw i32 %45, 1
  %55 = icmp eq i32 %54, %3
  br i1 %55, label %31, label %44, !llvm.loop !37
}

; Function Attrs: convergent nounwind
declare dso_local float @__nv_logf(float noundef) local_unnamed_addr #3

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32) #6

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #7

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32) #6

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" }
attributes #4 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #5 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #6 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #7 = { convergent nocallback nounwind }
attributes #8 = { convergent nounwind }
attributes #9 = { nounwind }

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6, !7}
!llvm.module.flags = !{!8, !9, !10}
!llvm.ident = !{!11}

!0 = !{ptr @softmax}
!1 = !{ptr @attend}
!2 = !{ptr @attend_online}
!3 = !{ptr @normalise}
!4 = !{ptr @gelu}
!5 = !{ptr @rotate}
!6 = !{ptr @top4}
!7 = !{ptr @loss}
!8 = !{i32 1, !"wchar_size", i32 4}
!9 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!10 = !{i32 7, !"frame-pointer", i32 2}
!11 = !{!"clang version 21.1.0"}
!12 = !{!13, !13, i64 0}
!13 = !{!"float", !14, i64 0}
!14 = !{!"omnipotent char", !15, i64 0}
!15 = !{!"Simple C++ TBAA"}
!16 = distinct !{!16, !17}
!17 = !{!"llvm.loop.mustprogress"}
!18 = distinct !{!18, !17}
!19 = distinct !{!19, !17}
!20 = distinct !{!20, !17}
!21 = distinct !{!21, !17}
!22 = distinct !{!22, !23}
!23 = !{!"llvm.loop.unroll.disable"}
!24 = distinct !{!24, !17}
!25 = distinct !{!25, !17}
!26 = distinct !{!26, !17}
!27 = distinct !{!27, !17}
!28 = distinct !{!28, !17}
!29 = distinct !{!29, !17}
!30 = distinct !{!30, !17}
!31 = distinct !{!31, !17}
!32 = distinct !{!32, !17}
!33 = !{!34, !34, i64 0}
!34 = !{!"int", !14, i64 0}
!35 = distinct !{!35, !17}
!36 = distinct !{!36, !17}
!37 = distinct !{!37, !17}
