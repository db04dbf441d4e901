"""MAX's flash attention, with and without a mask, against what the host computes."""

from std.math import exp

from layout import Idx, TileTensor, row_major
from max.gpu.host import DeviceBuffer, DeviceContext
from nn.attention.gpu.mha import flash_attention
from nn.attention.mha_mask import CausalMask, NullMask

comptime BATCH = 1
comptime TOKENS = 128
comptime HEADS = 2
comptime DEPTH = 64
comptime SIZE = BATCH * TOKENS * HEADS * DEPTH
comptime SCALE = Float32(0.125)


def value(token: Int, head: Int, depth: Int, of: Int) -> Float32:
    """An element of the queries (0), the keys (5) or the values (3), which bfloat16 holds.
    """
    return Float32((token * 14 + head * 7 + depth * 3 + of) % 13 - 6) / 8


def filled(ctx: DeviceContext, of: Int) raises -> DeviceBuffer[DType.bfloat16]:
    var made = ctx.enqueue_create_buffer[DType.bfloat16](SIZE)
    with made.map_to_host() as elements:
        for at in range(SIZE):
            var row, depth = divmod(at, DEPTH)
            var token, head = divmod(row, HEADS)
            elements[at] = value(token, head, depth, of).cast[DType.bfloat16]()
    return made


def off(result: DeviceBuffer[DType.bfloat16], causal: Bool) raises -> Float32:
    """How far the result is from what it must be, where that is the farthest.
    """
    var most = Float32(0)
    with result.map_to_host() as elements:
        for row in range(TOKENS * HEADS):
            var token, head = divmod(row, HEADS)
            var weights = List[Float32]()
            var total = Float32(0)
            for other in range(token + 1 if causal else TOKENS):
                var dot = Float32(0)
                for depth in range(DEPTH):
                    dot += value(token, head, depth, 0) * value(
                        other, head, depth, 5
                    )
                weights.append(exp(dot * SCALE))
                total += weights[other]
            for depth in range(DEPTH):
                var mean = Float32(0)
                for other in range(len(weights)):
                    mean += weights[other] * value(other, head, depth, 3)
                var there = elements[row * DEPTH + depth].cast[DType.float32]()
                most = max(most, abs(there - mean / total))
    return most


def main() raises:
    with DeviceContext() as ctx:
        var queries = filled(ctx, 0)
        var keys = filled(ctx, 5)
        var values = filled(ctx, 3)
        var result = ctx.enqueue_create_buffer[DType.bfloat16](SIZE)
        var shape = row_major(BATCH, TOKENS, Idx[HEADS], Idx[DEPTH])
        var q = TileTensor(queries, shape).as_imm()
        var k = TileTensor(keys, shape).as_imm()
        var v = TileTensor(values, shape).as_imm()
        flash_attention(
            TileTensor(result, shape), q, k, v, NullMask(), SCALE, ctx
        )
        print("flash attention", off(result, causal=False) < 0.005)
        flash_attention(
            TileTensor(result, shape), q, k, v, CausalMask(), SCALE, ctx
        )
        print("causal", off(result, causal=True) < 0.01)


# targets: nvidia
# > flash attention True
# > causal True
