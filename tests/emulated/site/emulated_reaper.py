"""Starts `harness/process/reaper.py` in a process that gets no `sitecustomize`: the differences come first."""

import os
import runpy
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import sitecustomize  # noqa: F401 - it makes them

_ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
runpy.run_path(os.path.join(_ROOT, "harness", "process", "reaper.py"), run_name="__main__")
