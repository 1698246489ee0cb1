// SPDX-License-Identifier: MIT
/// Narrow phase: whether the bodies of a pair touch, answered better with every refinement step; by
/// sphere trees, by BSP trees, or triangle by triangle. Rival methods are in
/// nearmiss/methods/narrow_phases.h.
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/math.h>
#include <nearmiss/time_budget.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace nearmiss {

class Shape;
class Shapes;

enum class Verdict : std::uint8_t {
  Separate,  ///< they do not touch; final, and guaranteed where `conservative` is true
  Possible,  ///< approximations collide at `level`, the surfaces inside them may not
  Contact,   ///< the solids themselves meet, by their triangles or by spheres inside; final
};

/// The evidence for an answer.
enum class Stage : std::uint8_t {
  Bounds,   ///< the bounding spheres alone
  Spheres,  ///< levels of spheres or other volumes; with Contact, spheres inside both
  Exact,    ///< the triangles
};

/// Two spheres that meet, one of each body, in world space.
struct ContactSpheres {
  Sphere a;
  Sphere b;
  /// Maximum distance of the parts inside, metres: H1 + H2 for surfaces [H96 §9.2], Ho1 + Ho2 for
  /// solids.
  Real separationBound = std::numeric_limits<Real>::infinity();
};

/// Everything known about one pair so far; a plain value.
struct Refinement {
  static constexpr std::uint32_t noTriangle = 0xffffffff;
  Verdict verdict = Verdict::Possible;
  bool canRefine = true;     ///< false: the last level is reached, or the verdict is final
  bool conservative = true;  ///< false: the coverage does not guarantee a Separate [H96 §9.1]
  Stage stage = Stage::Bounds;
  int level = 0;  ///< deepest level of spheres that was completed; 0: the bounding spheres
  /// Upper bound on the bodies' distance, metres: the minimum over the colliding spheres found, of
  /// all levels so far; 0 for Contact, infinite where no bound is known.
  Real separationBound = std::numeric_limits<Real>::infinity();
  /// The bound is between solids, which touch where one holds the other, not between surfaces.
  bool betweenSolids = false;
  /// The bound minus the overlap of the spheres, at least 0: an estimate, not a bound, because
  /// interleaved parts can violate it [H96 §9.2, Fig. 10].
  Real separationEstimate = std::numeric_limits<Real>::infinity();
  /// Number of sphere pairs found to collide at `level`: all, or 1 where a method stops at the
  /// first.
  std::size_t collidingSpheres = 0;
  /// The pair with the deepest overlap of these, used as the contact [H96 §4.1]. The bounding
  /// spheres if a method has no others; meaningless when Separate.
  ContactSpheres deepest;
  /// With Contact: proven early, by spheres inside both solids that meet; no triangle was compared.
  bool byInnerSpheres = false;
  std::uint32_t triangleA = noTriangle;  ///< with Contact: two triangles that meet, where known
  std::uint32_t triangleB = noTriangle;
  std::uint32_t linkA = 0;  ///< of an articulated body: the link that `deepest` is of
  std::uint32_t linkB = 0;
};

/// A method that answers in steps. One that cannot (a BSP tree, GJK) answers all in its first step,
/// with canRefine = false and the bodies' bounding spheres as contact [H96 §11.1].
class NarrowPhase {
 public:
  virtual ~NarrowPhase() = default;
  [[nodiscard]] virtual std::string_view name() const noexcept = 0;

  /// Takes up `pairs`, each at level 0 with verdict Possible. Both spans must outlive the last
  /// other call, the poses in them unchanged. Keeps its memory between calls, so that a steady
  /// scene allocates nothing.
  virtual void begin(std::span<const BodyState> bodies, std::span<const BodyPair> pairs) = 0;

  /// Works on pair `i` until its next level is complete, and then returns true; or until `budget`,
  /// looked at after every quantum of one or two microseconds, is exhausted, and then returns
  /// false: result(i) stays that of the last completed level and the work done is kept for the next
  /// call [H96 §4.1, Fig. 3]. If it or tighten() throws std::bad_alloc, call begin() before the
  /// next step. Precondition: result(i).canRefine.
  virtual bool refine(std::size_t i, const TimeBudget& budget) = 0;

  [[nodiscard]] virtual Refinement result(std::size_t i) const noexcept = 0;

  /// That of result(i). Override where it costs less than the whole answer.
  [[nodiscard]] virtual Verdict verdict(std::size_t i) const noexcept { return result(i).verdict; }

