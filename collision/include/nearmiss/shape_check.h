// SPDX-License-Identifier: MIT
/// Whether polyhedra and trees from outside belong together, looked at once, and the doors for
/// those that do.
#pragma once

#include <nearmiss/detector.h>
#include <nearmiss/detector_catalog.h>
#include <nearmiss/result.h>

#include <memory>

namespace nearmiss {

/// Tables that checkShapes() has looked at. What they refer to must stay as it was.
class CheckedShapes {
 public:
  [[nodiscard]] const ShapeTables& tables() const noexcept { return tables_; }

 private:
  friend Result<CheckedShapes> checkShapes(const ShapeTables& shapes);
  explicit CheckedShapes(const ShapeTables& tables) noexcept : tables_(tables) {}
  ShapeTables tables_;
};

/// Whether methods can work with `shapes`: as many trees as polyhedra, or none of a kind; each as
/// checkTree() expects. Reads all of them once: for all methods made of them that is enough.
/// Errors: Unsupported, Mismatch, in one sentence that names the shape; out of memory.
Result<CheckedShapes> checkShapes(const ShapeTables& shapes);

/// Whether a tree is of sound structure and was built around the polyhedron's mesh: the leaves of a
/// sphere tree hold every triangle that they name, and name all; the faces of a BSP tree reach
/// their planes. Errors: Unsupported (structure), Mismatch (another mesh); out of memory.
Result<Success> checkTree(const SphereTree& tree, const Polyhedron& polyhedron);
Result<Success> checkTree(const BspTree& tree, const Polyhedron& polyhedron);

/// As entry.make(). Errors: Unsupported where the trees that the method needs are not there; out of
/// memory.
Result<std::unique_ptr<NarrowPhase>> makeChecked(const NarrowPhaseEntry& entry,
                                                 const CheckedShapes& shapes);

/// A detector of phases that may be null. Errors: Unsupported; out of memory.
Result<std::unique_ptr<Detector>> makeChecked(std::unique_ptr<BroadPhase> broad,
                                              std::unique_ptr<NarrowPhase> narrow);

}  // namespace nearmiss
