"""An array of structs in memory, a struct as an argument, and many launches."""

from std.builtin.device_passable import DevicePassable, DeviceTypeEncoder
from std.sys import size_of
from max.gpu import global_idx
from max.gpu.host import DeviceContext


@fieldwise_init
struct Particle(TrivialRegisterPassable):
    var x: Float32
    var v: Float32
    var alive: Bool
    var hits: Int16


@fieldwise_init
struct World(DevicePassable, TrivialRegisterPassable):
    var gravity: Float32
    var dt: Float32
    var floor: Float64
    comptime device_type: AnyType = Self

    def _to_device_type(
        self, mut encoder: Some[DeviceTypeEncoder], target: MutOpaquePointer[_]
    ):
        encoder.encode(self, target)

    @staticmethod
    def get_type_name() -> String:
        return "World"


def step(p: UnsafePointer[Particle, MutAnyOrigin], n: Int32, world: World):
    var i = Int(global_idx.x)
    if i < Int(n):
        var one = p[i]
        if one.alive:
            one.v -= world.gravity * world.dt
            one.x += one.v * world.dt
            if Float64(one.x) < world.floor:
                one.x = Float32(2 * world.floor) - one.x
                one.v = -one.v
                one.hits += 1
                if one.hits == 3:
                    one.alive = False
            p[i] = one


def main() raises:
    comptime N = 10
    with DeviceContext() as ctx:
        var raw = ctx.enqueue_create_buffer[DType.uint8](
            N * size_of[Particle]()
        )
        with raw.map_to_host() as host:
            var p = host.unsafe_ptr().bitcast[Particle]()
            for i in range(N):
                p[i] = Particle(Float32(i + 1), 0, True, 0)
        for _ in range(60):
            ctx.enqueue_function[step](
                raw.unsafe_ptr().bitcast[Particle](),
                Int32(N),
                World(8, 0.0625, 0.5),
                grid_dim=1,
                block_dim=32,
            )
        with raw.map_to_host() as host:
            var p = host.unsafe_ptr().bitcast[Particle]()
            for i in range(N):
                print(i, p[i].x, p[i].alive, p[i].hits)


# > 0 0.65625 False 3
# > 1 0.71875 False 3
# > 2 1.875 True 2
# > 3 4.0 True 2
# > 4 4.125 True 2
# > 5 2.25 True 2
# > 6 1.0625 True 2
# > 7 3.875 True 1
# > 8 5.25 True 1
# > 9 8.8125 True 1
