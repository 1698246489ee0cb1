// SPDX-License-Identifier: MIT
/// Leaves without which every point of the surface still has a chain of spheres [H96 §12].
#pragma once

#include "coverage/coverage_chains.h"
#include "coverage/leaf_removal.h"

#include <nearmiss/polyhedron.h>

namespace nearmiss {

/// For trees whose coverage is Guaranteed. Leaves nearby take the triangles of a removed one over.
class ChainRedundancy : public LeafRemoval {
 public:
  /// Both must outlive this.
  ChainRedundancy(const Polyhedron& polyhedron, const SphereTree& tree);

  [[nodiscard]] bool removable(SphereId leaf);
  /// @pre removable(leaf) was called last, and was true
  void remove(SphereId leaf);

 private:
  void findTakers(SphereId leaf, std::uint32_t triangle, std::vector<SphereId>& takers) const;

  CoverageChains check_;
  std::vector<std::vector<SphereId>> listing_;  ///< per triangle: leaves that have it
  std::vector<std::vector<SphereId>> meeting_;  ///< per triangle: leaves that meet it
  std::vector<std::vector<SphereId>> takers_;   ///< per triangle of the last removable()
};

}  // namespace nearmiss
