// SPDX-License-Identifier: MIT
#include "geometry/mesh_check.h"

#include <nearmiss/detail/cancellation.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <glm/geometric.hpp>
#include <utility>
#include <vector>

#include "geometry/box_tree.h"
#include "geometry/exact_predicates.h"

namespace nearmiss {
namespace {

/// Vertices that many triangles share, as the middle of a fan: boxes of such triangles all overlap
/// there, so pairs of them are looked for by direction instead.
class VertexHubs {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  explicit VertexHubs(const TriangleMesh& mesh);

  /// The first hub that two triangles have in common, or `none`.
  [[nodiscard]] std::uint32_t sharedBy(std::uint32_t first, std::uint32_t second) const noexcept;

  /// True if all triangles in node `a` and in node `b` of the tree share one hub.
  [[nodiscard]] bool inAllOf(std::uint32_t a, std::uint32_t b) const noexcept {
    for (const std::uint32_t hub : common_[a])
      if (hub != none && (hub == common_[b][0] || hub == common_[b][1] || hub == common_[b][2]))
        return true;
    return false;
  }

  /// Finds which hubs the nodes of `tree`, of the same mesh, have in common. Before inAllOf().
  void readNodes(const BoxTree& tree);

  /// Calls visit(t, u), t < u, for every pair of triangles about a hub that meets beyond it, and
  /// for some that do not, until ended() returns true. It is asked before each triangle and after
  /// each call. A pair with several hubs in common comes once.
  void forEachPair(const auto& visit, const auto& ended) const {
    for (const Hub& hub : hubs_) {
      const std::vector<std::uint32_t>& triangles = hub.triangles;
      const TriangleMesh cones = conesAbout(hub.vertex, triangles);
      const BoxTree tree(cones);
      for (std::uint32_t i = 0; i < triangles.size(); ++i) {
        if (ended()) return;
        const Box box = boxOf(cones.corners(i));
        tree.anyOf([&box](const Box& other) { return overlap(box, other); },
                   [&](std::uint32_t j) {
                     if (j <= i || !overlap(box, boxOf(cones.corners(j))) ||
                         sharedBy(triangles[i], triangles[j]) != hub.vertex)
                       return false;
                     visit(triangles[i], triangles[j]);
                     return ended();
                   });
      }
    }
  }

 private:
  using Corners = std::array<std::uint32_t, 3>;
  struct Hub {
    std::uint32_t vertex;
    std::vector<std::uint32_t> triangles;  ///< ascending
  };
  [[nodiscard]] Corners hubsOf(std::uint32_t triangle) const noexcept;
  [[nodiscard]] TriangleMesh conesAbout(std::uint32_t hub,
                                        const std::vector<std::uint32_t>& triangles) const;

