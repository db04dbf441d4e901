// Functions that a kernel's module has of its own, written with its code. A piece is a part of the code between two
// waits, by the number of the segment that it begins with.
#pragma once

#include "context.h"

#define CONSTANT __attribute__((const))

// Where threads stop.
enum { END = -1, FAILED = -2, NOWHERE = -3 };

// What threads wait for before a piece.
enum WaitKind { BARRIER, WARP, WARP_IN_ORDER, CLUSTER, PHASE };

CONSTANT enum WaitKind wait_of(int32_t piece);
CONSTANT bool orders_shared(int32_t piece);
CONSTANT bool orders_global(int32_t piece);
// The barrier before a piece, by the number of its line.
CONSTANT int32_t barrier_line(int32_t piece);

// Whether an allocation is block-invariant: what was proved of it in one block holds in all.
CONSTANT bool is_block_invariant(int64_t allocation);
// Whether a block that takes another control path than the one before may start again.
CONSTANT bool restarts_blocks(void);

// Bytes of a shadow cell's memory: what all accesses are made of.
CONSTANT int64_t cell_bytes(void);

// Where threads run, and what orders their accesses.
#define STATE_PARAMETERS \
  bool is_proved, int64_t row, int64_t block, int64_t rank, Epoch now_shared, Epoch now_global, Epoch birth, \
      Epoch since_shared, Epoch since_global, Epoch cluster_birth, Epoch phase, Epoch open, Epoch warp_shared, \
      Epoch warp_global, uint8_t *need_shared, uint8_t *need_global
#define STATE \
  is_proved, row, block, rank, now_shared, now_global, birth, since_shared, since_global, cluster_birth, phase, open, \
      warp_shared, warp_global, need_shared, need_global

// Runs threads from a piece to where they stop next, all at the same place, or until a check fails.
int32_t run_interval(
    struct Context *context, int32_t piece, int64_t first_thread, int64_t end_thread, STATE_PARAMETERS);

// Runs blocks that take the control path of the one before. Returns the first block that did not, or `blocks`.
int64_t run_batch(struct Context *context, int64_t first, int64_t blocks);
