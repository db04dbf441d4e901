"""`harness.programs.host.claims`: which claim an address is of."""

from __future__ import annotations

import numpy as np
import pytest

from harness.programs.host.claims import Claims
from harness.programs.host.storage import Storage
from harness.simt.state.allocation import Allocation


def claim(address: int, size: int) -> Storage:
    return Storage(Allocation(1, "", "global", size, data=np.zeros(size, np.uint8)), address)


def last(storages: list[Storage], address: int) -> Storage | None:
    for storage in reversed(storages):
        if storage.address <= address < storage.address + max(storage.size, 1):
            return storage
    return None


@pytest.mark.slow
def test_the_last_claim_on_an_address_is_found_whatever_overlaps():
    random = np.random.default_rng(7)
    claims, known = Claims(), list[Storage]()
    for _ in range(300):
        if known and random.random() < 0.4:
            gone = known.pop(int(random.integers(len(known))))
            claims.remove(gone)
        else:
            known.append(claim(int(random.integers(200)), int(random.integers(20))))
            claims.add(known[-1])
        assert all(claims.at(address) is last(known, address) for address in range(-1, 230))
        assert claims.used_bytes == sum(storage.size for storage in known)
        assert list(claims) == known and list(claims.empty) == [storage for storage in known if not storage.size]


def test_of_too_many_the_last_are_kept():
    claims, made = Claims(2), [claim(16 * number, 16) for number in range(3)]
    for storage in made:
        claims.add(storage)

    assert list(claims) == made[1:] and claims.at(0) is None
