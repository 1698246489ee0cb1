// SPDX-License-Identifier: MIT
#include "narrow/sphere_tree_narrow_phase.h"

#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <utility>

#include "geometry/polyhedron_pair.h"
#include "narrow/pair_setup.h"
#include "spheres/moved_packs.h"

namespace nearmiss {
namespace {

/// Limits per step for inner spheres, in bound tests: a little on every level after the first, and
/// more before triangles are compared. This effort is lost if it proves nothing.
constexpr std::int64_t effortOfLevel = 32, effortBeforeTriangles = 512;
/// Bound tests on the deepest level of spheres after which the triangles are compared instead.
constexpr std::int64_t patience = 2048;
/// Stack frames that suffice for most searches.
constexpr std::size_t usualRoom = 24;

bool sharesSpheres(const Shape& shape) noexcept { return shape.sphereTree()->isDag(); }

}  // namespace

SphereTreeNarrowPhase::SphereTreeNarrowPhase(const Shapes& shapes, const SearchPath& path)
    : shapes_(shapes),
      path_(path),
      proofs_(shapes_),
      holding_(shapes_),
      visited_(std::ranges::any_of(shapes, &sharesSpheres)) {
  for (const Shape& shape : shapes) {
    searched_.emplace_back(shape);
    for (const std::uint32_t count : shape.sphereTree()->data().childPackCount)
      search_.maxAdded = std::max(search_.maxAdded, count);
  }
  search_.caller = this;
  search_.trianglesMeet = [](void* caller, std::uint32_t a, std::uint32_t b) {
    const SphereTreeNarrowPhase& own = *static_cast<const SphereTreeNarrowPhase*>(caller);
    const PairSearchWork& w = *own.current_;
    return trianglesMeet(own.shapeA(w).polyhedron().mesh().corners(a),
                         moved(own.shapeB(w).polyhedron().mesh(), b, w.setup.bToA));
  };
  inner_.spheresMeet = [](void* caller, std::uint32_t a, std::uint32_t b) {
    const SphereTreeNarrowPhase& own = *static_cast<const SphereTreeNarrowPhase*>(caller);
    const PairSearchWork& w = *own.current_;
    return own.proofs_.prove(w.setup, a, b, w.motion.slack);
  };
}

void SphereTreeNarrowPhase::begin(std::span<const BodyState> bodies,
                                  std::span<const BodyPair> pairs) {
  slotsUsed_ = 0;
  pieces_.clear();
  slotOf_.assign(pairs.size(), noSlot);
  bodies_ = bodies;
  bodyPairs_ = pairs;
  taken_ = none;
  meter_.reset();
}

std::unique_ptr<NarrowPhase> SphereTreeNarrowPhase::another() const {
  auto other = makeSphereTreeNarrowPhase(shapes_, path_);
  other->setCoherence(near_ != nullptr);
  return other;
}

void SphereTreeNarrowPhase::setCoherence(bool on) {
  if (on == (near_ != nullptr)) return;
  near_ = on ? std::make_unique<NearTriangles>() : nullptr;
}

Refinement SphereTreeNarrowPhase::result(std::size_t i) const noexcept {
  if (slotOf_[i] == noSlot) return sphereTreeBounds(shapes_, bodies_, bodyPairs_[i]);
  const PairSearchWork& w = slots_[slotOf_[i]];
  Refinement known = w.known;
  describe(w, known);
  return known;
}

Verdict SphereTreeNarrowPhase::verdict(std::size_t i) const noexcept {
  return slotOf_[i] == noSlot ? Verdict::Possible : slots_[slotOf_[i]].known.verdict;
}

bool SphereTreeNarrowPhase::mayRefine(std::size_t i, int level) const noexcept {
  if (slotOf_[i] == noSlot) return level > 0;
  const Refinement& known = slots_[slotOf_[i]].known;
  return known.canRefine && known.level < level;
}

/// Sets up a pair before its first step: pushes the roots if they overlap. Returns a slot, which
/// becomes the pair's when a step ends.
std::uint32_t SphereTreeNarrowPhase::setUp(std::size_t i) {
  taken_ = none;  // current_ points into the slots, which may be reallocated
  if (slots_.size() == slotsUsed_) slots_.emplace_back();
  PairSearchWork& w = slots_[slotsUsed_];
  w.bodies = bodyPairs_[i];
  const BodyState &a = bodies_[w.bodies.a], &b = bodies_[w.bodies.b];
  w.setup.shapeA = a.shape.index();
  w.setup.shapeB = b.shape.index();
  const SearchedShape &ofA = searchedA(w), &ofB = searchedB(w);
  path_.relate(a.pose, b.pose, ofA.tree->reach() + ofB.tree->reach(), w.setup.bToA, w.motion);
  w.startOver(ofA.conservative && ofB.conservative);
  if (w.stack.size() < usualRoom) w.stack.resize(usualRoom);
  w.atRoots = rootsMeet(w);
  w.innerFresh = ofA.hasInner && ofB.hasInner && w.atRoots;
  w.openInner = w.innerFresh;
  return slotsUsed_++;
}

/// Returns false if the search would find nothing. Two roots with children are left to the search
/// itself.
bool SphereTreeNarrowPhase::rootsMeet(const PairSearchWork& w) const noexcept {
  const SearchTree& a = treeA(w);
  const SearchTree& b = treeB(w);
  if (a.packs()[0].child[0] != SphereLinks::none || b.packs()[0].child[0] != SphereLinks::none)
    return true;
  const Sphere rootA = shapeA(w).sphereTree()->sphere(0);
  Sphere rootB = shapeB(w).sphereTree()->sphere(0);
  rootB.centre = transformed(w.setup.bToA, rootB.centre);
  return overlap(rootA, rootB) >= -Real{w.motion.slack};
}

/// Call before the steps of a pair other than the last.
void SphereTreeNarrowPhase::switchTo(std::size_t i, PairSearchWork& w) {
  taken_ = i;
  current_ = &w;
  setMotion(search_, w.motion);
  const std::array<std::uint32_t, 2> shapes{w.setup.shapeA, w.setup.shapeB};
  if (w.byBoxes || sidesOf_ != shapes) takeSides(w);
  if (search_.everyPair) visited_.clear();
}

/// Gives the search the hierarchies of both shapes: their spheres, or their boxes and triangles.
void SphereTreeNarrowPhase::takeSides(const PairSearchWork& w) noexcept {
  const SearchedShape &a = searchedA(w), &b = searchedB(w);
  search_.a = w.byBoxes ? a.byBoxes : a.side;
  search_.b = w.byBoxes ? b.byBoxes : b.side;
  // Most pairs continue with the spheres of the same two shapes
  sidesOf_ = w.byBoxes ? noSides : std::array{w.setup.shapeA, w.setup.shapeB};
  search_.everyPair = a.sharesSpheres || b.sharesSpheres;
  search_.metBefore = nullptr;
  if (search_.everyPair)
    search_.metBefore = [](void* caller, const SearchPair& pair) {
      SphereTreeNarrowPhase& own = *static_cast<SphereTreeNarrowPhase*>(caller);
      return own.metBefore(*own.current_, pair);
    };
}

/// Starts the search for triangles from the roots.
void SphereTreeNarrowPhase::turnToBoxes(PairSearchWork& w) noexcept {
  w.byBoxes = true;
  w.stack[0] = rootFrame();
  w.open = 1;
  w.atRoots = false;
  takeSides(w);
}

/// Returns true if this pair was visited before, from other parents.
bool SphereTreeNarrowPhase::metBefore(const PairSearchWork& w, const SearchPair& pair) {
  return !visited_.add(shapeA(w).sphereTree()->identity(pair.a),
                       shapeB(w).sphereTree()->identity(pair.b));
}

bool SphereTreeNarrowPhase::refine(std::size_t i, const TimeBudget& budget) {
  NEARMISS_ASSERT(i < slotOf_.size(), i, slotOf_.size());
  NEARMISS_ASSERT(result(i).canRefine, i);
  const std::uint32_t slot = slotOf_[i] == noSlot ? setUp(i) : slotOf_[i];
  PairSearchWork& w = slots_[slot];
  // A step that throws leaves an incomplete search. The pair then has no slot, and starts again
  slotOf_[i] = noSlot;
  if (taken_ != i) switchTo(i, w);
  const bool completed = step(w, budget);
  slotOf_[i] = slot;
  meter_.settle(budget);
  return completed;
}

/// Returns true if inner spheres of both bodies overlap, as far as the effort allows to search.
bool SphereTreeNarrowPhase::proven(PairSearchWork& w) {
  if (w.openInner == 0) return false;
  inner_.a = searchedA(w).inner;
  inner_.b = searchedB(w).inner;
  inner_.effort = exactly_ ? effortBeforeTriangles : effortOfLevel;
  if (std::exchange(w.innerFresh, false)) {
    if (inner_.spheresMeet(this, 0, 0)) return true;
    if (w.innerStack.size() < usualRoom) w.innerStack.resize(usualRoom);
    w.innerStack[0] = rootFrame();
  }
  for (;;) {
    inner_.stack = w.innerStack.data();
    inner_.size = w.openInner;
    inner_.capacity = static_cast<std::uint32_t>(w.innerStack.size());
    const std::int64_t before = inner_.effort;
    const SearchEnd end = path_.prove(search_, inner_);
    meter_.open().boundTests += static_cast<std::uint64_t>(before - inner_.effort);
    w.openInner = inner_.size;
    if (end == SearchEnd::Meet) return true;
    if (end != SearchEnd::Full) return false;
    w.innerStack.resize(2 * w.innerStack.size());
  }
}

/// Continues the search of a pair for at most one quantum.
SearchEnd SphereTreeNarrowPhase::search(PairSearchWork& w) {
  search_.size = w.open;
  search_.atRoots = w.atRoots;
  const SearchEnd end =
      searchForQuantum(search_, w.stack, w.byBoxes ? path_.findByBoxes : path_.find);
  w.open = search_.size;
  w.atRoots = search_.atRoots;
  w.effort += countWork(search_, meter_);
  return end;
}

/// Completes one level, or the triangles. Returns false if time ran out.
bool SphereTreeNarrowPhase::step(PairSearchWork& w, const TimeBudget& budget) {
  const int last = std::max(searchedA(w).levelCount, searchedB(w).levelCount) - 1;
  exactly_ = w.known.level >= last || w.byBoxes;
  search_.level = static_cast<std::uint8_t>(exactly_ ? last + 1 : w.known.level + 1);
  const auto meet = [&] {
    w.known.triangleA = search_.triangleA;
    w.known.triangleB = search_.triangleB;
    finish(w, Stage::Exact, true);
    return true;
  };
  const bool fresh = !std::exchange(w.cutShort, false);
  if (w.searched) return finishApart(w, budget);
  // Once per step, so that the result does not depend on where time ran out
  if (fresh || w.pieces != PieceSearches::none) {
    w.effort = 0;
    if (exactly_ && near_) {
      const auto apart = stillApart(w, budget);
      w.cutShort = !apart;
      if (!apart || *apart) return !w.cutShort;
    }
    if (w.known.level != 0 && proven(w)) {
      w.known.byInnerSpheres = true;
      finish(w, Stage::Spheres, true);
      return true;
    }
    if (exactly_ && near_ && near_->stillMeet(trianglesOf(w), search_, meter_)) return meet();
  }
  if (exactly_ && !w.byBoxes) turnToBoxes(w);
  for (;;) {
    switch (search(w)) {
      case SearchEnd::Witness:
        completeLevel(w);
        return true;
      case SearchEnd::Meet:
        if (near_) near_->foundMeeting(trianglesOf(w), search_);
        return meet();
      case SearchEnd::Exhausted:
        w.searched = true;
        return finishApart(w, budget);
      case SearchEnd::Unfinished:
        // Where so many spheres are near each other, boxes separate the triangles sooner
        if (!exactly_ && search_.level == last && w.effort > patience) {
          turnToBoxes(w);
          exactly_ = true;
          search_.level = static_cast<std::uint8_t>(last + 1);
        }
        if (meter_.outOfTime(budget)) {
          w.cutShort = true;
          return false;
        }
        break;
      case SearchEnd::Full:
        break;  // only for a list, which this search does not have
    }
  }
}

TrianglePair SphereTreeNarrowPhase::trianglesOf(const PairSearchWork& w) const noexcept {
  const SearchedShape &a = searchedA(w), &b = searchedB(w);
  return {bodies_[w.bodies.a], bodies_[w.bodies.b], shapeA(w), shapeB(w), a.byBoxes, b.byBoxes, w};
}

/// Returns true if the last frames suffice for the final result; empty if time ran out.
std::optional<bool> SphereTreeNarrowPhase::stillApart(PairSearchWork& w, const TimeBudget& budget) {
  if (w.pieces == PieceSearches::none &&
      !near_->surfacesApart(trianglesOf(w), search_, path_, meter_, budget))
    return false;
  // Inner spheres might have proven that one contains the other, and the result would say so
  const auto inside = held(w, budget);
  if (!inside) return std::nullopt;
  if (*inside) return false;
  w.open = w.openInner = 0;
  w.atRoots = false;
  w.known.stage = Stage::Exact;
  concludeApart(w.known);
  return true;
}

/// Completes a level with what the found pair of spheres proves.
void SphereTreeNarrowPhase::completeLevel(PairSearchWork& w) {
  ++w.known.level;
  w.known.stage = Stage::Spheres;
  const SphereTree &a = *shapeA(w).sphereTree(), &b = *shapeB(w).sphereTree();
  const SearchPair& found = search_.found;
  // A point in both spheres is that near to each body. Spheres that overlap only by the slack of
  // the arithmetic may be that far apart, plus the errors for which it allows
  const Real bound = a.outside(found.a) + b.outside(found.b) + 2.0 * Real{w.motion.slack};
  w.known.betweenSolids = a.boundsSolid() || b.boundsSolid();
  w.known.collidingSpheres = 1;
  w.known.separationBound = std::min(w.known.separationBound, bound);
  w.foundA = found.a;
  w.foundB = found.b;
  w.bound = bound;
}

/// Adds the parts of the result that depend on the found spheres. Rarely requested, so computed on
/// demand.
void SphereTreeNarrowPhase::describe(const PairSearchWork& w, Refinement& known) const noexcept {
  if (w.foundA == PairSearchWork::described) return;
  if (w.foundA == PairSearchWork::noSphere) {
    known.deepest = boundingSpheres(bodies_, w.bodies);
    return;
  }
  known.deepest = inWorld(*shapeA(w).sphereTree(), w.foundA, *shapeB(w).sphereTree(), w.foundB,
                          {bodies_[w.bodies.a].pose, bodies_[w.bodies.b].pose}, w.bound);
  known.separationEstimate =
      std::clamp(w.bound - overlap(known.deepest.a, known.deepest.b), 0.0, known.separationBound);
}

/// Returns true if one solid contains the other and their surfaces are apart; empty if time ran
/// out.
std::optional<bool> SphereTreeNarrowPhase::held(PairSearchWork& w, const TimeBudget& budget) {
  if (w.pieces == PieceSearches::none && !holding_.either(w.setup.shapeA, w.setup.shapeB, search_))
    return false;
  return pieces_.oneInsideOther(shapeA(w).polyhedron(), shapeB(w).polyhedron(), w.setup.bToA,
                                w.pieces, meter_, budget);
}

/// Finishes a pair whose surfaces do not intersect. Returns false if time ran out.
bool SphereTreeNarrowPhase::finishApart(PairSearchWork& w, const TimeBudget& budget) {
  const auto inside = held(w, budget);
  w.cutShort = !inside;
  if (!inside) return false;
  w.searched = false;
  finish(w, exactly_ ? Stage::Exact : Stage::Spheres, false, *inside);
  if (exactly_ && near_) near_->foundApart(trianglesOf(w), search_, path_, meter_, budget);
  return true;
}

/// @param inside one solid contains the other
void SphereTreeNarrowPhase::finish(PairSearchWork& w, Stage stage, bool surfacesMeet, bool inside) {
  w.open = w.openInner = 0;
  w.atRoots = false;
  w.known.stage = stage;
  if (!exactly_) ++w.known.level;
  if (!surfacesMeet && !inside) return concludeApart(w.known);
  describe(w, w.known);
  w.foundA = w.foundB = PairSearchWork::described;
  if (surfacesMeet)
    concludeContact(w.known);
  else
    concludeHeld(boundingSpheres(bodies_, w.bodies), w.known);
}

bool SphereTreeNarrowPhase::tighten(std::size_t i, const TimeBudget& budget) {
  NEARMISS_ASSERT(result(i).verdict == Verdict::Possible, i);
  if (slotOf_[i] == noSlot) return true;
  PairSearchWork& w = slots_[slotOf_[i]];
  Refinement& known = w.known;
  const bool all = tightest_.lower(shapeA(w), shapeB(w), w.motion, known.level, meter_, budget,
                                   known.separationBound);
  known.separationEstimate = std::min(known.separationEstimate, known.separationBound);
  meter_.settle(budget);
  return all;
}

void SphereTreeNarrowPhase::contacts(std::size_t i, std::size_t most,
                                     std::vector<ContactSpheres>& out) const {
  out.clear();
  const Refinement known = result(i);
  if (most == 0 || known.verdict == Verdict::Separate) return;
  if (known.verdict == Verdict::Contact || known.stage == Stage::Bounds) {
    out.push_back(known.deepest);
    return;
  }
  if (!list_) list_ = std::make_unique<LevelList>(shapes_);
  list_->collect(bodies_, bodyPairs_[i], known.level, most, out);
  if (out.empty()) out.push_back(known.deepest);
}

std::unique_ptr<NarrowPhase> makeSphereTreeNarrowPhase(const Shapes& shapes,
                                                       const SearchPath& path) {
  for (const Shape& shape : shapes) NEARMISS_DEMAND(shape.sphereTree() != nullptr);
  return std::make_unique<SphereTreeNarrowPhase>(shapes, path);
}

std::unique_ptr<NarrowPhase> makeSphereTreeNarrowPhase(const Shapes& shapes) {
  return makeSphereTreeNarrowPhase(shapes, searchPaths().back());
}

}  // namespace nearmiss
