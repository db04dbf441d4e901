"""What cells of race detection note of exchanges: which barriers these need, see `cells`."""

__all__ = ["exchange_functions"]

_EXCHANGED = """
define internal i32 @exchanged(i32 %by, i32 %at, i32 %who, i32 %now, i32 %birth) alwaysinline {
  %differ = xor i32 %by, %who
  %threads = and i32 %differ, 65535
  %other = icmp ne i32 %threads, 0
  %old = icmp ult i32 %at, %now
  %own = icmp uge i32 %at, %birth
  %thread = and i32 %by, 65535
  %of.block = icmp ne i32 %thread, 65533
  %of.launch = icmp ne i32 %thread, 65535
  %known = and i1 %of.block, %of.launch
  %a = and i1 %other, %old
  %b = and i1 %own, %known
  %c = and i1 %a, %b
  %when = select i1 %c, i32 %at, i32 0
  ret i32 %when
}
define internal void @ordered(i32 %at, i32 %since, i1 %lost, ptr %need) alwaysinline {
  %late = icmp uge i32 %at, %since
  %met = icmp ne i32 %at, 0
  %any = or i1 %met, %lost
  br i1 %any, label %some, label %no
some:
  %early = select i1 %lost, i64 1, i64 2
  %offset = select i1 %late, i64 0, i64 %early
  %place = getelementptr i8, ptr %need, i64 %offset
  store i8 1, ptr %place
  br label %no
no:
  ret void
}
"""
# Where nobody asks which barriers are needed.
_UNASKED = """
define internal i32 @exchanged(i32 %by, i32 %at, i32 %who, i32 %now, i32 %birth) alwaysinline {
  ret i32 0
}
define internal void @ordered(i32 %at, i32 %since, i1 %lost, ptr %need) alwaysinline {
  ret void
}
"""


def exchange_functions(*, needs: bool) -> str:
    """The functions, which note nothing where nobody asks."""
    return _EXCHANGED if needs else _UNASKED
