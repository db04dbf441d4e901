"""The arguments of a call of an exported function: their contents come from whoever runs it, and go back there.

The folder of the call holds a table and the bytes of each block of memory. The table has 16 bytes for each row, and a row
of zeros ends a part of it: blocks (bytes, where), then arguments (block and one more, offset in bytes), then numbers.
"""

from std.ffi import external_call
from std.sys.defines import is_defined

from max.gpu.host import DeviceBuffer, DeviceContext

comptime NATIVE = is_defined["HARNESS_NATIVE"]()
"""Whether a GPU runs it. Else the simulated device itself fills its blocks and keeps what becomes of them."""
comptime ROW = 16
"""The bytes of a row of the table."""
comptime HOST = 1
"""Marks a block in the host's memory."""


def write(path: String, octets: Span[UInt8, _]) raises:
    """Writes a file.

    Args:
        path: Where it goes.
        octets: What it holds.

    Raises:
        The file cannot be written.
    """
    with open(path, "w") as file:
        file.write_bytes(octets)


struct Call(Movable):
    """The memory and the numbers that a function takes."""

    var folder: String
    """The folder of the call."""
    var table: List[UInt8]
    """Where each argument lies; see above."""
    var blocks: Int
    """The number of blocks of memory."""
    var context: Optional[DeviceContext]
    """The device, once something needs it."""
    var buffers: List[DeviceBuffer[DType.uint8]]
    """The blocks in the device's memory."""
    var arrays: List[List[UInt8]]
    """The bytes of each block; on a simulated device only of those in the host's memory."""
    var addresses: List[Int]
    """Where each block begins."""

    def __init__(out self, var folder: String) raises:
        """Makes the memory and fills it.

        Args:
            folder: The folder of the call.

        Raises:
            There is no device, or not enough memory.
        """
        self.folder = folder^
        self.blocks = 0
        self.context = None
        self.buffers = List[DeviceBuffer[DType.uint8]]()
        self.arrays = List[List[UInt8]]()
        self.addresses = List[Int]()
        with open(self.folder + "/table", "r") as file:
            self.table = file.read_bytes()
        while self.entry(self.blocks, 0):
            self.blocks += 1
        for block in range(self.blocks):
            self.make(block)
        if self.context:
            self.context.value().synchronize()

    def entry(self, row: Int, place: Int) -> Int:
        """Reads the table.

        Args:
            row: Which row, from 0.
            place: Which half of it, 0 or 1.

        Returns:
            The number that stands there.
        """
        return (
            self.table.unsafe_ptr()
            .unsafe_offset(ROW * row + 8 * place)
            .unsafe_bitcast[Int]()[]
        )

    def make(mut self, block: Int) raises:
        """Makes a block of memory and fills it.

        Args:
            block: Which, from 0.

        Raises:
            There is no device, or not enough memory.
        """
        var size = self.entry(block, 0)
        var host = self.entry(block, 1) == HOST
        var octets = List[UInt8]()
        if NATIVE or host:
            with open(self.folder + "/" + String(block), "r") as file:
                octets = file.read_bytes()
        var address = Int(octets.unsafe_ptr())
        if not host:
            var device = self.device()
            var buffer = device.enqueue_create_buffer[DType.uint8](size)
            address = Int(buffer.unsafe_ptr())
            comptime if NATIVE:
                device.enqueue_copy(buffer, octets.unsafe_ptr())
            else:
                _ = external_call["HarnessCall_given", Int32](
                    address, Int32(block)
                )
            self.buffers.append(buffer^)
        self.arrays.append(octets^)
        self.addresses.append(address)

    def device(mut self) raises -> DeviceContext:
        """Opens the device when it is first needed.

        Returns:
            Its context.

        Raises:
            There is none.
        """
        if not self.context:
            self.context = DeviceContext()
        return self.context.value()

    def address(self, argument: Int) -> Int:
        """Says where the array of an argument lies.

        Args:
            argument: Which argument, from 0.

        Returns:
            Its address; 0 for a null pointer.
        """
        var row = self.blocks + 1 + argument
        var block = self.entry(row, 0) - 1
        return self.addresses[block] + self.entry(row, 1) if block >= 0 else 0

    def number[dtype: DType](self, argument: Int) -> Scalar[dtype]:
        """Reads a number.

        Parameters:
            dtype: Its type.

        Args:
            argument: Which argument it is, from 0.

        Returns:
            The number.
        """
        return (
            self.table.unsafe_ptr()
            .unsafe_offset(ROW * (self.blocks + 1 + argument) + 8)
            .unsafe_bitcast[Scalar[dtype]]()[]
        )

    def returned(mut self, wait: Bool) raises:
        """Gives back what became of the memory.

        Args:
            wait: Whether to wait first for the work of the context that the function was given.

        Raises:
            Work of the device failed, or there is no room for a file.
        """
        if self.context and (NATIVE or wait):
            self.context.value().synchronize()
        comptime if not NATIVE:
            if not external_call["HarnessCall_returned", Int32]():
                return  # the device failed, and has told why
        var device = 0
        for block in range(self.blocks):
            var host = self.entry(block, 1) == HOST
            if not host:
                comptime if NATIVE:
                    self.device().enqueue_copy(
                        self.arrays[block].unsafe_ptr(), self.buffers[device]
                    )
                    self.device().synchronize()
                device += 1
            if NATIVE or host:
                write(self.folder + "/left" + String(block), self.arrays[block])
        write(self.folder + "/returned", "".as_bytes())

    def failed(self, reason: String) raises:
        """The function has raised an error.

        Args:
            reason: Its text.

        Raises:
            There is no room for a file.
        """
        write(self.folder + "/error", reason.as_bytes())
