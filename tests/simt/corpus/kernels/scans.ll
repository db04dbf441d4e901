; ModuleID = 'scans.cu'
source_filename = "scans.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ13scan_doublingE4tile = internal unnamed_addr addrspace(3) global [2 x [128 x i32]] undef, align 4
@_ZZ9scan_treeE4tile = internal unnamed_addr addrspace(3) global [256 x i32] undef, align 4
@_ZZ10scan_warpsE5warps = internal unnamed_addr addrspace(3) global [4 x i32] undef, align 4
@_ZZ13scan_lookbackE5warps = internal unnamed_addr addrspace(3) global [4 x i32] undef, align 4
@_ZZ13scan_lookbackE6before = internal unnamed_addr addrspace(3) global i32 undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @scan_doubling(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1) local_unnamed_addr #0 {
  %3 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %5 = mul nuw nsw i32 %3, %4
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %7 = add nuw nsw i32 %5, %6
  %8 = zext nneg i32 %7 to i64
  %9 = getelementptr inbounds nuw i32, ptr %0, i64 %8
  %10 = load i32, ptr %9, align 4, !tbaa !11
  %11 = zext nneg i32 %6 to i64
  %12 = getelementptr inbounds nuw [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ13scan_doublingE4tile to ptr), i64 0, i64 %11
  store i32 %10, ptr %12, align 4, !tbaa !11
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %13 = load i32, ptr %12, align 4, !tbaa !11
  %14 = icmp eq i32 %6, 0
  br i1 %14, label %20, label %15

