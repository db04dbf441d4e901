"""English findings by id: wrong results, launches, graphs, promises, edited frames, predictions, failed runs.

Besides: summary lines of a case. `reasons_en` says why an element is wrong. `harness.simt.messages` explains templates.
"""

from __future__ import annotations

from harness.model.messages.reasons_en import REASON_TERMS, REASONS
from harness.simt.messages.message import Message

__all__ = ["MESSAGES", "TERMS"]

_OUTSIDE = "Written outside a buffer"
_GUARD = "compare the index with the length before the access"
_ASKED = "The puzzle asks for another way"
_FRAME = "Changed outside the marked region"
_UNDO = "undo it, unless you meant it: the puzzle relies on the rest of the file being as it was handed out"
_READ_ONCE = "global memory is slow: a value that is fetched once can be passed on in shared memory or registers"
_WRITE_ONCE = "let one thread write each element: several of one value race as soon as the values differ"
_UNDONE = "No result"
_LAUNCH = "Another launch"
_LAUNCH_SOMETHING = "whatever it computes is to be computed on the device: launch the kernel with `ctx`"
_AS_DOCUMENTED = "launch the kernel as documented: check `grid_dim`, `block_dim` and how often it is launched"
_GRAPH = "Another graph"
_OWN_LAUNCH = "leave the launch to the harness: the kernel is one function"


