// SPDX-License-Identifier: MIT
#define NEARMISS_PATH baseline
#include <nearmiss/detail/instruction_sets.h>

#include <array>

#include "geometry/crossings_loop.h"

namespace nearmiss {

#ifdef NEARMISS_HAS_AVX2
namespace avx2 {
unsigned findCrossings(const CrossingPairs& pairs, CrossingSegments& segments) noexcept;
}  // namespace avx2
#endif

#ifdef NEARMISS_HAS_AVX512
namespace avx512 {
unsigned findCrossings(const CrossingPairs& pairs, CrossingSegments& segments) noexcept;
}  // namespace avx512
#endif

std::span<const CrossingPath> crossingPaths() noexcept {
  static constexpr std::array all{
      CrossingPath{"baseline", &baseline::findCrossings},
#ifdef NEARMISS_HAS_AVX2
      CrossingPath{"avx2", &avx2::findCrossings},
#endif
#ifdef NEARMISS_HAS_AVX512
      CrossingPath{"avx512", &avx512::findCrossings},
#endif
  };
  return runnable(all);
}

}  // namespace nearmiss