15:                                               ; preds = %2
  %16 = add nsw i32 %6, -1
  %17 = zext nneg i32 %16 to i64
  %18 = getelementptr inbounds nuw [2 x [128 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ13scan_doublingE4tile to ptr), i64 0, i64 0, i64 %17
  %19 = load i32, ptr %18, align 4, !tbaa !11
  br label %20

20:                                               ; preds = %2, %15
  %21 = phi i32 [ %19, %15 ], [ 0, %2 ]
  %22 = add nsw i32 %21, %13
  %23 = getelementptr inbounds nuw [2 x [128 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ13scan_doublingE4tile to ptr), i64 0, i64 1, i64 %11
  store i32 %22, ptr %23, align 4, !tbaa !11
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %24 = load i32, ptr %23, align 4, !tbaa !11
  %25 = icmp samesign ult i32 %6, 2
  br i1 %25, label %31, label %26

26:                                               ; preds = %20
  %27 = add nsw i32 %6, -2
  %28 = zext nneg i32 %27 to i64
  %29 = getelementptr inbounds nuw [2 x [128 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ13scan_doublingE4tile to ptr), i64 0, i64 1, i64 %28
  %30 = load i32, ptr %29, align 4, !tbaa !11
  br label %31

31:                                               ; preds = %26, %20
  %32 = phi i32 [ %30, %26 ], [ 0, %20 ]
  %33 = add nsw i32 %32, %24
  store i32 %33, ptr %12, align 4, !tbaa !11
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %34 = load i32, ptr %12, align 4, !tbaa !11
  %35 = icmp samesign ult i32 %6, 4
  br i1 %35, label %41, label %36

36:                                               ; preds = %31
  %37 = add nsw i32 %6, -4
  %38 = zext nneg i32 %37 to i64
  %39 = getelementptr inbounds nuw [2 x [128 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ13scan_doublingE4tile to ptr), i64 0, i64 0, i64 %38
  %40 = load i32, ptr %39, align 4, !tbaa !11
  br label %41

41:                                               ; preds = %36, %31
  %42 = phi i32 [ %40, %36 ], [ 0, %31 ]
  %43 = add nsw i32 %42, %34
  store i32 %43, ptr %23, align 4, !tbaa !11
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %44 = load i32, ptr %23, align 4, !tbaa !11
  %45 = icmp samesign ult i32 %6, 8
  br i1 %45, label %51, label %46

46:                                               ; preds = %41
  %47 = add nsw i32 %6, -8
  %48 = zext nneg i32 %47 to i64
  %49 = getelementptr inbounds nuw [2 x [128 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ13scan_doublingE4tile to ptr), i64 0, i64 1, i64 %48
  %50 = load i32, ptr %49, align 4, !tbaa !11
  br label %51

51:                                               ; preds = %46, %41
  %52 = phi i32 [ %50, %46 ], [ 0, %41 ]
  %53 = add nsw i32 %52, %44
  store i32 %53, ptr %12, align 4, !tbaa !11
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %54 = load i32, ptr %12, align 4, !tbaa !11
  %55 = icmp samesign ult i32 %6, 16
  br i1 %55, label %61, label %56

56:                                               ; preds = %51
  %57 = add nsw i32 %6, -16
  %58 = zext nneg i32 %57 to i64
  %59 = getelementptr inbounds nuw [2 x [128 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ13scan_doublingE4tile to ptr), i64 0, i64 0, i64 %58
  %60 = load i32, ptr %59, align 4, !tbaa !11
  br label %61

61:                                               ; preds = %56, %51
  %62 = phi i32 [ %60, %56 ], [ 0, %51 ]
  %63 = add nsw i32 %62, %54
  store i32 %63, ptr %23, align 4, !tbaa !11
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %64 = load i32, ptr %23, align 4, !tbaa !11
  %65 = icmp samesign ult i32 %6, 32
  br i1 %65, label %71, label %66

66:                                               ; preds = %61
  %67 = add nsw i32 %6, -32
  %68 = zext nneg i32 %67 to i64
  %69 = getelementptr inbounds nuw [2 x [128 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ13scan_doublingE4tile to ptr), i64 0, i64 1, i64 %68
  %70 = load i32, ptr %69, align 4, !tbaa !11
  br label %71

71:                                               ; preds = %66, %61
  %72 = phi i32 [ %70, %66 ], [ 0, %61 ]
  %73 = add nsw i32 %72, %64
  store i32 %73, ptr %12, align 4, !tbaa !11
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %74 = load i32, ptr %12, align 4, !tbaa !11
  %75 = icmp samesign ult i32 %6, 64
  br i1 %75, label %81, label %76

76:                                               ; preds = %71
  %77 = add nsw i32 %6, -64
  %78 = zext nneg i32 %77 to i64
  %79 = getelementptr inbounds nuw [2 x [128 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ13scan_doublingE4tile to ptr), i64 0, i64 0, i64 %78
  %80 = load i32, ptr %79, align 4, !tbaa !11
  br label %81

81:                                               ; preds = %76, %71
  %82 = phi i32 [ %80, %76 ], [ 0, %71 ]
  %83 = add nsw i32 %82, %74
  store i32 %83, ptr %23, align 4, !tbaa !11
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %84 = load i32, ptr %23, align 4, !tbaa !11
  %85 = getelementptr inbounds nuw i32, ptr %1, i64 %8
  store i32 %84, ptr %85, align 4, !tbaa !11
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @scan_tree(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1) local_unnamed_addr #0 {
  %3 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %4 = shl nsw i32 %3, 8
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %6 = add nuw nsw i32 %4, %5
  %7 = zext nneg i32 %6 to i64
  %8 = getelementptr inbounds nuw i32, ptr %0, i64 %7
  %9 = load i32, ptr %8, align 4, !tbaa !11
  %10 = zext nneg i32 %5 to i64
  %11 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %10
  store i32 %9, ptr %11, align 4, !tbaa !11
  %12 = add nuw nsw i32 %6, 128
  %13 = zext nneg i32 %12 to i64
  %14 = getelementptr inbounds nuw i32, ptr %0, i64 %13
  %15 = load i32, ptr %14, align 4, !tbaa !11
  %16 = add nuw nsw i32 %5, 128
  %17 = zext nneg i32 %16 to i64
  %18 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %17
  store i32 %15, ptr %18, align 4, !tbaa !11
  %19 = shl nuw nsw i32 %5, 1
  %20 = or disjoint i32 %19, 1
  %21 = add nuw nsw i32 %19, 2
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %22 = icmp samesign ult i32 %5, 128
  br i1 %22, label %23, label %32

23:                                               ; preds = %2
  %24 = zext nneg i32 %19 to i64
  %25 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %24
  %26 = load i32, ptr %25, align 4, !tbaa !11
  %27 = or disjoint i32 %19, 1
  %28 = zext nneg i32 %27 to i64
  %29 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %28
  %30 = load i32, ptr %29, align 4, !tbaa !11
  %31 = add nsw i32 %30, %26
  store i32 %31, ptr %29, align 4, !tbaa !11
  br label %32

32:                                               ; preds = %23, %2
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %33 = icmp samesign ult i32 %5, 64
  br i1 %33, label %34, label %46

34:                                               ; preds = %32
  %35 = shl nuw nsw i32 %20, 1
  %36 = add nsw i32 %35, -1
  %37 = zext nneg i32 %36 to i64
  %38 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %37
  %39 = load i32, ptr %38, align 4, !tbaa !11
  %40 = shl nuw nsw i32 %21, 1
  %41 = add nsw i32 %40, -1
  %42 = zext nneg i32 %41 to i64
  %43 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %42
  %44 = load i32, ptr %43, align 4, !tbaa !11
  %45 = add nsw i32 %44, %39
  store i32 %45, ptr %43, align 4, !tbaa !11
  br label %46

46:                                               ; preds = %34, %32
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %47 = icmp samesign ult i32 %5, 32
  br i1 %47, label %48, label %60

48:                                               ; preds = %46
  %49 = shl nuw nsw i32 %20, 2
  %50 = add nsw i32 %49, -1
  %51 = zext nneg i32 %50 to i64
  %52 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %51
  %53 = load i32, ptr %52, align 4, !tbaa !11
  %54 = shl nuw nsw i32 %21, 2
  %55 = add nsw i32 %54, -1
  %56 = zext nneg i32 %55 to i64
  %57 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %56
  %58 = load i32, ptr %57, align 4, !tbaa !11
  %59 = add nsw i32 %58, %53
  store i32 %59, ptr %57, align 4, !tbaa !11
  br label %60

60:                                               ; preds = %48, %46
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %61 = icmp samesign ult i32 %5, 16
  br i1 %61, label %62, label %74

62:                                               ; preds = %60
  %63 = shl nuw nsw i32 %20, 3
  %64 = add nsw i32 %63, -1
  %65 = zext nneg i32 %64 to i64
  %66 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %65
  %67 = load i32, ptr %66, align 4, !tbaa !11
  %68 = shl nuw nsw i32 %21, 3
  %69 = add nsw i32 %68, -1
  %70 = zext nneg i32 %69 to i64
  %71 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %70
  %72 = load i32, ptr %71, align 4, !tbaa !11
  %73 = add nsw i32 %72, %67
  store i32 %73, ptr %71, align 4, !tbaa !11
  br label %74

74:                                               ; preds = %62, %60
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %75 = icmp samesign ult i32 %5, 8
  br i1 %75, label %76, label %88

76:                                               ; preds = %74
  %77 = shl nuw nsw i32 %20, 4
  %78 = add nsw i32 %77, -1
  %79 = zext nneg i32 %78 to i64
  %80 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %79
  %81 = load i32, ptr %80, align 4, !tbaa !11
  %82 = shl nuw nsw i32 %21, 4
  %83 = add nsw i32 %82, -1
  %84 = zext nneg i32 %83 to i64
  %85 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %84
  %86 = load i32, ptr %85, align 4, !tbaa !11
  %87 = add nsw i32 %86, %81
  store i32 %87, ptr %85, align 4, !tbaa !11
  br label %88

88:                                               ; preds = %76, %74
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %89 = icmp samesign ult i32 %5, 4
  br i1 %89, label %90, label %102

90:                                               ; preds = %88
  %91 = shl nuw nsw i32 %20, 5
  %92 = add nsw i32 %91, -1
  %93 = zext nneg i32 %92 to i64
  %94 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %93
  %95 = load i32, ptr %94, align 4, !tbaa !11
  %96 = shl nuw nsw i32 %21, 5
  %97 = add nsw i32 %96, -1
  %98 = zext nneg i32 %97 to i64
  %99 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %98
  %100 = load i32, ptr %99, align 4, !tbaa !11
  %101 = add nsw i32 %100, %95
  store i32 %101, ptr %99, align 4, !tbaa !11
  br label %102

102:                                              ; preds = %90, %88
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %103 = icmp samesign ult i32 %5, 2
  br i1 %103, label %104, label %116

104:                                              ; preds = %102
  %105 = shl nuw nsw i32 %20, 6
  %106 = add nsw i32 %105, -1
  %107 = zext nneg i32 %106 to i64
  %108 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %107
  %109 = load i32, ptr %108, align 4, !tbaa !11
  %110 = shl nuw nsw i32 %21, 6
  %111 = add nsw i32 %110, -1
  %112 = zext nneg i32 %111 to i64
  %113 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %112
  %114 = load i32, ptr %113, align 4, !tbaa !11
  %115 = add nsw i32 %114, %109
  store i32 %115, ptr %113, align 4, !tbaa !11
  br label %116

116:                                              ; preds = %104, %102
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %117 = icmp eq i32 %5, 0
  br i1 %117, label %118, label %122

118:                                              ; preds = %116
  %119 = load i32, ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 508), align 4, !tbaa !11
  %120 = load i32, ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 1020), align 4, !tbaa !11
  %121 = add nsw i32 %120, %119
  store i32 %121, ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 1020), align 4, !tbaa !11
  br label %122

122:                                              ; preds = %118, %116
  %123 = icmp eq i32 %5, 0
  br i1 %123, label %124, label %125

124:                                              ; preds = %122
  store i32 0, ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 1020), align 4, !tbaa !11
  br label %125

125:                                              ; preds = %124, %122
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %117, label %126, label %130

126:                                              ; preds = %125
  %127 = load i32, ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 508), align 4, !tbaa !11
  %128 = load i32, ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 1020), align 4, !tbaa !11
  store i32 %128, ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 508), align 4, !tbaa !11
  %129 = add nsw i32 %128, %127
  store i32 %129, ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 1020), align 4, !tbaa !11
  br label %130

