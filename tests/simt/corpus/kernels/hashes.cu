// Hashes and codes: strings of uneven length, unrolled rounds, tables, probing.
#include "corpus.h"

KERNEL fnv(const int *first, const u8 *text, u32 *out, int n) {
  if (ID >= n) return;
  u32 hash = 2166136261u;
  for (int i = first[ID]; i < first[ID + 1]; ++i) hash = (hash ^ text[i]) * 16777619u;
  out[ID] = hash;
}

DEVICE u32 turned(u32 x, int by) { return x << by | x >> (32 - by); }

KERNEL murmur(const u32 *in, u32 *out, int words) {
  u32 h = 0;
  for (int i = 0; i < words; ++i) {
    u32 k = turned(in[ID * words + i] * 0xcc9e2d51u, 15) * 0x1b873593u;
    h = turned(h ^ k, 13) * 5 + 0xe6546b64u;
  }
  h ^= words * 4;
  h = (h ^ h >> 16) * 0x85ebca6bu;
  h = (h ^ h >> 13) * 0xc2b2ae35u;
  out[ID] = h ^ h >> 16;
}

KERNEL sha256(const u32 *in, const u32 *k, u32 *out) {
  u32 w[64], s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}, v[8];
#pragma unroll
  for (int i = 0; i < 16; ++i) w[i] = in[ID * 16 + i];
#pragma unroll
  for (int i = 16; i < 64; ++i) {
    u32 a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] + (turned(a, 25) ^ turned(a, 14) ^ a >> 3) + (turned(b, 15) ^ turned(b, 13) ^ b >> 10);
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) v[i] = s[i];
#pragma unroll
  for (int i = 0; i < 64; ++i) {
    u32 e = v[4], a = v[0];
    u32 t = v[7] + (turned(e, 26) ^ turned(e, 21) ^ turned(e, 7)) + ((e & v[5]) ^ (~e & v[6])) + k[i] + w[i];
    u32 u = (turned(a, 30) ^ turned(a, 19) ^ turned(a, 10)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
    v[7] = v[6], v[6] = v[5], v[5] = e, v[4] = v[3] + t, v[3] = v[2], v[2] = v[1], v[1] = a, v[0] = t + u;
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) out[ID * 8 + i] = s[i] + v[i];
}

KERNEL crc32(const u32 *table, const u8 *in, u32 *out, int bytes) {
  u32 crc = ~0u;
  for (int i = 0; i < bytes; ++i) crc = crc >> 8 ^ table[(crc ^ in[ID * bytes + i]) & 255];
  out[ID] = ~crc;
}

KERNEL insert(const int *keys, int *table, int slots, int n) {
  if (ID >= n) return;
  u32 at = keys[ID] * 2654435761u >> 16;
  for (int tries = 0; tries < slots; ++tries, ++at) {
    int old = __nvvm_atom_cas_gen_i(&table[at % slots], -1, keys[ID]);
    if (old == -1 || old == keys[ID]) return;
  }
}

KERNEL base64(const u8 *in, u8 *out, int triples) {
  SHARED static u8 letters[64];
  if (TID < 64) letters[TID] = TID < 26 ? 'A' + TID : TID < 52 ? 'a' + TID - 26 : TID < 62 ? '0' + TID - 52 : TID == 62 ? '+' : '/';
  sync();
  if (ID >= triples) return;
  u32 word = in[3 * ID] << 16 | in[3 * ID + 1] << 8 | in[3 * ID + 2];
#pragma unroll
  for (int i = 0; i < 4; ++i) out[4 * ID + i] = letters[word >> (18 - 6 * i) & 63];
}

KERNEL monte_carlo(u32 *hits, int rounds) {
  u32 x = ID * 747796405u + 2891336453u, own = 0;
  for (int i = 0; i < rounds; ++i) {
    x ^= x << 13, x ^= x >> 17, x ^= x << 5;
    u32 a = x & 0xffff, b = x >> 16;
    own += a * a / 2 + b * b / 2 < 0x7fffffffu;
  }
  __nvvm_atom_add_gen_i((int *)hits, own);
}
