// SPDX-License-Identifier: MIT
/// Whether polyhedra and trees from outside belong together, and the doors that look first.
#pragma once

#include <nearmiss/detector.h>
#include <nearmiss/detector_catalog.h>
#include <nearmiss/result.h>

#include <memory>

namespace nearmiss {

/// Whether methods can work with `shapes`: as many trees as polyhedra, or none of a kind; each of
/// sound structure and built around that polyhedron's mesh: its leaves hold every triangle that
/// they name, and name all. Reads all of them once. Errors: Unsupported, Mismatch, in one sentence
/// that names the shape; out of memory.
Result<Success> checkShapes(const ShapeTables& shapes);

/// As entry.make(), for tables that nobody has looked at. Errors: those of checkShapes();
/// Unsupported where the trees that the method needs are not there.
Result<std::unique_ptr<NarrowPhase>> makeChecked(const NarrowPhaseEntry& entry,
                                                 const ShapeTables& shapes);

/// Detector::detectChecked() compares bodies with the shapes of this library's narrow phases too.
/// A detector of phases that may be null. Errors: Unsupported.
Result<std::unique_ptr<Detector>> makeChecked(std::unique_ptr<BroadPhase> broad,
                                              std::unique_ptr<NarrowPhase> narrow);

}  // namespace nearmiss
