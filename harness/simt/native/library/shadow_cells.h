// A shadow cell, and which accesses of one are ordered.
//
// Conditions are joined by `&` and `|`, which make no branches: LLVM compiles them in less time, for each kernel.
#pragma once

#include "library.h"

// The last access of a kind. The bits of `who`, from the lowest:
//   16: the thread's number in its block, or one of the numbers below
//   of a writer 15: 0 for a store, else the kind of its atomic updates; those of one kind commute
//   of a writer 1: its block wrote otherwise before, behind another barrier, or the update is of the block's scope
//   of a reader 1: others read before, behind another barrier, since the last write
struct Access {
  uint32_t who;
  Epoch when;  // 0: there was none
};

struct ShadowCell {
  struct Access write, read;
};

// Both words of an access at once.
typedef uint64_t PackedAccess __attribute__((aligned(4)));

enum {
  THREAD_BITS = 0xffff,
  SEVERAL_BLOCKS = 65535,
  SEVERAL_THREADS = 65534,           // of one epoch
  SEVERAL_BLOCKS_OF_CLUSTER = 65533,
  SEVERAL_THREADS_OF_WARP = 32768,   // and the number of the warp
  KIND_BITS = 0x7fff0000,
  OTHERS_READ = 0x10000,
};
#define MIXED 0x80000000u

// The thread that accesses memory, and the epochs that order its access.
struct Accessor {
  uint32_t who;    // its number and, of an update, its kind
  Epoch now;       // the first epoch that is not ordered before this access
  Epoch birth;     // the first epoch of its block
  Epoch begins;    // the same if blocks share the memory, else 0
  Epoch since;     // the first epoch that only the last barrier orders before this one; 0 at the end of a phase
  uint8_t *need;   // notes of the last barrier: it is needed, may be needed, is needed or one before it
  Epoch mark;      // the epoch of the access: of its warp or of its cluster's interval, if these have epochs
  Epoch phase;     // the epoch before all that the cluster does in this interval
  Epoch open;      // the epoch before all that the cluster did in the interval before
};

static inline uint32_t thread_of(uint32_t who) { return who & THREAD_BITS; }

static inline bool is_other_thread(uint32_t who, const struct Accessor *own) {
  return thread_of(who) != thread_of(own->who);
}

static inline bool is_of_other_block(uint32_t who, Epoch when, const struct Accessor *own) {
  return ((when != 0) & (when < own->begins)) | (thread_of(who) == SEVERAL_BLOCKS);
}

#if CLUSTERS
// Blocks of a cluster run one after another from one of its waits to the next. What others did since the last wait is
// unordered, and so is what threads did between their arrival at that wait and the wait itself.
static inline bool is_unordered_in_cluster(uint32_t who, Epoch when, const struct Accessor *own) {
  bool is_of_others = (when < own->birth) | (thread_of(who) == SEVERAL_BLOCKS_OF_CLUSTER);
  return is_other_thread(who, own) & (((when >= own->phase) & is_of_others) | (when == own->open));
}
#endif

#if WARP
static inline bool is_of_own_warp(uint32_t who, const struct Accessor *own) {
  uint32_t thread = thread_of(who);
  uint32_t warp = thread >= SEVERAL_THREADS_OF_WARP ? thread & (SEVERAL_THREADS_OF_WARP - 1) : thread / WARP;
  return warp == thread_of(own->who) / WARP;
}

static inline bool is_unordered(uint32_t who, Epoch when, const struct Accessor *own) {
  return (when >= own->now) & !(is_of_own_warp(who, own) & (when < own->mark));
}
#endif

// Returns whether an access is another thread's, and not ordered before this one.
static inline bool races(uint32_t who, Epoch when, const struct Accessor *own) {
#if WARP
  bool is_beside = (who != own->who) & is_unordered(who, when, own);
#else
  bool is_beside = (who != own->who) & (when == own->now);
#endif
#if CLUSTERS
  is_beside |= is_unordered_in_cluster(who, when, own);
#endif
  return is_beside | is_of_other_block(who, when, own);
}
