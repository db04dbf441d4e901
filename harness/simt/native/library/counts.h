// Structs in which code counts. Arrays follow some of them; the C files say which.
// Made by `nox -s library` from harness/simt/native/runtime/counts.py.
#pragma once

#include "library.h"

#define LANE_COUNTS 8
#define BANKS 32
#define WORDS_OF_BANK 32

struct RequestSite {
  _Alignas(8) int64_t times;
  _Alignas(8) int64_t units;
};

struct Request {
  _Alignas(8) int64_t when;
  _Alignas(8) int64_t last;
  _Alignas(8) int64_t count;
};

struct BankRecord {
  _Alignas(8) int64_t when;
  _Alignas(8) int64_t part;
  _Alignas(8) int64_t most;
};

struct ElementCounts {
  _Alignas(8) int64_t loads;
  _Alignas(8) int64_t stores;
  _Alignas(8) int64_t sizes;
  _Alignas(8) int64_t units;
};

struct BlockCounts {
  _Alignas(8) int64_t loads;
  _Alignas(8) int64_t stores;
  _Alignas(8) int64_t steps;
  _Alignas(8) int64_t handed_on;
  _Alignas(8) int64_t read;
  _Alignas(8) int64_t most_loads;
  _Alignas(8) int64_t most_stores;
  _Alignas(8) int64_t most_steps;
  _Alignas(8) int64_t when;
  _Alignas(8) int64_t split_rounds;
  _Alignas(8) int64_t most_rounds;
  _Alignas(8) int64_t all_rounds;
  _Alignas(8) int64_t divergent;
  _Alignas(8) int64_t mixed;
  _Alignas(8) int64_t shared_order;
  _Alignas(8) int64_t global_order;
};
