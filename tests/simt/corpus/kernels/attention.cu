// Attention and what surrounds it, with NVIDIA's library for devices: rows by warps and blocks, sums that go on.
#include "corpus.h"
EXTERN float __nv_expf(float);
EXTERN float __nv_fast_expf(float);
EXTERN float __nv_erff(float);
EXTERN float __nv_tanhf(float);
EXTERN float __nv_sinf(float);
EXTERN float __nv_cosf(float);
EXTERN float __nv_powf(float, float);
EXTERN float __nv_logf(float);
EXTERN float __nv_rsqrtf(float);
EXTERN float __nv_fmaxf(float, float);

KERNEL softmax(const float *in, float *out, int width) {
  int row = ID >> 5;
  float best = -3e38f, sum = 0;
  for (int i = LANE; i < width; i += 32) best = __nv_fmaxf(best, in[row * width + i]);
  for (int mask = 16; mask > 0; mask /= 2) best = __nv_fmaxf(best, across(best, mask));
  for (int i = LANE; i < width; i += 32) sum += __nv_expf(in[row * width + i] - best);
  for (int mask = 16; mask > 0; mask /= 2) sum += across(sum, mask);
  for (int i = LANE; i < width; i += 32) out[row * width + i] = __nv_expf(in[row * width + i] - best) / sum;
}

KERNEL attend(const float *q, const float *k, const float *v, float *out, int keys) {
  SHARED static float score[64], total;
  if (TID < keys) {
    float dot = 0;
    for (int d = 0; d < 32; ++d) dot += q[BID * 32 + d] * k[TID * 32 + d];
    score[TID] = __nv_expf(dot * 0.17677669f);
  }
  sync();
  if (TID == 0) {
    total = 0;
    for (int i = 0; i < keys; ++i) total += score[i];
  }
  sync();
  if (TID < 32) {
    float sum = 0;
    for (int i = 0; i < keys; ++i) sum += score[i] * v[i * 32 + TID];
    out[BID * 32 + TID] = sum / total;
  }
}

KERNEL attend_online(const float *q, const float *k, const float *v, float *out, int keys) {
  SHARED static float tk[16][17], tv[16][17];
  float own[16], acc[16] = {}, best = -3e38f, sum = 0;
  for (int d = 0; d < 16; ++d) own[d] = q[ID * 16 + d];
  for (int start = 0; start < keys; start += 16) {
    sync();
    for (int i = TID; i < 256; i += DIM) tk[i / 16][i % 16] = k[start * 16 + i], tv[i / 16][i % 16] = v[start * 16 + i];
    sync();
    for (int j = 0; j < 16 && start + j <= ID; ++j) {
      float dot = 0;
      for (int d = 0; d < 16; ++d) dot += own[d] * tk[j][d];
      float next = __nv_fmaxf(best, dot * 0.25f), scale = __nv_fast_expf(best - next), p = __nv_fast_expf(dot * 0.25f - next);
      sum = sum * scale + p, best = next;
      for (int d = 0; d < 16; ++d) acc[d] = acc[d] * scale + p * tv[j][d];
    }
  }
  for (int d = 0; d < 16; ++d) out[ID * 16 + d] = acc[d] / sum;
}

KERNEL normalise(const float *in, const float *gain, float *out, int width) {
  SHARED static float warps[4], scale;
  float sum = 0;
  for (int i = TID; i < width; i += DIM) sum += in[BID * width + i] * in[BID * width + i];
  for (int by = 16; by > 0; by /= 2) sum += down(sum, by);
  if (LANE == 0) warps[WARP] = sum;
  sync();
  if (TID == 0) scale = __nv_rsqrtf((warps[0] + warps[1] + warps[2] + warps[3]) / width + 1e-5f);
  sync();
  for (int i = TID; i < width; i += DIM) out[BID * width + i] = in[BID * width + i] * scale * gain[i];
}

KERNEL gelu(const float *in, float *exact, float *fast, int n) {
  for (int i = ID; i < n; i += DIM * GRID) {
    float x = in[i];
    exact[i] = 0.5f * x * (1 + __nv_erff(x * 0.70710678f));
    fast[i] = 0.5f * x * (1 + __nv_tanhf(0.79788456f * (x + 0.044715f * x * x * x)));
  }
}

KERNEL rotate(float *data, int pairs, int n) {
  if (ID >= n) return;
  int position = ID / pairs, pair = ID % pairs;
  float angle = position * __nv_powf(10000.0f, -2.0f * pair / (2 * pairs));
  float c = __nv_cosf(angle), s = __nv_sinf(angle), x = data[2 * ID], y = data[2 * ID + 1];
  data[2 * ID] = x * c - y * s, data[2 * ID + 1] = x * s + y * c;
}

KERNEL top4(const float *in, int *out, int width) {
  float best[4] = {-3e38f, -3e38f, -3e38f, -3e38f};
  int where[4] = {-1, -1, -1, -1};
  for (int i = 0; i < width; ++i) {
    float x = in[ID * width + i];
    int at = i;
#pragma unroll
    for (int k = 0; k < 4; ++k)
      if (x > best[k]) {
        float held = best[k];
        int there = where[k];
        best[k] = x, where[k] = at, x = held, at = there;
      }
  }
  for (int k = 0; k < 4; ++k) out[ID * 4 + k] = where[k];
}

KERNEL loss(const float *in, const int *label, float *out, int width) {
  float best = -3e38f, sum = 0;
  for (int i = 0; i < width; ++i) best = __nv_fmaxf(best, in[ID * width + i]);
  for (int i = 0; i < width; ++i) sum += __nv_expf(in[ID * width + i] - best);
  out[ID] = __nv_logf(sum) + best - in[ID * width + label[ID]];
}
