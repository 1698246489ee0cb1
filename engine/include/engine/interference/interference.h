// SPDX-License-Identifier: MIT
/// How the objects of a scene that stands still interfere, within a limit of memory [WLMM99].
#pragma once

#include <engine/interference/clash.h>
#include <engine/interference/shapes_in_memory.h>
#include <nearmiss/build_progress.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace nearmiss::engine {

enum class VisitOrder : std::uint8_t {
  Planned,  ///< see planVisits()
  Given,    ///< as the objects stand in the scene, for comparison
};

struct InterferenceSettings {
  std::uint64_t memoryLimit = std::numeric_limits<std::uint64_t>::max();  ///< of shapes at once
  VisitOrder order = VisitOrder::Planned;
  ClashLimits limits{};
  /// Pairs of objects whose boxes are within the clearance: some 0.5 GB, or 4 GB if all clash.
  std::size_t maxPairs = std::size_t{1} << 26;
};

struct Interference {
  std::vector<Clash> clashes;            ///< of all pairs that are not clear, sorted by pair
  std::size_t pairs = 0;                 ///< compared: those whose boxes overlap, or nearly
  std::size_t groups = 0, splitOff = 0;  ///< see VisitPlan
  ShapesInMemory::Figures figures;
  std::uint64_t sceneBytes = 0;  ///< of all shapes together
};

[[nodiscard]] std::size_t contactsIn(const Interference& found) noexcept;

/// Compares all objects whose boxes are within the clearance of each other, but for the pairs that
/// the scene leaves out. The answer does not depend on memory and order. Errors: Unsupported, where
/// two shapes that may touch do not fit, with their names; TooLarge, for more pairs than the
/// settings allow; those of readShape(); Cancelled, heard within a comparison too.
Result<Interference> findInterference(const StillScene& scene, const InterferenceSettings& settings,
                                      BuildProgress* progress = nullptr);

}  // namespace nearmiss::engine
