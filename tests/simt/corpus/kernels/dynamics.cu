// Molecular dynamics: all pairs, cells, lists of neighbours, bonds, screened charges.
#include "corpus.h"
EXTERN double __nv_exp(double);
EXTERN double __nv_erfc(double);
EXTERN double __nv_sqrt(double);
EXTERN float __nv_rsqrtf(float);
EXTERN float __nv_sqrtf(float);
EXTERN int __nv_float2int_rd(float);

KERNEL attract(const float *x, float *force, int n) {
  SHARED static float tile[64][3];
  float own[3], sum[3] = {};
  for (int d = 0; d < 3; ++d) own[d] = x[3 * ID + d];
  for (int start = 0; start < n; start += DIM) {
    for (int d = 0; d < 3; ++d) tile[TID][d] = x[3 * (start + TID) + d];
    sync();
    for (int j = 0; j < DIM; ++j) {
      float dx = tile[j][0] - own[0], dy = tile[j][1] - own[1], dz = tile[j][2] - own[2];
      float r = __nv_rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), f = r * r * r;
      sum[0] += f * dx, sum[1] += f * dy, sum[2] += f * dz;
    }
    sync();
  }
  for (int d = 0; d < 3; ++d) force[3 * ID + d] = sum[d];
}

KERNEL bin_atoms(const float *x, int *count, int *cell, float side, int cells, int n) {
  if (ID >= n) return;
  int c = 0;
  for (int d = 0; d < 3; ++d) c = c * cells + __nv_float2int_rd(x[3 * ID + d] / side);
  int slot = __nv_sqrtf(0.0f) + __nvvm_atom_add_gen_i(&count[c], 1);
  cell[c * 16 + slot] = ID;
}

KERNEL list_neighbours(const float *x, int *list, int *count, float cutoff, int n) {
  if (ID >= n) return;
  int found = 0;
  for (int j = 0; j < n; ++j) {
    if (j == ID) continue;
    float r = 0;
    for (int d = 0; d < 3; ++d) r += (x[3 * j + d] - x[3 * ID + d]) * (x[3 * j + d] - x[3 * ID + d]);
    if (r < cutoff * cutoff && found < 32) list[ID * 32 + found++] = j;
  }
  count[ID] = found;
}

KERNEL lennard_jones(const double *x, const int *list, const int *count, double *energy, int n) {
  if (ID >= n) return;
  double sum = 0;
  for (int k = 0; k < count[ID]; ++k) {
    int j = list[ID * 32 + k];
    double r = 0;
    for (int d = 0; d < 3; ++d) r += (x[3 * j + d] - x[3 * ID + d]) * (x[3 * j + d] - x[3 * ID + d]);
    double s = 1 / (r * r * r);
    sum += 4 * (s * s - s);
  }
  energy[ID] = sum;
}

KERNEL bonds(const int *pair, const float *x, float *force, int n) {
  if (ID >= n) return;
  int i = pair[2 * ID], j = pair[2 * ID + 1];
  for (int d = 0; d < 3; ++d) {
    float f = x[3 * j + d] - x[3 * i + d];
    __nvvm_atom_add_gen_f(&force[3 * i + d], f);
    __nvvm_atom_add_gen_f(&force[3 * j + d], -f);
  }
}

KERNEL screened(const double *x, const double *charge, double *energy, double alpha, int n) {
  if (ID >= n) return;
  double sum = 0;
  for (int j = 0; j < n; ++j)
    if (j != ID) {
      double r = 0;
      for (int d = 0; d < 3; ++d) r += (x[3 * j + d] - x[3 * ID + d]) * (x[3 * j + d] - x[3 * ID + d]);
      r = __nv_sqrt(r);
      sum += charge[ID] * charge[j] * __nv_erfc(alpha * r) / r;
    }
  energy[ID] = sum;
}

KERNEL integrate(double *x, double *v, const double *f, double dt, int n) {
  for (int i = ID; i < n; i += DIM * GRID) {
    v[i] += f[i] * dt * __nv_exp(-0.1 * dt);
    x[i] += v[i] * dt;
  }
}

KERNEL distances(const float *x, u32 *bins, float width, int n) {
  SHARED static u32 own[32];
  if (TID < 32) own[TID] = 0;
  sync();
  for (int j = ID + 1; ID < n && j < n; ++j) {
    float r = 0;
    for (int d = 0; d < 3; ++d) r += (x[3 * j + d] - x[3 * ID + d]) * (x[3 * j + d] - x[3 * ID + d]);
    int bin = __nv_float2int_rd(__nv_sqrtf(r) / width);
    if (bin < 32) __nvvm_atom_add_gen_i((int *)&own[bin], 1);
  }
  sync();
  if (TID < 32) __nvvm_atom_add_gen_i((int *)&bins[TID], own[TID]);
}
