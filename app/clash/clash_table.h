// SPDX-License-Identifier: MIT
/// What `nearmiss interfere` found, as tables and figures.
#pragma once

#include <engine/interference/interference.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace nearmiss::app::clash {

/// By class, in the order of ClashClass; pairs left out count nowhere.
using ClassCounts = std::array<std::size_t, engine::clashNames.size()>;

[[nodiscard]] ClassCounts countClasses(const engine::StillScene& scene,
                                       const engine::Interference& found);

/// The clashes of these classes, by pair. Where `Clear` is among them, every pair that is compared
/// and clear as well: those are as many as pairs of objects.
[[nodiscard]] std::vector<engine::Clash> clashesOf(const engine::StillScene& scene,
                                                   const engine::Interference& found,
                                                   std::span<const engine::ClashClass> classes);

/// A line for each clash. Lengths in metres; what a class has not is empty.
[[nodiscard]] std::string csvOf(const engine::StillScene& scene,
                                std::span<const engine::Clash> clashes);

struct RunFigures {
  double seconds = 0.0;
  double growthMb = 0.0;  ///< of the process, while objects were compared
};

[[nodiscard]] std::string jsonOf(const engine::StillScene& scene, const engine::Interference& found,
                                 const RunFigures& run);

/// Two lines: how many pairs are of each class, and which were left out.
[[nodiscard]] std::string classLines(const engine::StillScene& scene,
                                     const engine::Interference& found);

}  // namespace nearmiss::app::clash
