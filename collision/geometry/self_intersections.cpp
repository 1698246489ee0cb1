// SPDX-License-Identifier: MIT
#include "geometry/mesh_check.h"

#include <nearmiss/detail/bare_machine.h>
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/geometric.hpp>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "geometry/box_measures.h"
#include "geometry/equal_items.h"
#include "geometry/exact_predicates.h"
#include "geometry/tight_boxes.h"
#include "geometry/vertex_hubs.h"

namespace nearmiss {
namespace {

using Corners = std::array<std::uint32_t, 3>;

/// True if two triangles share more than the vertices they have in common.
/// @param plain as plainStars() returns it
bool meetBeyondShared(const TriangleMesh& mesh, const std::vector<char>& plain, std::uint32_t first,
                      std::uint32_t second) {
  // Turn both so that shared vertices come first, in the same order
  Corners a = mesh.triangles[first], b = mesh.triangles[second];
  int shared = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = shared; j < 3; ++j)
      if (i >= shared && a[i] == b[j]) {
        if (plain[a[i]] != 0) return false;
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

/// A box in float around one in double: rounded outwards by far more than a float's rounding.
struct FloatBox {
  explicit FloatBox(const Box& box) noexcept {
    constexpr Real largest = 3e38;
    constexpr float infinite = std::numeric_limits<float>::infinity();
    const auto room = [](float x) { return 0x1p-22f * std::fabs(x) + 1e-37f; };
    for (int axis = 0; axis < 3; ++axis) {
      const auto k = static_cast<std::size_t>(axis);
      const auto down = static_cast<float>(std::clamp(box.low[axis], -largest, largest));
      const auto up = static_cast<float>(std::clamp(box.high[axis], -largest, largest));
      low[k] = box.low[axis] < -largest ? -infinite : down - room(down);
      high[k] = box.high[axis] > largest ? infinite : up + room(up);
    }
  }
  [[nodiscard]] bool meets(const FloatBox& other) const noexcept {
    // Without branches: which axis parts two boxes cannot be foreseen
    int apart = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      apart |= static_cast<int>(low[k] > other.high[k]);
      apart |= static_cast<int>(other.low[k] > high[k]);
    }
    return apart == 0;
  }
  std::array<float, 3> low, high;
};

/// A box for each place in the leaves of a hierarchy.
std::vector<FloatBox> floatBoxes(const TriangleMesh& mesh, const WideBoxes& hierarchy,
                                 int workers) {
  std::vector<FloatBox> boxes(WideBoxes::width * hierarchy.leafCount(),
                              FloatBox(Box{Vec3(0.0), Vec3(0.0)}));
  forChunks(hierarchy.leafCount(), workers, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t leaf = begin; leaf < end; ++leaf) {
      const auto triangles = hierarchy.itemsOf(static_cast<std::uint32_t>(leaf));
      for (std::size_t lane = 0; lane < WideBoxes::width; ++lane)
        boxes[WideBoxes::width * leaf + lane] = FloatBox(boxOf(mesh.corners(triangles[lane])));
    }
  });
  return boxes;
}

/// Slots.
using NodePair = std::pair<std::uint32_t, std::uint32_t>;

/// What all descents share. The one place here that knows the hierarchy.
class PairSearch {
 public:
  PairSearch(const TriangleMesh& mesh, const WideBoxes& hierarchy, const VertexCorners& corners,
             int workers)
      : mesh_(mesh),
        hierarchy_(hierarchy),
        plain_(plainStars(mesh, corners, workers)),
        boxes_(floatBoxes(mesh, hierarchy, workers)),
        hubs_(mesh, corners) {
    hubs_.readBoxes(hierarchy);
  }

  [[nodiscard]] const VertexHubs& hubs() const noexcept { return hubs_; }

  [[nodiscard]] bool meet(std::uint32_t t, std::uint32_t u) const {
    return meetBeyondShared(mesh_, plain_, t, u);
  }

  /// Boxes that are turned along their triangles part more, but take long to make: only where
  /// boxes along the axes leave too much. Waits for the thread that makes them.
  [[nodiscard]] const TightBoxes& tightBoxes() const {
    tightOnce_.call([this] { tight_.emplace(mesh_, hierarchy_); });
    return *tight_;
  }

