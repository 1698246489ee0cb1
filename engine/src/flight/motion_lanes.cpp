// SPDX-License-Identifier: MIT
#define NEARMISS_PATH baseline
#include "flight/motion_lanes_loop.h"

#include <nearmiss/detail/instruction_sets.h>

#include <array>

namespace nearmiss::engine {

#ifdef NEARMISS_HAS_AVX2
namespace avx2 {
void step(const LaneForces& forces, const Arena& arena, const LaneReals& h, const LaneStates& start,
          LaneStates& end, LaneReals& error) noexcept;
void evaluate(const LaneForces& forces, const Arena& arena, const LaneInstants& instants,
              LaneStates& states) noexcept;
}  // namespace avx2
#endif

#ifdef NEARMISS_HAS_AVX512
namespace avx512 {
void step(const LaneForces& forces, const Arena& arena, const LaneReals& h, const LaneStates& start,
          LaneStates& end, LaneReals& error) noexcept;
void evaluate(const LaneForces& forces, const Arena& arena, const LaneInstants& instants,
              LaneStates& states) noexcept;
}  // namespace avx512
#endif

std::span<const LanePath> lanePaths() noexcept {
  static constexpr std::array all{
      LanePath{"baseline", &baseline::step, &baseline::evaluate},
#ifdef NEARMISS_HAS_AVX2
      LanePath{"avx2", &avx2::step, &avx2::evaluate},
#endif
#ifdef NEARMISS_HAS_AVX512
      LanePath{"avx512", &avx512::step, &avx512::evaluate},
#endif
  };
  return runnable(all);
}

}  // namespace nearmiss::engine