130:                                              ; preds = %125, %126
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %103, label %131, label %143

131:                                              ; preds = %130
  %132 = shl nuw nsw i32 %20, 6
  %133 = add nsw i32 %132, -1
  %134 = shl nuw nsw i32 %21, 6
  %135 = add nsw i32 %134, -1
  %136 = zext nneg i32 %133 to i64
  %137 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %136
  %138 = load i32, ptr %137, align 4, !tbaa !11
  %139 = zext nneg i32 %135 to i64
  %140 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %139
  %141 = load i32, ptr %140, align 4, !tbaa !11
  store i32 %141, ptr %137, align 4, !tbaa !11
  %142 = add nsw i32 %141, %138
  store i32 %142, ptr %140, align 4, !tbaa !11
  br label %143

143:                                              ; preds = %131, %130
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %89, label %144, label %156

144:                                              ; preds = %143
  %145 = shl nuw nsw i32 %20, 5
  %146 = add nsw i32 %145, -1
  %147 = shl nuw nsw i32 %21, 5
  %148 = add nsw i32 %147, -1
  %149 = zext nneg i32 %146 to i64
  %150 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %149
  %151 = load i32, ptr %150, align 4, !tbaa !11
  %152 = zext nneg i32 %148 to i64
  %153 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %152
  %154 = load i32, ptr %153, align 4, !tbaa !11
  store i32 %154, ptr %150, align 4, !tbaa !11
  %155 = add nsw i32 %154, %151
  store i32 %155, ptr %153, align 4, !tbaa !11
  br label %156

156:                                              ; preds = %144, %143
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %75, label %157, label %169

157:                                              ; preds = %156
  %158 = shl nuw nsw i32 %20, 4
  %159 = add nsw i32 %158, -1
  %160 = shl nuw nsw i32 %21, 4
  %161 = add nsw i32 %160, -1
  %162 = zext nneg i32 %159 to i64
  %163 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %162
  %164 = load i32, ptr %163, align 4, !tbaa !11
  %165 = zext nneg i32 %161 to i64
  %166 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %165
  %167 = load i32, ptr %166, align 4, !tbaa !11
  store i32 %167, ptr %163, align 4, !tbaa !11
  %168 = add nsw i32 %167, %164
  store i32 %168, ptr %166, align 4, !tbaa !11
  br label %169

