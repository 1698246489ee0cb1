// SPDX-License-Identifier: MIT
/// Estimates how long trees will take to build.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace nearmiss::app::fly {

/// Built-in figures were measured on one core; the builds of this session correct them.
class BuildEstimates {
 public:
  /// Name of BSP trees, next to those of sphereTreeBuilderCatalog().
  static constexpr std::string_view bsp = "bsp";

  /// Records that building the trees of shapes with those numbers of triangles took `seconds`.
  void learn(std::string_view builder, std::span<const std::size_t> triangles, double seconds);
  /// Expected seconds for those shapes; 0 without shapes.
  [[nodiscard]] double secondsFor(std::string_view builder,
                                  std::span<const std::size_t> triangles) const;

 private:
  std::map<std::string, double, std::less<>> factors_;  ///< measured / built-in, by builder
};

/// Rounds an estimate to one significant digit: "about 40 s", "about 2 min", "less than 1 s".
[[nodiscard]] std::string estimateText(double seconds);

}  // namespace nearmiss::app::fly
