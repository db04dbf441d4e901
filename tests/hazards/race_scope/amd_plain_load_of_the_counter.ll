; The last block reads the counter, plainly or atomically; on AMD what an atomic found orders no plain access.
; target: amd:gfx942
; launch: grid 4, block 1, cluster 1
; arguments: o:inout:i32:2
; caught: race, error

target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @caught(ptr addrspace(1) %o) {
  %x = atomicrmw add ptr addrspace(1) %o, i32 1 syncscope("agent") monotonic, align 4
  %c = icmp eq i32 %x, 3
  br i1 %c, label %last, label %end
last:
  %v = load i32, ptr addrspace(1) %o, align 4
  %g = getelementptr i32, ptr addrspace(1) %o, i64 1
  store i32 %v, ptr addrspace(1) %g, align 4
  store atomic i32 0, ptr addrspace(1) %o syncscope("agent") monotonic, align 4
  br label %end
end:
  ret void
}

define amdgpu_kernel void @clean(ptr addrspace(1) %o) {
  %x = atomicrmw add ptr addrspace(1) %o, i32 1 syncscope("agent") monotonic, align 4
  %c = icmp eq i32 %x, 3
  br i1 %c, label %last, label %end
last:
  %v = load atomic i32, ptr addrspace(1) %o syncscope("agent") monotonic, align 4
  %g = getelementptr i32, ptr addrspace(1) %o, i64 1
  store i32 %v, ptr addrspace(1) %g, align 4
  store atomic i32 0, ptr addrspace(1) %o syncscope("agent") monotonic, align 4
  br label %end
end:
  ret void
}

