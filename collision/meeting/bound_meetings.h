// SPDX-License-Identifier: MIT
/// What the ways of finding the earliest intersection of many bounds have in common.
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/space_time_bound.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nearmiss {

/// Order of time; equal times by pair, so that the order does not depend on the search.
[[nodiscard]] inline bool isLater(const BoundMeeting& a, const BoundMeeting& b) noexcept {
  if (a.time != b.time) return a.time > b.time;
  return a.pair > b.pair;
}

/// The bodies to which a pair of equal assembly belongs never meet; 0 is no assembly.
[[nodiscard]] inline bool sameAssembly(std::span<const std::uint32_t> assemblies,
                                       const BodyPair& pair) noexcept {
  if (assemblies.empty()) return false;
  return assemblies[pair.a] != 0 && assemblies[pair.a] == assemblies[pair.b];
}

}  // namespace nearmiss
