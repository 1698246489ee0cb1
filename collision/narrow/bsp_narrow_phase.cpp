// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/predicates.h>
#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "builders/bsp_polygon.h"
#include "geometry/box_measures.h"
#include "narrow/pair_setup.h"

namespace nearmiss {
namespace {

/// Within this distance of a plane, relative to the largest coordinate of the tree's mesh, the
/// filter leaves a triangle to exact arithmetic. Far above the 1e-10 by which checkTree() allows a
/// face to be off its plane, and far below distances that occur often.
constexpr Real nearRatio = 1e-7;

/// Rounding error of a large triangle while it is cut, relative to its own coordinates.
constexpr Real cutRatio = 1e-11;

/// Maximum number of faces, on planes that cut one triangle, that are compared one by one.
constexpr std::size_t maxCrossed = 256;

/// The result of filtering a triangle down a tree.
enum class Passage : std::uint8_t {
  Outside,  ///< no part is inside or on the surface
  Inside,   ///< some part reached a leaf inside
  Unsure,   ///< too near a plane, or cuts planes with too many faces
};

/// Within this distance of a plane, relative to the largest coordinate of the tree's mesh, a whole
/// triangle lies on it. Above the 1e-12 within which a builder leaves a triangle on its plane.
constexpr Real onPlaneRatio = 2e-12;

/// Parts of the surface that the leaves of a tree do not show.
class UnseenParts {
 public:
  UnseenParts(const BspTree& tree, const Polyhedron& polyhedron)
      : tree_(tree),
        polyhedron_(polyhedron),
        onPlane_(onPlaneRatio * largestCoordinate(polyhedron.bounds())),
        byFaces_(tree.nodes().size(), !tree.solid() || !polyhedron.report().solid()) {
    const TriangleMesh& mesh = polyhedron.mesh();
    std::vector<std::size_t> namedBy(mesh.triangles.size(), 0);  // 1 + the last node that lists it
    for (std::size_t at = 0; at < byFaces_.size(); ++at) {
      const BspNode& node = tree.nodes()[at];
      const std::span faces = facesOf(node);
      for (const std::uint32_t face : faces) namedBy[face] = at + 1;
      const auto hidesSome = [&](std::uint32_t face) {
        return !facesForward(node, face) &&
               (!facesBack(node, face) || isNearOthers(node, face, at + 1, namedBy));
      };
      if (!byFaces_[at]) byFaces_[at] = std::any_of(faces.begin(), faces.end(), hidesSome);
    }
    for (std::size_t t = 0; t < namedBy.size(); ++t)
      if (namedBy[t] == 0) needles_.include(boxOf(mesh.corners(t)));
  }

  /// Returns true if the faces on the plane of this node must be compared with a triangle that cuts
  /// the plane. Always true without an inside. Also true if faces on one plane face both ways, as
  /// on a foil thinner than rounding, because space between them falls into no leaf. False if such
  /// faces lie apart, like those of steps.
  [[nodiscard]] bool byFaces(std::size_t node) const noexcept { return byFaces_[node]; }
  /// Returns the box of the triangles that no node lists.
  [[nodiscard]] const Box& needles() const noexcept { return needles_; }

 private:
  [[nodiscard]] std::span<const std::uint32_t> facesOf(const BspNode& node) const noexcept {
    return std::span(tree_.data().faces).subspan(node.facesBegin, node.facesEnd - node.facesBegin);
  }
  /// False also if rounding hides which way it faces.
  [[nodiscard]] bool facesForward(const BspNode& node, std::uint32_t face) const noexcept {
    const Triangle t = polyhedron_.mesh().corners(face);
    return glm::dot(node.normal, glm::cross(t[1] - t[0], t[2] - t[0])) > 0.0;
  }
  /// True only if the whole face lies on the plane and certainly faces backwards.
  [[nodiscard]] bool facesBack(const BspNode& node, std::uint32_t face) const noexcept {
    const Triangle t = polyhedron_.mesh().corners(face);
    const Vec3 p = t[1] - t[0], q = t[2] - t[0], across = glm::cross(p, q);
    const Real area = glm::length(across);
    return glm::dot(node.normal, across) < -0.9 * area &&
           area > 1e-13 * glm::length(p) * glm::length(q) &&
           std::all_of(t.begin(), t.end(), [&](const Vec3& corner) {
             return std::abs(distanceTo(node, corner)) <= onPlane_;
           });
  }
  /// Returns true if a face of the same node that may face another way may overlap this one.
  [[nodiscard]] bool isNearOthers(const BspNode& node, std::uint32_t face, std::size_t mark,
                                  const std::vector<std::size_t>& namedBy) const {
    Box around = boxOf(polyhedron_.mesh().corners(face));
    around.low -= 2.0 * onPlane_;
    around.high += 2.0 * onPlane_;
    bool near = false;
    polyhedron_.forEachTriangleIn(around, [&](std::uint32_t t) {
      near = near || (namedBy[t] == mark && !facesBack(node, t));
    });
    return near;
  }

