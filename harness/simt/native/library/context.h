// The context of a launch and its table of allocations; docs/compiled-engine.md says what is in a field.
// Made by `nox -s library` from harness/simt/native/emit/context.py.
#pragma once

#include "counts.h"

#define MARKS 3
#define MOST_LINES 63
#define NEVER (-INT64_C(4611686018427387904))
#define ROUNDS 16777216
#define WAITING 1073741824

struct Allocation {
  _Alignas(8) uint8_t *data;
  _Alignas(8) int64_t size;
  _Alignas(8) int64_t stride;
  _Alignas(8) int64_t writable;
  _Alignas(8) struct ShadowCell *cells;
  _Alignas(8) int64_t start;
  _Alignas(8) uint8_t *written;
  _Alignas(8) int64_t mask;
  _Alignas(8) int64_t fresh;
  _Alignas(8) int64_t loads;
  _Alignas(8) int64_t stores;
  _Alignas(8) int64_t writers;
  _Alignas(8) int64_t pitch;
  _Alignas(8) int64_t cell_pitch;
  _Alignas(8) int64_t common;
  _Alignas(8) int64_t sizes;
};

struct Context {
  _Alignas(8) struct Allocation *table;
  _Alignas(8) int64_t own;
  _Alignas(8) int64_t count;
  _Alignas(8) int64_t threads;
  _Alignas(8) int64_t size;
  _Alignas(8) int64_t cluster;
  _Alignas(8) int64_t width;
  _Alignas(8) Epoch time;
  _Alignas(8) Epoch birth;
  _Alignas(8) int64_t spill;
  _Alignas(8) int64_t snapshot;
  _Alignas(8) uint8_t *needed;
  _Alignas(8) uint64_t *passed;
  _Alignas(8) int64_t reached;
  _Alignas(8) int64_t rounds;
  _Alignas(8) int64_t path;
  _Alignas(8) int64_t fuel;
  _Alignas(8) int64_t nothing;
  _Alignas(8) int64_t sites;
  _Alignas(8) int64_t requests;
  _Alignas(8) int64_t looped;
  _Alignas(8) int64_t undo;
  _Alignas(8) int64_t turns;
  _Alignas(8) int64_t numbers;
  _Alignas(8) int64_t counted;
  _Alignas(8) int64_t warp;
  _Alignas(8) int64_t warp_way;
  _Alignas(8) int64_t warp_apart;
  _Alignas(8) int64_t round;
  _Alignas(8) int64_t rounds_of_it;
  _Alignas(8) int64_t apart;
  _Alignas(8) int64_t peered;
  _Alignas(8) int64_t exchanged;
  _Alignas(8) int64_t strong;
  _Alignas(8) int64_t again;
  _Alignas(8) int64_t credit;
  _Alignas(8) int64_t stored;
  _Alignas(8) int64_t ways;
  _Alignas(8) int64_t ways_next;
  _Alignas(8) int64_t ways_first;
  _Alignas(8) int64_t ways_end;
  _Alignas(8) int64_t went;
  _Alignas(8) int64_t replays;
  _Alignas(8) int64_t clears;
  _Alignas(8) int64_t float_grid;
  _Alignas(8) double float_sum;
  _Alignas(8) double float_largest;
  _Alignas(8) int64_t double_grid;
  _Alignas(8) double double_sum;
  _Alignas(8) double double_largest;
  _Alignas(8) int64_t tallies;
  _Alignas(8) int64_t sums;
  _Alignas(8) struct BlockCounts *blocks;
  _Alignas(8) int64_t banks;
};
