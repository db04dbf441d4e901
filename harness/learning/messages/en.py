"""The messages of the learners' commands (next, watch, hint and others) in English, by id, each with a title."""

from __future__ import annotations

from harness.simt.messages.message import Message

__all__ = ["MESSAGES"]

MESSAGES: dict[str, Message] = {
    # Where one is, and what is next.
    "learn.count": Message("Where one is", "{solved} of {total} puzzles solved, {modes} of {all_modes} modes."),
    "learn.mode": Message(
        "What a mode is", "A mode is one kernel of a puzzle, or several that belong together, with a check of its own."
    ),
    "learn.next": Message("What is next", "Next: {case}, {title}"),
    "learn.builds": Message("What it builds on", "  it builds on:   {puzzles}"),
    "learn.builds-open": Message("What it builds on", "  it builds on:   {puzzles} (not solved yet: {open})"),
    "learn.place": Message("Where to work", "  write it here:  {place}"),
    "learn.mend": Message("Where something is wrong", "  find the fault: {place}"),
    "learn.complete": Message("What to run", "  read and run:   {place}"),
    "learn.predict": Message("What to predict", "  predict:        {place}"),
    "learn.lesson": Message("What to read", "  read about it:  {file}"),
    "learn.commands": Message(
        "What to do", "`puzzles watch` checks it each time you save, `puzzles hint` helps, `puzzles check` checks once."
    ),
    "learn.all-solved": Message(
        "All solved", "All are solved. `puzzles claims` shows what the puzzles promise of their kernels."
    ),
    "learn.here-solved": Message(
        "All solved that is here",
        "All that is here is solved. Next: part {number}, {title}: `puzzles start --part {number}` adds it.",
    ),
    "learn.no-workspace": Message(
        "No workspace",
        "There is no workspace here: `puzzles start` makes one with all the puzzles, `puzzles start --part 1` with a "
        "part of them (`puzzles list` shows the parts). Inside it `puzzles` says what is next.",
    ),
    "learn.needs-workspace": Message(
        "No workspace",
        "there is no workspace here: make one with `puzzles start`, then `cd puzzles` (or go into the one you have).",
    ),
    "learn.taken": Message("One of several modes", "This is {case}, the first mode that you have not solved."),
    "learn.which-puzzle": Message(
        "A file of no known puzzle",
        "the name of {file} says no puzzle: name it, as in `puzzles check PUZZLE --file {file}`.",
    ),
    "learn.file-of-one": Message(
        "A file and several puzzles", "--file is one puzzle's file, but {puzzles} are named: name one of them."
    ),
    "learn.not-own": Message(
        "A file that is not a puzzle's own",
        "{file} is no puzzle's file in this workspace: `puzzles check --file {file}` checks it.",
    ),
    "learn.renamed": Message("An old spelling", "`{old}` is called `{new}` now; the next release drops the old name."),
    "learn.no-case": Message("Nothing to do", "the workspace has no puzzle: `puzzles start` adds them."),
    # A check.
    "learn.solved": Message("Solved", "{case} is solved."),
    "learn.counts-with": Message(
        "A puzzle in two parts", "{case} and {others} are one puzzle: it counts as solved when all of its parts are."
    ),
    "learn.solved-again": Message("Still solved", "{case} is still right."),
    "learn.stuck": Message("Not right yet", "Not right yet. `puzzles hint {case}` gives a hint."),
    "learn.picture": Message(
        "What its threads did",
        "`puzzles show {case}` draws what the threads of your kernel did, `puzzles trace {case}` prints it.",
    ),
    "learn.data-seed": Message(
        "Which data", "This data set was drawn for this check alone: `--data-seed {seed}` draws it again."
    ),
    "learn.unseen": Message(
        "What a GPU does not show",
        "A GPU may hide a race or a read of unwritten memory: "
        "`puzzles check {case} --backend simulator` looks for them.",
    ),
    "learn.assertions": Message(
        "Assertions", "`debug_assert` is left out, as always in Mojo: `--assertions` compiles it in."
    ),
    # The watch.
    "learn.watching": Message("Watching", "Watching {folder}: save a file and it is checked."),
    "learn.watching-alone": Message("Watching", "Watching {case}: save its file and it is checked."),
    "learn.no-other": Message(
        "Nothing else to watch", "Only {case} is watched here, and all of it is solved: `puzzles watch` watches all."
    ),
    "learn.interrupt": Message("How it ends", "Ctrl-C ends."),
    "learn.keys": Message("The keys of a watch", "Keys: h hint, n next, l list, p page, q quit."),
    "learn.page": Message("The page of a watch", "Open it in a browser of this machine: {address}"),
    "learn.polling": Message(
        "Watching by polling", "This drive tells of no changes: the files are looked at every {milliseconds} ms."
    ),
    "learn.no-watch": Message(
        "Nothing to watch with",
        "`puzzles watch` needs the package `{package}`, which is not here: `pip install {package}`.",
    ),
    "learn.checked": Message("When", "[{time}] {case}, {seconds} s"),
    "learn.gone": Message("A file is gone", "{file} is gone: `puzzles start {puzzle}` brings it back."),
    # Hints and solutions.
    "learn.hint": Message("A hint", "{case}, hint {number} of {total}: {title}"),
    "learn.last-hint": Message(
        "The last hint", "That was the last one. `puzzles solution {case}` shows how we solved it."
    ),
    "learn.more-hints": Message("More hints", "One more: `puzzles hint {case}` again."),
    "learn.no-hints": Message("No hints", "there are no hints for {case}: its lesson has none."),
    "learn.no-hints-builds": Message(
        "No hints", "there are no hints for {case}: its lesson has none. It builds on {puzzles}: look at these again."
    ),
    "learn.confirm": Message("Sure?", "Show the solution of {case}? Your file stays as it is. [y/N] "),
    "learn.not-shown": Message("Not shown", "Not shown. `puzzles hint {case}` gives a hint."),
    "learn.needs-yes": Message(
        "Nobody to ask", "nobody can be asked here: `puzzles {command} --yes` shows the solution."
    ),
    # Beginning anew.
    "learn.reset": Message("Reset", "{file} is the original again. Your version is kept in {copy}."),
    "learn.untouched": Message("Nothing to reset", "{file} is the original: there is nothing to reset."),
    # Progress.
    "learn.kept-aside": Message(
        "Progress could not be read",
        "{file} could not be read: it is kept as {copy}, and progress starts again from nothing.",
    ),
    "learn.not-noted": Message("Progress could not be noted", "Not noted: {file} cannot be written to ({reason})."),
    "learn.part": Message("The head of a part", "Part {number}: {title}"),
    "learn.part-solved": Message("The head of a part", "Part {number}: {title} ({solved} of {total} puzzles solved)"),
    "learn.heads": Message("The heads of the list", "case | title | builds on | only on | state"),
    "learn.short-solved": Message("Solved", "solved"),
    "learn.short-open": Message("Begun", "begun"),
    "learn.row": Message("A row of the progress", "{case:20} {state}"),
    "learn.state-solved": Message("Solved", "solved on {day}; tries: {tries}, hints: {hints}"),
    "learn.state-shown": Message(
        "Solved with the solution", "solved on {day}; tries: {tries}, hints: {hints}, solution shown"
    ),
    "learn.state-open": Message("Begun", "begun, not right yet; tries: {tries}, hints: {hints}"),
    "learn.state-unchecked": Message("Begun, and not checked", "begun, not checked yet; hints: {hints}"),
    "learn.state-untouched": Message("Not begun", "not filled in yet"),
    "learn.state-unbegun": Message("Not begun", "not begun yet"),
    "learn.state-unpredicted": Message("Not predicted", "not predicted yet"),
    "learn.state-missing": Message("Not in the workspace", "not here: `puzzles start {puzzle}` adds it"),
    # A workspace.
    "learn.started": Message("A workspace", "Now {go}fill in {file} and run `puzzles watch`."),
    "learn.started-lesson": Message("The first lesson", "Its lesson is {file}. `puzzles next` says what comes after."),
    "learn.added": Message("What was added", "Added to {folder}: {puzzles}."),
    "learn.go": Message("Where to go", "`cd {folder}`, then "),
    "learn.on-purpose": Message("On purpose", "Most fail until you have filled them in: that is the puzzle."),
    "learn.has-these": Message(
        "Nothing to add",
        "{folder} has {puzzles} already, and nothing is overwritten: `puzzles reset PUZZLE` resets one.",
    ),
    "learn.has-all": Message(
        "Nothing to add",
        "{folder} has every puzzle already, and nothing is overwritten: `puzzles reset PUZZLE` resets one.",
    ),
}
