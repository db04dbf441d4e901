// Sorts: networks in shared memory, digits, ranks, merges by searching, local arrays.
#include "corpus.h"

KERNEL sort_bitonic(int *data) {
  SHARED static int tile[256];
  tile[TID] = data[ID];
  for (int size = 2; size <= 256; size *= 2)
    for (int step = size / 2; step > 0; step /= 2) {
      sync();
      int other = TID ^ step;
      if (other > TID) {
        int a = tile[TID], b = tile[other];
        if (((TID & size) == 0) == (a > b)) tile[TID] = b, tile[other] = a;
      }
    }
  sync();
  data[ID] = tile[TID];
}

KERNEL sort_odd_even(int *data, int phase, int n) {
  int i = 2 * ID + phase;
  if (i + 1 < n && data[i] > data[i + 1]) {
    int held = data[i];
    data[i] = data[i + 1];
    data[i + 1] = held;
  }
}

KERNEL digit_counts(const u32 *in, u32 *counts, int shift) {
  SHARED static u32 bins[16];
  if (TID < 16) bins[TID] = 0;
  sync();
  __nvvm_atom_add_gen_i((int *)&bins[in[ID] >> shift & 15], 1);
  sync();
  if (TID < 16) counts[TID * GRID + BID] = bins[TID];
}

KERNEL digit_scatter(const u32 *in, const u32 *before, u32 *out, int shift) {
  SHARED static u32 warps[8][16];
  u32 digit = in[ID] >> shift & 15, rank = 0;
  for (u32 d = 0; d < 16; ++d) {
    u32 votes = ballot(digit == d);
    if (digit == d) rank = __builtin_popcount(votes & ((1u << LANE) - 1));
    if (LANE == 0) warps[WARP][d] = __builtin_popcount(votes);
  }
  sync();
  for (int w = 0; w < WARP; ++w) rank += warps[w][digit];
  out[before[digit * GRID + BID] + rank] = in[ID];
}

KERNEL merge(const int *a, const int *b, int *out, int n) {
  if (ID >= 2 * n) return;
  const int *own = ID < n ? a : b, *other = ID < n ? b : a;
  int i = ID < n ? ID : ID - n, low = 0, high = n, value = own[i];
  while (low < high) {
    int middle = (low + high) / 2;
    if (other[middle] < value || (ID >= n && other[middle] == value)) low = middle + 1;
    else high = middle;
  }
  out[i + low] = value;
}

KERNEL sort_by_rank(const int *in, int *out, int n) {
  if (ID >= n) return;
  int rank = 0, value = in[ID];
  for (int i = 0; i < n; ++i) rank += in[i] < value || (in[i] == value && i < ID);
  out[rank] = value;
}

KERNEL sort_inserting(int *data, int n) {
  int own[16];
  if (ID >= n) return;
  for (int i = 0; i < 16; ++i) {
    int value = data[ID * 16 + i], at = i;
    while (at > 0 && own[at - 1] > value) own[at] = own[at - 1], --at;
    own[at] = value;
  }
  for (int i = 0; i < 16; ++i) data[ID * 16 + i] = own[i];
}
