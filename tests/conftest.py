"""Options of the whole suite."""

from __future__ import annotations

import os

# A suite that follows the caller's vendor environment would test different things
# in different shells.
os.environ.pop("HARNESS_TARGET", None)
os.environ.pop("GITHUB_STEP_SUMMARY", None)
