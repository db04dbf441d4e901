// The two algorithms of the comparison, as the Mojo kernels state them.

// One row of six values for each block of eight threads.
kernel void axis_sum(global float *output, global const float *a)
{
    local float cache[8];
    size_t i = get_local_id(0), row = get_group_id(0);
    cache[i] = i < 6 ? a[row * 6 + i] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t stride = 4; stride > 0; stride /= 2) {
        float addend = 0.0f;
        if (i < stride)
            addend = cache[i + stride];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < stride)
            cache[i] += addend;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i == 0)
        output[row] = cache[0];
}

// One value for each of the 1,024 threads of a block.
kernel void block_sum(global float *output, global const float *a)
{
    local float partial[1024];
    size_t i = get_local_id(0), block = get_group_id(0);
    partial[i] = a[block * 1024 + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t stride = 512; stride > 0; stride /= 2) {
        if (i < stride)
            partial[i] += partial[i + stride];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i == 0)
        output[block] = partial[0];
}
