; Threads call a function through a pointer from memory; Metal does so only from a function table.
; target: apple:apple-m4
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i32:32
; caught: capability, error

target triple = "air64-apple-macosx"

@table = internal addrspace(1) constant [2 x ptr] [ptr @one, ptr @two]

define void @one(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  ret void
}

define void @two(ptr addrspace(1) %p) {
  store i32 2, ptr addrspace(1) %p
  ret void
}

define void @caught(ptr addrspace(1) %o) {
  %t = call i32 @air.thread_position_in_threadgroup.x()
  %p = getelementptr i32, ptr addrspace(1) %o, i32 %t
  %k = and i32 %t, 1
  %e = getelementptr [2 x ptr], ptr addrspace(1) @table, i32 0, i32 %k
  %f = load ptr, ptr addrspace(1) %e
  call void %f(ptr addrspace(1) %p)
  ret void
}

define void @clean(ptr addrspace(1) %o) {
  %t = call i32 @air.thread_position_in_threadgroup.x()
  %p = getelementptr i32, ptr addrspace(1) %o, i32 %t
  %k = trunc i32 %t to i1
  br i1 %k, label %odd, label %even
odd:
  call void @two(ptr addrspace(1) %p)
  ret void
even:
  call void @one(ptr addrspace(1) %p)
  ret void
}

declare i32 @air.thread_position_in_threadgroup.x()
