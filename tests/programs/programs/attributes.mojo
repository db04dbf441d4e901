"""All device attributes that Mojo names, as the named GPU has them."""

from max.gpu.host import DeviceAttribute, DeviceContext


def show(ctx: DeviceContext, name: StaticString, which: DeviceAttribute):
    try:
        print(name, ctx.get_attribute(which))
    except:
        print(name, "is not known")


def main() raises:
    var ctx = DeviceContext()
    print(ctx.name().byte_length() > 0)
    print(ctx.arch_name())
    show(ctx, "threads of a block", DeviceAttribute.MAX_THREADS_PER_BLOCK)
    show(ctx, "block in x", DeviceAttribute.MAX_BLOCK_DIM_X)
    show(ctx, "block in y", DeviceAttribute.MAX_BLOCK_DIM_Y)
    show(ctx, "block in z", DeviceAttribute.MAX_BLOCK_DIM_Z)
    show(ctx, "grid in x", DeviceAttribute.MAX_GRID_DIM_X)
    show(ctx, "grid in y", DeviceAttribute.MAX_GRID_DIM_Y)
    show(ctx, "grid in z", DeviceAttribute.MAX_GRID_DIM_Z)
    show(
        ctx,
        "shared memory of a block",
        DeviceAttribute.MAX_SHARED_MEMORY_PER_BLOCK,
    )
    show(ctx, "warp", DeviceAttribute.WARP_SIZE)
    show(ctx, "registers of a block", DeviceAttribute.MAX_REGISTERS_PER_BLOCK)
    show(ctx, "multiprocessors", DeviceAttribute.MULTIPROCESSOR_COUNT)
    show(
        ctx,
        "threads of a multiprocessor",
        DeviceAttribute.MAX_THREADS_PER_MULTIPROCESSOR,
    )
    show(ctx, "major", DeviceAttribute.COMPUTE_CAPABILITY_MAJOR)
    show(ctx, "minor", DeviceAttribute.COMPUTE_CAPABILITY_MINOR)
    show(
        ctx,
        "shared memory of a multiprocessor",
        DeviceAttribute.MAX_SHARED_MEMORY_PER_MULTIPROCESSOR,
    )
    show(
        ctx,
        "registers of a multiprocessor",
        DeviceAttribute.MAX_REGISTERS_PER_MULTIPROCESSOR,
    )
    show(ctx, "cooperative", DeviceAttribute.COOPERATIVE_LAUNCH)
    show(
        ctx,
        "shared memory when asked for",
        DeviceAttribute.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
    )
    show(
        ctx,
        "blocks of a multiprocessor",
        DeviceAttribute.MAX_BLOCKS_PER_MULTIPROCESSOR,
    )
    try:
        print("compute capability", ctx.compute_capability())
    except:
        print("no compute capability")
    print(ctx.get_api_version() > 0, ctx.supports_multicast())
    ctx.run_healthcheck()


# > True
# nvidia> sm_90a
# amd> gfx942
# apple> apple-m4
# > threads of a block 1024
# > block in x 1024
# > block in y 1024
# nvidia> block in z 64
# amd> block in z 1024
# apple> block in z 1024
# > grid in x 2147483647
# nvidia> grid in y 65535
# amd> grid in y 2147483647
# apple> grid in y 2147483647
# nvidia> grid in z 65535
# amd> grid in z 2147483647
# apple> grid in z 2147483647
# nvidia> shared memory of a block 49152
# amd> shared memory of a block 65536
# apple> shared memory of a block 32768
# nvidia> warp 32
# amd> warp 64
# apple> warp 32
# nvidia> registers of a block 65536
# amd> registers of a block is not known
# apple> registers of a block is not known
# nvidia> multiprocessors 132
# amd> multiprocessors 304
# apple> multiprocessors 10
# nvidia> threads of a multiprocessor 2048
# amd> threads of a multiprocessor 2048
# apple> threads of a multiprocessor is not known
# nvidia> major 9
# amd> major is not known
# apple> major is not known
# nvidia> minor 0
# amd> minor is not known
# apple> minor is not known
# nvidia> shared memory of a multiprocessor 233472
# amd> shared memory of a multiprocessor 65536
# apple> shared memory of a multiprocessor 32768
# nvidia> registers of a multiprocessor 65536
# amd> registers of a multiprocessor is not known
# apple> registers of a multiprocessor is not known
# > cooperative 1
# nvidia> shared memory when asked for 232448
# amd> shared memory when asked for is not known
# apple> shared memory when asked for is not known
# nvidia> blocks of a multiprocessor 32
# amd> blocks of a multiprocessor is not known
# apple> blocks of a multiprocessor is not known
# nvidia> compute capability 90
# amd> no compute capability
# apple> no compute capability
# > True False
# natively: memory that GPUs write together is there where a switch joins several
