// SPDX-License-Identifier: MIT
/// The narrow phase that searches for one colliding pair of spheres, and for intersecting
/// triangles.
#pragma once

#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/shape.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/work_meter.h"
#include "narrow/holding_shapes.h"
#include "narrow/inner_proofs.h"
#include "narrow/near_triangles.h"
#include "narrow/pair_search.h"
#include "narrow/pair_search_work.h"
#include "narrow/piece_searches.h"
#include "narrow/searched_shape.h"
#include "narrow/sphere_levels.h"
#include "narrow/tightest_bound.h"
#include "narrow/visited_pairs.h"
#include "shape/box_hierarchy.h"
#include "shape/search_tree.h"

namespace nearmiss {

class SphereTreeNarrowPhase final : public NarrowPhase {
 public:
  SphereTreeNarrowPhase(const Shapes& shapes, const SearchPath& path);

  std::string_view name() const noexcept override { return "sphere-tree"; }
  const Shapes* shapes() const noexcept override { return &shapes_; }
  std::unique_ptr<NarrowPhase> another() const override;
  void setCoherence(bool on) override;
  void begin(std::span<const BodyState> bodies, std::span<const BodyPair> pairs) override;
  bool refine(std::size_t i, const TimeBudget& budget) override;
  Refinement result(std::size_t i) const noexcept override;
  Verdict verdict(std::size_t i) const noexcept override;
  bool tighten(std::size_t i, const TimeBudget& budget) override;
  bool mayRefine(std::size_t i, int level) const noexcept override;
  void contacts(std::size_t i, std::size_t most, std::vector<ContactSpheres>& out) const override;
  WorkCount work() const noexcept override { return meter_.total(); }

 private:
  const Shape& shapeA(const PairSearchWork& w) const noexcept { return shapes_[w.setup.shapeA]; }
  const Shape& shapeB(const PairSearchWork& w) const noexcept { return shapes_[w.setup.shapeB]; }
  const SearchedShape& searchedA(const PairSearchWork& w) const noexcept {
    return searched_[static_cast<std::size_t>(w.setup.shapeA)];
  }
  const SearchedShape& searchedB(const PairSearchWork& w) const noexcept {
    return searched_[static_cast<std::size_t>(w.setup.shapeB)];
  }
  const SearchTree& treeA(const PairSearchWork& w) const noexcept { return *searchedA(w).tree; }
  const SearchTree& treeB(const PairSearchWork& w) const noexcept { return *searchedB(w).tree; }
  std::uint32_t setUp(std::size_t i);
  [[nodiscard]] bool rootsMeet(const PairSearchWork& w) const noexcept;
  void switchTo(std::size_t i, PairSearchWork& w);
  void takeSides(const PairSearchWork& w) noexcept;
  void turnToBoxes(PairSearchWork& w) noexcept;
  bool metBefore(const PairSearchWork& w, const SearchPair& pair);
  bool proven(PairSearchWork& w);
  SearchEnd search(PairSearchWork& w);
  bool step(PairSearchWork& w, const TimeBudget& budget);
  [[nodiscard]] std::optional<bool> stillApart(PairSearchWork& w, const TimeBudget& budget);
  [[nodiscard]] std::optional<bool> held(PairSearchWork& w, const TimeBudget& budget);
  bool finishApart(PairSearchWork& w, const TimeBudget& budget);
  void completeLevel(PairSearchWork& w);
  void describe(const PairSearchWork& w, Refinement& known) const noexcept;
  TrianglePair trianglesOf(const PairSearchWork& w) const noexcept;
  void finish(PairSearchWork& w, Stage stage, bool surfacesMeet, bool inside = false);

  Shapes shapes_;
  std::vector<SearchedShape> searched_;  ///< parallel to the shapes
  SearchPath path_;                      ///< functions for the instruction set
  std::span<const BodyState> bodies_;
  std::span<const BodyPair> bodyPairs_;
  /// The slot in slots_ of each refined pair. Slots do not move, because they are large.
  std::vector<std::uint32_t> slotOf_;
  std::vector<PairSearchWork> slots_;
  std::uint32_t slotsUsed_ = 0;
  std::size_t taken_ = none;
  PairSearchWork* current_ = nullptr;
  Search search_;
  bool exactly_ = false;                            ///< the current step compares triangles
  std::array<std::uint32_t, 2> sidesOf_ = noSides;  ///< shapes whose spheres search_ reads
  InnerSearch inner_;
  InnerProofs proofs_;
  HoldingShapes holding_;
  PieceSearches pieces_;
  WorkMeter meter_;
  RecentPairs visited_;
  TightestBound tightest_;
  std::unique_ptr<NearTriangles> near_;      ///< null without coherence
  mutable std::unique_ptr<LevelList> list_;  ///< for contacts() only
  static constexpr std::array<std::uint32_t, 2> noSides{0xffffffff, 0xffffffff};
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  static constexpr std::uint32_t noSlot = 0xffffffff;
};

/// As makeSphereTreeNarrowPhase(shapes), which uses the last of searchPaths().
[[nodiscard]] std::unique_ptr<NarrowPhase> makeSphereTreeNarrowPhase(const Shapes& shapes,
                                                                     const SearchPath& path);

}  // namespace nearmiss
