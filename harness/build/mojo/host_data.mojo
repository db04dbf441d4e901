"""The buffers of a host function: their contents come from whoever runs it, and go back there."""

from std.ffi import external_call
from std.sys.defines import is_defined

from max.gpu.host import DeviceBuffer, DeviceContext

comptime NATIVE = is_defined["HARNESS_NATIVE"]()
"""Whether a GPU runs it. Else the simulated device itself fills the buffers and keeps what becomes of them."""
comptime GUARD = 64
"""The elements of a guard, on both sides of a buffer on a GPU."""


@fieldwise_init
struct Data(TrivialRegisterPassable):
    """A data set."""

    var number: Int
    """Which, from 0; on a GPU the address of a table: that of an error's text, of its numbers, and of each buffer with its
    guards in the host's memory.
    """

    def entry(self, place: Int) -> Int:
        """Reads the table.

        Args:
            place: Which entry, from 0.

        Returns:
            An address.
        """
        return Pointer[Int, MutAnyOrigin](unsafe_from_address=self.number)[
            unsafe_offset=place
        ]

    def whole[
        dtype: DType
    ](
        self, ctx: DeviceContext, argument: Int, elements: Int
    ) raises -> DeviceBuffer[dtype]:
        """Makes the buffer of an argument, with what the data set holds of it.

        Parameters:
            dtype: The element type.

        Args:
            ctx: Where it lies.
            argument: Its number among the tensors of the call.
            elements: How many it has.

        Returns:
            The buffer, on a GPU between its guards.

        Raises:
            There is no room for it.
        """
        comptime if NATIVE:
            var guarded = ctx.enqueue_create_buffer[dtype](elements + 2 * GUARD)
            ctx.enqueue_copy(
                guarded,
                Pointer[Scalar[dtype], MutAnyOrigin](
                    unsafe_from_address=self.entry(2 + argument)
                ),
            )
            return guarded^
        var buffer = ctx.enqueue_create_buffer[dtype](elements)
        external_call["HarnessData_given", NoneType](
            Int(buffer.unsafe_ptr()), Int32(self.number), Int32(argument)
        )
        return buffer^

    def part[
        dtype: DType
    ](self, whole: DeviceBuffer[dtype], elements: Int) raises -> DeviceBuffer[
        dtype
    ]:
        """The buffer without its guards.

        Parameters:
            dtype: The element type.

        Args:
            whole: From `whole`.
            elements: How many it has.

        Returns:
            What a host function gets.

        Raises:
            The device cannot.
        """
        return whole.create_sub_buffer[dtype](GUARD if NATIVE else 0, elements)

    def left[
        dtype: DType
    ](
        self, ctx: DeviceContext, argument: Int, whole: DeviceBuffer[dtype]
    ) raises:
        """Gives back what became of a buffer.

        Parameters:
            dtype: The element type.

        Args:
            ctx: Where it lies.
            argument: Its number among the tensors of the call.
            whole: From `whole`.

        Raises:
            The copy fails.
        """
        comptime if NATIVE:
            ctx.enqueue_copy(
                Pointer[Scalar[dtype], MutAnyOrigin](
                    unsafe_from_address=self.entry(2 + argument)
                ),
                whole,
            )

    def scalar[dtype: DType](self, argument: Int) -> Scalar[dtype]:
        """Reads a number of the call.

        Parameters:
            dtype: Its type.

        Args:
            argument: Its place among the numbers of the call.

        Returns:
            The number.
        """
        comptime if NATIVE:
            return Pointer[Float64, MutAnyOrigin](
                unsafe_from_address=self.entry(1)
            )[unsafe_offset=argument].cast[dtype]()
        return external_call["HarnessData_scalar", Float64](
            Int32(self.number), Int32(argument)
        ).cast[dtype]()

    def done(self):
        """The function has returned, and all its work is done."""
        comptime if not NATIVE:
            external_call["HarnessData_done", NoneType](Int32(self.number))

    def failed(self, var reason: String):
        """The function has raised an error.

        Args:
            reason: Its text.
        """
        comptime if NATIVE:
            var room = Pointer[UInt8, MutAnyOrigin](
                unsafe_from_address=self.entry(0)
            )
            var octets = reason.as_bytes()
            for at in range(min(len(octets), 1023)):
                room[unsafe_offset=at] = octets[at]
        else:
            external_call["HarnessData_failed", NoneType](
                Int32(self.number), reason.as_c_string_span().ptr()
            )
