"""English messages on races, also of atomics, several writers of one value, assumed orderings, redundant barriers."""

from __future__ import annotations

from harness.simt.messages.message import Message

__all__ = ["RACES"]

_RACE = "Race reported between {first} access and {second} access [{count:hazard}]"


def _messages_of_plain_races(space: str) -> dict[str, Message]:
    """Return the messages about races of plain accesses (neither atomic nor volatile) in an address space.

    Their ids are `race.SPACE.write-read`, `read-write` and `write-write`.
    """
    read, written = f"a read of {{argument}} in {space} memory", f"a write of {{argument}} in {space} memory"
    torn = "of it by {between}: the read may get the old value or the new one"
    return {
        f"race.{space}.write-read": Message(_RACE, f"nothing orders {written} and a read {torn}", "{level}"),
        f"race.{space}.read-write": Message(_RACE, f"nothing orders {read} and a write {torn}", "{level}"),
        f"race.{space}.write-write": Message(
            _RACE,
            f"nothing orders two writes of {{argument}} in {space} memory by {{between}}: either value may stay",
            "{writers}",
        ),
    }


RACES: dict[str, Message] = {
    **_messages_of_plain_races("shared"),
    **_messages_of_plain_races("global"),
    "race.volatile": Message(
        _RACE,
        "nothing orders volatile accesses of {argument} by {between}: volatile keeps each, but orders none",
        "{volatile}",
    ),
    "race.scope": Message(
        _RACE,
        "atomics on {argument} by {between} need a wider scope",
        "give the atomics a scope that includes all threads that use this address",
    ),
    "race.sizes": Message(
        _RACE,
        "atomics of different sizes overlap in {argument}, by {between}: they are not atomic to each other",
        "give all of them the same size and address",
    ),
    "race.update": Message(
        _RACE,
        "nothing orders the updates of {argument} by {between}: "
        "a thread that reads before another has written loses the other's update",
        "let one thread make all updates, or update it with one atomic, such as `_ = Atomic.fetch_add(pointer, value)` "
        "after `from std.atomic import Atomic`: the pointer to the first element of a tensor `t` is `t.ptr`",
    ),
    "race.first-load": Message(
        _RACE,
        "a plain read of {argument} gives a compare-and-swap its first expected value, and races with atomics by "
        "{between}: if the value is stale, the loop tries again",
        "load the first value with an atomic, too",
    ),
    "several-writers": Message(
        "Several threads write the same value",
        "{between} write the same value to one address of {argument}",
        "let one of them write it, under a condition that is true for this thread alone",
    ),
    "races-not-followed": Message(
        "Race check incomplete",
        "too many accesses may race to check each for an order by atomics and fences: some races may be unreported",
        "run a smaller grid, so that all of them are checked",
    ),
    "unknown-producer": Message(
        "Memory orderings taken as written",
        "the module names no known compiler: its atomics have the orderings that are written, although clang up to 22 "
        "drops many of them for NVIDIA",
    ),
    "redundant-barrier.one": Message(
        "Redundant barrier",
        "this barrier is redundant on this data",
    ),
    "redundant-barrier.either": Message(
        "Redundant barrier",
        "this barrier is redundant on this data, as long as the other one stays",
    ),
}
