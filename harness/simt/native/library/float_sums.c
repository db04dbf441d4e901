// Atomic sums of floats that no order rounds: what is known of all that a launch adds.
//
// The slots of a type hold the exponent of the lowest bit of all values, its sum of magnitudes, and the largest value
// that an update found. harness/simt/native/sanitize/exact_sums.py concludes from them whether a sum was exact.

#include "context.h"

// Refines the grid to the lowest bit of a value that is set; 0 is on each grid. Returns whether the value is finite.
#define GRID(name, Bits, fraction_bits, exponent_bits, count_zeros) \
  static inline bool name(int64_t *grid, Bits bits) { \
    const Bits most = ((Bits)1 << exponent_bits) - 1, one = (Bits)1 << fraction_bits; \
    Bits exponent = bits >> fraction_bits & most, fraction = bits & (one - 1); \
    if (exponent == most) \
      return false; \
    Bits digits = exponent != 0 ? fraction | one : fraction; \
    if (digits != 0) { \
      int64_t lowest = (int64_t)(exponent != 0 ? exponent : 1) + count_zeros(digits); \
      *grid = lowest < *grid ? lowest : *grid; \
    } \
    return true; \
  }

GRID(refine_float_grid, uint32_t, 23, 8, __builtin_ctz)
GRID(refine_double_grid, uint64_t, 52, 11, __builtin_ctzll)

// Notes that a value is added to another one. Returns true if one of them is not finite: then nothing is proved.
#define NOTE(Float, Bits) \
  ALWAYS_INLINE bool note_##Float##_sum(struct Context *context, Float added, Float before) { \
    Bits added_bits, before_bits; \
    __builtin_memcpy(&added_bits, &added, sizeof added); \
    __builtin_memcpy(&before_bits, &before, sizeof before); \
    if (!refine_##Float##_grid(&context->Float##_grid, added_bits)) \
      return true; \
    if (!refine_##Float##_grid(&context->Float##_grid, before_bits)) \
      return true; \
    double magnitude = __builtin_fabs((double)before); \
    context->Float##_sum += __builtin_fabs((double)added); \
    if (magnitude > context->Float##_largest) \
      context->Float##_largest = magnitude; \
    return false; \
  }

NOTE(float, uint32_t)
NOTE(double, uint64_t)
