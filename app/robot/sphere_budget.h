// SPDX-License-Identifier: MIT
/// One number of spheres, shared by the links of a robot.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace nearmiss::app::robot {

/// The numbers of spheres that links are measured with, each about half as large again: 1, 2, 3, 4,
/// 6, 9, 13, ...
[[nodiscard]] constexpr std::size_t nextCount(std::size_t count) noexcept {
  return count < 4 ? count + 1 : count + count / 2;
}

/// Links that are alike, and what their spheres are worth.
struct BudgetedLinks {
  std::size_t members = 1;  ///< links
  std::size_t most = 1;     ///< spheres of each, at most
  /// The volume of the union of `count` spheres outside of one of them, never more for more
  /// spheres. Asked for 1 and then one nextCount() after the other.
  std::function<Result<Real>(std::size_t count)> outside;
};

struct SharedBudget {
  std::vector<std::vector<std::size_t>> counts;  ///< by group and member, at least 1 each
  std::size_t unspent = 0;                       ///< more spheres would gain nothing
};

/// Each link begins with one sphere. Then, again and again, the links that gain most per sphere by
/// their next number get them, one sphere at a time, those alike in turn. So the spheres of a
/// smaller total are those that a larger one begins with, and more is never worse. Errors: the
/// first of `outside`, but for a Cancelled of what was stopped.
/// @param stopped called between steps: true ends it early, with what was shared by then
/// @pre total is at least the number of links
Result<SharedBudget> shareSpheres(std::span<const BudgetedLinks> groups, std::size_t total,
                                  const std::function<bool()>& stopped = {});

}  // namespace nearmiss::app::robot