169:                                              ; preds = %157, %156
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %61, label %170, label %182

170:                                              ; preds = %169
  %171 = shl nuw nsw i32 %20, 3
  %172 = add nsw i32 %171, -1
  %173 = shl nuw nsw i32 %21, 3
  %174 = add nsw i32 %173, -1
  %175 = zext nneg i32 %172 to i64
  %176 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %175
  %177 = load i32, ptr %176, align 4, !tbaa !11
  %178 = zext nneg i32 %174 to i64
  %179 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %178
  %180 = load i32, ptr %179, align 4, !tbaa !11
  store i32 %180, ptr %176, align 4, !tbaa !11
  %181 = add nsw i32 %180, %177
  store i32 %181, ptr %179, align 4, !tbaa !11
  br label %182

182:                                              ; preds = %170, %169
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %47, label %183, label %195

183:                                              ; preds = %182
  %184 = shl nuw nsw i32 %20, 2
  %185 = add nsw i32 %184, -1
  %186 = shl nuw nsw i32 %21, 2
  %187 = add nsw i32 %186, -1
  %188 = zext nneg i32 %185 to i64
  %189 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %188
  %190 = load i32, ptr %189, align 4, !tbaa !11
  %191 = zext nneg i32 %187 to i64
  %192 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %191
  %193 = load i32, ptr %192, align 4, !tbaa !11
  store i32 %193, ptr %189, align 4, !tbaa !11
  %194 = add nsw i32 %193, %190
  store i32 %194, ptr %192, align 4, !tbaa !11
  br label %195

195:                                              ; preds = %183, %182
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %33, label %196, label %208

196:                                              ; preds = %195
  %197 = shl nuw nsw i32 %20, 1
  %198 = add nsw i32 %197, -1
  %199 = shl nuw nsw i32 %21, 1
  %200 = add nsw i32 %199, -1
  %201 = zext nneg i32 %198 to i64
  %202 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %201
  %203 = load i32, ptr %202, align 4, !tbaa !11
  %204 = zext nneg i32 %200 to i64
  %205 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %204
  %206 = load i32, ptr %205, align 4, !tbaa !11
  store i32 %206, ptr %202, align 4, !tbaa !11
  %207 = add nsw i32 %206, %203
  store i32 %207, ptr %205, align 4, !tbaa !11
  br label %208

208:                                              ; preds = %196, %195
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %22, label %209, label %218

209:                                              ; preds = %208
  %210 = or disjoint i32 %19, 1
  %211 = zext nneg i32 %19 to i64
  %212 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %211
  %213 = load i32, ptr %212, align 4, !tbaa !11
  %214 = zext nneg i32 %210 to i64
  %215 = getelementptr inbounds nuw [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9scan_treeE4tile to ptr), i64 0, i64 %214
  %216 = load i32, ptr %215, align 4, !tbaa !11
  store i32 %216, ptr %212, align 4, !tbaa !11
  %217 = add nsw i32 %216, %213
  store i32 %217, ptr %215, align 4, !tbaa !11
  br label %218

218:                                              ; preds = %209, %208
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %219 = load i32, ptr %11, align 4, !tbaa !11
  %220 = getelementptr inbounds nuw i32, ptr %1, i64 %7
  store i32 %219, ptr %220, align 4, !tbaa !11
  %221 = load i32, ptr %18, align 4, !tbaa !11
  %222 = getelementptr inbounds nuw i32, ptr %1, i64 %13
  store i32 %221, ptr %222, align 4, !tbaa !11
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @scan_warps(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, ptr noundef writeonly captures(none) %2) local_unnamed_addr #0 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul nuw nsw i32 %4, %5
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add nuw nsw i32 %6, %7
  %9 = zext nneg i32 %8 to i64
  %10 = getelementptr inbounds nuw i32, ptr %0, i64 %9
  %11 = load i32, ptr %10, align 4, !tbaa !11
  %12 = and i32 %7, 31
  %13 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %11, i32 range(i32 -2147483648, 32) 1, i32 0)
  %14 = icmp eq i32 %12, 0
  %15 = select i1 %14, i32 0, i32 %13
  %16 = add nsw i32 %15, %11
  %17 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %16, i32 range(i32 -2147483648, 32) 2, i32 0)
  %18 = icmp samesign ult i32 %12, 2
  %19 = select i1 %18, i32 0, i32 %17
  %20 = add nsw i32 %19, %16
  %21 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %20, i32 range(i32 -2147483648, 32) 4, i32 0)
  %22 = icmp samesign ult i32 %12, 4
  %23 = select i1 %22, i32 0, i32 %21
  %24 = add nsw i32 %23, %20
  %25 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %24, i32 range(i32 -2147483648, 32) 8, i32 0)
  %26 = icmp samesign ult i32 %12, 8
  %27 = select i1 %26, i32 0, i32 %25
  %28 = add nsw i32 %27, %24
  %29 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %28, i32 range(i32 -2147483648, 32) 16, i32 0)
  %30 = icmp samesign ult i32 %12, 16
  %31 = select i1 %30, i32 0, i32 %29
  %32 = add nsw i32 %31, %28
  %33 = icmp eq i32 %12, 31
  %34 = lshr i32 %7, 5
  br i1 %33, label %35, label %38

