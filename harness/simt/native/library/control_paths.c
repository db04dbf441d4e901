// Control paths: where the threads of an interval find those of the block before.

#include "context.h"

// Reserves a word for each thread of an interval. If there is no room, all blocks are checked.
ALWAYS_INLINE void begin_paths(struct Context *context, int64_t first_thread, int64_t end_thread) {
  const int64_t bytes = (end_thread - first_thread) * 8;
  int64_t start = context->ways_next;
  if ((uint64_t)(start + bytes) > (uint64_t)context->ways_end) {
    start = context->ways_first;
    context->credit = NEVER;
  }
  context->ways_next = start + bytes;
  context->ways = start - first_thread * 8;
}
