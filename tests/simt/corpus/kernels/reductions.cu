// Reductions: trees in shared memory, shuffles, atomics, several stages, rows of uneven length.
#include "corpus.h"

KERNEL sum_tree(const int *in, int *out, int n) {
  SHARED static int tile[256];
  tile[TID] = ID < n ? in[ID] : 0;
  sync();
  for (int step = DIM / 2; step > 0; step /= 2) {
    if (TID < step) tile[TID] += tile[TID + step];
    sync();
  }
  if (TID == 0) __nvvm_atom_add_gen_i(out, tile[0]);
}

KERNEL sum_floats(const float *in, float *out, int n) {
  float sum = 0;
  for (int i = ID; i < n; i += DIM * GRID) sum += in[i];
  for (int by = 16; by > 0; by /= 2) sum += down(sum, by);
  if (LANE == 0) __nvvm_atom_add_gen_f(out, sum);
}

KERNEL maximum(const int *in, int *out, int n) {
  SHARED static int warps[8];
  int best = -2147483647;
  for (int i = ID; i < n; i += DIM * GRID) best = most(best, in[i]);
  for (int by = 16; by > 0; by /= 2) best = most(best, down(best, by));
  if (LANE == 0) warps[WARP] = best;
  sync();
  if (TID == 0) {
    for (int w = 1; w < DIM / 32; ++w) best = most(best, warps[w]);
    __nvvm_atom_max_gen_i(out, best);
  }
}

KERNEL dot_partial(const double *a, const double *b, double *partial, int n) {
  SHARED static double tile[128];
  double sum = 0;
  for (int i = ID; i < n; i += DIM * GRID) sum += a[i] * b[i];
  tile[TID] = sum;
  sync();
  for (int step = 64; step > 0; step /= 2) {
    if (TID < step) tile[TID] += tile[TID + step];
    sync();
  }
  if (TID == 0) partial[BID] = tile[0];
}

KERNEL argmin(const float *in, int *out, int n) {
  SHARED static float value[128];
  SHARED static int where[128];
  float best = 3e38f;
  int at = -1;
  for (int i = TID; i < n; i += DIM)
    if (in[BID * n + i] < best) best = in[BID * n + i], at = i;
  value[TID] = best, where[TID] = at;
  sync();
  for (int step = 64; step > 0; step /= 2) {
    if (TID < step) {
      float other = value[TID + step];
      int there = where[TID + step];
      if (other < value[TID] || (other == value[TID] && there < where[TID])) value[TID] = other, where[TID] = there;
    }
    sync();
  }
  if (TID == 0) out[BID] = where[0];
}

KERNEL variance(const float *in, float *out, int rows, int width) {
  int row = ID >> 5;
  if (row >= rows) return;
  float sum = 0, squares = 0;
  for (int i = LANE; i < width; i += 32) {
    float x = in[row * width + i];
    sum += x, squares += x * x;
  }
  for (int mask = 16; mask > 0; mask /= 2) sum += across(sum, mask), squares += across(squares, mask);
  float mean = sum / width;
  if (LANE == 0) out[2 * row] = mean, out[2 * row + 1] = squares / width - mean * mean;
}

KERNEL sum_last_block(const int *in, int *partial, u32 *ticket, int *out, int n) {
  SHARED static int tile[128];
  SHARED static bool last;
  int sum = 0;
  for (int i = ID; i < n; i += DIM * GRID) sum += in[i];
  tile[TID] = sum;
  sync();
  for (int step = 64; step > 0; step /= 2) {
    if (TID < step) tile[TID] += tile[TID + step];
    sync();
  }
  if (TID == 0) {
    partial[BID] = tile[0];
    __nvvm_membar_gl();
    last = __nvvm_atom_inc_gen_ui(ticket, GRID) == (u32)GRID - 1;
  }
  sync();
  if (last) {
    __nvvm_membar_gl();
    if (TID == 0) {
      sum = 0;
      for (int b = 0; b < GRID; ++b) sum += ((volatile int *)partial)[b];
      *out = sum;
    }
  }
}

KERNEL sum_segments(const int *first, const int *in, int *out, int rows) {
  if (ID >= rows) return;
  int sum = 0;
  for (int i = first[ID]; i < first[ID + 1]; ++i) sum += in[i];
  out[ID] = sum;
}