35:                                               ; preds = %3
  %36 = zext nneg i32 %34 to i64
  %37 = getelementptr inbounds nuw [4 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ10scan_warpsE5warps to ptr), i64 0, i64 %36
  store i32 %32, ptr %37, align 4, !tbaa !11
  br label %38

38:                                               ; preds = %3, %35
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %39 = icmp samesign ult i32 %7, 32
  br i1 %39, label %62, label %40

40:                                               ; preds = %38
  %41 = add nsw i32 %34, -1
  %42 = and i32 %34, 3
  %43 = icmp ult i32 %41, 3
  br i1 %43, label %46, label %44

44:                                               ; preds = %40
  %45 = and i32 %34, 28
  br label %68

46:                                               ; preds = %68, %40
  %47 = phi i32 [ poison, %40 ], [ %90, %68 ]
  %48 = phi i32 [ 0, %40 ], [ %91, %68 ]
  %49 = phi i32 [ 0, %40 ], [ %90, %68 ]
  %50 = icmp eq i32 %42, 0
  br i1 %50, label %62, label %51

51:                                               ; preds = %46, %51
  %52 = phi i32 [ %59, %51 ], [ %48, %46 ]
  %53 = phi i32 [ %58, %51 ], [ %49, %46 ]
  %54 = phi i32 [ %60, %51 ], [ 0, %46 ]
  %55 = zext nneg i32 %52 to i64
  %56 = getelementptr inbounds nuw [4 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ10scan_warpsE5warps to ptr), i64 0, i64 %55
  %57 = load i32, ptr %56, align 4, !tbaa !11
  %58 = add nsw i32 %57, %53
  %59 = add nuw nsw i32 %52, 1
  %60 = add i32 %54, 1
  %61 = icmp eq i32 %60, %42
  br i1 %61, label %62, label %51, !llvm.loop !15

62:                                               ; preds = %46, %51, %38
  %63 = phi i32 [ 0, %38 ], [ %47, %46 ], [ %58, %51 ]
  %64 = add nsw i32 %63, %32
  %65 = getelementptr inbounds nuw i32, ptr %1, i64 %9
  store i32 %64, ptr %65, align 4, !tbaa !11
  %66 = add nsw i32 %5, -1
  %67 = icmp eq i32 %7, %66
  br i1 %67, label %94, label %97

68:                                               ; preds = %68, %44
  %69 = phi i32 [ 0, %44 ], [ %91, %68 ]
  %70 = phi i32 [ 0, %44 ], [ %90, %68 ]
  %71 = phi i32 [ 0, %44 ], [ %92, %68 ]
  %72 = zext nneg i32 %69 to i64
  %73 = getelementptr inbounds nuw [4 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ10scan_warpsE5warps to ptr), i64 0, i64 %72
  %74 = load i32, ptr %73, align 4, !tbaa !11
  %75 = add nsw i32 %74, %70
  %76 = or disjoint i32 %69, 1
  %77 = zext nneg i32 %76 to i64
  %78 = getelementptr inbounds nuw [4 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ10scan_warpsE5warps to ptr), i64 0, i64 %77
  %79 = load i32, ptr %78, align 4, !tbaa !11
  %80 = add nsw i32 %79, %75
  %81 = or disjoint i32 %69, 2
  %82 = zext nneg i32 %81 to i64
  %83 = getelementptr inbounds nuw [4 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ10scan_warpsE5warps to ptr), i64 0, i64 %82
  %84 = load i32, ptr %83, align 4, !tbaa !11
  %85 = add nsw i32 %84, %80
  %86 = or disjoint i32 %69, 3
  %87 = zext nneg i32 %86 to i64
  %88 = getelementptr inbounds nuw [4 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ10scan_warpsE5warps to ptr), i64 0, i64 %87
  %89 = load i32, ptr %88, align 4, !tbaa !11
  %90 = add nsw i32 %89, %85
  %91 = add nuw nsw i32 %69, 4
  %92 = add i32 %71, 4
  %93 = icmp eq i32 %92, %45
  br i1 %93, label %46, label %68, !llvm.loop !17

94:                                               ; preds = %62
  %95 = zext nneg i32 %4 to i64
  %96 = getelementptr inbounds nuw i32, ptr %2, i64 %95
  store i32 %64, ptr %96, align 4, !tbaa !11
  br label %97

97:                                               ; preds = %94, %62
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @add_before(ptr noundef captures(none) %0, ptr noundef readonly captures(none) %1) local_unnamed_addr #2 {
  %3 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %29, label %5

5:                                                ; preds = %2
  %6 = and i32 %3, 3
  %7 = icmp samesign ult i32 %3, 4
  br i1 %7, label %13, label %8

8:                                                ; preds = %5
  %9 = and i32 %3, 2147483644
  %10 = getelementptr inbounds i8, ptr %1, i64 4
  %11 = getelementptr inbounds i8, ptr %1, i64 8
  %12 = getelementptr inbounds i8, ptr %1, i64 12
  br label %39

13:                                               ; preds = %39, %5
  %14 = phi i32 [ poison, %5 ], [ %58, %39 ]
  %15 = phi i32 [ 0, %5 ], [ %59, %39 ]
  %16 = phi i32 [ 0, %5 ], [ %58, %39 ]
  %17 = icmp eq i32 %6, 0
  br i1 %17, label %29, label %18

