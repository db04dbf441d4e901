// The race detector: what a load, a store and an atomic update do to the shadow cells of their memory.
//
// Compiled once for each kind of launch. CLUSTERS: blocks form clusters. WARP: threads of a warp, if warps have epochs,
// else 0. NEEDS: it is noted which barriers are needed.

#include "barrier_needs.h"
#include "shadow_cells.h"

#if CLUSTERS
#define MORE , Epoch mark, Epoch phase, Epoch open
#define PASS_MORE , mark, phase, open
#elif WARP
#define MORE , Epoch mark
#define PASS_MORE , mark
#else
#define MORE
#define PASS_MORE
#endif
#define PARAMETERS \
  uint32_t who, Epoch now, Epoch birth, Epoch begins, Epoch since, uint8_t *need MORE
#define ARGUMENTS who, now, birth, begins, since, need PASS_MORE
#if CLUSTERS
#define ACCESSOR {who, now, birth, begins, since, need, mark, phase, open}
#elif WARP
#define ACCESSOR {who, now, birth, begins, since, need, mark, 0, 0}
#else
#define ACCESSOR {who, now, birth, begins, since, need, now, 0, 0}
#endif

// Returns the epoch that an access leaves in a cell. An access between arrival and wait stays one if it is joined.
static inline Epoch mark_of(uint32_t who, Epoch when, const struct Accessor *own) {
#if CLUSTERS
  if ((when == own->phase) & is_unordered_in_cluster(who, when, own))
    return own->phase;
#else
  (void)who, (void)when;
#endif
  return own->mark;
}

// Returns `alone`, or the number that stands for this thread and those that accessed a cell in the same epoch.
static inline uint32_t join(uint32_t who, Epoch when, const struct Accessor *own, uint32_t alone) {
  uint32_t kind = own->who & ~(uint32_t)THREAD_BITS;
#if WARP
  uint32_t warp = SEVERAL_THREADS_OF_WARP | thread_of(own->who) / WARP;
  uint32_t several = kind | (is_of_own_warp(who, own) ? warp : SEVERAL_THREADS);
  return (is_other_thread(who, own) & is_unordered(who, when, own)) ? several : alone;
#else
#if CLUSTERS
  if (is_unordered_in_cluster(who, when, own))
    return kind | SEVERAL_BLOCKS_OF_CLUSTER;
#endif
  return ((when == own->now) & is_other_thread(who, own)) ? kind | SEVERAL_THREADS : alone;
#endif
}

// Notes what a store or an update exchanges with the last writer and the last readers.
static inline void note_exchanges(const struct ShadowCell *cell, const struct Accessor *own) {
  uint32_t reader = thread_of(cell->read.who);
  Epoch written = exchanged_at(cell->write.who, cell->write.when, own);
  Epoch read = exchanged_at(reader, cell->read.when, own);
  bool is_kept = (cell->read.who & OTHERS_READ) != 0;
  bool is_lost = is_kept & (cell->read.when > cell->write.when) & (read == 0);
  note_need(written > read ? written : read, is_lost, own);
}

NEVER_INLINE static bool load_cell(struct ShadowCell *cell, PARAMETERS) {
  const struct Accessor own = ACCESSOR;
  const struct Access write = cell->write, read = cell->read;
  uint32_t reader = thread_of(read.who);
  if (races(write.who, write.when, &own))
    return true;
  note_need(exchanged_at(write.who, write.when, &own), false, &own);
  bool is_lost = exchanged_at(reader, read.when, &own) > write.when;
  is_lost |= ((read.who & OTHERS_READ) != 0) & (read.when > write.when);
  uint32_t readers = join(reader, read.when, &own, who | (is_lost ? OTHERS_READ : 0));
  cell->read.who = is_of_other_block(reader, read.when, &own) ? SEVERAL_BLOCKS : readers;
  cell->read.when = mark_of(reader, read.when, &own);
  return false;
}

NEVER_INLINE static bool store_cell(struct ShadowCell *cell, PARAMETERS) {
  const struct Accessor own = ACCESSOR;
  const struct ShadowCell before = *cell;
  bool is_of_others = races(before.write.who, before.write.when, &own);
  if (is_of_others | races(thread_of(before.read.who), before.read.when, &own))
    return true;
  note_exchanges(&before, &own);
  cell->write.who = who;
  cell->write.when = own.mark;
  return false;
}

NEVER_INLINE static bool update_cell(struct ShadowCell *cell, PARAMETERS) {
  const struct Accessor own = ACCESSOR;
  const struct ShadowCell before = *cell;
  const struct Access write = before.write;
  bool is_other_kind = ((write.who ^ who) & KIND_BITS) != 0;
  bool is_of_others = races(write.who, write.when, &own);
  bool is_apart = is_of_other_block(write.who, write.when, &own);
  bool matters = write.when != 0;  // to what other threads do now
  bool is_mixed = ((write.who | who) & MIXED) != 0;
#if CLUSTERS
  matters = (write.when >= phase) | (write.when == open);
  is_mixed = matters & ((write.who & MIXED) != 0);
  is_apart |= is_unordered_in_cluster(write.who, write.when, &own);
#elif WARP
  // What a warp did before it synchronised is gone from the cell: other warps of the block are still unordered with it.
  matters = (write.when >= now) | (begins != 0);
  is_mixed &= matters;
  matters &= write.when != 0;
  is_apart |= is_of_others;
#endif
  bool is_wrong = (is_of_others & is_other_kind) | (is_mixed & is_apart);
  if (is_wrong | races(thread_of(before.read.who), before.read.when, &own))
    return true;
  note_exchanges(&before, &own);
  uint32_t writers = join(write.who, write.when, &own, who);
  if (is_of_other_block(write.who, write.when, &own))
    writers = who | SEVERAL_BLOCKS;
  cell->write.who = writers | ((is_mixed | (matters & is_other_kind)) ? MIXED : 0);
  cell->write.when = mark_of(write.who, write.when, &own);
  return false;
}

// A thread changes nothing if it accesses a cell again in the epoch in which it was the last, alone. Nor does a reader
// if several threads read in this epoch: whoever writes later meets one of them.
static inline bool is_known_reader(PackedAccess last, PackedAccess alone, PackedAccess several) {
  return (last == alone) | ((last | (SEVERAL_BLOCKS ^ SEVERAL_THREADS)) == several);
}

static inline bool is_known_writer(PackedAccess last, PackedAccess alone, PackedAccess several) {
  (void)several;
  return last == alone;
}

// Clusters have no such accesses: the same epoch may be unordered with itself.
#define CELLS(kind, own, other, is_known) \
  ALWAYS_INLINE bool kind##_cells(struct ShadowCell *cells, uint64_t count, PARAMETERS) { \
    const struct Accessor accessor = ACCESSOR; \
    PackedAccess when = (PackedAccess)accessor.mark << 32, alone = when | who, several = when | SEVERAL_BLOCKS; \
    for (uint64_t i = 0; i < count; i++) { \
      PackedAccess *last = (PackedAccess *)&cells[i].own; \
      PackedAccess before = *last; \
      if (!CLUSTERS && is_known(before, alone, several)) \
        continue; \
      if ((before | *(PackedAccess *)&cells[i].other) == 0) \
        *last = alone; \
      else if (kind##_cell(&cells[i], ARGUMENTS)) \
        return true; \
    } \
    return false; \
  }

CELLS(load, read, write, is_known_reader)
CELLS(store, write, read, is_known_writer)
CELLS(update, write, read, is_known_writer)
