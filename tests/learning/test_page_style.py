"""The style of pages: one scale of types, and colours that are told apart by people who see fewer of them."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

from harness.learning.page import FOLDER

STYLES = {name: (FOLDER / name).read_text(encoding="utf-8") for name in ("style.css", "live.css")}
# Linear RGB as people with full protanopia, deuteranopia and tritanopia see it: Machado, Oliveira and Fernandes, 2009.
SIGHTS = {
    "all": np.eye(3),
    "no red": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "no green": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]
    ),
    "no blue": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]]
    ),
}
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
EDGES = (
    "run-edge",
    "wait-edge",
    "write-edge",
    "bad-edge",
)  # what a lane or a cell is in: runs or reads, waits, writes, is wrong


def palette(selector: str) -> dict[str, str]:
    """Return the colours of a theme by their names."""
    style = STYLES["style.css"]
    start = style.index(selector)
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", style[start : style.index("\n}", start)]))


def linear(colour: str) -> np.ndarray:
    """Return the linear red, green and blue of a colour such as `#0072b2`, from 0 to 1."""
    parts = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(light: np.ndarray) -> np.ndarray:
    """Return CIE L*a*b* of linear light, under D65."""
    part = XYZ @ np.clip(light, 0, 1) / np.array([0.9505, 1, 1.089])
    root = np.where(part > 0.008856, np.cbrt(part), 7.787 * part + 16 / 116)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as WCAG has it."""
    light = sorted(linear(colour) @ XYZ[1] for colour in (one, other))
    return (light[1] + 0.05) / (light[0] + 0.05)


@pytest.mark.parametrize("theme", [":root {", ':root[data-theme="dark"]'])
@pytest.mark.parametrize("sight", SIGHTS)
def test_what_lanes_do_is_told_apart_by_every_eye(theme, sight):
    colours = palette(theme)
    for one, other in itertools.combinations(EDGES, 2):
        near = lab(SIGHTS[sight] @ linear(colours[one])) - lab(SIGHTS[sight] @ linear(colours[other]))
        assert np.linalg.norm(near) > 18, (one, other)


@pytest.mark.parametrize("theme", [":root {", ':root[data-theme="dark"]'])
def test_edges_and_arrows_stand_out_from_the_paper(theme):
    colours = palette(theme)
    for name in (*EDGES, "read-edge", "strong"):
        assert contrast(colours[name], colours["paper"]) >= 3, name


@pytest.mark.parametrize("name", STYLES)
def test_sizes_of_types_are_those_of_the_scale(name):
    sizes = re.findall(r"(?:font-size: |font: (?:\d+ )?)([^;}/]+)", STYLES[name])
    assert sizes and not [size for size in sizes if not re.match(r"var\(--\w+\)|inherit", size)]


def test_colours_have_names():
    style = STYLES["style.css"].split("* { box-sizing")[1]
    plain = style.partition("@media print")[0]
    assert set(re.findall(r"#[0-9a-f]{3,6}\b(?=[ ;,)])", plain)) <= {"#000"}, "of masks, whose colour is not seen"
