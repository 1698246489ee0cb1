// SPDX-License-Identifier: MIT
/// What a BodySet keeps.
#pragma once

#include <nearmiss/body_queries.h>
#include <nearmiss/body_set.h>
#include <nearmiss/detector.h>

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kept_manifolds.h"
#include "near_pairs.h"

namespace nearmiss {

struct BodySet::Parts {
  std::vector<BodyState> states;                             ///< the key is the handle
  std::vector<BodyTraits> traits;                            ///< as states
  bool byHandle = true;                                      ///< the order of states
  std::unordered_map<std::uint32_t, std::uint32_t> indexOf;  ///< of states, by key
  std::uint32_t nextKey = 1;

  Shapes shapes;
  /// Some of the first of these, all with sphere trees: see withOneSphere().
  Shapes searched;
  using ShapeKey = std::tuple<const Polyhedron*, const SphereTree*, const BspTree*>;
  static ShapeKey keyOf(const Shape& shape) noexcept {
    return {&shape.polyhedron(), shape.sphereTree(), shape.bspTree()};
  }
  std::map<ShapeKey, ShapeId> idOf;  ///< of shapes
  std::vector<std::size_t> uses;     ///< by shape
  std::size_t unused = 0;            ///< shapes

  std::unique_ptr<Detector> detector;  ///< null: shapes have come or gone
  Real time = 0.0;                     ///< of the last detection: each is a second later
  BodySetCollisions found;
  BodySetCollisions pending;  ///< becomes `found` once it is complete
  DistanceQuery distance;

  /// What contacts() returns, with the points that its spans name.
  struct KeptContacts {
    BodySetContacts answer;
    std::vector<ManifoldPoint> points;
  };
  NearPairs neighbours;
  std::vector<BodyPair> nearPairs;  ///< of the last call of contacts(): those that count
  KeptManifolds manifolds;
  KeptContacts touching;
  KeptContacts pendingTouching;  ///< becomes `touching` once it is complete

  std::unique_ptr<BodyQueries> queries;  ///< null: shapes have come or gone
  bool placed = false;                   ///< `queries` have the bodies where they are
  std::vector<FoundBody> holders;        ///< of the last call of holding()

  [[nodiscard]] bool counts(std::uint32_t a, std::uint32_t b) const noexcept {
    const BodyTraits &one = traits[a], &other = traits[b];
    return (one.group & other.mask) != 0 && (other.group & one.mask) != 0 &&
           (one.assembly == 0 || one.assembly != other.assembly) && !(one.sensor && other.sensor);
  }
  [[nodiscard]] bool sensed(std::uint32_t a, std::uint32_t b) const noexcept {
    return traits[a].sensor || traits[b].sensor;
  }
  /// For distances.
  [[nodiscard]] bool measures(std::uint32_t a, std::uint32_t b) const noexcept {
    return counts(a, b) && !sensed(a, b);
  }
  [[nodiscard]] HandlePair handlesOf(std::uint32_t a, std::uint32_t b) const noexcept {
    const std::uint32_t one = states[a].key, other = states[b].key;
    return one < other ? HandlePair{BodyHandle{one}, BodyHandle{other}}
                       : HandlePair{BodyHandle{other}, BodyHandle{one}};
  }
  [[nodiscard]] static Error noSuchBody(BodyHandle body);
  /// A set that lives long must not keep the shapes of all the bodies that it ever had.
  [[nodiscard]] bool collectsShapes() const noexcept { return 2 * unused > shapes.size(); }
  /// Forgets shapes that no body has.
  void dropUnusedShapes();
  /// Puts states and traits in the order of handles: what is found of a pair to the last digit
  /// depends on which of the two comes first.
  void sortByHandle();
  void prepareDetector();
  const Detection& detect(const TimeBudget& budget);
  void collectContacts();
  /// For rays and points: takes the bodies where they are.
  const BodyQueries& preparedQueries();
  template <class Ask>
  auto askBodies(BodyHandle except, const Ask& ask)
      -> std::invoke_result_t<const Ask&, const BodyQueries&, std::uint32_t>;
};

}  // namespace nearmiss