TERMS: dict[str, dict[str, str]] = {**REASON_TERMS}
MESSAGES: dict[str, Message] = {
    # A data set.
    "check.never-written": Message(
        "Elements never written",
        "{argument} never written: {count} of {total}, at {places}",
        "{unwritten}",
    ),
    "check.wrong-value.owned": Message(
        "Wrong values",
        "{count} of {total} wrong in {argument}",
        item="{argument}{index} expected {expected} got {got} ({owner})",
    ),
    "check.wrong-value.shared": Message(
        "Wrong values",
        "{count} of {total} wrong in {argument}",
        item="{argument}{index} expected {expected} got {got}",
    ),
    **REASONS,
    "check.touched": Message(
        "Written where nothing may change",
        "{count} of {total} elements of {argument} were written, but must stay unchanged: {places}",
        "let only threads that have a result write",
    ),
    "check.depends-on-memory": Message(
        "Depends on old memory",
        "{argument}{index} is {one} or {other}, depending on what memory held before the launch",
        "write shared memory and results before they are read",
    ),
    "check.graph-differs": Message(
        "Another result through a graph",
        "{argument} differs bitwise between a graph and a call: {count} elements, at {index} {other} instead of {one}",
        "look for what is undefined in the op: memory that it never writes, the order of its atomics",
    ),
    "check.unstable": Message(
        "Unstable result",
        "{argument} differs between {runs:run} on the same inputs",
        "look for accesses that no barrier orders: the simulator names them",
    ),
    "check.outside.before": Message(
        _OUTSIDE,
        "written outside {argument}: {count} before its start, the nearest at index {index}",
        _GUARD,
    ),
    "check.outside.after": Message(
        _OUTSIDE,
        "written outside {argument}: {count} past its end, the nearest at index {index}",
        _GUARD,
    ),
    "check.changed-input": Message(
        "Changed input", "input {argument} was changed at {index}", "write to an output, or to shared memory"
    ),
    "check.lost": Message(_UNDONE, "{role} {argument} did not come back"),
    "check.other-type": Message(_UNDONE, "{argument} came back as {got}, not {expected}"),
    "check.launch.none": Message(_LAUNCH, "the driver saw no launch at all"),
    "check.launch.several": Message(
        _LAUNCH,
        "the driver saw {launches:launch/launches}, where the puzzle has {documented}: {names}",
        _OWN_LAUNCH,
    ),
    "check.launch.other": Message(
        _LAUNCH, "the driver saw grid {grid} block {block}, but documented is {documented}", _OWN_LAUNCH
    ),
    "check.by-host": Message(
        "Written by the host",
        "{count} of {total} elements of {argument} are what the host wrote there, the first at {argument}{index}",
        _LAUNCH_SOMETHING,
    ),
    "check.made.none": Message(_LAUNCH, "{function} launched nothing", _LAUNCH_SOMETHING),
    "check.made.several": Message(
        _LAUNCH,
        "{function} made {launches:launch/launches}, where the puzzle has {documented}: {names}",
        _AS_DOCUMENTED,
    ),
    "check.made.kernel": Message(
        _LAUNCH, "{function} launched {kernel}, but documented is {documented}", _AS_DOCUMENTED
    ),
    "check.made.other": Message(
        _LAUNCH,
        "{function} launched {kernel} with grid {grid} block {block}, but documented is {documented}",
        _AS_DOCUMENTED,
    ),
    # The graph that a puzzle's Python builds.
    "graph.none": Message(
        "No graph",
        "{function} loads no graph into the session",
        "pass the graph to `session.load`, and execute the model that it returns",
    ),
    "graph.uncalled": Message(
        "No call", "{function} calls no op of its library", "call it with the tensor that it fills, then its operands"
    ),
    "graph.several": Message(
        _GRAPH, "{function} loads {graphs:graph} into the session, but one is asked for", "load one graph, once"
    ),
    "graph.unreadable": Message(
        "No graph", "{function} loads something that MAX cannot write as a graph: `{line}`", "build it with `max.graph`"
    ),
    "graph.more": Message(
        _GRAPH, "{place} adds {operation} to the graph, which must call {op} alone", "leave the computation to the op"
    ),
    "graph.calls": Message(
        _GRAPH,
        "the graph of {function} has {calls:call} of an op, but must call {op} once",
        "call `ops.custom` once",
    ),
    "graph.op": Message(_GRAPH, "{place} calls the op {got}, but {op} is asked for"),
    "graph.device": Message(
        _GRAPH,
        "{place} puts {op} on {got}, but {documented} is asked for",
        "use the device that the function takes",
    ),
    "graph.parameter": Message(_GRAPH, "{place} gives {op} {argument} = {got}, but it must be {documented}"),
    "graph.operands": Message(
        _GRAPH,
        "{place} passes ({got}) to {op}, which takes ({documented})",
        "compare the order of the graph's inputs with that in which the model gets its tensors",
    ),
    "graph.type": Message(_GRAPH, "{place}: {argument} is {got}, but must be {documented}"),
    "graph.results": Message(_GRAPH, "{place} asks for {got:result} of {op}, which has {documented}"),
    "graph.output": Message(
        _GRAPH, "the output of {function}'s graph is not the result of {op}", "make the op's result the graph's output"
    ),
    "graph.executed": Message(
        _GRAPH,
        "{function} executes its model {executions:time}, but once is asked for",
        "execute the loaded model once",
    ),
    "graph.handed": Message(_GRAPH, "{function} passes {got:tensor} to a graph of {inputs:input}"),
    "graph.returned": Message(
        _GRAPH,
        "{function} does not return the result of its model",
        "return the first result of `execute`, on the CPU",
    ),
    "graph.unfilled": Message(
        _GRAPH, "{function} does not return the tensor that the op filled", "return the tensor that the op gets first"
    ),
    "graph.no-torch": Message(
        "Not checked",
        "how {function} calls {op} was not checked, because torch is not installed; the code of its op was",
        "`pip install torch`, and run it again",
    ),
    "graph.asserted": Message(
        "Graph",
        "{function} builds the documented graph, which runs on a GPU only; the code of its op ran here",
    ),
    # What a puzzle asks for beside the answer: the documents' sentence, and what a right kernel does instead.
    # The remedy is the reason that holds everywhere; a claim of the catalogue may give one of its own.
    "promise.shared_bytes_per_block": Message(_ASKED, "{sentence} ({promised:byte}); this kernel uses {measured:byte}"),
    "promise.reduction_steps": Message(_ASKED, "{sentence} ({promised}); this kernel takes {measured:step}"),
    "promise.reads_per_input_element": Message(
        _ASKED, "{sentence}; this kernel reads some element {measured:time}", _READ_ONCE
    ),
    "promise.writes_per_output_element": Message(
        _ASKED, "{sentence}; this kernel writes some element {measured:time}", _WRITE_ONCE
    ),
    "promise.contributing_blocks": Message(
        _ASKED, "{sentence} ({promised}); in this kernel {measured:block/blocks} contribute"
    ),
    "promise.communicating_blocks": Message(
        _ASKED, "{sentence} ({promised}); in this kernel {measured:block/blocks} exchange data"
    ),
    "promise.shuffles_per_lane": Message(
        _ASKED, "{sentence} ({promised}); in this kernel a lane takes part in {measured:exchange}"
    ),
    "promise.barriers_per_thread": Message(_ASKED, "{sentence}; in this kernel a thread waits at {measured:barrier}"),
    "promise.cluster_barriers_per_thread": Message(
        _ASKED, "{sentence}; in this kernel a thread waits {measured:time} for its cluster"
    ),
    "promise.bank_conflicts": Message(
        _ASKED, "{sentence} ({promised}); this kernel needs {measured} additional passes over shared memory"
    ),
    "promise.global_loads_per_thread": Message(
        _ASKED, "{sentence} ({promised}); in this kernel a thread loads {measured:element} of global memory"
    ),
    "promise.output_writers": Message(_ASKED, "{sentence}; in this kernel {measured:thread} write it", _WRITE_ONCE),
    "promise.first_writing_block": Message(
        _ASKED, "{sentence}; in this kernel block {measured} is the first that writes"
    ),
    "promise.scratch_writers": Message(_ASKED, "{sentence} ({promised}); in this kernel {measured:thread} write them"),
    "promise.scratch": Message(
        _ASKED,
        "{argument} must hold what the puzzle's own kernel leaves there; in this kernel {count} of {total:element} "
        "differ",
        "the steps of the puzzle's kernel hand these values on to each other",
        item="{argument}{index} expected {expected} got {got}",
    ),
    "promise.counter": Message(_ASKED, "{sentence} ({promised} {counter}); this kernel has {measured}"),
    "promise.occupancy": Message(_ASKED, "{sentence} ({promised}); this kernel has {measured}"),
    "promise.code": Message(_ASKED, "{sentence} ({promised}); the compiled code has {measured}"),
    # A case.
    "case.right": Message("Right", "{case}: {verdict}, {passed} of {total} data sets"),
    "case.beside": Message(
        "Wrong beside the kernels",
        "{case}: {verdict}; its kernels are right, on {passed} of {total} data sets",
    ),
    "case.wrong": Message("Wrong", "{case}: {verdict} on data set {dataset}; {passed} of {total} data sets right"),
    "case.wrong-at.row": Message(
        "Wrong",
        "{case}: {verdict} with {blocks:block} of {threads:thread}{sizes}, on data set {dataset}; {passed} of "
        "{total} data sets right",
    ),
    "case.wrong-at.grid": Message(
        "Wrong",
        "{case}: {verdict} with grid {grid} and block {block}{sizes}, on data set {dataset}; {passed} of "
        "{total} data sets right",
    ),
    "case.wrong-at.sizes": Message(
        "Wrong", "{case}: {verdict} with {sizes}, on data set {dataset}; {passed} of {total} data sets right"
    ),
    "case.coincidence": Message(
        "Right by coincidence",
        "At the documented launch the result is right, but only by coincidence",
    ),
    "case.unrun": Message("Not run", "{case}: {verdict}"),
    "case.small": Message(
        "A small size",
        "{case}: in the simulator with {constant} = {value}; documented is {documented}, which runs on a GPU, "
        "and here with --documented-size",
    ),
    "case.also": Message("Also", "Also: {line}"),
    "case.more": Message("More", "and {count:finding} more, which are shown once these are fixed"),
    "case.promises": Message(
        "Another way",
        "The answer is right. The puzzle also asks for the way to it, and this kernel takes another:",
    ),
    "case.why": Message("Why", "Why: {why}"),
    # A learner's file.
    "frame.unfilled": Message(
        "Not filled in", "{case} is not filled in yet: {place}", "write the kernel between the two marks"
    ),
    "frame.whole": Message(
        "Nothing to fill in",
        "{case} is complete already, as a comparison; {other} is not filled in yet: {place}",
        "write the kernel of {other} first",
    ),
    "frame.left": Message(
        "Partly filled in",
        "{case} is only partly filled in: the region at {place} is still empty",
        "write the missing code between its two marks",
    ),
    "frame.changed": Message(_FRAME, "{place} was changed outside the marked region: `{now}` was `{was}`", _UNDO),
    "frame.moved.inside": Message(
        _FRAME,
        "{place} was moved: `{now}` has another indentation now, which puts it inside the `{opener}` of line {opened}",
        _UNDO,
    ),
    "frame.moved.outside": Message(_FRAME, "{place} was moved: `{now}` has another indentation now", _UNDO),
    "frame.added": Message(_FRAME, "{place} was added outside the marked region: `{now}`", _UNDO),
    "frame.removed": Message(_FRAME, "{place} lacks a line of the file outside the marked region: `{was}`", _UNDO),
    "frame.outside": Message(
        _FRAME, "the whole file ran, with {count:line} changed or added outside the marked region: {place}"
    ),
    "frame.unmarked": Message(_FRAME, "the whole file ran; the marks of its region are gone: {file}"),
    # Figures that a learner predicts.
    "predict.open": Message(
        "Not predicted",
        "no figure is predicted yet at {place}: {question}?",
        "write a number in the place of `?`, then check again",
    ),
    "predict.no-number": Message(
        "Not a number", "{answer} at {place} is not a number: {question}?", "write a number such as 12 or 66.7"
    ),
    "predict.gone": Message(
        "No such question",
        "{file} no longer has the question: {text}",
        "bring it back, or `puzzles reset` the puzzle",
    ),
    "predict.wrong": Message(
        "Wrong prediction",
        "{question}: not {answer}, at {place}",
        "measure it: `puzzles run {case} --profile`; then correct the number",
    ),
    "predict.right": Message("Predicted", "{question}: {answer}, since {why}"),
    # A launch without a result, and what was not launched.
    "run.compile-error": Message("Does not compile", "{reason}", "{advice}", item="{line}"),
    "run.no-graph": Message("No graph", "{reason}", item="{line}"),
    "run.launch-error": Message("No result", "{reason}", item="{line}"),
    "run.timeout": Message("Not ended", "{reason}", "look for a loop or a wait that never ends"),
    "run.incomplete": Message("Not simulated", "{reason}", "run it on a GPU: the simulator does not support all of it"),
    "run.environment": Message("Not run on this machine", "{reason}"),
    "run.reads-clock": Message(
        "Reads the clock",
        "it reads the device's clock, which tells a simulator from a GPU and which no puzzle needs",
        "remove the read of the clock",
    ),
    # A function that was called did not return.
    "call.raised": Message("The function raised an error", "{function} raised an error: {reason}"),
    "call.ended": Message("The function did not return", "{function} ended its program with status {status}"),
    "run.skipped": Message("Skipped", "{reason}"),
    "run.printed": Message("Printed", "the kernel printed, on the documented data:"),
    "run.printed-more": Message("Printed", "and {count:more line}"),
}
