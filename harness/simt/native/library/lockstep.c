// Warps in lockstep: threads that stand at one piece of the code run it together, the lowest piece first.
//
// Compiled once for each number of THREADS of a warp. A thread's function returns the piece that it comes to.
// If it has to wait there, or has ended, it returns WAITING + 1 and the piece, or END.

#include "kernel.h"
#include "lane_counts.h"

enum {
  LATER = INT32_MAX,  // the place of threads that a warp does not have
  NOBODY = -1,
  APART = -4,         // in place of where threads stand: none has run yet
  DIVIDED = -3,       // and not all at the same piece
};

// The threads of a warp, as bits.
#if THREADS == 64
typedef uint64_t Set;
#define FIRST_OF(set) __builtin_ctzll(set)
#define COUNT_OF(set) __builtin_popcountll(set)
#else
typedef uint32_t Set;
#define FIRST_OF(set) __builtin_ctz(set)
#define COUNT_OF(set) __builtin_popcount(set)
#endif

typedef int32_t Places __attribute__((ext_vector_type(THREADS), aligned(64)));
typedef bool Flags __attribute__((ext_vector_type(THREADS)));

// Runs a thread; `taken` counts how often threads take the first of several edges.
typedef int32_t RunLane(struct Context *context, int64_t thread, STATE_PARAMETERS, int64_t when, int64_t *taken);

// Runs the threads of a set from a piece on. Each leaves where it stops in `places`. Returns that piece if it is the same
// for all, DIVIDED if it is not, or FAILED if a check fails.
int32_t run_set(
    struct Context *context, int32_t piece, int64_t first_thread, int64_t end_thread, STATE_PARAMETERS, int64_t when,
    Set set, int32_t *places);

// The last piece of the outermost loop that a piece is in; NOBODY if it is in none.
CONSTANT int32_t end_of_loop(int32_t piece);

// Runs the threads of a set, one after another, and counts whether a branch divided the warp.
//   run_lane: a constant, so that LLVM makes its calls direct and inlines them
//   branches: whether the last piece that they run has several edges
ALWAYS_INLINE int32_t run_lanes(
    RunLane *run_lane, bool branches, struct Context *context, int64_t first_thread, STATE_PARAMETERS, int64_t when,
    Set set, int32_t *places) {
  int64_t taken = 0;
  int32_t common = APART;
  __builtin_assume(set != 0);
  for (Set rest = set; rest != 0; rest &= rest - 1) {
    int64_t number = FIRST_OF(rest);
    int32_t place = run_lane(context, first_thread + number, STATE, when, &taken);
    places[number] = place;
    if (place == FAILED)
      return FAILED;
    common = ((common == APART) | (common == place)) ? place : DIVIDED;
  }
  if (branches && taken != 0 && taken != COUNT_OF(set))
    context->blocks->divergent++;
  return common;
}

static inline Set set_of(Places flags) {
  Flags bits = __builtin_convertvector(flags, Flags);
  Set set;
  __builtin_memcpy(&set, &bits, sizeof set);
  return set;
}

int32_t run_interval(
    struct Context *context, int32_t piece, int64_t first_thread, int64_t end_thread, STATE_PARAMETERS) {
  struct BlockCounts *counts = context->blocks;
  if (first_thread == 0) {
    if (piece == 0)
      begin_block(context);
    else if (wait_of(piece) == BARRIER)
      end_step(context);
  }
  const Set whole = (Set)-1 >> (THREADS - (end_thread - first_thread));
  int64_t fuel = context->fuel, when = counts->when, all_rounds = counts->all_rounds;
  int64_t most_rounds = counts->most_rounds, split_rounds = counts->split_rounds;
  Places places = LATER;
  Set set = whole;
  int64_t rounds = 0;
  int32_t nearest = LATER, furthest = NOBODY;  // the places of the other threads
  int32_t next;
  for (;;) {
    if (--fuel <= 0)
      return FAILED;
    next = run_set(context, piece, first_thread, end_thread, STATE, ++when, set, (int32_t *)&places);
    if (next == FAILED)
      return FAILED;
    if (!((next >= 0) & (next < (nearest < WAITING ? nearest : WAITING)))) {
      next = __builtin_reduce_min(places);
      Places is_next = places == next;
      set = set_of(is_next);
      if (next >= WAITING)
        break;
      nearest = __builtin_reduce_min(is_next ? LATER : places);
      furthest = __builtin_reduce_max((is_next | (places == LATER)) ? NOBODY : places);
    }
    int32_t end = end_of_loop(next);
    if (next <= piece) {
      rounds++;
      all_rounds++;
      most_rounds = most_rounds > rounds ? most_rounds : rounds;
      if (furthest > end)
        split_rounds = split_rounds > rounds ? split_rounds : rounds;
      if (rounds > ROUNDS)
        return FAILED;
    } else if (end < 0) {
      rounds = 0;
    }
    piece = next;
  }
  context->fuel = fuel;
  counts->when = when;
  counts->all_rounds = all_rounds;
  counts->most_rounds = most_rounds;
  counts->split_rounds = split_rounds;
  if (set != whole)
    return FAILED;
  int32_t stop = next - (WAITING + 1);
  if (stop == END && end_thread == context->size)
    end_block(context);
  return stop;
}
