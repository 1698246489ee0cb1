// SPDX-License-Identifier: MIT
/// Shapes of meshes and trees that a test keeps and has built in ways of its own.
#pragma once

#include <gtest/gtest.h>
#include <nearmiss/advanced/bsp_tree.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/shape.h>

#include <memory>
#include <span>

namespace nearmiss::test {

/// By index; trees of a kind may be left out. All must outlive the shapes.
inline Shapes borrowed(std::span<const Polyhedron> polyhedra,
                       std::span<const SphereTree> sphereTrees = {},
                       std::span<const BspTree> bspTrees = {}) {
  const auto lent = []<class T>(const T& t) {
    return std::shared_ptr<const T>(std::shared_ptr<const void>(), &t);
  };
  const auto taken = [](Result<Shape> made) {
    if (!made) ADD_FAILURE() << made.error().message;
    return *made;
  };
  Shapes shapes;
  for (std::size_t i = 0; i < polyhedra.size(); ++i) {
    Shape shape = Shape::of(lent(polyhedra[i]));
    if (!sphereTrees.empty()) shape = taken(shape.with(lent(sphereTrees[i])));
    if (!bspTrees.empty()) shape = taken(shape.with(lent(bspTrees[i])));
    shapes.add(shape);
  }
  return shapes;
}

inline Shapes borrowed(const Polyhedron& polyhedron) { return borrowed(std::span(&polyhedron, 1)); }

}  // namespace nearmiss::test
