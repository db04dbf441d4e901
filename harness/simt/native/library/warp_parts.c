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
    struct Context *context, int32_t piece, int64_t first_thread, int64_t end_thread, bool is_proved, int64_t row,
    int64_t block, int64_t rank, Epoch now_shared, Epoch now_global, Epoch birth, Epoch since_shared,
    Epoch since_global, Epoch cluster_birth, Epoch phase, Epoch open, Epoch warp_shared, Epoch warp_global,
    uint8_t *need_shared, uint8_t *need_global, int32_t set, int32_t *places);

static inline int32_t threads_at(const int32_t *places, int32_t place) {
  Places at = *(const Places *)places;
  Flags flags = __builtin_convertvector(at == place, Flags);
  int32_t set;
  __builtin_memcpy(&set, &flags, sizeof set);
  return set;
}

int32_t run_interval(
    struct Context *context, int32_t piece, int64_t first_thread, int64_t end_thread, bool is_proved, int64_t row,
    int64_t block, int64_t rank, Epoch now_shared, Epoch now_global, Epoch birth, Epoch since_shared,
    Epoch since_global, Epoch cluster_birth, Epoch phase, Epoch open, Epoch warp_shared, Epoch warp_global,
    uint8_t *need_shared, uint8_t *need_global) {
  _Alignas(16) int32_t places[THREADS];
  int32_t set = ALL;
  if (named_threads(piece) != ALL)
    return FAILED;
  for (;;) {
    if ((uint64_t)context->rounds <= 1)
      return FAILED;
    context->rounds--;
    int32_t stops = run_part(
        context, piece, first_thread, end_thread, is_proved, row, block, rank, now_shared, now_global, birth,
        since_shared, since_global, cluster_birth, phase, open, warp_shared, warp_global, need_shared, need_global,
        set, places);
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
