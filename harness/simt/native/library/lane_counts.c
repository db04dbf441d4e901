// What is counted of threads, and of elements of shared memory, if warps run in lockstep.
//
// The cells of a variable in shared memory follow its `ElementCounts`. A cell has 32 bits and stands for as many bytes as
// all accesses are made of. Bit 31: it was stored to. Bit 30: it was loaded. Others: the thread that stored to it last,
// from 1 on. Behind `BlockCounts` stands a byte for each thread of the block: it loaded, since the last barrier, what
// another one had stored last. The same of the interval before follows.

#include "kernel.h"
#include "lane_counts.h"

#define STORED 0x80000000u
#define LOADED 0x40000000u

typedef int64_t LaneCounts __attribute__((ext_vector_type(LANE_COUNTS), aligned(8)));

static inline uint32_t *cells_of(struct ElementCounts *table) { return (uint32_t *)(table + 1); }

static inline uint8_t *readers_of(struct BlockCounts *block) { return (uint8_t *)(block + 1); }

static inline int64_t greater(int64_t one, int64_t other) { return one > other ? one : other; }

// Counts that a thread loads cells of shared memory.
//   sizes: the size of the elements and the offset of the access, as bits
void count_shared_load(
    struct ElementCounts *table, int64_t first, int64_t count, int64_t sizes, uint32_t thread,
    struct BlockCounts *block) {
  uint32_t *cells = cells_of(table) + first;
  table->sizes |= sizes;
  int64_t i = 0;
  do {
    uint32_t cell = cells[i], writer = cell & (LOADED - 1);
    if ((writer != 0) & (writer != thread + 1)) {
      readers_of(block)[thread] = 1;
      block->read = 1;
    }
    if ((cell & LOADED) == 0) {
      cells[i] = cell | LOADED;
      table->loads++;
    }
  } while ((uint64_t)++i < (uint64_t)count);
}

// Counts that a thread stores to cells of shared memory, as `count_shared_load` does.
void count_shared_store(
    struct ElementCounts *table, int64_t first, int64_t count, int64_t sizes, uint32_t thread,
    struct BlockCounts *block) {
  (void)block;
  uint32_t *cells = cells_of(table) + first;
  table->sizes |= sizes;
  int64_t i = 0;
  do {
    uint32_t cell = cells[i];
    cells[i] = (cell & LOADED) | STORED | (thread + 1);
    table->stores += (cell & STORED) == 0;
  } while ((uint64_t)++i < (uint64_t)count);
}

// Adds what a thread did to what all did, behind which stands the most that one did.
ALWAYS_INLINE void end_lane(LaneCounts *own, LaneCounts *sums) {
  LaneCounts counts = *own;
  sums[0] += counts;
  sums[1] = __builtin_elementwise_max(sums[1], counts);
  *own = 0;
}

// Returns the counts of a variable in shared memory, or a null pointer if an allocation has none. The table of
// allocations has the bytes of their cells in `stores`.
static inline struct ElementCounts *element_counts(const struct Allocation *allocation) {
  return allocation->start == 0 ? (struct ElementCounts *)allocation->loads : 0;
}

NEVER_INLINE void begin_block(struct Context *context) {
  struct BlockCounts *block = context->blocks;
  __builtin_memset(block, 0, (const uint8_t *)(&block->read + 1) - (const uint8_t *)block);
  __builtin_memset(readers_of(block), 0, 2 * context->size);
  const struct Allocation *allocation = context->table, *end = allocation + context->own;
  do {
    struct ElementCounts *table = element_counts(allocation);
    if (table != 0) {
      table->loads = table->stores = table->sizes = 0;
      __builtin_memset(cells_of(table), 0, allocation->stores);
    }
  } while (++allocation < end);
}

// Counts a step if somebody loaded in this interval what another thread had stored. A last step in which nobody did so
// again only hands a result on; `end_block` takes it away.
NEVER_INLINE void end_step(struct Context *context) {
  struct BlockCounts *block = context->blocks;
  if (block->read == 0)
    return;
  block->read = 0;
  const int64_t size = context->size;
  uint8_t *readers = readers_of(block), *earlier = readers + size, again = 0;
  int64_t thread = 0;
  do {
    uint8_t now = readers[thread];
    again |= now & earlier[thread];
    earlier[thread] = now;
    readers[thread] = 0;
  } while ((uint64_t)++thread < (uint64_t)size);
  block->handed_on = (block->steps != 0) & (again == 0);
  block->steps++;
}

// Adds the elements of all variables in shared memory. Those of one are counted in the size that all its accesses have.
NEVER_INLINE void end_block(struct Context *context) {
  struct BlockCounts *block = context->blocks;
  end_step(context);
  block->steps -= block->handed_on;
  const struct Allocation *allocation = context->table, *end = allocation + context->own;
  do {
    struct ElementCounts *table = element_counts(allocation);
    if (table == 0 || table->sizes == 0)
      continue;
    int64_t size = table->sizes & -table->sizes;
    table->units |= size;
    block->mixed |= table->units & (table->units - 1);
    int bits = __builtin_ctzll((uint64_t)size);
    block->loads += (int64_t)((uint64_t)(table->loads * cell_bytes()) >> bits);
    block->stores += (int64_t)((uint64_t)(table->stores * cell_bytes()) >> bits);
  } while (++allocation < end);
  block->most_loads = greater(block->loads, block->most_loads);
  block->most_stores = greater(block->stores, block->most_stores);
  block->most_steps = greater(block->steps, block->most_steps);
}
