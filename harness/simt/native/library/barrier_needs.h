// Which barriers a launch needs: those that alone order two accesses of different threads.
#pragma once

#include "shadow_cells.h"

#if NEEDS
// Returns the epoch of an access if a barrier of this block orders it before this thread's, else 0.
static inline Epoch exchanged_at(uint32_t who, Epoch when, const struct Accessor *own) {
  uint32_t thread = thread_of(who);
  bool is_known = (thread != SEVERAL_BLOCKS_OF_CLUSTER) & (thread != SEVERAL_BLOCKS);
  bool is_ordered = (when < own->now) & (when >= own->birth);
  return (is_other_thread(who, own) & is_ordered & is_known) ? when : 0;
}

// Notes that an exchange needs the last barrier, or that one may (`is_lost`: its other thread is no longer known).
static inline void note_need(Epoch exchanged, bool is_lost, const struct Accessor *own) {
  if ((exchanged != 0) | is_lost)
    own->need[exchanged >= own->since ? 0 : is_lost ? 1 : 2] = 1;
}
#else
static inline Epoch exchanged_at(uint32_t who, Epoch when, const struct Accessor *own) {
  (void)who, (void)when, (void)own;
  return 0;
}

static inline void note_need(Epoch exchanged, bool is_lost, const struct Accessor *own) {
  (void)exchanged, (void)is_lost, (void)own;
}
#endif
