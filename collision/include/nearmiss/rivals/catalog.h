// SPDX-License-Identifier: MIT
/// The catalogue of all broad and narrow phases by name, shared by command line, overlay, tests and
/// measurements.
#pragma once

#include <nearmiss/result.h>
#include <nearmiss/rivals/broad_phases.h>
#include <nearmiss/rivals/narrow_phases.h>

#include <span>
#include <string_view>

namespace nearmiss {

/// One entry of broadPhaseCatalog().
struct BroadPhaseEntry {
  std::string_view name;     ///< as on the command line
  std::string_view summary;  ///< one line for lists
  std::unique_ptr<BroadPhase> (*make)();
  bool looksAhead = false;  ///< uses the bodies' acceleration bounds
  /// Not null if the method uses more of the shapes than their spheres.
  std::unique_ptr<BroadPhase> (*makeFor)(const Shapes& shapes) = nullptr;
};

/// One entry of narrowPhaseCatalog().
struct NarrowPhaseEntry {
  std::string_view name;
  std::string_view summary;
  bool needsSphereTrees = false;
  bool needsBspTrees = false;
  bool interruptible = false;  ///< true: refines level by level; false: all in one step
  std::unique_ptr<NarrowPhase> (*make)(const Shapes& shapes) = nullptr;
};

[[nodiscard]] std::span<const BroadPhaseEntry> broadPhaseCatalog() noexcept;
[[nodiscard]] std::span<const NarrowPhaseEntry> narrowPhaseCatalog() noexcept;

/// Makes a broad phase for `shapes`, if the method uses them.
[[nodiscard]] std::unique_ptr<BroadPhase> makeBroadPhase(const BroadPhaseEntry& entry,
                                                         const Shapes& shapes);

/// Makes a narrow phase for unchecked shapes. Errors: Unsupported if a shape lacks the tree that
/// the method needs; OutOfMemory.
Result<std::unique_ptr<NarrowPhase>> makeNarrowPhase(const NarrowPhaseEntry& entry,
                                                     const Shapes& shapes);

/// Returns null for an unknown name.
[[nodiscard]] const BroadPhaseEntry* findBroadPhase(std::string_view name) noexcept;
[[nodiscard]] const NarrowPhaseEntry* findNarrowPhase(std::string_view name) noexcept;

}  // namespace nearmiss