  const BspTree& tree_;
  const Polyhedron& polyhedron_;
  Real onPlane_;
  std::vector<bool> byFaces_;  ///< per node
  Box needles_;
};

/// Cuts triangles by the planes of a tree and follows the pieces to the leaves [TN87].
class TriangleFilter {
 public:
  /// Collects in crossedFaces() the faces on the planes that cut the triangle, where leaves do not
  /// show contact.
  Passage pass(const BspTree& tree, const UnseenParts& unseen, const Triangle& triangle,
               Real nearness) {
    const auto nodes = tree.nodes();
    if (nodes.empty()) return Passage::Unsure;
    crossed_.clear();
    pending_.clear();
    corners_.clear();
    polygon_.assign(triangle.begin(), triangle.end());
    std::uint32_t at = 0;
    for (;;) {
      // Follow one piece to its leaf, and set aside the parts cut off in front
      while (at < nodes.size()) {
        const BspNode& node = nodes[at];
        const PlaneReach reach = reachAcross(node, polygon_, distances_);
        planeTests_ += polygon_.size();
        if (comesNear(nearness)) return Passage::Unsure;
        if (reach.back == 0.0) {
          at = node.front;
        } else if (reach.front == 0.0) {
          at = node.back;
        } else {
          if (unseen.byFaces(at) && !addFaces(tree, node)) return Passage::Unsure;
          cut(node.front);
          at = node.back;
        }
      }
      if (tree.solid() && at == BspNode::in) return Passage::Inside;

      // Continue with the piece set aside last
      if (pending_.empty()) return Passage::Outside;
      const Piece piece = pending_.back();
      pending_.pop_back();
      const auto begin = corners_.begin() + static_cast<std::ptrdiff_t>(piece.begin);
      polygon_.assign(begin, corners_.end());
      corners_.erase(begin, corners_.end());
      at = piece.node;
    }
  }

  /// Returns the faces crossed in the last pass(), sorted, without duplicates.
  [[nodiscard]] std::span<const std::uint32_t> crossedFaces() {
    std::sort(crossed_.begin(), crossed_.end());
    crossed_.erase(std::unique(crossed_.begin(), crossed_.end()), crossed_.end());
    return crossed_;
  }
  [[nodiscard]] std::uint64_t planeTests() const noexcept { return planeTests_; }

 private:
  /// A piece to be followed from `node`. Its corners extend from `begin` to the next piece.
  struct Piece {
    std::uint32_t node = 0;
    std::size_t begin = 0;
  };

  [[nodiscard]] bool comesNear(Real nearness) const noexcept {
    return std::any_of(distances_.begin(), distances_.end(),
                       [nearness](Real d) { return std::abs(d) <= nearness; });
  }

  /// Returns false if there are too many: a search by boxes is then faster.
  bool addFaces(const BspTree& tree, const BspNode& node) {
    if (crossed_.size() + (node.facesEnd - node.facesBegin) > maxCrossed) return false;
    const auto& faces = tree.data().faces;
    crossed_.insert(crossed_.end(), faces.begin() + node.facesBegin, faces.begin() + node.facesEnd);
    return true;
  }

  /// Keeps the part of polygon_ behind the plane and sets the part in front aside.
  void cut(std::uint32_t front) {
    pending_.push_back({front, corners_.size()});
    behind_.clear();
    splitPolygon(polygon_, distances_, 0.0, corners_, behind_);
    polygon_.swap(behind_);
  }

  std::vector<Piece> pending_;
  std::vector<Vec3> corners_;  ///< of pending_, one piece after the other
  std::vector<Vec3> polygon_, behind_;
  std::vector<Real> distances_;
  std::vector<std::uint32_t> crossed_;
  std::uint64_t planeTests_ = 0;
};

class BspNarrowPhase final : public NarrowPhase {
 public:
  BspNarrowPhase(const Shapes& shapes, BspPolygons polygons)
      : shapes_(shapes), polygons_(polygons) {
    for (const Shape& shape : shapes_) unseen_.emplace_back(*shape.bspTree(), shape.polyhedron());
  }

  std::string_view name() const noexcept override {
    return polygons_ == BspPolygons::All ? "bsp-all" : "bsp";
  }
  const Shapes* shapes() const noexcept override { return &shapes_; }
  std::unique_ptr<NarrowPhase> another() const override {
    return makeBspNarrowPhase(shapes_, polygons_);
  }

  void begin(std::span<const BodyState> bodies, std::span<const BodyPair> pairs) override {
    pairs_.clear();
    for (const BodyPair& pair : pairs) {
      const PairSetup setup = setUpPair(bodies, pair);
      pairs_.push_back({setup, boundingLevel(setup.bounding)});
    }
    work_ = {};
  }

  bool refine(std::size_t i, const TimeBudget& budget) override {
    const WorkCount before = work_;
    compare(pairs_[i]);
    budget.spend(
        {work_.boundTests - before.boundTests, work_.triangleTests - before.triangleTests});
    return true;
  }