  /// Looks at further colliding pairs of spheres of result(i).level, those first by which the bound
  /// could fall the most, and lowers separationBound to the least of them [H96 §9.2], and the
  /// estimate with it; nothing else of the result changes. Returns true when it is the least over
  /// all of the level, and false when `budget`, looked at as by refine(), is exhausted before. Does
  /// nothing where a method knows all pairs already, or has no spheres.
  /// @pre result(i) is Possible.
  virtual bool tighten(std::size_t i, const TimeBudget& budget) {
    static_cast<void>(i);
    static_cast<void>(budget);
    return true;
  }

  /// Lets later frames use what was found in those before [H96 §12; L93]: pairs are told by the
  /// keys of their bodies. Answers stay the same, but for which of several triangles that meet are
  /// named; time is saved where bodies move little between frames. Does nothing where a method
  /// keeps nothing.
  virtual void setCoherence(bool on) { static_cast<void>(on); }

  /// True if result(i) can be refined and is below `level`. Override to avoid a copy where answers
  /// are large.
  [[nodiscard]] virtual bool mayRefine(std::size_t i, int level) const noexcept {
    const Refinement known = result(i);
    return known.canRefine && known.level < level;
  }

  /// Writes up to `most` of the colliding sphere pairs of result(i).level to `out`, cleared first.
  /// For drawing; costs more than result().
  virtual void contacts(std::size_t i, std::size_t most,
                        std::vector<ContactSpheres>& out) const = 0;

  /// The shapes that it was made for; null for a method with its own shapes.
  [[nodiscard]] virtual const Shapes* shapes() const noexcept { return nullptr; }

  /// Another instance for the same shapes, for a second thread; null where there can be only one.
  [[nodiscard]] virtual std::unique_ptr<NarrowPhase> another() const { return nullptr; }

  /// Work done since begin().
  [[nodiscard]] virtual WorkCount work() const noexcept = 0;
};

/// Sphere trees, refined one level per step: each finds one pair of spheres of the level, or on one
/// side of a level below it, that meet, the deepest first, or that there is none, and continues
/// where the previous step ended. The step after the leaves compares the triangles, exactly, and
/// looks for one solid inside the other. Levels and promises are those of H96 §4.1;
/// collidingSpheres is 1, and contacts() and tighten() find the others when they are called.
///
/// A tree has to hold its surface in its own frame only. The rounding of spheres that are moved and
/// compared in float is compensated here, by about 2e-6 of the size of the pair, which every bound
/// includes. The fastest instructions of the machine are chosen as the program runs; answers are
/// the same to the last bit.
/// @pre Every shape has a sphere tree.
[[nodiscard]] std::unique_ptr<NarrowPhase> makeSphereTreeNarrowPhase(const Shapes& shapes);

/// Prepares a shape as makeSphereTreeNarrowPhase() would on first use: once, in any thread, and
/// shared between all copies of the shape. makeShape(), shapes from files and bytes, and scaled()
/// do so.
void prepareSphereTree(const Shape& shape, int workers = 1);

/// Which polygons of one body are filtered down the tree of the other.
enum class BspPolygons : std::uint8_t {
  Near,  ///< those whose box meets the other body's, until one is in contact
  All,   ///< each of them, as published
};

/// Solid BSP trees, exact, one step [TN87; H96 §11]. Both choices give the same answers.
/// @pre Every shape has a BSP tree.
[[nodiscard]] std::unique_ptr<NarrowPhase> makeBspNarrowPhase(
    const Shapes& shapes, BspPolygons polygons = BspPolygons::Near);

/// Every triangle against every triangle, and containment: slow, simple, and the reference that all
/// others are tested against.
[[nodiscard]] std::unique_ptr<NarrowPhase> makeBruteForceNarrowPhase(const Shapes& shapes);

/// Any narrow phase for bodies that may have links, level by level: a level of two bodies is
/// complete when it is of all pairs of links whose bounding spheres meet. Contact if one pair of
/// links is, Separate if all are; otherwise the bound is the minimum and the deepest spheres are
/// the deepest over all pairs. Answers for two bodies without links are unchanged. Needed only for
/// direct use of a narrow phase: Detector has its own.
/// @pre `links` is not null.
[[nodiscard]] std::unique_ptr<NarrowPhase> makeArticulatedNarrowPhase(
    std::unique_ptr<NarrowPhase> links);

}  // namespace nearmiss
