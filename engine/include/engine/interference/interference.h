// SPDX-License-Identifier: MIT
/// Interference of all objects of a static scene, within a memory limit [WLMM99].
#pragma once

#include <engine/interference/clash.h>
#include <engine/interference/shapes_in_memory.h>
#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace nearmiss::engine {

enum class VisitOrder : std::uint8_t {
  Planned,  ///< see planVisits()
  Given,    ///< the order of the objects in the scene, for comparison
};

struct InterferenceSettings {
  std::uint64_t memoryLimit = std::numeric_limits<std::uint64_t>::max();  ///< total bytes of shapes
                                                                          ///< in memory
  VisitOrder order = VisitOrder::Planned;
  ClashLimits limits{};
  /// Maximum number of pairs with boxes within the clearance: about 0.5 GB, or 4 GB if all clash.
  std::size_t maxPairs = std::size_t{1} << 26;
};

struct Interference {
  std::vector<Clash> clashes;            ///< all pairs that are not clear, sorted by pair
  std::size_t pairs = 0;                 ///< compared pairs: boxes within the clearance
  std::size_t groups = 0, splitOff = 0;  ///< see VisitPlan
  ShapesInMemory::Figures figures;
  std::uint64_t sceneBytes = 0;  ///< of all shapes of the scene
};

[[nodiscard]] std::size_t contactsIn(const Interference& found) noexcept;

/// Compares all objects whose boxes are within the clearance of each other, except for the left-out
/// pairs of the scene. The result does not depend on memory and order. Errors: Unsupported with the
/// names if two shapes that may touch do not fit in memory together; TooLarge for more than
/// `maxPairs`; those of readShape(); Cancelled, also within a comparison.
Result<Interference> findInterference(const StillScene& scene, const InterferenceSettings& settings,
                                      BuildProgress* progress = nullptr);

}  // namespace nearmiss::engine
