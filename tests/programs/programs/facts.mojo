"""What a program may ask of its device."""

from max.gpu.host import DeviceAttribute, DeviceContext


def main() raises:
    var ctx = DeviceContext()
    print(ctx.api(), ctx.id(), DeviceContext.number_of_devices())
    print(DeviceContext.number_of_devices(api="cpu"))
    print(ctx.get_attribute(DeviceAttribute.WARP_SIZE))
    print(ctx.get_attribute(DeviceAttribute.MAX_THREADS_PER_BLOCK))
    print(ctx.get_attribute(DeviceAttribute.MULTIPROCESSOR_COUNT) > 0)
    print(ctx.is_compatible(), ctx.is_host_unified())
    ctx.set_as_current()
    var before = ctx.get_memory_info()
    var buffer = ctx.enqueue_create_buffer[DType.uint8](1 << 20)
    buffer.enqueue_fill(0)
    ctx.synchronize()
    var after = ctx.get_memory_info()
    print(before[1] == after[1], before[0] >= after[0])
    print(len(buffer), ctx.max_single_alloc_size() > 1 << 20)
    print(ctx.can_access(ctx), DeviceContext.all_peer_access_enabled())
    DeviceContext.enable_all_peer_access()
    try:
        ctx.enable_peer_access(ctx)
        print("a peer of itself")
    except:
        print("no peer")
    try:
        _ = DeviceContext(device_id=99)
    except e:
        print("there is no device 99")


# nvidia> cuda 0 1
# amd> hip 0 1
# apple> metal 0 1
# > 1
# nvidia> 32
# amd> 64
# apple> 32
# > 1024
# > True
# nvidia> True False
# amd> True False
# apple> True True
# > True True
# > 1048576 True
# > False False
# > no peer
# > there is no device 99
