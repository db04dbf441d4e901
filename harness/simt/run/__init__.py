"""Run a launch in the interpreter: its lanes, barriers, copies, atomics and call frames."""