  const TriangleMesh& mesh_;
  std::vector<char> isHub_;      ///< per vertex
  std::vector<Hub> hubs_;        ///< ascending
  std::vector<Corners> common_;  ///< per node; `none` where there are fewer
};

/// A vertex of at least this many triangles is a hub. Fewer are quickly compared.
constexpr std::uint32_t enoughForHub = 48;
/// Directions are that precise, with room.
constexpr Real rounding = 1e-14;
/// 1 and the cosine of an angle so wide that its corner lies far away.
constexpr Real wide = 0.05;

/// The directions in which a triangle lies seen from its corner `from`, as a flat triangle that
/// holds their arc: its ends, and where the tangents at them meet. A cube with all of them where
/// the arc is nearly a half circle or has no ends.
std::array<Vec3, 3> coneOf(const Vec3& from, const Vec3& left, const Vec3& right) noexcept {
  const std::array<Vec3, 3> all{Vec3(-1.0), Vec3(1.0), Vec3(1.0)};
  const Vec3 toLeft = left - from, toRight = right - from;
  const Real leftLength = glm::length(toLeft), rightLength = glm::length(toRight);
  if (!(leftLength > 0.0) || !(rightLength > 0.0)) return all;
  const Vec3 a = toLeft / leftLength, b = toRight / rightLength;
  const Real bend = 1.0 + glm::dot(a, b);
  if (!(bend > wide)) return all;
  const Vec3 tip = (a + b) / bend;
  // The three span the same box when two of them carry the room for rounding
  Box box;
  for (const Vec3& p : {a, b, tip}) box.include(p);
  return {box.low - rounding, box.high + rounding, tip};
}

VertexHubs::VertexHubs(const TriangleMesh& mesh) : mesh_(mesh), isHub_(mesh.positions.size(), 0) {
  std::vector<std::uint32_t> uses(mesh.positions.size(), 0);
  for (const Corners& t : mesh.triangles)
    for (const std::uint32_t v : t) ++uses[v];
  std::vector<std::uint32_t> indexOf(mesh.positions.size(), none);
  for (std::uint32_t v = 0; v < uses.size(); ++v) {
    if (uses[v] < enoughForHub) continue;
    isHub_[v] = 1;
    indexOf[v] = static_cast<std::uint32_t>(hubs_.size());
    hubs_.push_back({v, {}});
  }
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    for (const std::uint32_t v : mesh.triangles[t])
      if (indexOf[v] != none) {
        auto& triangles = hubs_[indexOf[v]].triangles;
        // A triangle that names one vertex twice is listed once
        if (triangles.empty() || triangles.back() != t) triangles.push_back(t);
      }
}

VertexHubs::Corners VertexHubs::hubsOf(std::uint32_t triangle) const noexcept {
  Corners found = mesh_.triangles[triangle];
  for (std::uint32_t& v : found)
    if (isHub_[v] == 0) v = none;
  return found;
}

std::uint32_t VertexHubs::sharedBy(std::uint32_t first, std::uint32_t second) const noexcept {
  std::uint32_t least = none;
  const Corners& other = mesh_.triangles[second];
  for (const std::uint32_t v : mesh_.triangles[first])
    if (isHub_[v] != 0 && (v == other[0] || v == other[1] || v == other[2]))
      least = std::min(least, v);
  return least;
}

void VertexHubs::readNodes(const BoxTree& tree) {
  common_.assign(tree.nodes.size(), {none, none, none});
  if (hubs_.empty()) return;
  const auto keepShared = [](Corners& some, const Corners& others) {
    for (std::uint32_t& v : some)
      if (v != others[0] && v != others[1] && v != others[2]) v = none;
  };
  // Children come after their parents
  for (std::size_t at = tree.nodes.size(); at-- > 0;) {
    const BoxNode& node = tree.nodes[at];
    if (node.count == 0) {
      common_[at] = common_[at + 1];
      keepShared(common_[at], common_[node.offset]);
      continue;
    }
    const auto triangles = tree.trianglesOf(node);
    common_[at] = hubsOf(triangles[0]);
    for (const std::uint32_t t : triangles.subspan(1)) keepShared(common_[at], hubsOf(t));
  }
}

/// One triangle of directions for each triangle about the hub, in their order.
TriangleMesh VertexHubs::conesAbout(std::uint32_t hub,
                                    const std::vector<std::uint32_t>& triangles) const {
  TriangleMesh cones;
  for (const std::uint32_t t : triangles) {
    const Corners& c = mesh_.triangles[t];
    const std::size_t at = c[0] == hub ? 0 : c[1] == hub ? 1 : 2;
    const auto first = static_cast<std::uint32_t>(cones.positions.size());
    for (const Vec3& corner : coneOf(mesh_.positions[hub], mesh_.positions[c[(at + 1) % 3]],
                                     mesh_.positions[c[(at + 2) % 3]]))
      cones.positions.push_back(corner);
    cones.triangles.push_back({first, first + 1, first + 2});
  }
  return cones;
}

using Corners = std::array<std::uint32_t, 3>;

/// True if two triangles share more than the vertices they have in common.
bool meetBeyondShared(const TriangleMesh& mesh, std::uint32_t first, std::uint32_t second) {
  // Turn both so that shared vertices come first, in the same order
  Corners a = mesh.triangles[first], b = mesh.triangles[second];
  int shared = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = shared; j < 3; ++j)
      if (i >= shared && a[i] == b[j]) {
        std::swap(a[shared], a[i]);
        std::swap(b[shared], b[j]);
        ++shared;
        break;
      }
  const auto at = [&mesh](std::uint32_t v) -> const Vec3& { return mesh.positions[v]; };
  const Triangle p{at(a[0]), at(a[1]), at(a[2])};
  const Triangle q{at(b[0]), at(b[1]), at(b[2])};
  switch (shared) {
    case 0:
      return trianglesMeet(p, q);
    case 1:
      // A further common point can be pushed away from the shared one until it reaches the edge
      // that lies opposite in one of them
      return segmentMeetsTriangle(p[1], p[2], q) || segmentMeetsTriangle(q[1], q[2], p);
    case 2:
      // Over a common edge they overlap only if folded flat
      if (orientation(p[0], p[1], p[2], q[2]) != 0) return false;
      for (const Projection projection : projections)
        if (orientation2d(projection, p[0], p[1], p[2]) *
                orientation2d(projection, p[0], p[1], q[2]) >
            0)
          return true;
      return false;
    default:
      return true;
  }
}

/// Goes down the tree twice at once, and compares the triangles in leaves that may meet.
class PairDescent {
 public:
  PairDescent(const TriangleMesh& mesh, const BoxTree& tree, std::size_t most,
              const std::atomic<bool>* cancelled, MeetingTriangles* meeting)
      : mesh_(mesh),
        tree_(tree),
        most_(most),
        cancelled_(cancelled),
        meeting_(meeting),
        tight_(mesh, tree),
        hubs_(mesh) {
    hubs_.readNodes(tree);
  }

