// Threads of a warp that exchange values without the others, where the code names them.
//
// A warp's threads stand at places of their own. Where all that an exchange names stand at it, and no others, they go on
// alone to where they wait next. A warp is where the driver leads it on once all of its threads stand at one place.

#include "kernel.h"

enum { THREADS = 32, ALL = -1 };

typedef int32_t Places __attribute__((vector_size(4 * THREADS), aligned(16)));
typedef bool Flags __attribute__((ext_vector_type(THREADS)));

// The threads that an exchange before a piece names, as bits; ALL if it names none.
CONSTANT int32_t named_threads(int32_t piece);

// Runs the threads of a set from a piece on; each leaves where it stops. Returns FAILED if a check fails.
int32_t run_part(
    struct Context *context, int32_t piece, int64_t first_thread, int64_t end_thread, STATE_PARAMETERS, int32_t set,
    int32_t *places);

// Runs a thread; returns where it stops.
typedef int32_t RunLane(struct Context *context, int64_t thread, STATE_PARAMETERS);

// Runs the threads of a set, one after another; each leaves where it stops. Returns FAILED if a check fails.
//   run_lane: a constant, so that LLVM makes its calls direct and inlines them
ALWAYS_INLINE int32_t run_lanes(
    RunLane *run_lane, struct Context *context, int64_t first_thread, int64_t end_thread, STATE_PARAMETERS, int32_t set,
    int32_t *places) {
  int64_t thread = first_thread;
  do {
    int64_t number = thread - first_thread;
    if (((uint32_t)set >> number & 1) != 0 && (places[number] = run_lane(context, thread, STATE)) == FAILED)
      return FAILED;
  } while ((uint64_t)++thread < (uint64_t)end_thread);
  return 0;
}

static inline int32_t threads_at(const int32_t *places, int32_t place) {
  Places at = *(const Places *)places;
  Flags flags = __builtin_convertvector(at == place, Flags);
  int32_t set;
  __builtin_memcpy(&set, &flags, sizeof set);
  return set;
}

int32_t run_interval(
    struct Context *context, int32_t piece, int64_t first_thread, int64_t end_thread, STATE_PARAMETERS) {
  _Alignas(16) int32_t places[THREADS];
  int32_t set = ALL;
  if (named_threads(piece) != ALL)
    return FAILED;
  for (;;) {
    if ((uint64_t)context->rounds <= 1)
      return FAILED;
    context->rounds--;
    int32_t stops = run_part(context, piece, first_thread, end_thread, STATE, set, places);
    if (stops == FAILED)
      return FAILED;
    int32_t thread = 0;
    for (;;) {
      piece = places[thread];
      set = threads_at(places, piece);
      if (set == ALL)
        return piece;
      if (named_threads(piece) == set)
        break;
      if (++thread == THREADS)
        return FAILED;
    }
  }
}