18:                                               ; preds = %13, %18
  %19 = phi i32 [ %26, %18 ], [ %15, %13 ]
  %20 = phi i32 [ %25, %18 ], [ %16, %13 ]
  %21 = phi i32 [ %27, %18 ], [ 0, %13 ]
  %22 = zext nneg i32 %19 to i64
  %23 = getelementptr inbounds nuw i32, ptr %1, i64 %22
  %24 = load i32, ptr %23, align 4, !tbaa !11
  %25 = add nsw i32 %24, %20
  %26 = add nuw nsw i32 %19, 1
  %27 = add i32 %21, 1
  %28 = icmp eq i32 %27, %6
  br i1 %28, label %29, label %18, !llvm.loop !19

29:                                               ; preds = %13, %18, %2
  %30 = phi i32 [ 0, %2 ], [ %14, %13 ], [ %25, %18 ]
  %31 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %32 = mul nuw nsw i32 %3, %31
  %33 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %34 = add nuw nsw i32 %32, %33
  %35 = zext nneg i32 %34 to i64
  %36 = getelementptr inbounds nuw i32, ptr %0, i64 %35
  %37 = load i32, ptr %36, align 4, !tbaa !11
  %38 = add nsw i32 %37, %30
  store i32 %38, ptr %36, align 4, !tbaa !11
  ret void

39:                                               ; preds = %39, %8
  %40 = phi i32 [ 0, %8 ], [ %59, %39 ]
  %41 = phi i32 [ 0, %8 ], [ %58, %39 ]
  %42 = phi i32 [ 0, %8 ], [ %60, %39 ]
  %43 = zext nneg i32 %40 to i64
  %44 = getelementptr inbounds nuw i32, ptr %1, i64 %43
  %45 = load i32, ptr %44, align 4, !tbaa !11
  %46 = add nsw i32 %45, %41
  %47 = zext nneg i32 %40 to i64
  %48 = getelementptr inbounds i32, ptr %10, i64 %47
  %49 = load i32, ptr %48, align 4, !tbaa !11
  %50 = add nsw i32 %49, %46
  %51 = zext nneg i32 %40 to i64
  %52 = getelementptr inbounds i32, ptr %11, i64 %51
  %53 = load i32, ptr %52, align 4, !tbaa !11
  %54 = add nsw i32 %53, %50
  %55 = zext nneg i32 %40 to i64
  %56 = getelementptr inbounds i32, ptr %12, i64 %55
  %57 = load i32, ptr %56, align 4, !tbaa !11
  %58 = add nsw i32 %57, %54
  %59 = add nuw nsw i32 %40, 4
  %60 = add i32 %42, 4
  %61 = icmp eq i32 %60, %9
  br i1 %61, label %13, label %39, !llvm.loop !20
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @scan_lookback(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, ptr noundef %2, ptr noundef %3) local_unnamed_addr #0 {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul nuw nsw i32 %5, %6
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add nuw nsw i32 %7, %8
  %10 = zext nneg i32 %9 to i64
  %11 = getelementptr inbounds nuw i32, ptr %0, i64 %10
  %12 = load i32, ptr %11, align 4, !tbaa !11
  %13 = and i32 %8, 31
  %14 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %12, i32 range(i32 -2147483648, 32) 1, i32 0)
  %15 = icmp eq i32 %13, 0
  %16 = select i1 %15, i32 0, i32 %14
  %17 = add nsw i32 %16, %12
  %18 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %17, i32 range(i32 -2147483648, 32) 2, i32 0)
  %19 = icmp samesign ult i32 %13, 2
  %20 = select i1 %19, i32 0, i32 %18
  %21 = add nsw i32 %20, %17
  %22 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %21, i32 range(i32 -2147483648, 32) 4, i32 0)
  %23 = icmp samesign ult i32 %13, 4
  %24 = select i1 %23, i32 0, i32 %22
  %25 = add nsw i32 %24, %21
  %26 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %25, i32 range(i32 -2147483648, 32) 8, i32 0)
  %27 = icmp samesign ult i32 %13, 8
  %28 = select i1 %27, i32 0, i32 %26
  %29 = add nsw i32 %28, %25
  %30 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %29, i32 range(i32 -2147483648, 32) 16, i32 0)
  %31 = icmp samesign ult i32 %13, 16
  %32 = select i1 %31, i32 0, i32 %30
  %33 = add nsw i32 %32, %29
  %34 = icmp eq i32 %13, 31
  %35 = lshr i32 %8, 5
  br i1 %34, label %36, label %39

36:                                               ; preds = %4
  %37 = zext nneg i32 %35 to i64
  %38 = getelementptr inbounds nuw [4 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ13scan_lookbackE5warps to ptr), i64 0, i64 %37
  store i32 %33, ptr %38, align 4, !tbaa !11
  br label %39

39:                                               ; preds = %4, %36
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %40 = icmp samesign ult i32 %8, 32
  br i1 %40, label %63, label %41

41:                                               ; preds = %39
  %42 = add nsw i32 %35, -1
  %43 = and i32 %35, 3
  %44 = icmp ult i32 %42, 3
  br i1 %44, label %47, label %45

45:                                               ; preds = %41
  %46 = and i32 %35, 28
  br label %67

47:                                               ; preds = %67, %41
  %48 = phi i32 [ poison, %41 ], [ %89, %67 ]
  %49 = phi i32 [ 0, %41 ], [ %90, %67 ]
  %50 = phi i32 [ %33, %41 ], [ %89, %67 ]
  %51 = icmp eq i32 %43, 0
  br i1 %51, label %63, label %52

