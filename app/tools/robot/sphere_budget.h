// SPDX-License-Identifier: MIT
/// Distributes a total number of spheres over the links of a robot.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace nearmiss::app::robot {

/// The numbers of spheres for which links are measured, each about 1.5 times the previous: 1, 2, 3,
/// 4, 6, 9, 13, ...
[[nodiscard]] constexpr std::size_t nextCount(std::size_t count) noexcept {
  return count < 4 ? count + 1 : count + count / 2;
}

/// Congruent links, and the benefit of their spheres.
struct BudgetedLinks {
  std::size_t members = 1;  ///< number of links
  std::size_t most = 1;     ///< maximum number of spheres of each link
  /// Returns the volume of `count` spheres outside a link, which never increases with `count`.
  /// Called with 1 and then successive nextCount().
  std::function<Result<Real>(std::size_t count)> outside;
};

struct SharedBudget {
  std::vector<std::vector<std::size_t>> counts;  ///< by group and member, at least 1
  std::size_t unspent = 0;                       ///< further spheres would not improve the fit
};

/// Starts each link with one sphere. Then repeatedly gives spheres, one at a time, to the links
/// with the greatest gain per sphere up to their next number; congruent links take turns. So a
/// larger total extends the distribution of a smaller one and never fits worse. Errors: the first
/// of `outside`, except Cancelled after `stopped`.
/// @param stopped called between steps; true ends the distribution early
/// @pre total is at least the number of links
Result<SharedBudget> shareSpheres(std::span<const BudgetedLinks> groups, std::size_t total,
                                  const std::function<bool()>& stopped = {});

}  // namespace nearmiss::app::robot
