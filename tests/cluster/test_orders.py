"""`harness.cluster.orders`: what becomes of answers."""

from __future__ import annotations

from concurrent.futures import Future

import pytest

from harness.cluster.orders import Cluster, LostOrder


class _Answered(Future[bytes]):
    def release(self) -> None:
        """Do nothing: no scheduler holds it."""


@pytest.mark.parametrize("answer", [b"", b"{", b"\xff", b"[]", b'{"missing": 1}'])
def test_an_answer_that_cannot_be_read_is_lost(answer: bytes):
    """Whoever sent it: the order is reported as lost, and the others go on."""
    pytest.importorskip("distributed")
    cluster = object.__new__(Cluster)

    lost = cluster._read_answer(_Answered(), None, answer)  # type: ignore[arg-type]

    assert isinstance(lost, LostOrder)
