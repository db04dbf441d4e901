"""The program's own exit status, with and without an error."""

from std.sys import argv, exit

from max.gpu.host import DeviceContext


def main() raises:
    var ctx = DeviceContext()
    print("begins", len(argv()))
    if argv()[1] == "exit":
        exit(3)
    if argv()[1] == "error":
        raise Error("that was all")
    ctx.synchronize()


# arguments: exit
# status: 3
# > begins 2
# arguments: error now
# status: 1
# > begins 3
# arguments: nothing
# status: 0
# > begins 2
