"""What docs/simulator.md calls a limitation is one."""

from pathlib import Path

from harness.simt import supported

TEXT = (Path(__file__).parents[2] / "docs" / "simulator.md").read_text(encoding="utf-8")


def test_the_limitations_name_what_is_refused():
    """Nothing that the list of limitations names is in the list of what is supported."""
    limits = TEXT.partition("## Limitations\n")[2].partition("\n## ")[0]
    for name in ("tensormap.replace", "tcgen05"):
        assert f"`{name}`" in limits
        assert name not in supported.markdown()
