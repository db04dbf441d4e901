// Histograms: atomics of shared and global memory, private bins, lanes that find one another.
#include "corpus.h"

KERNEL count_shared(const u8 *in, int *bins, int n) {
  SHARED static int own[64];
  for (int b = TID; b < 64; b += DIM) own[b] = 0;
  sync();
  for (int i = ID; i < n; i += DIM * GRID) __nvvm_atom_add_gen_i(&own[in[i] & 63], 1);
  sync();
  for (int b = TID; b < 64; b += DIM)
    if (own[b]) __nvvm_atom_add_gen_i(&bins[b], own[b]);
}

KERNEL count_private(const u8 *in, int *bins, int each) {
  int own[8] = {};
  for (int i = 0; i < each; ++i) ++own[in[ID * each + i] & 7];
  for (int b = 0; b < 8; ++b) bins[ID * 8 + b] = own[b];
}

KERNEL count_wrapping(const u8 *in, u32 *bins, u32 most, int n) {
  if (ID < n) __nvvm_atom_inc_gen_ui(&bins[in[ID] & 15], most);
}

KERNEL count_matched(const int *in, int *bins) {
  int key = in[ID];
  u32 peers = __nvvm_match_any_sync_i32(ALL, key);
  if ((peers & ((1u << LANE) - 1)) == 0) __nvvm_atom_add_gen_i(&bins[key], __builtin_popcount(peers));
}

KERNEL weights(const u8 *in, const float *weight, float *bins, int n) {
  for (int i = ID; i < n; i += DIM * GRID) __nvvm_atom_add_gen_f(&bins[in[i] & 31], weight[i]);
}

KERNEL bounds(const int *in, int *low, int *high, int n) {
  for (int i = ID; i < n; i += DIM * GRID) {
    __nvvm_atom_min_gen_i(&low[in[i] & 3], in[i]);
    __nvvm_atom_max_gen_i(&high[in[i] & 3], in[i]);
  }
}