  SelfIntersections run() {
    open_.emplace_back(0, 0);
    while (!open_.empty() && !ended()) {
      const auto [a, b] = open_.back();
      open_.pop_back();
      if (a == b)
        divideSame(a);
      else if (mayMeet(a, b))
        divide(a, b);
    }
    // Pairs about one hub were left out
    hubs_.forEachPair([this](std::uint32_t t, std::uint32_t u) { compare(t, u); },
                      [this] { return ended(); });
    return found_;
  }

 private:
  [[nodiscard]] bool ended() const noexcept {
    return found_.pairs == most_ || (cancelled_ && cancelled_->load(std::memory_order_relaxed));
  }

  [[nodiscard]] bool mayMeet(std::uint32_t a, std::uint32_t b) const noexcept {
    return overlap(tree_.nodes[a].box, tree_.nodes[b].box) && !hubs_.inAllOf(a, b) &&
           tight_.mayMeet(a, b);
  }

  void divideSame(std::uint32_t a) {
    const BoxNode& node = tree_.nodes[a];
    if (node.count == 0) {
      open_.emplace_back(a + 1, node.offset);
      open_.emplace_back(node.offset, node.offset);
      open_.emplace_back(a + 1, a + 1);
      return;
    }
    const auto triangles = tree_.trianglesOf(node);
    for (std::size_t i = 0; i < triangles.size(); ++i)
      for (std::size_t j = i + 1; j < triangles.size(); ++j) look(triangles[i], triangles[j]);
  }

  void divide(std::uint32_t a, std::uint32_t b) {
    const BoxNode& first = tree_.nodes[a];
    const BoxNode& second = tree_.nodes[b];
    if (first.count > 0 && second.count > 0) {
      for (const std::uint32_t t : tree_.trianglesOf(first))
        for (const std::uint32_t u : tree_.trianglesOf(second)) look(t, u);
      return;
    }
    const auto size = [](const BoxNode& node) {
      const Vec3 extent = node.box.extent();
      return node.count > 0 ? -1.0 : glm::dot(extent, extent);
    };
    if (size(first) >= size(second)) {
      open_.emplace_back(a + 1, b);
      open_.emplace_back(first.offset, b);
    } else {
      open_.emplace_back(a, b + 1);
      open_.emplace_back(a, second.offset);
    }
  }

  void look(std::uint32_t t, std::uint32_t u) {
    if (found_.pairs == most_ || !overlap(boxOf(mesh_.corners(t)), boxOf(mesh_.corners(u))) ||
        hubs_.sharedBy(t, u) != VertexHubs::none)
      return;
    compare(t, u);
  }

  void compare(std::uint32_t t, std::uint32_t u) {
    ++found_.compared;
    const auto [first, second] = std::minmax(t, u);
    if (!meetBeyondShared(mesh_, first, second)) return;
    ++found_.pairs;
    if (meeting_) meeting_->push_back({first, second});
  }

  const TriangleMesh& mesh_;
  const BoxTree& tree_;
  std::size_t most_;
  const std::atomic<bool>* cancelled_;
  MeetingTriangles* meeting_;
  TightBoxes tight_;
  VertexHubs hubs_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open_;
  SelfIntersections found_;
};

}  // namespace

SelfIntersections countSelfIntersections(const TriangleMesh& mesh, const BoxTree& tree,
                                         std::size_t most, const std::atomic<bool>* cancelled,
                                         MeetingTriangles* meeting) {
  if (mesh.triangles.empty() || wasCancelled(cancelled)) return {};
  return PairDescent(mesh, tree, most, cancelled, meeting).run();
}

}  // namespace nearmiss