  [[nodiscard]] bool mayMeet(const NodePair& pair, const TightBoxes* tight) const noexcept {
    const auto [a, b] = pair;
    return a == b ||
           (hierarchy_.overlap(a, b) && !hubs_.inAllOf(a, b) && (!tight || tight->mayMeet(a, b)));
  }

  /// Calls push(pair) for the pairs that a pair is divided into, or look(t, u) for the pairs of
  /// triangles of leaves.
  void divide(const NodePair& pair, const TightBoxes* tight, const auto& push,
              const auto& look) const {
    const auto [a, b] = pair;
    const std::uint32_t childA = hierarchy_.childOf(a), childB = hierarchy_.childOf(b);
    const bool leafA = (childA & WideBoxes::isLeaf) != 0, leafB = (childB & WideBoxes::isLeaf) != 0;
    if (leafA && leafB) {
      lookAt(pair, tight, look);
    } else if (a == b) {
      const std::uint32_t count = hierarchy_.node(childA).count;
      for (std::uint32_t i = 0; i < count; ++i)
        for (std::uint32_t k = i; k < count; ++k)
          push(NodePair(slotOf(childA, i), slotOf(childA, k)));
    } else if (leafB || (!leafA && sizeOf(a) >= sizeOf(b))) {
      for (std::uint32_t i = 0; i < hierarchy_.node(childA).count; ++i)
        push(NodePair(slotOf(childA, i), b));
    } else {
      for (std::uint32_t i = 0; i < hierarchy_.node(childB).count; ++i)
        push(NodePair(a, slotOf(childB, i)));
    }
  }

 private:
  static std::uint32_t slotOf(std::uint32_t node, std::uint32_t lane) noexcept {
    return WideBoxes::width * node + lane;
  }
  [[nodiscard]] Real sizeOf(std::uint32_t slot) const noexcept {
    const Vec3 extent = hierarchy_.boxOf(slot).extent();
    return glm::dot(extent, extent);
  }

  void lookAt(const NodePair& pair, const TightBoxes* tight, const auto& look) const {
    const std::uint32_t first = hierarchy_.childOf(pair.first) & ~WideBoxes::isLeaf,
                        second = hierarchy_.childOf(pair.second) & ~WideBoxes::isLeaf;
    hierarchy_.anyIn(first, [&](std::uint32_t t, unsigned i) {
      if (tight && !tight->mayMeet(pair.second, mesh_.corners(t))) return false;
      return hierarchy_.anyIn(second, [&](std::uint32_t u, unsigned k) {
        if ((first == second && k <= i) ||
            !boxes_[slotOf(first, i)].meets(boxes_[slotOf(second, k)]))
          return false;
        if (tight && !tight->mayMeet(pair.first, mesh_.corners(u))) return false;
        if (hubs_.sharedBy(t, u) == VertexHubs::none) look(t, u);
        return false;
      });
    });
  }

  const TriangleMesh& mesh_;
  const WideBoxes& hierarchy_;
  std::vector<char> plain_;
  std::vector<FloatBox> boxes_;
  VertexHubs hubs_;
  mutable OnceFlag tightOnce_;
  mutable std::optional<TightBoxes> tight_;
};

/// The pairs found by one of several tasks.
struct FoundPairs {
  SelfIntersections count;
  MeetingTriangles meeting;
};

/// Work that ends at a number of pairs, or once cancelled.
class PairDescent {
 public:
  PairDescent(const PairSearch& search, std::size_t most, const std::atomic<bool>* cancelled,
              bool keepsPairs)
      : search_(search), most_(most), cancelled_(cancelled), keepsPairs_(keepsPairs) {}

  /// @param usual comparisons: if there are more, turned boxes are used
  FoundPairs below(const NodePair& root, std::size_t usual) {
    std::vector<NodePair> open{root};
    const TightBoxes* tight = nullptr;
    while (!open.empty() && !ended()) {
      const NodePair pair = open.back();
      open.pop_back();
      if (!tight && found_.count.compared > usual) tight = &search_.tightBoxes();
      if (!search_.mayMeet(pair, tight)) continue;
      search_.divide(
          pair, tight, [&open](const NodePair& part) { open.push_back(part); },
          [this](std::uint32_t t, std::uint32_t u) { compare(t, u); });
    }
    return std::move(found_);
  }