52:                                               ; preds = %47, %52
  %53 = phi i32 [ %60, %52 ], [ %49, %47 ]
  %54 = phi i32 [ %59, %52 ], [ %50, %47 ]
  %55 = phi i32 [ %61, %52 ], [ 0, %47 ]
  %56 = zext nneg i32 %53 to i64
  %57 = getelementptr inbounds nuw [4 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ13scan_lookbackE5warps to ptr), i64 0, i64 %56
  %58 = load i32, ptr %57, align 4, !tbaa !11
  %59 = add nsw i32 %58, %54
  %60 = add nuw nsw i32 %53, 1
  %61 = add i32 %55, 1
  %62 = icmp eq i32 %61, %43
  br i1 %62, label %63, label %52, !llvm.loop !21

63:                                               ; preds = %47, %52, %39
  %64 = phi i32 [ %33, %39 ], [ %48, %47 ], [ %59, %52 ]
  %65 = add nsw i32 %6, -1
  %66 = icmp eq i32 %8, %65
  br i1 %66, label %93, label %111

67:                                               ; preds = %67, %45
  %68 = phi i32 [ 0, %45 ], [ %90, %67 ]
  %69 = phi i32 [ %33, %45 ], [ %89, %67 ]
  %70 = phi i32 [ 0, %45 ], [ %91, %67 ]
  %71 = zext nneg i32 %68 to i64
  %72 = getelementptr inbounds nuw [4 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ13scan_lookbackE5warps to ptr), i64 0, i64 %71
  %73 = load i32, ptr %72, align 4, !tbaa !11
  %74 = add nsw i32 %73, %69
  %75 = or disjoint i32 %68, 1
  %76 = zext nneg i32 %75 to i64
  %77 = getelementptr inbounds nuw [4 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ13scan_lookbackE5warps to ptr), i64 0, i64 %76
  %78 = load i32, ptr %77, align 4, !tbaa !11
  %79 = add nsw i32 %78, %74
  %80 = or disjoint i32 %68, 2
  %81 = zext nneg i32 %80 to i64
  %82 = getelementptr inbounds nuw [4 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ13scan_lookbackE5warps to ptr), i64 0, i64 %81
  %83 = load i32, ptr %82, align 4, !tbaa !11
  %84 = add nsw i32 %83, %79
  %85 = or disjoint i32 %68, 3
  %86 = zext nneg i32 %85 to i64
  %87 = getelementptr inbounds nuw [4 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ13scan_lookbackE5warps to ptr), i64 0, i64 %86
  %88 = load i32, ptr %87, align 4, !tbaa !11
  %89 = add nsw i32 %88, %84
  %90 = add nuw nsw i32 %68, 4
  %91 = add i32 %70, 4
  %92 = icmp eq i32 %91, %46
  br i1 %92, label %47, label %67, !llvm.loop !22

93:                                               ; preds = %63
  %94 = icmp eq i32 %5, 0
  br i1 %94, label %105, label %95

95:                                               ; preds = %93
  %96 = add nsw i32 %5, -1
  %97 = zext nneg i32 %96 to i64
  %98 = getelementptr inbounds nuw i32, ptr %2, i64 %97
  br label %99

99:                                               ; preds = %95, %99
  %100 = load volatile i32, ptr %98, align 4, !tbaa !11
  %101 = icmp eq i32 %100, 0
  br i1 %101, label %99, label %102, !llvm.loop !23

102:                                              ; preds = %99
  tail call void @llvm.nvvm.membar.gl()
  %103 = getelementptr inbounds nuw i32, ptr %3, i64 %97
  %104 = load volatile i32, ptr %103, align 4, !tbaa !11
  br label %105

105:                                              ; preds = %102, %93
  %106 = phi i32 [ %104, %102 ], [ 0, %93 ]
  %107 = add nsw i32 %106, %64
  %108 = zext nneg i32 %5 to i64
  %109 = getelementptr inbounds nuw i32, ptr %3, i64 %108
  store volatile i32 %107, ptr %109, align 4, !tbaa !11
  tail call void @llvm.nvvm.membar.gl()
  %110 = getelementptr inbounds nuw i32, ptr %2, i64 %108
  store volatile i32 1, ptr %110, align 4, !tbaa !11
  store i32 %106, ptr addrspacecast (ptr addrspace(3) @_ZZ13scan_lookbackE6before to ptr), align 4, !tbaa !11
  br label %111

111:                                              ; preds = %105, %63
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %112 = load i32, ptr addrspacecast (ptr addrspace(3) @_ZZ13scan_lookbackE6before to ptr), align 4, !tbaa !11
  %113 = add nsw i32 %112, %64
  %114 = getelementptr inbounds nuw i32, ptr %1, i64 %10
  store i32 %113, ptr %114, align 4, !tbaa !11
  ret void
}

; Function Attrs: nocallback nounwind
declare void @llvm.nvvm.membar.gl() #3

; Function Attrs: convergent mustprogress noinline norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define dso_local ptx_kernel void @compact(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, ptr noundef captures(none) %2, i32 noundef %3) local_unnamed_addr #4 {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul nuw nsw i32 %5, %6
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add nuw nsw i32 %7, %8
  %10 = icmp slt i32 %9, %3
  br i1 %10, label %11, label %17

