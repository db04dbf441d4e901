// The driver: runs blocks from wait to wait, one cluster after another.

#include "kernel.h"

// Blocks that must be proved before the next one may skip checks, for one that did not take the path of the others.
#define PRICE 4

enum Outcome { PROVED, CHECK_FAILED, UNPROVED };

// What orders accesses of a block to one kind of memory, shared or global.
struct Order {
  Epoch now, since;
  uint8_t *need;
};

// Returns a new epoch, or a negative number if there is none left.
static inline int32_t next_epoch(struct Context *context) { return (int32_t)++context->time; }

// Marks memory as uninitialised that a cluster starts with; block-invariant memory stays as it is once it is proved.
void clear_written(const struct Allocation *table, int64_t own, bool is_proved) {
  int64_t number = 0;
  do {
    int64_t size = table[number].fresh;
    if (size != 0 && !(is_proved && is_block_invariant(number)))
      __builtin_memset(table[number].written, 0, size);
  } while (++number < own);
}

// A barrier that orders a kind of memory ends an epoch of it.
static inline void pass_barrier(struct Order *order, bool is_ordered, Epoch epoch, uint8_t *need) {
  uint8_t *before = order->need;
  order->need = is_ordered ? need : before;
  order->since = order->need == before ? order->since : order->now;
  order->now = is_ordered ? epoch : order->now;
}

// An exchange after the end of a phase may need the last barrier: the phase, too, orders it.
static inline void pass_phase(struct Order *order, Epoch epoch) {
  order->need += order->since != 0;
  order->since = 0;
  order->now = epoch;
}

struct Block {
  int64_t number, row, rank;
  Epoch birth, cluster_birth, phase, open;
  bool is_proved;
};

// Runs the warps of a block, one after another, from a piece to where all stop.
static inline enum Outcome run_warps(
    struct Context *context, const struct Block *block, int32_t piece, const struct Order *shared,
    const struct Order *global, int32_t *stops) {
  const int64_t size = context->size, width = context->width;
  const int64_t end = block->rank * size + size;
  int32_t before = NOWHERE;
  int64_t thread = block->rank * size;
  do {
    int64_t next_thread = (uint64_t)(thread + width) > (uint64_t)end ? end : thread + width;
    int32_t next = piece;
    Epoch warp_shared = 0, warp_global = 0;
    for (;;) {
      next = run_interval(
          context, next, thread, next_thread, block->is_proved, block->row, block->number, block->rank, shared->now,
          global->now, block->birth, shared->since, global->since, block->cluster_birth, block->phase, block->open,
          warp_shared, warp_global, shared->need, global->need);
      if (next == FAILED)
        return CHECK_FAILED;
      if (--context->rounds == 0)
        return UNPROVED;
      enum WaitKind wait = wait_of(next);
      if (wait == WARP_IN_ORDER) {
        int32_t epoch = next_epoch(context);
        warp_shared = orders_shared(next) ? (Epoch)epoch : warp_shared;
        warp_global = orders_global(next) ? (Epoch)epoch : warp_global;
        if (epoch < 0)
          return UNPROVED;
      } else if (wait != WARP) {
        break;
      }
    }
    if (before != NOWHERE && before != next)
      return UNPROVED;
    before = next;
    thread = next_thread;
  } while ((uint64_t)thread < (uint64_t)end);
  *stops = before;
  return PROVED;
}

// Runs a block from a piece to the next wait of its cluster, or to its end.
static inline enum Outcome run_block(struct Context *context, struct Block *block, int32_t piece, int32_t *stops) {
  block->birth = ++context->time;
  struct Order shared = {block->birth, block->birth, (uint8_t *)&context->nothing};
  struct Order global = shared;
  uint64_t passed = 0;  // lines with barriers, as bits
  for (;;) {
    enum Outcome outcome = run_warps(context, block, piece, &shared, &global, &piece);
    if (outcome != PROVED)
      return outcome;
    enum WaitKind wait = wait_of(piece);
    if (piece == END || wait == CLUSTER) {
      *stops = piece;
      return PROVED;
    }
    int32_t epoch = next_epoch(context);
    if (wait == PHASE) {
      pass_phase(&shared, epoch);
      pass_phase(&global, epoch);
    } else {
      int64_t line = barrier_line(piece);
      uint8_t *need = context->needed + line * MARKS;
      pass_barrier(&shared, orders_shared(piece), epoch, need);
      pass_barrier(&global, orders_global(piece), epoch, need);
      context->passed[line] &= passed;
      passed |= (uint64_t)1 << (uint64_t)line % MOST_LINES;
    }
    if (epoch < 0)
      return UNPROVED;
  }
}

// Runs the blocks of a cluster one after another, from one wait of the cluster to the next.
static inline enum Outcome run_cluster(
    struct Context *context, int64_t first, Epoch birth, bool is_proved, int64_t row) {
  int32_t piece = 0;
  Epoch phase = birth, open = birth;
  for (;;) {
    int32_t before = NOWHERE;
    int64_t rank = 0;
    do {
      struct Block block = {first + rank, row, rank, 0, birth, phase, open, is_proved};
      int32_t stops = piece;
      enum Outcome outcome = run_block(context, &block, piece, &stops);
      if (outcome != PROVED)
        return outcome;
      if (rank != 0 && stops != before)
        return UNPROVED;
      before = stops;
    } while ((uint64_t)++rank < (uint64_t)context->cluster);
    if (before == END)  // a block may have ended while another one was in its memory
      return context->peered == 0 ? PROVED : UNPROVED;
    piece = before;
    open = phase;
    phase = ++context->time;
    context->exchanged |= context->peered;
    context->peered = 0;
  }
}

// Runs blocks from a first one on. Returns the first block that is not proved, `blocks` if all are, or -1 if a block
// cannot start again because others saw its stores.
int64_t run(struct Context *context, int64_t start, int64_t blocks) {
  int64_t first = start;
  Epoch birth = 0;  // of a cluster that starts again, else 0
  for (;;) {
    const bool is_proved = context->again != 0;
    int64_t rounds;
    if (is_proved && context->replays != 0) {
      first = run_batch(context, first, blocks);
      birth = context->birth;
      rounds = context->rounds;
      if (first == blocks)
        return blocks;
    } else {
      Epoch epoch = ++context->time;
      birth = birth != 0 ? birth : epoch;
      context->birth = birth;
      context->peered = 0;
      context->stored = 0;
      rounds = context->rounds;
      context->ways_next = context->ways_first;
      clear_written(context->table, context->own, is_proved);
      enum Outcome outcome = run_cluster(context, first, birth, is_proved, first * context->size);
      if (outcome == UNPROVED)
        return first;
      if (outcome == PROVED) {
        context->again = ++context->credit > 0;
        first += context->cluster;
        if ((uint64_t)first >= (uint64_t)blocks)
          return blocks;
        birth = 0;
        continue;
      }
    }
    context->again = 0;
    context->credit -= PRICE;
    if (!(is_proved && restarts_blocks()))
      return first;
    context->rounds = rounds;
    if (context->stored != 0)
      return -1;
  }
}
