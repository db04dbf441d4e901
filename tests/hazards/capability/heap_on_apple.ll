; Threads take memory from a heap; Metal has none.
; target: apple:apple-m4
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i32:32
; caught: capability, error

target triple = "air64-apple-macosx"

define void @caught(ptr addrspace(1) %o) {
  %t = call i32 @air.thread_position_in_threadgroup.x()
  %p = getelementptr i32, ptr addrspace(1) %o, i32 %t
  %b = call ptr @malloc(i64 4)
  store i32 %t, ptr %b
  %v = load i32, ptr %b
  store i32 %v, ptr addrspace(1) %p
  call void @free(ptr %b)
  ret void
}

define void @clean(ptr addrspace(1) %o) {
  %t = call i32 @air.thread_position_in_threadgroup.x()
  %p = getelementptr i32, ptr addrspace(1) %o, i32 %t
  %b = alloca i32
  store i32 %t, ptr %b
  %v = load i32, ptr %b
  store i32 %v, ptr addrspace(1) %p
  ret void
}

declare i32 @air.thread_position_in_threadgroup.x()
declare ptr @malloc(i64)
declare void @free(ptr)