  Refinement result(std::size_t i) const noexcept override { return pairs_[i].answer; }

  void contacts(std::size_t i, std::size_t most, std::vector<ContactSpheres>& out) const override {
    out.clear();
    if (most > 0 && pairs_[i].answer.collidingSpheres > 0) out.push_back(pairs_[i].answer.deepest);
  }

  WorkCount work() const noexcept override { return work_; }

 private:
  struct Pair {
    PairSetup setup;
    Refinement answer;
  };

  /// Filters the triangles of b, in the frame of a, down the tree of a.
  void compare(Pair& pair) {
    const PairSetup& setup = pair.setup;
    const Polyhedron& a = shapes_[setup.shapeA].polyhedron();
    const Polyhedron& b = shapes_[setup.shapeB].polyhedron();
    const BspTree& tree = *shapes_[setup.shapeA].bspTree();
    const UnseenParts& unseen = unseen_[static_cast<std::size_t>(setup.shapeA)];
    moved_.clear();
    for (const Vec3& position : b.mesh().positions)
      moved_.push_back(transformed(setup.bToA, position));

    const bool all = polygons_ == BspPolygons::All;
    const Real nearness = nearRatio * largestCoordinate(a.bounds());
    bool met = false;
    const auto count = static_cast<std::uint32_t>(b.mesh().triangles.size());
    for (std::uint32_t t = 0; t < count && (all || !met); ++t) {
      // Most triangles are outside the box of a
      const auto& corners = b.mesh().triangles[t];
      const Triangle triangle{moved_[corners[0]], moved_[corners[1]], moved_[corners[2]]};
      Box box;
      for (const Vec3& corner : triangle) box.include(corner);
      ++work_.boundTests;
      if (!all && !overlap(box, a.bounds())) continue;

      const std::uint64_t tested = filter_.planeTests();
      Passage passage =
          filter_.pass(tree, unseen, triangle, nearness + cutRatio * largestCoordinate(box));
      work_.boundTests += filter_.planeTests() - tested;
      if (passage == Passage::Outside && overlap(box, unseen.needles())) passage = Passage::Unsure;
      // The result has the first triangle that intersects a, regardless of those filtered later
      if (met || (passage == Passage::Outside && filter_.crossedFaces().empty())) continue;
      met = decide(pair, t, triangle, box, passage);
    }
    if (!met) pair.answer = exactAnswer(setup, oneInsideOther(a, b, setup.bToA));
  }

  /// Decides by exact arithmetic whether triangle `t` of b meets a: by an intersection with the
  /// surface, or else by a corner if the triangle lies inside as a whole. If it does, writes the
  /// result.
  bool decide(Pair& pair, std::uint32_t t, const Triangle& triangle, const Box& box,
              Passage passage) {
    const Polyhedron& a = shapes_[pair.setup.shapeA].polyhedron();
    const std::uint32_t met = passage == Passage::Outside
                                  ? firstMet(a, triangle, filter_.crossedFaces())
                                  : firstMet(a, triangle, box);
    const bool held =
        met == Refinement::noTriangle && passage == Passage::Inside && a.contains(triangle[0]);
    if (met == Refinement::noTriangle && !held) return false;
    pair.answer = exactAnswer(pair.setup, true);
    pair.answer.triangleA = met;
    if (!held) pair.answer.triangleB = t;
    return true;
  }

  /// Returns the first triangle of `a` that intersects `triangle`, or noTriangle.
  std::uint32_t firstMet(const Polyhedron& a, const Triangle& triangle, const Box& box) {
    std::uint32_t first = Refinement::noTriangle;
    a.forEachTriangleIn(box, [&](std::uint32_t t) {
      if (t >= first) return;
      ++work_.triangleTests;
      if (trianglesMeet(a.mesh().corners(t), triangle)) first = t;
    });
    return first;
  }

  /// Returns the first of `faces` of `a` that intersects `triangle`, or noTriangle.
  std::uint32_t firstMet(const Polyhedron& a, const Triangle& triangle,
                         std::span<const std::uint32_t> faces) {
    for (const std::uint32_t face : faces) {
      ++work_.triangleTests;
      if (trianglesMeet(a.mesh().corners(face), triangle)) return face;
    }
    return Refinement::noTriangle;
  }

  Shapes shapes_;
  BspPolygons polygons_;
  std::vector<UnseenParts> unseen_;  ///< per shape
  std::vector<Pair> pairs_;
  std::vector<Vec3> moved_;  ///< positions of b in the frame of a
  TriangleFilter filter_;
  WorkCount work_;
};

}  // namespace

std::unique_ptr<NarrowPhase> makeBspNarrowPhase(const Shapes& shapes, BspPolygons polygons) {
  for (const Shape& shape : shapes) NEARMISS_DEMAND(shape.bspTree() != nullptr);
  return std::make_unique<BspNarrowPhase>(shapes, polygons);
}

}  // namespace nearmiss
