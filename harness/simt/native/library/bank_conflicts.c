// Requests of shared memory: the passes that one takes beyond those that it takes anyway.
//
// A record stands for a place in the code and a part of a warp whose threads are served together. They come one after
// another. A part takes as many passes as it asks one bank for different words. Behind the struct stand, for each bank,
// how many words it was asked for, and then these words.

#include "counts.h"

static inline bool has_word(const uint32_t *words, uint32_t count, uint32_t word) {
  for (uint32_t i = 0; i < count; i++) {
    if (words[i] == word)
      return true;
  }
  return false;
}

// Adds the words that a thread accesses, `count` from `word` on.
//   least: the passes that a part takes anyway
//   is_alone: each access of a word takes a pass of its own, as atomic updates do
NEVER_INLINE void count_bank_conflicts(
    struct RequestSite *site, struct BankRecord *record, int64_t when, int64_t part, int64_t word, int64_t count,
    int64_t least, bool is_alone) {
  uint32_t *depths = (uint32_t *)(record + 1), *words = depths + BANKS;
  if (!((record->when == when) & (record->part == part))) {
    record->when = when;
    record->part = part;
    record->most = least;
    __builtin_memset(depths, 0, BANKS * sizeof *depths);
  }
  int64_t end = word + count;
  do {
    int64_t bank = word & (BANKS - 1);
    uint32_t depth = depths[bank], *of_bank = words + bank * WORDS_OF_BANK;
    if (!is_alone && has_word(of_bank, depth, (uint32_t)word))
      continue;
    of_bank[depth++] = (uint32_t)word;
    depths[bank] = depth;
    if (depth > (uint64_t)record->most) {
      record->most = depth;
      site->units++;
    }
  } while (++word != end);
}
