// SPDX-License-Identifier: MIT
/// Every broad and narrow phase by name: one list for command line, overlay, tests and
/// measurements.
#pragma once

#include <nearmiss/broad_phases.h>
#include <nearmiss/narrow_phases.h>

#include <span>
#include <string_view>

namespace nearmiss {

/// What was precomputed for the shapes, each span indexed by ShapeId. A span may be empty when no
/// method that needs it is asked for. All must outlive what is made from them.
struct ShapeTables {
  std::span<const Polyhedron> polyhedra;
  std::span<const SphereTree> sphereTrees;
  std::span<const BspTree> bspTrees;
};

struct BroadPhaseEntry {
  std::string_view name;     ///< as on the command line
  std::string_view summary;  ///< one line for lists
  std::unique_ptr<BroadPhase> (*make)();
  bool looksAhead = false;  ///< bounds what bodies promise
  /// For a method that knows the shapes beyond their spheres; null: it does not.
  std::unique_ptr<BroadPhase> (*makeFor)(const ShapeTables& shapes) = nullptr;
};

struct NarrowPhaseEntry {
  std::string_view name;
  std::string_view summary;
  bool needsSphereTrees = false;
  bool needsBspTrees = false;
  bool interruptible = false;  ///< answers level by level; else all in one step
  std::unique_ptr<NarrowPhase> (*make)(const ShapeTables& shapes) = nullptr;
};

[[nodiscard]] std::span<const BroadPhaseEntry> broadPhaseCatalog() noexcept;
[[nodiscard]] std::span<const NarrowPhaseEntry> narrowPhaseCatalog() noexcept;

/// With what is known of the shapes, if the method has a use for it.
[[nodiscard]] std::unique_ptr<BroadPhase> makeBroadPhase(const BroadPhaseEntry& entry,
                                                         const ShapeTables& shapes);

/// Null for an unknown name.
[[nodiscard]] const BroadPhaseEntry* findBroadPhase(std::string_view name) noexcept;
[[nodiscard]] const NarrowPhaseEntry* findNarrowPhase(std::string_view name) noexcept;

}  // namespace nearmiss
