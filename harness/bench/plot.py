"""Plot median cold timings against size, with the roofline, as a PNG with a panel for each case; needs matplotlib."""

from __future__ import annotations

import io
from pathlib import Path

from harness.bench.report import Results
from harness.bench.work import format_size
from harness.model.whole_file import replace_file

__all__ = ["draw_plot"]


def draw_plot(results: Results, path: Path, roof: float) -> str:
    """Draw one panel for each case with cold timings, medians against size, and write it to a file.

    Args:
        results: With cold timings.
        path: Of the PNG.
        roof: The memory's read bandwidth, in TB/s.

    Returns:
        Empty, or one sentence that says why there is no plot.
    """
    cases = list(dict.fromkeys(row.case for row in results.measured if row.how == "cold"))
    if not cases:
        return "no plot: nothing was timed at several sizes."
    try:
        import matplotlib
    except ImportError:
        return "no plot: matplotlib is not installed."
    matplotlib.use("Agg")
    from matplotlib import pyplot

    wide = (5.2 * len(cases), 4.4)
    figure, panels = pyplot.subplots(1, len(cases), figsize=wide, squeeze=False, sharey=True)
    for panel, case in zip(panels[0], cases, strict=True):
        sizes = sorted({row.size for row in results.measured if row.case == case})
        panel.plot(sizes, [size / roof / 1e6 for size in sizes], "k--", linewidth=1, label=f"{roof:g} TB/s")
        for method in results.list_methods("cold"):
            timings = [(size, results.find_timing(case, size, method, "cold")) for size in sizes]
            points = [(size, timing) for size, timing in timings if timing]
            if points:
                panel.plot(
                    [size for size, _ in points],
                    [timing.median for _, timing in points],
                    marker="o",
                    markersize=3,
                    linewidth=2 if method == "replay" else 1,
                    label=method,
                )
        panel.set(xscale="log", yscale="log", title=case, xlabel="bytes read")
        panel.set_xticks(sizes, [format_size(size) for size in sizes], rotation=45, fontsize=7)
        panel.minorticks_off()
        panel.grid(alpha=0.3)
    panels[0][0].set_ylim(bottom=1)  # shared; below it there are no launches
    panels[0][0].set_ylabel("µs, median")
    panels[0][-1].legend(fontsize=8)
    figure.suptitle(results.environment.get("device", ""))
    figure.tight_layout()
    image = io.BytesIO()
    figure.savefig(image, format="png", dpi=120)
    replace_file(path, image.getvalue())
    pyplot.close(figure)
    return ""
