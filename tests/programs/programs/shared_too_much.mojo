"""Dynamic shared memory up to what the GPU has for a block; one byte more is an error of Mojo."""

from max.gpu.host import DeviceAttribute, DeviceContext, FuncAttribute
from max.gpu.memory import AddressSpace, external_memory


def mark(to: Pointer[Int32, MutAnyOrigin], last: Int32):
    var cache = external_memory[
        Int32, address_space=AddressSpace.SHARED, alignment=4
    ]()
    cache[unsafe_offset=Int(last)] = 9
    to[] = cache[unsafe_offset=Int(last)]


def main() raises:
    with DeviceContext() as ctx:
        var most = ctx.get_attribute(
            DeviceAttribute.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
        )
        var result = ctx.enqueue_create_buffer[DType.int32](1)
        var kernel = ctx.compile_function[mark](
            func_attribute=FuncAttribute.MAX_DYNAMIC_SHARED_SIZE_BYTES(
                UInt32(most)
            )
        )
        ctx.enqueue_function(
            kernel,
            result,
            Int32(most // 4 - 1),
            grid_dim=1,
            block_dim=1,
            shared_mem_bytes=most,
        )
        print(result)
        try:
            ctx.enqueue_function(
                kernel,
                result,
                Int32(0),
                grid_dim=1,
                block_dim=1,
                shared_mem_bytes=most + 4,
            )
            ctx.synchronize()
            print("launched")
        except:
            print("refused")
        # Unasked a block has less than the GPU could give it.
        var unasked = ctx.compile_function[mark]()
        var usual = ctx.get_attribute(
            DeviceAttribute.MAX_SHARED_MEMORY_PER_BLOCK
        )
        for bytes in [usual, usual + 4]:
            try:
                ctx.enqueue_function(
                    unasked,
                    result,
                    Int32(0),
                    grid_dim=1,
                    block_dim=1,
                    shared_mem_bytes=bytes,
                )
                ctx.synchronize()
                print("launched")
            except:
                print("refused")


# targets: nvidia
# > DeviceBuffer([9])
# > refused
# > launched
# > refused
