// SPDX-License-Identifier: MIT
/// The search for one colliding pair of spheres or triangles, and where the instructions for it are
/// chosen.
#pragma once

#include <nearmiss/math.h>

#include <cstdint>
#include <span>
#include <string_view>

#include "narrow/box_hierarchy.h"
#include "narrow/search_tree.h"
#include "narrow/work_meter.h"

namespace nearmiss {

struct BoxLanes;
struct BoxPack;
struct PackMotion;

/// Siblings of one tree against one sphere of the other: those that meet it and were not followed
/// yet.
struct alignas(64) SearchFrame {
  /// How deep each reaches in: the square of the radii's sum less that of the centres' distance,
  /// square metres; `gone` where a lane does not meet or was followed.
  float depth[SpherePack::width];
  std::uint32_t pack;   ///< the siblings'; with BoxPack::isLeaf a group of triangles
  std::uint32_t other;  ///< slot of the one
  std::uint8_t level;   ///< of those siblings that are no leaves
  std::uint8_t otherLevel;
  std::uint8_t compared;  ///< lanes whose boxes were compared with those of the other
  bool ofA;               ///< the siblings are a's
  static constexpr float gone = -1.0f;
};

/// Two spheres that meet.
struct SearchPair {
  std::uint32_t a, b;  ///< slots, as in SearchTree
  std::uint8_t levelA, levelB;
};

/// The data of a tree that the loops read: plain pointers, because they call no other code.
struct SearchSide {
  const SearchPack* packs = nullptr;
  const TriangleGroup* groups = nullptr;
  const std::uint32_t* packCounts = nullptr;  ///< null: one each
  const BoxPack* boxes = nullptr;             ///< with the groups, of a search for triangles
  /// The boxes beside spheres, and for each slot the index of its box; null without boxes.
  const BoxLanes* nodeBoxes = nullptr;
  const std::uint32_t* boxOf = nullptr;
};

/// A pose in float: the columns of its rotation, and its position. The fourth of each is 0: what
/// happened to lie there could be a number that processors are slow with.
struct LaneMotion {
  alignas(16) float column[3][4] = {};
  alignas(16) float position[4] = {};
};

/// Triangles of one leaf of either tree, and one of the other tree that they may meet.
struct NearGroup {
  std::uint32_t group;  ///< of a with ofA, else of b
  std::uint32_t other;  ///< 8 group + lane
  std::uint8_t lanes;   ///< of the group
  bool ofA;
};

/// A list of them, of limited length.
struct NearGroups {
  NearGroup* first = nullptr;
  std::uint32_t size = 0, capacity = 0;
};

/// One search, as deep as it came; what it has not looked at yet lies on its stack.
struct Search {
  static constexpr std::uint8_t leafLevel = 255;  ///< of a leaf, which counts on every level

  SearchSide a, b;
  LaneMotion toA;  ///< p -> rotation p + position
  LaneMotion toB;  ///< p -> rotation (p + position)
  float slack = 0.0f;
  float boxSlack = 0.0f;  ///< for boxes
  float margin = 0.0f;    ///< of the slack: how far apart, metres, what is listed may be
  SearchFrame* stack = nullptr;
  std::uint32_t size = 0;
  std::uint32_t capacity = 0;
  std::uint32_t maxAdded = 1;  ///< by one step
  bool atRoots = false;        ///< the roots are to be searched before what is on the stack

  std::uint8_t level = 0;  ///< ends with a pair of spheres of this level at least
  bool everyPair = false;  ///< compares boxes of each pair, not only where it saves most
  SearchPair found;        ///< the pair of spheres that it ended with

  /// Tests of bounds to do before the next look at the time; counts down, and may end below 0.
  std::int64_t effort = 0;
  std::uint64_t triangleTests = 0;

  void* caller = nullptr;
  /// True if two triangles meet, exactly.
  bool (*trianglesMeet)(void* caller, std::uint32_t triangleA, std::uint32_t triangleB) = nullptr;
  /// True if a pair of spheres need not be followed, because it was met before; may be null. Asked
  /// once of a pair.
  bool (*metBefore)(void* caller, const SearchPair& pair) = nullptr;
  std::uint32_t triangleA = 0, triangleB = 0;
  /// Not null: triangles that may meet are listed, not compared; the search ends with Full where
  /// the list has no room.
  NearGroups* list = nullptr;
};

enum class SearchEnd : std::uint8_t {
  Witness,     ///< `found` is a pair of the level asked for, and stays on the stack
  Meet,        ///< triangleA and triangleB meet
  Exhausted,   ///< there is none
  Unfinished,  ///< the effort is spent
  Full,        ///< the stack or the list needs more room
};

/// A hierarchy of inner spheres, as SearchSide.
struct InnerSide {
  const SpherePack* spheres = nullptr;
  const SpherePack* bounds = nullptr;
  const InnerSpheres::Links* links = nullptr;
};

/// The same for inner spheres: siblings whose bounds meet that of one slot.
struct InnerSearch {
  InnerSide a, b;
  SearchFrame* stack = nullptr;
  std::uint32_t size = 0;
  std::uint32_t capacity = 0;
  std::int64_t effort = 0;
  /// True if two spheres inside meet for certain.
  bool (*spheresMeet)(void* caller, std::uint32_t a, std::uint32_t b) = nullptr;
};

/// One set of instructions. All give the same answers, to the last bit.
struct SearchPath {
  std::string_view name;
  /// relativePose(a, b), to the last bit, and PackMotion of it; `reach` is of both trees, metres.
  void (*relate)(const Pose& a, const Pose& b, Real reach, Pose& bToA, PackMotion& motion);
  SearchEnd (*find)(Search&);
  /// Looks for triangles that meet, by boxes: Meet, Exhausted, Unfinished or Full.
  SearchEnd (*findByBoxes)(Search&);
  /// Meet, Exhausted, Unfinished or Full. Motions, slack and caller are those of the first.
  SearchEnd (*prove)(const Search&, InnerSearch&);
  /// Compares listed triangles in turn: Meet or Exhausted.
  SearchEnd (*compare)(Search&, const NearGroups&);
};

/// Those that this machine can run, the fastest last.
[[nodiscard]] std::span<const SearchPath> searchPaths() noexcept;

}  // namespace nearmiss
