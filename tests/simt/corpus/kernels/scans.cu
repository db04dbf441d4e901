// Scans and what is made of them: compaction, run lengths, a look back at the blocks before.
#include "corpus.h"

KERNEL scan_doubling(const int *in, int *out) {
  SHARED static int tile[2][128];
  int now = 0;
  tile[0][TID] = in[ID];
  sync();
  for (int step = 1; step < 128; step *= 2) {
    tile[1 - now][TID] = tile[now][TID] + (TID >= step ? tile[now][TID - step] : 0);
    now = 1 - now;
    sync();
  }
  out[ID] = tile[now][TID];
}

KERNEL scan_tree(const int *in, int *out) {
  SHARED static int tile[256];
  tile[TID] = in[BID * 256 + TID], tile[TID + 128] = in[BID * 256 + TID + 128];
  int offset = 1;
  for (int left = 128; left > 0; left /= 2) {
    sync();
    if (TID < left) tile[offset * (2 * TID + 2) - 1] += tile[offset * (2 * TID + 1) - 1];
    offset *= 2;
  }
  if (TID == 0) tile[255] = 0;
  for (int left = 1; left < 256; left *= 2) {
    offset /= 2;
    sync();
    if (TID < left) {
      int low = offset * (2 * TID + 1) - 1, high = offset * (2 * TID + 2) - 1;
      int held = tile[low];
      tile[low] = tile[high];
      tile[high] += held;
    }
  }
  sync();
  out[BID * 256 + TID] = tile[TID], out[BID * 256 + TID + 128] = tile[TID + 128];
}

DEVICE int scan_warp(int value) {
  for (int by = 1; by < 32; by *= 2) {
    int other = up(value, by);
    if (LANE >= by) value += other;
  }
  return value;
}

KERNEL scan_warps(const int *in, int *out, int *sums) {
  SHARED static int warps[4];
  int value = scan_warp(in[ID]);
  if (LANE == 31) warps[WARP] = value;
  sync();
  int before = 0;
  for (int w = 0; w < WARP; ++w) before += warps[w];
  out[ID] = value + before;
  if (TID == DIM - 1) sums[BID] = value + before;
}

KERNEL add_before(int *out, const int *sums) {
  int before = 0;
  for (int b = 0; b < BID; ++b) before += sums[b];
  out[ID] += before;
}

KERNEL scan_lookback(const int *in, int *out, volatile int *flag, volatile int *sums) {
  SHARED static int warps[4], before;
  int value = scan_warp(in[ID]);
  if (LANE == 31) warps[WARP] = value;
  sync();
  for (int w = 0; w < WARP; ++w) value += warps[w];
  if (TID == DIM - 1) {
    int sum = 0;
    if (BID > 0) {
      while (flag[BID - 1] == 0) {
      }
      __nvvm_membar_gl();
      sum = sums[BID - 1];
    }
    sums[BID] = sum + value;
    __nvvm_membar_gl();
    flag[BID] = 1;
    before = sum;
  }
  sync();
  out[ID] = value + before;
}

KERNEL compact(const int *in, int *out, int *count, int n) {
  bool keep = ID < n && in[ID] % 3 == 0;
  u32 votes = ballot(keep);
  int base = 0;
  if (LANE == 0) base = __nvvm_atom_add_gen_i(count, __builtin_popcount(votes));
  base = from(base, 0);
  if (keep) out[base + __builtin_popcount(votes & ((1u << LANE) - 1))] = in[ID];
}

KERNEL heads(const int *in, int *length, int n) {
  if (ID >= n || (ID > 0 && in[ID] == in[ID - 1])) return;
  int end = ID + 1;
  while (end < n && in[end] == in[ID]) ++end;
  length[ID] = end - ID;
}
