// SPDX-License-Identifier: MIT
/// The search for one colliding pair of spheres or triangles, and the choice of its instruction
/// set.
#pragma once

#include <nearmiss/advanced/predicates.h>
#include <nearmiss/math.h>

#include <cstdint>
#include <span>
#include <string_view>

#include "base/work_meter.h"
#include "geometry/surface_boxes.h"
#include "shape/box_hierarchy.h"
#include "shape/search_tree.h"

namespace nearmiss {

struct BoxLanes;
struct BoxPack;
struct PackMotion;

/// Siblings of one tree against one sphere of the other: those that overlap it and were not
/// followed yet.
struct alignas(64) SearchFrame {
  /// Overlap of each lane: the squared sum of radii minus the squared distance of the centres,
  /// square metres. `gone` if a lane does not overlap or was followed.
  float depth[SpherePack::width];
  std::uint32_t pack;   ///< the siblings' pack; with BoxPack::isLeaf a group of triangles
  std::uint32_t other;  ///< slot of the single sphere
  std::uint8_t level;   ///< of those siblings that are not leaves
  std::uint8_t otherLevel;
  std::uint8_t compared;  ///< lanes whose boxes were compared with the other's
  bool ofA;               ///< the siblings belong to a
  static constexpr float gone = -1.0f;
};

/// Two overlapping spheres.
struct SearchPair {
  std::uint32_t a, b;  ///< slots, as in SearchTree
  std::uint8_t levelA, levelB;
};

/// The data of a tree that the loops read. Plain pointers, because the loops call no other code.
struct SearchSide {
  const SearchPack* packs = nullptr;
  const std::uint32_t* packCounts = nullptr;     ///< null: one each
  const BoxPack* boxes = nullptr;                ///< for a search for triangles, with the next five
  const SurfaceBoxes::Facets* facets = nullptr;  ///< by leaf
  const std::uint32_t* triangles = nullptr;      ///< 8 of each leaf; the last is repeated
  alignas(16) float middle[4] = {};              ///< where corners of facets are 0
  float unit = 1.0f, perUnit = 1.0f;             ///< metres per unit of the facets, and its inverse
  /// The boxes of spheres, and for each slot the index of its box; null without boxes.
  const BoxLanes* nodeBoxes = nullptr;
  const std::uint32_t* boxOf = nullptr;
};

/// A pose in float: the columns of its rotation, and its position. The fourth coordinate is 0; an
/// arbitrary value could be a number with which processors are slow.
struct LaneMotion {
  alignas(16) float column[3][4] = {};
  alignas(16) float position[4] = {};
};

/// Triangles of one leaf of either tree, and one triangle of the other tree that they may
/// intersect.
struct NearGroup {
  std::uint32_t leaf;   ///< of a if ofA, else of b
  std::uint32_t other;  ///< 8 leaf + lane
  std::uint8_t lanes;   ///< triangles of the leaf
  bool ofA;
};

/// A bounded list of them.
struct NearGroups {
  NearGroup* first = nullptr;
  std::uint32_t size = 0, capacity = 0;
};

/// The state of one search. Everything not examined yet is on its stack.
struct Search {
  static constexpr std::uint8_t leafLevel = 255;  ///< level of a leaf, which counts on every level

  SearchSide a, b;
  LaneMotion toA;  ///< p -> rotation p + position
  LaneMotion toB;  ///< p -> rotation (p + position)
  float slack = 0.0f;
  float boxSlack = 0.0f;  ///< for boxes
  float margin = 0.0f;    ///< part of the slack: maximum gap of listed triangles, metres
  SearchFrame* stack = nullptr;
  std::uint32_t size = 0;
  std::uint32_t capacity = 0;
  std::uint32_t maxAdded = 1;  ///< per step
  bool atRoots = false;        ///< the roots are to be searched before the stack

  std::uint8_t level = 0;  ///< ends at a pair of spheres of at least this level
  bool everyPair = false;  ///< compares boxes of each pair, not only where it saves most
  SearchPair found;        ///< the pair of spheres at which it ended

  /// Bound tests to do before the next check of the time; counts down, and may end below 0.
  std::int64_t effort = 0;
  std::uint64_t triangleTests = 0;

  void* caller = nullptr;
  /// Returns true if two triangles intersect, exactly.
  bool (*trianglesMeet)(void* caller, std::uint32_t triangleA, std::uint32_t triangleB) = nullptr;
  /// Returns true if a pair of spheres can be pruned because it was visited before; may be null.
  /// Called once per pair.
  bool (*metBefore)(void* caller, const SearchPair& pair) = nullptr;
  std::uint32_t triangleA = 0, triangleB = 0;
  /// If not null, triangles that may intersect are listed instead of compared; the search ends with
  /// Full if the list has no room.
  NearGroups* list = nullptr;
};

enum class SearchEnd : std::uint8_t {
  Witness,     ///< `found` is a pair of the required level, and stays on the stack
  Meet,        ///< triangleA and triangleB intersect
  Exhausted,   ///< there is no such pair
  Unfinished,  ///< the effort is used up
  Full,        ///< the stack or the list needs more room
};

/// A hierarchy of inner spheres, like SearchSide.
struct InnerSide {
  const SpherePack* spheres = nullptr;
  const SpherePack* bounds = nullptr;
  const InnerSpheres::Links* links = nullptr;
};

/// The search for inner spheres: siblings whose bounds overlap that of one slot.
struct InnerSearch {
  InnerSide a, b;
  SearchFrame* stack = nullptr;
  std::uint32_t size = 0;
  std::uint32_t capacity = 0;
  std::int64_t effort = 0;
  /// Returns true if two inner spheres certainly overlap.
  bool (*spheresMeet)(void* caller, std::uint32_t a, std::uint32_t b) = nullptr;
};

/// The functions for one instruction set. All give the same results, to the last bit.
struct SearchPath {
  std::string_view name;
  /// Computes relativePose(a, b), to the last bit, and its PackMotion; `reach` is the sum for both
  /// trees, metres.
  void (*relate)(const Pose& a, const Pose& b, Real reach, Pose& bToA, PackMotion& motion);
  SearchEnd (*find)(Search&);
  /// Searches for intersecting triangles by boxes. Returns Meet, Exhausted, Unfinished or Full.
  SearchEnd (*findByBoxes)(Search&);
  /// Searches for overlapping inner spheres. Returns Meet, Exhausted, Unfinished or Full. Motions,
  /// slack and caller are those of the first argument.
  SearchEnd (*prove)(const Search&, InnerSearch&);
  /// Compares listed triangles in turn. Returns Meet or Exhausted.
  SearchEnd (*compare)(Search&, const NearGroups&);
};

/// Returns the variants that this machine can run, the fastest last.
[[nodiscard]] std::span<const SearchPath> searchPaths() noexcept;

}  // namespace nearmiss
