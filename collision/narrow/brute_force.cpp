// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/predicates.h>
#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "geometry/box_measures.h"
#include "narrow/pair_setup.h"

namespace nearmiss {
namespace {

/// A triangle that may matter for the current pair, in the frame of a.
struct Candidate {
  Triangle triangle;
  Box box;
  std::uint32_t index;
};

/// Simple enough to serve as reference: no hierarchy, no coherence, and only memory is reused.
class BruteForceNarrowPhase final : public NarrowPhase {
 public:
  explicit BruteForceNarrowPhase(const Shapes& shapes) : shapes_(shapes) {}

  std::string_view name() const noexcept override { return "brute-force"; }
  const Shapes* shapes() const noexcept override { return &shapes_; }
  std::unique_ptr<NarrowPhase> another() const override {
    return makeBruteForceNarrowPhase(shapes_);
  }

  void begin(std::span<const BodyState> bodies, std::span<const BodyPair> pairs) override {
    work_ = {};
    setups_.clear();
    results_.clear();
    for (const BodyPair& pair : pairs) {
      setups_.push_back(setUpPair(bodies, pair));
      results_.push_back(boundingLevel(setups_.back().bounding));
    }
  }

  /// Completes everything in one step, even if the budget is exhausted.
  bool refine(std::size_t i, const TimeBudget& budget) override {
    const PairSetup& setup = setups_[i];
    const Polyhedron& a = shapes_[setup.shapeA].polyhedron();
    const Polyhedron& b = shapes_[setup.shapeB].polyhedron();
    WorkCount spent;
    const auto meeting = firstMeeting(a, b, setup.bToA, spent);
    results_[i] = exactAnswer(setup, meeting || oneInsideOther(a, b, setup.bToA));
    if (meeting) {
      results_[i].triangleA = (*meeting)[0];
      results_[i].triangleB = (*meeting)[1];
    }
    work_ += spent;
    budget.spend(spent);
    return true;
  }

  Refinement result(std::size_t i) const noexcept override { return results_[i]; }

  void contacts(std::size_t i, std::size_t most, std::vector<ContactSpheres>& out) const override {
    out.clear();
    if (most > 0 && results_[i].verdict != Verdict::Separate) out.push_back(results_[i].deepest);
  }

  WorkCount work() const noexcept override { return work_; }

 private:
  /// Returns the first two triangles that intersect, in the order of b's triangles, then of a's.
  std::optional<std::array<std::uint32_t, 2>> firstMeeting(const Polyhedron& a, const Polyhedron& b,
                                                           const Pose& bToA, WorkCount& spent) {
    // Transform b once
    moved_.clear();
    Box boundsOfB;
    for (const Vec3& p : b.mesh().positions) {
      moved_.push_back(transformed(bToA, p));
      boundsOfB.include(moved_.back());
    }

    // Skip the triangles of a outside the box of b
    candidates_.clear();
    for (std::uint32_t t = 0; t < a.mesh().triangles.size(); ++t) {
      const Triangle triangle = a.mesh().corners(t);
      const Box box = boxOf(triangle);
      if (overlap(box, boundsOfB)) candidates_.push_back({triangle, box, t});
    }
    spent.boundTests += a.mesh().triangles.size();

    // Compare each triangle of b with each remaining one
    for (std::uint32_t t = 0; t < b.mesh().triangles.size(); ++t) {
      const auto& corners = b.mesh().triangles[t];
      const Triangle triangle{moved_[corners[0]], moved_[corners[1]], moved_[corners[2]]};
      const Box box = boxOf(triangle);
      ++spent.boundTests;
      if (!overlap(box, a.bounds())) continue;
      for (const Candidate& candidate : candidates_) {
        ++spent.boundTests;
        if (!overlap(candidate.box, box)) continue;
        ++spent.triangleTests;
        if (trianglesMeet(candidate.triangle, triangle)) return {{candidate.index, t}};
      }
    }
    return std::nullopt;
  }

  Shapes shapes_;
  std::vector<PairSetup> setups_;
  std::vector<Refinement> results_;
  std::vector<Vec3> moved_;            ///< the vertices of b in the frame of a
  std::vector<Candidate> candidates_;  ///< triangles of a
  WorkCount work_;
};

}  // namespace

std::unique_ptr<NarrowPhase> makeBruteForceNarrowPhase(const Shapes& shapes) {
  return std::make_unique<BruteForceNarrowPhase>(shapes);
}

}  // namespace nearmiss
