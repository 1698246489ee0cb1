// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/bsp_tree.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/detail/split_mix.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "builders/bsp_polygon.h"
#include "geometry/triangle_normal.h"

namespace nearmiss {
namespace {

/// Lengths relative to the largest coordinate. Rounding moves a corner by about 1e-15; `sliver` is
/// far enough above it that each fragment kept is part of the surface and not an artefact of
/// rounding.
constexpr Real snapRatio = 4e-15;
constexpr Real sliverRatio = 1e-12;

/// Splits are counted for at most this many fragments of a set.
constexpr std::size_t maxCounted = 256;

constexpr int maxCandidates = 65536;

/// A piece of a triangle: a convex polygon in FragmentSet::corners.
struct Fragment {
  std::uint32_t source = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

struct FragmentSet {
  std::vector<Fragment> fragments;
  std::vector<Vec3> corners;

  [[nodiscard]] std::span<const Vec3> polygon(const Fragment& f) const {
    return std::span(corners).subspan(f.begin, f.end - f.begin);
  }
  /// Makes one fragment of all corners appended since the last one.
  void close(std::uint32_t source) {
    const std::uint32_t begin = fragments.empty() ? 0 : fragments.back().end;
    fragments.push_back({source, begin, static_cast<std::uint32_t>(corners.size())});
  }
  void add(std::uint32_t source, std::span<const Vec3> polygon) {
    corners.insert(corners.end(), polygon.begin(), polygon.end());
    close(source);
  }
};

/// A subtree to be built, and its parent.
struct Task {
  FragmentSet set;
  std::uint32_t parent = 0;
  bool isFront = false;
  double share = 1.0;  ///< of the whole work, for progress
};

/// The effect of a plane on a set of fragments. Fewer splits are better; ties go to the better
/// balance.
struct Score {
  std::size_t splits = 0;
  std::size_t imbalance = 0;
  friend auto operator<=>(const Score&, const Score&) = default;
};

/// The plane of a triangle, with outward normal. A needle, as thin as rounding, gets any plane
/// through its longest edge, because its third corner is close to that.
struct SourcePlane {
  BspNode plane;
  bool needle = false;
};

BspNode planeThrough(const Triangle& t, const Vec3& normal) noexcept {
  BspNode plane;
  plane.normal = normal;
  plane.offset = glm::dot(normal, (t[0] + t[1] + t[2]) / 3.0);
  return plane;
}

SourcePlane planeOf(const Triangle& t, Real sliver) {
  const Vec3 edge = longestSideOf(t);
  // A chamfer of a hundredth of a millimetre on a metre is not a needle, but the plain cross
  // product may have lost its plane
  for (const bool precise : {false, true}) {
    const Vec3 p = t[1] - t[0], q = t[2] - t[0];
    const Vec3 cross = precise ? preciseCross(p, q) : glm::cross(p, q);
    const Real area = glm::length(cross);
    if (!(area > sliver * glm::length(edge)) || !std::isfinite(area)) continue;
    const SourcePlane found{planeThrough(t, cross / area), false};
    if (std::all_of(t.begin(), t.end(), [&](const Vec3& corner) {
          return std::abs(distanceTo(found.plane, corner)) <= 0.5 * sliver;
        }))
      return found;
  }

  return {planeThrough(t, acrossEdge(edge)), true};
}

class BspBuilder {
 public:
  BspBuilder(const Polyhedron& polyhedron, const BspSettings& settings, BuildProgress* progress)
      : polyhedron_(polyhedron), settings_(settings), progress_(progress) {
    const Box& box = polyhedron.bounds();
    Real scale = 0.0;
    for (int axis = 0; axis < 3; ++axis)
      scale = std::max({scale, std::abs(box.low[axis]), std::abs(box.high[axis])});
    snap_ = snapRatio * scale;
    sliver_ = sliverRatio * scale;
    data_.solid = polyhedron.report().solid();
  }

  Result<BspTree> build() {
    if (progress_) progress_->enter(BuildStage::Structure);
    start();
    while (!tasks_.empty()) {
      if (wasCancelled(progress_))
        return Error{ErrorCode::Cancelled, "the build of a BSP tree was cancelled"};
      if (data_.faces.size() + pending_ > settings_.maxFragments)
        return Error{ErrorCode::TooLarge,
                     "cannot build a BSP tree: the planes of the mesh cut its " +
                         std::to_string(polyhedron_.mesh().triangles.size()) +
                         " triangles into more than " + std::to_string(settings_.maxFragments)};
      Task task = std::move(tasks_.back());
      tasks_.pop_back();
      pending_ -= task.set.fragments.size();
      grow(std::move(task));
      if (progress_) progress_->fraction = static_cast<float>(done_);
    }
    return BspTree(std::move(data_));
  }

 private:
  void start() {
    const TriangleMesh& mesh = polyhedron_.mesh();
    Task root;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
      planes_.push_back(planeOf(mesh.corners(t), sliver_));
      // A needle bounds no volume: a solid is the same without it
      if (data_.solid && planes_.back().needle) continue;
      root.set.add(t, mesh.corners(t));
    }
    if (root.set.fragments.empty()) {
      data_.solid = false;
      for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) root.set.add(t, mesh.corners(t));
    }
    push(std::move(root));
  }

  void push(Task task) {
    pending_ += task.set.fragments.size();
    tasks_.push_back(std::move(task));
  }

