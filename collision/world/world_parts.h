// SPDX-License-Identifier: MIT
/// Private state of a World.
#pragma once

#include <nearmiss/advanced/bsp_tree.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/world.h>

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "world/kept_manifolds.h"
#include "world/near_pairs.h"
#include "world/placed_bodies.h"

namespace nearmiss {

struct World::Parts {
  std::vector<BodyState> states;                             ///< the key is the handle
  std::vector<BodyTraits> traits;                            ///< as states
  bool byHandle = true;                                      ///< the order of states
  std::unordered_map<std::uint32_t, std::uint32_t> indexOf;  ///< index in states, by key
  std::uint32_t nextKey = 1;

  Shapes shapes;
  /// A prefix of these shapes, all with sphere trees: see withOneSphere().
  Shapes searched;
  using ShapeKey = std::tuple<const Polyhedron*, const SphereTree*, const BspTree*>;
  static ShapeKey keyOf(const Shape& shape) noexcept {
    return {&shape.polyhedron(), shape.sphereTree(), shape.bspTree()};
  }
  std::map<ShapeKey, std::uint32_t> idOf;  ///< of shapes
  std::vector<std::size_t> uses;           ///< by shape
  std::size_t unused = 0;                  ///< number of unused shapes

  std::unique_ptr<Detector> detector;  ///< null: shapes were added or dropped
  Real time = 0.0;                     ///< of the last detection; increases by one second each
  WorldCollisions found;
  WorldCollisions pending;  ///< swapped with `found` once it is complete
  DistanceQuery distance;

  /// The result of contacts(), with the points to which its spans refer.
  struct KeptContacts {
    WorldContacts answer;
    std::vector<ManifoldPoint> points;
  };
  NearPairs neighbours;
  std::vector<BodyPair> nearPairs;  ///< of the last call of contacts(): pairs that count
  KeptManifolds manifolds;
  KeptContacts touching;
  KeptContacts pendingTouching;  ///< swapped with `touching` once it is complete

  PlacedBodies bodies;              ///< for rays and points
  bool placed = false;              ///< `bodies` have the current shapes and poses
  std::vector<BodyHandle> holders;  ///< of the last call of holding()

  [[nodiscard]] bool counts(std::uint32_t a, std::uint32_t b) const noexcept {
    const BodyTraits &one = traits[a], &other = traits[b];
    return (one.group & other.mask) != 0 && (other.group & one.mask) != 0 &&
           (one.assembly == 0 || one.assembly != other.assembly) && !(one.sensor && other.sensor);
  }
  [[nodiscard]] bool sensed(std::uint32_t a, std::uint32_t b) const noexcept {
    return traits[a].sensor || traits[b].sensor;
  }
  /// Returns true if distances of the pair count.
  [[nodiscard]] bool measures(std::uint32_t a, std::uint32_t b) const noexcept {
    return counts(a, b) && !sensed(a, b);
  }
  [[nodiscard]] HandlePair handlesOf(std::uint32_t a, std::uint32_t b) const noexcept {
    const std::uint32_t one = states[a].key, other = states[b].key;
    return one < other ? HandlePair{BodyHandle{one}, BodyHandle{other}}
                       : HandlePair{BodyHandle{other}, BodyHandle{one}};
  }
  [[nodiscard]] static Error noSuchBody(BodyHandle body);
  /// Returns true if enough shapes are unused. A long-lived set must not keep the shapes of all
  /// bodies that it ever had.
  [[nodiscard]] bool collectsShapes() const noexcept { return 2 * unused > shapes.size(); }
  /// Drops shapes that no body uses.
  void dropUnusedShapes();
  /// Sorts states and traits by handle, because the last digits of a pair's result depend on the
  /// order of its bodies.
  void sortByHandle();
  void prepareDetector();
  const Detection& detect(const TimeBudget& budget);
  void collectContacts();
  /// Returns find(bodies in their current poses), or an error if there is no body `ignore`.
  template <class Find>
  auto findAmongBodies(BodyHandle ignore, const Find& find)
      -> Result<std::invoke_result_t<const Find&, const PlacedBodies&>>;
};

}  // namespace nearmiss
