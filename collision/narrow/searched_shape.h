// SPDX-License-Identifier: MIT
/// The data of one shape that the search reads, looked up once instead of once per pair.
#pragma once

#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/shape.h>

#include "narrow/pair_search_work.h"
#include "shape/box_hierarchy.h"
#include "shape/search_tree.h"

namespace nearmiss {

/// Pointers into a shape. Valid as long as any copy of the shape.
struct SearchedShape {
  /// @pre The shape has a sphere tree.
  explicit SearchedShape(const Shape& shape)
      : tree(&searchTreeOf(shape)),
        byBoxes(sideOf(boxHierarchyOf(shape), surfaceOf(shape.polyhedron()))),
        side(sideOf(*tree, shape)),
        inner(innerSideOf(shape)),
        levelCount(shape.sphereTree()->levelCount()),
        hasInner(!shape.sphereTree()->data().inner.empty()),
        hasBoxes(!tree->boxes().empty()),
        sharesSpheres(shape.sphereTree()->isDag()),
        conservative(shape.sphereTree()->coverage() == Coverage::Guaranteed) {}

  const SearchTree* tree;
  SearchSide byBoxes;  ///< for a search by boxes
  SearchSide side;     ///< for a search by spheres
  InnerSide inner;
  int levelCount;
  bool hasInner, hasBoxes;
  bool sharesSpheres;  ///< the tree is a DAG
  bool conservative;   ///< its coverage is guaranteed
};

}  // namespace nearmiss
