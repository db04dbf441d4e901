"""Functions that compare the epochs of a warp, for cells of race detection; see `analysis.warp_sync`."""

__all__ = ["warp_epoch_functions"]

_WARPS = """
define internal i1 @of_warp(i32 %by, i32 %who) alwaysinline {{
  %thread = and i32 %by, 65535
  %own = and i32 %who, 65535
  %mine = lshr i32 %own, {shift}
  %one = lshr i32 %thread, {shift}
  %some = and i32 %thread, 32767
  %several = icmp uge i32 %thread, 32768
  %warp = select i1 %several, i32 %some, i32 %one
  %near = icmp eq i32 %warp, %mine
  ret i1 %near
}}
define internal i1 @unordered(i32 %by, i32 %at, i32 %who, i32 %now, i32 %mark) alwaysinline {{
  %live = icmp uge i32 %at, %now
  %near = call i1 @of_warp(i32 %by, i32 %who)
  %early = icmp ult i32 %at, %mark
  %met = and i1 %near, %early
  %open = xor i1 %met, true
  %yes = and i1 %live, %open
  ret i1 %yes
}}
define internal i32 @with_others(i32 %by, i32 %at, i32 %who, i32 %now, i32 %mark, i32 %alone) alwaysinline {{
  %differ = xor i32 %by, %who
  %thread = and i32 %differ, 65535
  %other = icmp ne i32 %thread, 0
  %open = call i1 @unordered(i32 %by, i32 %at, i32 %who, i32 %now, i32 %mark)
  %some = and i1 %other, %open
  %near = call i1 @of_warp(i32 %by, i32 %who)
  %own = and i32 %who, 65535
  %warp = lshr i32 %own, {shift}
  %of.warp = or i32 %warp, 32768
  %several = select i1 %near, i32 %of.warp, i32 65534
  %kind = and i32 %who, -65536
  %all = or i32 %kind, %several
  %those = select i1 %some, i32 %all, i32 %alone
  ret i32 %those
}}
"""
_OURS = "  %ours = call i32 @with_others(i32 {by}, i32 {at}, i32 %who, i32 %now, i32 %mark, i32 {alone})"
# In place of what cells have where no warp has epochs.
_MARKED = dict.fromkeys(("taken", "passed", "given", "seen"), ", i32 %mark") | {
    "time": "%mark",
    "mark": "%mark",
    "others": """
  %open = call i1 @unordered(i32 %by, i32 %at, i32 %who, i32 %now, i32 %mark)
  %beside = and i1 %other, %open
  %clash = or i1 %apart, %beside""",
    # What a warp did otherwise before a meeting is gone from the cell: others of the block are still beside it.
    "mixed": """
  %lately = icmp uge i32 %wt, %now
  %lasting = icmp ne i32 %begins, 0
  %matters = or i1 %lately, %lasting
  %ever = icmp ne i32 %wt, 0
  %since.then = and i1 %ever, %matters
  %otherwise = and i1 %since.then, %unlike
  %ever.mixed = or i32 %w, %who
  %was.mixed = icmp slt i32 %ever.mixed, 0
  %mixed = and i1 %was.mixed, %matters
  %apart = or i1 %blocks, %clash.w""",
    "read": _OURS.format(by="%r", at="%rt", alone="%alone"),
    "updated": _OURS.format(by="%w", at="%wt", alone="%who"),
}


def warp_epoch_functions(width: int) -> tuple[str, dict[str, str]]:
    """Functions, and what cells of race detection have more where warps of some lanes have epochs; see `cells`."""
    return _WARPS.format(shift=width.bit_length() - 1), _MARKED
