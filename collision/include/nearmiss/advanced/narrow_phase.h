// SPDX-License-Identifier: MIT
/// Narrow phase: decides whether the bodies of a pair touch, more precisely with every refinement
/// step. By sphere trees, by BSP trees, or triangle by triangle. Rival methods are in
/// nearmiss/rivals/narrow_phases.h.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/pair.h>
#include <nearmiss/time_budget.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace nearmiss {

class Shape;
class Shapes;

/// A method that computes its result in steps. A method without levels (a BSP tree, GJK) finishes
/// in its first step, with canRefine = false and the bodies' bounding spheres as contact [H96
/// §11.1].
class NarrowPhase {
 public:
  virtual ~NarrowPhase() = default;
  [[nodiscard]] virtual std::string_view name() const noexcept = 0;

  /// Starts work on `pairs`, each at level 0 with verdict Possible. Discards earlier pairs. Both
  /// spans, and the poses in them, must stay unchanged until the last call that uses them. Reuses
  /// its memory, so a steady scene allocates nothing.
  virtual void begin(std::span<const BodyState> bodies, std::span<const BodyPair> pairs) = 0;

  /// Works on pair `i` until its next level is complete; then returns true. If `budget` is
  /// exhausted first, returns false: result(i) stays that of the last completed level, and the next
  /// call resumes the work [H96 §4.1, Fig. 3]. The budget is checked after every quantum of one or
  /// two microseconds. If refine() or tighten() throws std::bad_alloc, call begin() before the next
  /// step.
  /// @pre result(i).canRefine
  virtual bool refine(std::size_t i, const TimeBudget& budget) = 0;

  [[nodiscard]] virtual Refinement result(std::size_t i) const noexcept = 0;

  /// Returns the verdict of result(i). Override if it is cheaper than the whole result.
  [[nodiscard]] virtual Verdict verdict(std::size_t i) const noexcept { return result(i).verdict; }

  /// Lowers separationBound to its minimum over all colliding sphere pairs of result(i).level, and
  /// the estimate with it [H96 §9.2]. The rest of the result does not change. Looks first at the
  /// pairs by which the bound could fall the most. Returns true when all pairs of the level were
  /// examined, and false if `budget`, checked as in refine(), is exhausted first. Does nothing if a
  /// method already knows all pairs or has no spheres.
  /// @pre result(i) is Possible.
  virtual bool tighten(std::size_t i, const TimeBudget& budget) {
    static_cast<void>(i);
    static_cast<void>(budget);
    return true;
  }

  /// Lets later frames reuse results of earlier ones [H96 §12; L93]. Pairs are identified by the
  /// keys of their bodies. The verdict does not change; if several triangle pairs intersect, a
  /// different one may be reported. Saves time if bodies move little between frames. Does nothing
  /// if a method caches nothing.
  virtual void setCoherence(bool on) { static_cast<void>(on); }

  /// Returns true if result(i) can be refined and is below `level`. Override to avoid copying large
  /// results.
  [[nodiscard]] virtual bool mayRefine(std::size_t i, int level) const noexcept {
    const Refinement known = result(i);
    return known.canRefine && known.level < level;
  }

  /// Writes up to `most` of the colliding sphere pairs of result(i).level to `out`, which is
  /// cleared first. For drawing; slower than result().
  virtual void contacts(std::size_t i, std::size_t most,
                        std::vector<ContactSpheres>& out) const = 0;

  /// Returns the shapes for which it was made; null for a method with its own shapes.
  [[nodiscard]] virtual const Shapes* shapes() const noexcept { return nullptr; }

  /// Returns another instance for the same shapes, for a second thread; null if there can be only
  /// one.
  [[nodiscard]] virtual std::unique_ptr<NarrowPhase> another() const { return nullptr; }

  /// Work done since begin().
  [[nodiscard]] virtual WorkCount work() const noexcept = 0;
};

/// Narrow phase with sphere trees, one level per step.
///
/// Each step finds one overlapping pair of spheres, the deepest first, or proves that there is
/// none. Both spheres are of the step's level, or one is of the level below it. A step continues
/// where the previous one ended. The step after the leaves compares triangles exactly and tests
/// whether one solid contains the other. If the deepest level takes more than 2,048 bound tests,
/// its step compares the triangles instead, so that the pair is final without that level. Levels
/// and guarantees are those of H96 §4.1. collidingSpheres is 1; contacts() and tighten() find the
/// other pairs when they are called.
///
/// A tree only has to cover its surface in its own frame. Rounding of spheres that are transformed
/// and compared in float is compensated here, by about 2e-6 of the size of the pair, which every
/// bound includes. The fastest instruction set of the machine is chosen at run time; results are
/// the same to the last bit.
/// @pre Every shape has a sphere tree.
[[nodiscard]] std::unique_ptr<NarrowPhase> makeSphereTreeNarrowPhase(const Shapes& shapes);

/// Builds the data that makeSphereTreeNarrowPhase() otherwise builds at the first use of a shape.
/// It is built once and shared by all copies of the shape. Called by makeShape(), by readers of
/// shapes and by scaled(). Thread-safe.
void prepareSphereTree(const Shape& shape, int workers = 1);

/// Which polygons of one body are filtered down the BSP tree of the other.
enum class BspPolygons : std::uint8_t {
  Near,  ///< those whose box overlaps the other body's, until one is in contact
  All,   ///< every polygon, as published
};

/// Narrow phase with solid BSP trees: exact, in one step [TN87; H96 §11]. Both choices of polygons
/// give the same results.
/// @pre Every shape has a BSP tree.
[[nodiscard]] std::unique_ptr<NarrowPhase> makeBspNarrowPhase(
    const Shapes& shapes, BspPolygons polygons = BspPolygons::Near);

/// Narrow phase that compares every triangle with every other and tests containment. Slow and
/// simple: the reference for tests of all other methods.
[[nodiscard]] std::unique_ptr<NarrowPhase> makeBruteForceNarrowPhase(const Shapes& shapes);

/// Wraps a narrow phase for bodies that may have links. A level of two bodies is complete when it
/// is complete for all pairs of links whose bounding spheres overlap. The verdict is Contact if any
/// pair of links is in contact, and Separate if all are separate. Otherwise, the bound is the
/// minimum over all pairs, and the deepest spheres are the deepest over all pairs. Results for
/// bodies without links are unchanged. Needed only for direct use of a narrow phase; Detector
/// applies it by itself.
/// @pre `links` is not null.
[[nodiscard]] std::unique_ptr<NarrowPhase> makeArticulatedNarrowPhase(
    std::unique_ptr<NarrowPhase> links);

}  // namespace nearmiss
