// SPDX-License-Identifier: MIT
/// The results of `nearmiss interfere` as tables and figures.
#pragma once

#include <engine/interference/interference.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace nearmiss::app::clash {

/// By class, in the order of ClashClass; left-out pairs are not counted.
using ClassCounts = std::array<std::size_t, engine::clashNames.size()>;

[[nodiscard]] ClassCounts countClasses(const engine::StillScene& scene,
                                       const engine::Interference& found);

/// Returns the clashes of these classes, sorted by pair. With `Clear` the result also has every
/// compared pair that is clear, whose number is quadratic in the objects.
[[nodiscard]] std::vector<engine::Clash> clashesOf(const engine::StillScene& scene,
                                                   const engine::Interference& found,
                                                   std::span<const engine::ClashClass> classes);

/// One line per clash. Lengths in metres; values that a class does not have are empty.
[[nodiscard]] std::string csvOf(const engine::StillScene& scene,
                                std::span<const engine::Clash> clashes);

struct RunFigures {
  double seconds = 0.0;
  double growthMb = 0.0;  ///< growth of the process during the comparison
};

[[nodiscard]] std::string jsonOf(const engine::StillScene& scene, const engine::Interference& found,
                                 const RunFigures& run);

/// Two lines: number of pairs by class, and left-out pairs.
[[nodiscard]] std::string classLines(const engine::StillScene& scene,
                                     const engine::Interference& found);

}  // namespace nearmiss::app::clash
