// Requests of global memory: how many sectors each one takes.
//
// The threads of a warp that access memory at one place in the code at a time make one request. They come one after
// another. The sectors of a request follow its struct, each once, in the order in which threads came to them.

#include "counts.h"

static inline bool has_sector(const int64_t *sectors, int64_t count, int64_t sector) {
  while (--count >= 0) {
    if (sectors[count] == sector)
      return true;
  }
  return false;
}

NEVER_INLINE static void add_sectors(
    struct RequestSite *site, struct Request *request, int64_t when, int64_t first, int64_t last) {
  int64_t *sectors = (int64_t *)(request + 1);
  if (request->when != when) {
    request->when = when;
    request->last = -1;
    request->count = 0;
  }
  int64_t sector = first;
  do {
    if (sector <= request->last && has_sector(sectors, request->count, sector))
      continue;
    sectors[request->count++] = sector;
    request->last = sector > request->last ? sector : request->last;
    site->units++;
  } while (++sector <= last);
}

// Adds the sectors that a thread accesses, from `first` to `last`, to a request and, if they are new, to its site.
ALWAYS_INLINE void count_request(
    struct RequestSite *site, struct Request *request, int64_t when, int64_t first, int64_t last) {
  if (!((request->when == when) & (first == request->last) & (last == request->last)))
    add_sectors(site, request, when, first, last);
}
