// SPDX-License-Identifier: MIT
/// The spheres of one link for any number of spheres; more spheres never fit worse.
#pragma once

#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/result.h>
#include <nearmiss/spheres.h>

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "tools/robot/link_spheres.h"

namespace nearmiss::app::robot {

/// Fits sets of 1, nextCount(1), and so on spheres on demand, each also starting from the previous
/// set. For numbers in between, merges balls of the larger set until it is small enough.
class LinkCurve {
 public:
  /// Fits one set; can be cancelled.
  using Fit = std::function<Result<LinkSpheres>(const FlatSetSettings& settings)>;

  /// @param settings all members except count and start are used
  LinkCurve(LinkBody body, const FlatSetSettings& settings)
      : body_(std::move(body)), settings_(settings) {}

  /// Makes sets of up to `count` spheres. Errors: those of `fit`.
  /// @pre 1 <= count <= maxSpheresOfFlatSet
  Result<Success> reach(std::size_t count, const Fit& fit);
  [[nodiscard]] std::size_t reached() const noexcept { return sets_.size(); }

  /// @pre 1 <= count <= reached()
  [[nodiscard]] const LinkSpheres& at(std::size_t count) const { return sets_[count - 1]; }
  [[nodiscard]] const LinkBody& body() const noexcept { return body_; }

 private:
  LinkBody body_;
  FlatSetSettings settings_;
  std::vector<LinkSpheres> sets_;
};

/// Returns the minimum ball that contains both, rounded up slightly.
[[nodiscard]] Sphere ballAround(const Sphere& a, const Sphere& b) noexcept;

}  // namespace nearmiss::app::robot