  /// Makes the root node of a task and the tasks of its two children.
  void grow(Task task) {
    // Link a new node to its parent
    const auto at = static_cast<std::uint32_t>(data_.nodes.size());
    const std::size_t chosen = choosePlane(task.set);
    data_.nodes.push_back(planes_[task.set.fragments[chosen].source].plane);
    if (at > 0) {
      BspNode& parent = data_.nodes[task.parent];
      (task.isFront ? parent.front : parent.back) = at;
    }

    // Split the fragments: those on the plane stay at the node
    BspNode& node = data_.nodes[at];
    node.facesBegin = static_cast<std::uint32_t>(data_.faces.size());
    Task front{{}, at, true, 0.0};
    Task back{{}, at, false, 0.0};
    for (std::size_t i = 0; i < task.set.fragments.size(); ++i) {
      const Fragment& fragment = task.set.fragments[i];
      const auto polygon = task.set.polygon(fragment);
      const PlaneReach reach = reachAcross(node, polygon, distances_);
      const bool toFront = reach.front > sliver_ && i != chosen;
      const bool toBack = reach.back > sliver_ && i != chosen;
      // A fragment that loses a part for being too thin also stays, because nothing else lists that
      // part
      if ((!toFront && !toBack) || (!toFront && reach.front > snap_) ||
          (!toBack && reach.back > snap_))
        data_.faces.push_back(fragment.source);
      if (toFront || toBack) {
        part(fragment.source, polygon, toFront ? &front.set : nullptr,
             toBack ? &back.set : nullptr);
      }
    }
    const auto facesBegin = data_.faces.begin() + node.facesBegin;
    std::sort(facesBegin, data_.faces.end());
    data_.faces.erase(std::unique(facesBegin, data_.faces.end()), data_.faces.end());
    node.facesEnd = static_cast<std::uint32_t>(data_.faces.size());

    // Queue the parts that are not empty; the defaults of a node are the leaves
    const std::size_t left = front.set.fragments.size() + back.set.fragments.size();
    const std::size_t stay = node.facesEnd - node.facesBegin;
    const double unit = task.share / static_cast<double>(left + stay);
    done_ += unit * static_cast<double>(stay);
    for (Task* child : {&front, &back}) {
      child->share = unit * static_cast<double>(child->set.fragments.size());
      if (!child->set.fragments.empty()) push(std::move(*child));
    }
  }

  /// Passes a polygon, with distances in distances_, to the given sides.
  void part(std::uint32_t source, std::span<const Vec3> polygon, FragmentSet* front,
            FragmentSet* back) {
    frontPart_.clear();
    backPart_.clear();
    splitPolygon(polygon, distances_, snap_, frontPart_, backPart_);
    if (front) front->add(source, frontPart_);
    if (back) back->add(source, backPart_);
  }

  std::size_t choosePlane(const FragmentSet& set) {
    const std::size_t count = set.fragments.size();
    const auto wanted = static_cast<std::size_t>(std::max(settings_.candidates, 1));
    const std::size_t candidates = std::min(wanted, count);
    std::size_t best = 0;
    std::optional<Score> bestScore;
    for (std::size_t c = 0; c < candidates; ++c) {
      // One random candidate from each of equally long stretches of the list
      const std::size_t begin = c * count / candidates;
      const std::size_t width = (c + 1) * count / candidates - begin;
      const std::size_t candidate = begin + (width > 1 ? random_.bits() % width : 0);
      const Score score = scoreOf(set, candidate, bestScore);
      if (bestScore && score >= *bestScore) continue;
      bestScore = score;
      best = candidate;
      if (candidates == 1) break;
    }
    return best;
  }

  /// Stops early once the score cannot be better than `best`.
  Score scoreOf(const FragmentSet& set, std::size_t candidate, const std::optional<Score>& best) {
    const BspNode& plane = planes_[set.fragments[candidate].source].plane;
    const std::size_t count = set.fragments.size();
    const std::size_t counted = std::min(count, maxCounted);
    Score score;
    std::size_t front = 0;
    std::size_t back = 0;
    for (std::size_t k = 0; k < counted; ++k) {
      const auto polygon = set.polygon(set.fragments[k * count / counted]);
      bool inFront = false;
      bool behind = false;
      for (const Vec3& corner : polygon) {
        const Real d = distanceTo(plane, corner);
        inFront |= d > sliver_;
        behind |= d < -sliver_;
      }
      front += inFront;
      back += behind;
      score.splits += inFront && behind;
      if (best && score.splits > best->splits) return score;
    }
    score.imbalance = front > back ? front - back : back - front;
    return score;
  }

  const Polyhedron& polyhedron_;
  BspSettings settings_;
  BuildProgress* progress_;
  Real snap_ = 0.0;
  Real sliver_ = 0.0;
  std::vector<SourcePlane> planes_;  ///< per triangle
  std::vector<Task> tasks_;
  std::size_t pending_ = 0;  ///< fragments in tasks_
  double done_ = 0.0;
  std::vector<Real> distances_;
  std::vector<Vec3> frontPart_, backPart_;
  SplitMix random_{0};
  BspTree::Data data_;
};

}  // namespace

Result<BspTree> buildBspTree(const Polyhedron& polyhedron, const BspSettings& settings,
                             BuildProgress* progress) {
  if (settings.candidates < 1 || settings.candidates > maxCandidates || settings.maxFragments < 1)
    return Error{
        ErrorCode::Unsupported,
        "cannot build a BSP tree: expected 1 to 65536 candidates and a limit of at least 1 "
        "fragment"};
  return orOutOfMemory("cannot build the BSP tree",
                       [&] { return BspBuilder(polyhedron, settings, progress).build(); });
}

}  // namespace nearmiss
