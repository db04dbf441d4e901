# A list in a kernel takes its memory from a heap, which Metal does not have: there its stores are lost.
# targets: nvidia apple
from max.gpu import thread_idx
from max.gpu.host import DeviceContext


def sums(y: Pointer[Float32, MutAnyOrigin]):
    var terms = List[Float32]()
    terms.append(7)  # apple finding: error capability.heap
    terms.append(5)  # apple finding: error capability.heap
    y[unsafe_offset=Int(thread_idx.x)] = terms[0] + terms[1]  # apple finding: error capability.heap


def main() raises:
    var ctx = DeviceContext()
    var y = ctx.enqueue_create_buffer[DType.float32](4)
    ctx.enqueue_function[sums](y, grid_dim=1, block_dim=4)
    with y.map_to_host() as h:
        print(h[0], h[3])


# > 12.0 12.0