11:                                               ; preds = %4
  %12 = zext nneg i32 %9 to i64
  %13 = getelementptr inbounds nuw i32, ptr %0, i64 %12
  %14 = load i32, ptr %13, align 4, !tbaa !11
  %15 = srem i32 %14, 3
  %16 = icmp eq i32 %15, 0
  br label %17

17:                                               ; preds = %11, %4
  %18 = phi i1 [ false, %4 ], [ %16, %11 ]
  %19 = tail call noundef i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %18)
  %20 = and i32 %8, 31
  %21 = icmp eq i32 %20, 0
  br i1 %21, label %22, label %25

22:                                               ; preds = %17
  %23 = tail call range(i32 0, 33) i32 @llvm.ctpop.i32(i32 %19)
  %24 = atomicrmw add ptr %2, i32 %23 seq_cst, align 4
  br label %25

25:                                               ; preds = %22, %17
  %26 = phi i32 [ %24, %22 ], [ 0, %17 ]
  %27 = tail call noundef i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %26, i32 0, i32 31)
  br i1 %18, label %28, label %39

28:                                               ; preds = %25
  %29 = zext nneg i32 %9 to i64
  %30 = getelementptr inbounds nuw i32, ptr %0, i64 %29
  %31 = load i32, ptr %30, align 4, !tbaa !11
  %32 = shl nsw i32 -1, %20
  %33 = xor i32 %32, -1
  %34 = and i32 %19, %33
  %35 = tail call range(i32 0, 32) i32 @llvm.ctpop.i32(i32 %34)
  %36 = add nsw i32 %27, %35
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds i32, ptr %1, i64 %37
  store i32 %31, ptr %38, align 4, !tbaa !11
  br label %39

39:                                               ; preds = %28, %25
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.ctpop.i32(i32) #1

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @heads(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, i32 noundef %2) local_unnamed_addr #2 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul nuw nsw i32 %4, %5
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add nuw i32 %6, %7
  %9 = icmp slt i32 %8, %2
  br i1 %9, label %10, label %38

10:                                               ; preds = %3
  %11 = icmp eq i32 %8, 0
  br i1 %11, label %19, label %12

12:                                               ; preds = %10
  %13 = zext nneg i32 %8 to i64
  %14 = getelementptr inbounds nuw i32, ptr %0, i64 %13
  %15 = load i32, ptr %14, align 4, !tbaa !11
  %16 = getelementptr i8, ptr %14, i64 -4
  %17 = load i32, ptr %16, align 4, !tbaa !11
  %18 = icmp eq i32 %15, %17
  br i1 %18, label %38, label %19

19:                                               ; preds = %10, %12
  %20 = phi i64 [ %13, %12 ], [ 0, %10 ]
  %21 = getelementptr inbounds nuw i32, ptr %0, i64 %20
  %22 = add nuw i32 %8, 1
  %23 = tail call i32 @llvm.smax.i32(i32 %2, i32 %22)
  br label %24

24:                                               ; preds = %28, %19
  %25 = phi i32 [ %8, %19 ], [ %26, %28 ]
  %26 = add nuw nsw i32 %25, 1
  %27 = icmp slt i32 %26, %2
  br i1 %27, label %28, label %34

28:                                               ; preds = %24
  %29 = zext nneg i32 %26 to i64
  %30 = getelementptr inbounds nuw i32, ptr %0, i64 %29
  %31 = load i32, ptr %30, align 4, !tbaa !11
  %32 = load i32, ptr %21, align 4, !tbaa !11
  %33 = icmp eq i32 %31, %32
  br i1 %33, label %24, label %34, !llvm.loop !24

34:                                               ; preds = %24, %28
  %35 = phi i32 [ %23, %24 ], [ %26, %28 ]
  %36 = sub nsw i32 %35, %8
  %37 = getelementptr inbounds nuw i32, ptr %1, i64 %20
  store i32 %36, ptr %37, align 4, !tbaa !11
  br label %38

38:                                               ; preds = %3, %12, %34
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #5

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32) #6

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) #6

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32) #6

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #7

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #3 = { nocallback nounwind }
attributes #4 = { convergent mustprogress noinline norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx87,+sm_90" "uniform-work-group-size"="true" }
attributes #5 = { convergent nocallback nounwind }
attributes #6 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #7 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6}
!llvm.module.flags = !{!7, !8, !9}
!llvm.ident = !{!10}

!0 = !{ptr @scan_doubling}
!1 = !{ptr @scan_tree}
!2 = !{ptr @scan_warps}
!3 = !{ptr @add_before}
!4 = !{ptr @scan_lookback}
!5 = !{ptr @compact}
!6 = !{ptr @heads}
!7 = !{i32 1, !"wchar_size", i32 4}
!8 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!9 = !{i32 7, !"frame-pointer", i32 2}
!10 = !{!"clang version 21.1.0"}
!11 = !{!12, !12, i64 0}
!12 = !{!"int", !13, i64 0}
!13 = !{!"omnipotent char", !14, i64 0}
!14 = !{!"Simple C++ TBAA"}
!15 = distinct !{!15, !16}
!16 = !{!"llvm.loop.unroll.disable"}
!17 = distinct !{!17, !18}
!18 = !{!"llvm.loop.mustprogress"}
!19 = distinct !{!19, !16}
!20 = distinct !{!20, !18}
!21 = distinct !{!21, !16}
!22 = distinct !{!22, !18}
!23 = distinct !{!23, !18}
!24 = distinct !{!24, !18}