  /// The pairs about one vertex, which the descents leave out.
  FoundPairs aboutHub(std::size_t hub) {
    search_.hubs().forEachPair(
        hub, [this](std::uint32_t t, std::uint32_t u) { compare(t, u); },
        [this] { return ended(); });
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool ended() const noexcept {
    return found_.count.pairs == most_ ||
           (cancelled_ && cancelled_->load(std::memory_order_relaxed));
  }

  void compare(std::uint32_t t, std::uint32_t u) {
    if (found_.count.pairs == most_) return;
    ++found_.count.compared;
    const auto [first, second] = std::minmax(t, u);
    if (!search_.meet(first, second)) return;
    ++found_.count.pairs;
    if (keepsPairs_) found_.meeting.push_back({first, second});
  }

  const PairSearch& search_;
  std::size_t most_;
  const std::atomic<bool>* cancelled_;
  bool keepsPairs_;
  FoundPairs found_;
};

/// Divides the root until there are enough pairs for threads to share. Depends on the tree alone.
std::vector<NodePair> tasksOf(const PairSearch& search, std::size_t triangles) {
  constexpr std::size_t enough = 512, trianglesPerTask = 256;
  std::vector<NodePair> tasks{{0, 0}};
  for (bool divided = true;
       divided && tasks.size() < std::min(enough, triangles / trianglesPerTask);) {
    std::vector<NodePair> parts;
    divided = false;
    for (const NodePair& task : tasks) {
      if (!search.mayMeet(task, nullptr)) continue;
      bool isLeaf = true;
      search.divide(
          task, nullptr,
          [&](const NodePair& part) {
            isLeaf = false;
            parts.push_back(part);
          },
          [](std::uint32_t, std::uint32_t) {});
      if (isLeaf) parts.push_back(task);
      divided = divided || !isLeaf;
    }
    tasks = std::move(parts);
  }
  return tasks;
}

}  // namespace

SelfIntersections countSelfIntersections(const TriangleMesh& mesh, const WideBoxes& boxes,
                                         std::size_t most, const std::atomic<bool>* cancelled,
                                         MeetingTriangles* meeting, const VertexCorners* corners,
                                         int workers) {
  if (mesh.triangles.empty() || wasCancelled(cancelled)) return {};
  workers = workersFor(mesh.triangles.size(), workers);
  std::optional<VertexCorners> own;
  if (!corners) corners = &own.emplace(mesh, workers);
  const PairSearch search(mesh, boxes, *corners, workers);
  const std::vector<NodePair> tasks = tasksOf(search, mesh.triangles.size());
  const std::size_t usual =
      256 + 64 * mesh.triangles.size() / std::max<std::size_t>(tasks.size(), 1);

  // The first `most` pairs in the order of the tasks, whichever thread finds which. A task stops
  // where the ones before it leave it none
  const std::size_t count = tasks.size() + search.hubs().count();
  std::vector<FoundPairs> found(count);
  std::vector<std::atomic<std::size_t>> done(count);
  parallelFor(count, workers, [&](std::size_t task, int) {
    std::size_t before = 0;
    for (std::size_t i = 0; i < task && before < most; ++i) before += done[i];
    if (before >= most || wasCancelled(cancelled)) return;
    PairDescent descent(search, most - before, cancelled, meeting != nullptr);
    found[task] = task < tasks.size() ? descent.below(tasks[task], usual)
                                      : descent.aboutHub(task - tasks.size());
    done[task] = found[task].count.pairs;
  });

  SelfIntersections sum;
  for (const FoundPairs& each : found) {
    const std::size_t pairs = std::min(each.count.pairs, most - sum.pairs);
    sum.pairs += pairs;
    sum.compared += each.count.compared;
    if (meeting)
      meeting->insert(meeting->end(), each.meeting.begin(),
                      each.meeting.begin() + static_cast<std::ptrdiff_t>(pairs));
  }
  return sum;
}

}  // namespace nearmiss
