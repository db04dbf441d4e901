"""Starts `harness/process/reaper.py` in a process that gets no `sitecustomize`: the differences come first."""

import os
import runpy
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import sitecustomize  # noqa: F401 - it makes them

runpy.run_path(os.environ["EMULATED_REAPER"], run_name="__main__")
