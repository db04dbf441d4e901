"""What learners get wrong: an edit of the solution, and what they are told, in both languages, at which line."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["MISTAKES", "Mistake"]


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake.

    Attributes:
        case: Its id.
        name: What was done.
        old: A text of the solution; empty where the whole file is the problem as it is handed out.
        new: What stands in its place.
        english: What is told.
        korean: The same.
        at: A text of the line that is to be named, as it stands in the learner's file; empty for any of its lines.
    """

    case: str
    name: str
    old: str
    new: str
    english: str
    korean: str
    at: str

    @property
    def id(self) -> str:
        """Case and name."""
        return f"{self.case}-{self.name}"


MISTAKES = (
    Mistake(
        "p15",
        "unsolved",
        "",
        "",
        "p15 is not filled in yet: ",
        "p15: 아직 채우지 않았습니다.",
        "# FILL ME IN",
    ),
    Mistake(
        "p26:parallel-max",
        "unsolved",
        "",
        "",
        "p26:parallel-max is not filled in yet: ",
        "p26:parallel-max: 아직 채우지 않았습니다.",
        "# FILL ME IN: about 8 lines",
    ),
    Mistake(
        "p34:reduction",
        "unsolved",
        "",
        "",
        "p34:reduction is not filled in yet: ",
        "p34:reduction: 아직 채우지 않았습니다.",
        "# FILL ME IN",
    ),
    Mistake(
        "p15",
        "barrier-missing-after-load",
        "    barrier()\n\n    var stride",
        "    var stride",
        "Nothing orders a write of cache in shared memory and a read of it by threads of one warp",
        "공유 메모리 cache에 대한 쓰기와 읽기(한 워프의 스레드들)의 순서가 정해져 있지 않습니다",
        "cache[local_i + stride]",
    ),
    Mistake(
        "p15",
        "barrier-missing-after-step",
        "        barrier()\n\n        stride //= 2",
        "        stride //= 2",
        "Remedy: call `barrier()` at the end of each step of the loop of line 65: after line 75, and outside any `if`.",
        "고치는 법: 65번째 줄의 반복문에서 단계가 끝날 때마다 `barrier()`를 호출하세요. 75번째 줄 뒤",
        "cache[local_i + stride]",
    ),
    Mistake(
        "p15",
        "barrier-in-a-branch",
        "    barrier()\n\n    var stride",
        "    if local_i < size:\n        barrier()\n\n    var stride",
        "Threads of one warp wait at different barrier instructions",
        "한 워프의 스레드들이 서로 다른 배리어에서 기다립니다",
        "barrier()",
    ),
    Mistake(
        "p15",
        "tail-not-zeroed",
        "    else:\n        cache[local_i] = 0\n",
        "",
        "it comes from cache[6]: shared memory, not initialised",
        "초기화되지 않은 공유 메모리 cache[6]",
        "cache[",
    ),
    Mistake(
        "p15",
        "off-by-one-guard",
        "if global_i < size:",
        "if global_i <= size:",
        "Invalid global read of a[4, 0]: a has the shape (4, 6)",
        "범위를 벗어난 전역 메모리 읽기, a[4, 0]: a의 모양은 (4, 6)입니다",
        "a[batch, global_i]",
    ),
    Mistake(
        "p15",
        "stride-too-small",
        "TPB // 2",
        "TPB // 4",
        "4 of 4 wrong in output",
        "output: 원소 4개 중 4개가 틀립니다",
        "output[batch, 0] = cache[0]",
    ),
    Mistake(
        "p15",
        "stride-too-large",
        "TPB // 2",
        "TPB",
        "Invalid shared read of cache[8]: cache has the shape (8,)",
        "범위를 벗어난 공유 메모리 읽기, cache[8]: cache의 모양은 (8,)입니다",
        "cache[local_i + stride]",
    ),
    Mistake(
        "p15",
        "last-step-missing",
        "while stride > 0:",
        "while stride > 1:",
        "4 of 4 wrong in output",
        "output: 원소 4개 중 4개가 틀립니다",
        "output[batch, 0] = cache[0]",
    ),
    Mistake(
        "p15",
        "neighbour-row",
        "a[batch, global_i]",
        "a[batch ^ 1, global_i]",
        "4 of 4 wrong in output",
        "output: 원소 4개 중 4개가 틀립니다",
        "output[batch, 0] = cache[0]",
    ),
    Mistake(
        "p15",
        "past-the-output",
        "output[batch, 0] = cache[0]",
        "output[batch + 1, 0] = cache[0]",
        "Invalid global write of output[4, 0]: output has the shape (4, 1)",
        "범위를 벗어난 전역 메모리 쓰기, output[4, 0]: output의 모양은 (4, 1)입니다",
        "output[batch + 1, 0]",
    ),
    Mistake(
        "p15",
        "nothing-written",
        "output[batch, 0] = cache[0]",
        "_ = cache[0]",
        "output never written: 4 of 4",
        "output: 원소 4개 중 4개가 한 번도 쓰이지 않았습니다",
        "def axis_sum(",
    ),
    Mistake(
        "p15",
        "endless-loop",
        "        stride //= 2",
        "        stride //= 1",
        "p15: TIMEOUT",
        "p15: 시간 제한 초과",
        "",
    ),
    Mistake(
        "p15",
        "constant-changed",
        "comptime TPB = 8",
        "comptime TPB = 16",
        "was changed outside the marked region: `comptime TPB = 16` was `comptime TPB = 8`",
        "`comptime TPB = 8`였던 줄이 `comptime TPB = 16`입니다",
        "comptime TPB = 16",
    ),
    Mistake(
        "p15",
        "line-changed-outside",
        "    var local_i = thread_idx.x\n",
        "    var local_i = thread_idx.x + 1\n",
        "was changed outside the marked region: `var local_i = thread_idx.x + 1`",
        "`var local_i = thread_idx.x`였던 줄이 `var local_i = thread_idx.x + 1`입니다",
        "var local_i = thread_idx.x + 1",
    ),
    Mistake(
        "p15",
        "unknown-name",
        "cache[0]",
        "cash[0]",
        "use of unknown declaration 'cash'",
        "컴파일되지 않습니다.",
        "cash[0]",
    ),
    Mistake(
        "p15",
        "wrong-type",
        "cache[local_i] = 0",
        "cache[local_i] = Int64(0)",
        "cannot implicitly convert 'Int64' value",
        "컴파일되지 않습니다.",
        "Int64(0)",
    ),
    Mistake(
        "p15",
        "wrong-signature",
        "    size_dev: Int32,\n",
        "    size_dev: Int64,\n",
        "the argument size_dev must be a Scalar[DType.int32]",
        "컴파일되지 않습니다.",
        "def axis_sum(",
    ),
    Mistake(
        "p15",
        "renamed-kernel",
        "def axis_sum(",
        "def axis_total(",
        "there is no kernel axis_sum here: a function of this name must take (output, a, size_dev)",
        "컴파일되지 않습니다.",
        "def axis_total(",
    ),
    Mistake(
        "p15",
        "unclosed-bracket",
        "cache[local_i] = a[batch, global_i]",
        "cache[local_i] = a[batch, global_i",
        "Does not compile (run.compile-error)",
        "컴파일되지 않습니다.",
        "",
    ),
    Mistake(
        "p15",
        "every-thread-writes",
        "    if local_i == 0:\n        output[batch, 0] = cache[0]",
        "    output[batch, 0] = cache[local_i]",
        "Nothing orders two writes of output in global memory",
        "전역 메모리 output에 대한 두 쓰기",
        "output[batch, 0] = cache[local_i]",
    ),
    Mistake(
        "p26:pair-swap",
        "wrong-mask",
        "shuffle_xor(value, 1)",
        "shuffle_xor(value, 2)",
        "32 of 32 wrong in output",
        "output: 원소 32개 중 32개가 틀립니다",
        "shuffle_xor(value, 2)",
    ),
    Mistake(
        "p26:pair-swap",
        "no-exchange",
        "shuffle_xor(value, 1)",
        "value",
        "32 of 32 wrong in output",
        "output: 원소 32개 중 32개가 틀립니다",
        "output[global_i] = value",
    ),
    Mistake(
        "p26:parallel-max",
        "first-step-missing",
        "WARP_SIZE // 2",
        "WARP_SIZE // 4",
        "16 of 32 wrong in output",
        "output: 원소 32개 중 16개가 틀립니다",
        "output[global_i] = largest",
    ),
    Mistake(
        "p26:parallel-max",
        "starts-from-zero",
        "var largest = input[global_i]",
        "var largest = max(input[global_i], Scalar[dtype](0))",
        "p26:parallel-max: MISMATCH on data set negatives",
        "p26:parallel-max: 값이 다름 (음수)",
        "output[global_i] = largest",
    ),
    Mistake(
        "p26:conditional-max",
        "parity-swapped",
        "lane % 2 == 0",
        "lane % 2 == 1",
        "64 of 64 wrong in output",
        "output: 원소 64개 중 64개가 틀립니다",
        "output[global_i] = ",
    ),
    Mistake(
        "p34:reduction",
        "cluster-sync-missing",
        "    cluster_sync()\n",
        "    barrier()\n",
        "of temp_storage in global memory",
        "전역 메모리 temp_storage에 대한",
        "temp_storage[",
    ),
    Mistake(
        "p34:reduction",
        "own-partial-only",
        "temp_storage[peer]",
        "temp_storage[block_id]",
        "1 of 1 wrong in output",
        "output: 원소 1개 중 1개가 틀립니다",
        "output[0] = total",
    ),
    Mistake(
        "p34:reduction",
        "three-of-four",
        "range(CLUSTER_SIZE)",
        "range(CLUSTER_SIZE - 1)",
        "1 of 1 wrong in output",
        "output: 원소 1개 중 1개가 틀립니다",
        "output[0] = total",
    ),
)
