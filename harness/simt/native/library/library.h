// Types and attributes of the run-time library. docs/compiled-engine.md explains the structs and the words.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define ALWAYS_INLINE __attribute__((always_inline))
#define NEVER_INLINE __attribute__((noinline))

// A number that grows at each barrier and each block. 0 is before all others.
typedef uint32_t Epoch;
