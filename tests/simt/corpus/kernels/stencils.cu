// Stencils and filters: tiles with borders, planes in turn, unrolled convolutions, networks of a few numbers.
#include "corpus.h"

KERNEL heat(const float *in, float *out, int n) {
  SHARED static float tile[18][18];
  int x = BID * 16 + TID, y = BIDY * 16 + TIDY;
  for (int j = TIDY; j < 18; j += 16)
    for (int i = TID; i < 18; i += 16) {
      int u = BID * 16 + i - 1, v = BIDY * 16 + j - 1;
      tile[j][i] = u >= 0 && u < n && v >= 0 && v < n ? in[v * n + u] : 0;
    }
  sync();
  if (x < n && y < n)
    out[y * n + x] = tile[TIDY + 1][TID + 1] + 0.25f * (tile[TIDY][TID + 1] + tile[TIDY + 2][TID + 1] +
                     tile[TIDY + 1][TID] + tile[TIDY + 1][TID + 2] - 4 * tile[TIDY + 1][TID + 1]);
}

KERNEL planes(const float *in, float *out, int n) {
  int x = ID % n, y = ID / n;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  float below = in[y * n + x], here = in[(n + y) * n + x];
  for (int z = 1; z < n - 1; ++z) {
    float above = in[((z + 1) * n + y) * n + x];
    out[(z * n + y) * n + x] = below + above - 2 * here + in[(z * n + y) * n + x - 1];
    below = here, here = above;
  }
}

KERNEL life(const u8 *in, u8 *out, int n) {
  if (ID >= n * n) return;
  int x = ID % n, y = ID / n, alive = 0;
  for (int j = -1; j <= 1; ++j)
    for (int i = -1; i <= 1; ++i)
      if (i || j) alive += in[(y + j + n) % n * n + (x + i + n) % n];
  out[ID] = alive == 3 || (alive == 2 && in[ID]);
}

CONSTANT float weight[49];
KERNEL fill_weights(float *out) {
  if (TID < 49) out[TID] = weight[TID] + TID;
}

KERNEL convolve(const float *in, const float *kernel, float *out, int n) {
  int x = ID % n, y = ID / n;
  if (y >= n || x < 3 || y < 3 || x >= n - 3 || y >= n - 3) return;
  float sum = 0;
#pragma unroll
  for (int j = -3; j <= 3; ++j)
#pragma unroll
    for (int i = -3; i <= 3; ++i) sum += in[(y + j) * n + x + i] * kernel[(j + 3) * 7 + i + 3];
  out[ID] = sum;
}

DEVICE void order(u8 &a, u8 &b) {
  u8 low = a < b ? a : b, high = a < b ? b : a;
  a = low, b = high;
}

KERNEL median(const u8 *in, u8 *out, int n) {
  int x = ID % n, y = ID / n;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  u8 p[9];
#pragma unroll
  for (int k = 0; k < 9; ++k) p[k] = in[(y + k / 3 - 1) * n + x + k % 3 - 1];
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int k = 0; k < 8 - i; ++k) order(p[k], p[k + 1]);
  out[ID] = p[4];
}

KERNEL edges(const u8 *in, int *out, int n) {
  int x = ID % n, y = ID / n;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  const u8 *p = in + ID;
  int dx = p[1 - n] + 2 * p[1] + p[1 + n] - p[-1 - n] - 2 * p[-1] - p[n - 1];
  int dy = p[n - 1] + 2 * p[n] + p[n + 1] - p[-n - 1] - 2 * p[-n] - p[1 - n];
  out[ID] = (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
}
