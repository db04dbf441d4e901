"""The buffers of a host function: their contents come from whoever runs it, and stay there."""

from std.ffi import external_call

from max.gpu.host import DeviceBuffer, DeviceContext


@fieldwise_init
struct Data(TrivialRegisterPassable):
    """A data set.

    In the simulator the device itself fills the buffers and keeps what becomes of them.
    """

    var number: Int
    """Which, from 0."""

    def buffer[
        dtype: DType
    ](self, ctx: DeviceContext, argument: Int, elements: Int) raises -> DeviceBuffer[dtype]:
        """Makes the buffer of an argument, with what the data set holds of it.

        Parameters:
            dtype: The element type.

        Args:
            ctx: Where it lies.
            argument: Its number among the tensors of the call.
            elements: How many it has.

        Returns:
            The buffer.

        Raises:
            There is no room for it.
        """
        var buffer = ctx.enqueue_create_buffer[dtype](elements)
        external_call["HarnessData_given", NoneType](
            Int(buffer.unsafe_ptr()), Int32(self.number), Int32(argument)
        )
        return buffer^

    def scalar[dtype: DType](self, argument: Int) -> Scalar[dtype]:
        """Reads a number of the call.

        Parameters:
            dtype: Its type.

        Args:
            argument: Its place among the numbers of the call.

        Returns:
            The number.
        """
        var value = external_call["HarnessData_scalar", Float64](
            Int32(self.number), Int32(argument)
        )
        return value.cast[dtype]()

    def done(self):
        """The function has returned, and all its work is done."""
        external_call["HarnessData_done", NoneType](Int32(self.number))

    def failed(self, var reason: String):
        """The function has raised an error.

        Args:
            reason: Its text.
        """
        external_call["HarnessData_failed", NoneType](
            Int32(self.number), reason.as_c_string_span().ptr()
        )
