// Graphs in compressed rows, and sparse matrices: frontiers, relaxations, lists that are intersected.
#include "corpus.h"

KERNEL bfs(const int *first, const int *to, const int *before, int *depth, int *found, int level, int n) {
  if (ID >= n || before[ID] != level) return;
  for (int e = first[ID]; e < first[ID + 1]; ++e)
    if (__nvvm_atom_cas_gen_i(&depth[to[e]], -1, level + 1) == -1) __nvvm_atom_add_gen_i(found, 1);
}

KERNEL relax(const int *first, const int *to, const int *length, const int *before, int *after, int n) {
  if (ID >= n || before[ID] >= 1 << 29) return;
  for (int e = first[ID]; e < first[ID + 1]; ++e) __nvvm_atom_min_gen_i(&after[to[e]], before[ID] + length[e]);
}

KERNEL rank_pages(const int *first, const int *to, const float *before, float *after, int n) {
  if (ID >= n || first[ID] == first[ID + 1]) return;
  float share = before[ID] / (first[ID + 1] - first[ID]);
  for (int e = first[ID]; e < first[ID + 1]; ++e) __nvvm_atom_add_gen_f(&after[to[e]], share);
}

KERNEL pull_ranks(const int *first, const int *of, const int *degree, const float *before, float *after, int n) {
  if (ID >= n) return;
  float sum = 0;
  for (int e = first[ID]; e < first[ID + 1]; ++e) sum += before[of[e]] / degree[of[e]];
  after[ID] = 0.15f / n + 0.85f * sum;
}

KERNEL labels(const int *first, const int *to, const int *before, int *after, int n) {
  if (ID >= n) return;
  int own = before[ID];
  for (int e = first[ID]; e < first[ID + 1]; ++e) own = least(own, before[to[e]]);
  after[ID] = own;
}

KERNEL triangles(const int *first, const int *to, int *count, int n) {
  if (ID >= n) return;
  int found = 0;
  for (int e = first[ID]; e < first[ID + 1]; ++e) {
    int i = e + 1, j = first[to[e]], last = first[to[e] + 1];
    while (i < first[ID + 1] && j < last) {
      if (to[i] < to[j]) ++i;
      else if (to[i] > to[j]) ++j;
      else ++found, ++i, ++j;
    }
  }
  __nvvm_atom_add_gen_i(count, found);
}

KERNEL multiply_rows(const int *first, const int *column, const float *value, const float *x, float *y, int n) {
  int row = ID >> 5;
  float sum = 0;
  for (int e = first[row] + LANE; e < first[row + 1]; e += 32) sum += value[e] * x[column[e]];
  for (int by = 16; by > 0; by /= 2) sum += down(sum, by);
  if (LANE == 0) y[row] = sum;
}

KERNEL independent(const int *first, const int *to, const int *priority, const int *before, int *after, int n) {
  if (ID >= n) return;
  int state = before[ID];
  if (state == 0) {
    state = 1;
    for (int e = first[ID]; e < first[ID + 1]; ++e) {
      if (before[to[e]] == 1) { state = 2; break; }
      if (before[to[e]] == 0 && priority[to[e]] > priority[ID]) state = 0;
    }
  }
  after[ID] = state;
}
