// SPDX-License-Identifier: MIT
#include "spheres/build_plan.h"

#include <nearmiss/result.h>
#include <nearmiss/sphere_tree.h>

#include <cmath>
#include <string>

#include "number_text.h"

namespace nearmiss {
namespace {

/// Keeps the first fault that is found.
class RangeCheck {
 public:
  explicit RangeCheck(std::string_view builder) : builder_(builder) {}

  void within(std::string_view name, Real value, Real least, Real greatest) {
    if (value >= least && value <= greatest) return;
    fault(std::string(name) + " of " + textOf(least) + " to " + textOf(greatest) + ", not " +
          textOf(value));
  }
  void aboveZero(std::string_view name, Real value, Real greatest) {
    if (value > 0.0 && value <= greatest) return;
    fault(std::string(name) + " above 0, up to " + textOf(greatest) + ", not " + textOf(value));
  }
  void notNegative(std::string_view name, Real value) {
    if (value >= 0.0 && std::isfinite(value)) return;
    fault(std::string(name) + " of 0 or more, not " + textOf(value));
  }
  /// An enumeration read from outside can hold any number.
  template <class Choice>
  void oneOf(std::string_view name, Choice value, Choice last) {
    if (value <= last) return;
    fault(std::string(name) + " that there is, not number " +
          std::to_string(static_cast<int>(value)));
  }
  void fault(const std::string& expected) {
    if (fault_.empty()) fault_ = "the " + std::string(builder_) + " builder expects " + expected;
  }
  [[nodiscard]] Result<Success> outcome() const {
    if (fault_.empty()) return Success{};
    return Error{ErrorCode::Unsupported, fault_};
  }

 private:
  std::string_view builder_;
  std::string fault_;
};

}  // namespace

std::size_t maxSpheresOf(int levels) noexcept {
  return levels <= 1   ? maxSpheresOfOneLevel
         : levels == 2 ? maxSpheresOfTwoLevels
                       : maxSpheresOfALevel;
}

Result<Success> checkCommon(std::string_view builder, const SphereTreeSettings& settings) {
  RangeCheck check(builder);
  check.within("levels", settings.levels, 1, maxTreeLevels);
  check.aboveZero("a tolerance of H", settings.hausdorffTolerance, 1.0);
  check.within("a ratio for boxes", settings.nodeBoxRatio, 0.0, maxNodeBoxRatio);
  check.within("a number of inner spheres", static_cast<Real>(settings.innerSpheres), 0.0,
               static_cast<Real>(maxInnerSpheres));
  check.within("workers", settings.workers, 1, maxBuildWorkers);
  return check.outcome();
}

Result<Success> checkOwn(std::string_view builder, const SphereTreeSettings&,
                         const AnnealedSettings& own) {
  RangeCheck check(builder);
  check.oneOf("an objective", own.objective, SphereObjective::Exposed);
  check.within("annealing steps", own.schedule.steps, 0, maxAnnealingSteps);
  check.within("an annealing heat", own.schedule.heat, 0.0, 1.0);
  check.aboveZero("an annealing end", own.schedule.cooled, 1.0);
  return check.outcome();
}

Result<Success> checkOwn(std::string_view builder, const SphereTreeSettings& settings,
                         const VariationalSettings& own) {
  RangeCheck check(builder);
  check.oneOf("an objective", own.objective, SphereObjective::Exposed);
  check.oneOf("seeds", own.seeds, SphereSeeds::Best);
  check.within("a branching", own.branching, minBranching, maxBranching);
  check.notNegative("an error bound", own.errorBound);
  check.within("a number of spheres", static_cast<Real>(own.maxSpheres), 0.0,
               static_cast<Real>(maxSpheresOf(settings.levels)));
  return check.outcome();
}

Result<Success> checkOwn(std::string_view builder, const SphereTreeSettings& settings,
                         const MedialSettings& own) {
  RangeCheck check(builder);
  check.oneOf("a coverage", own.coverage, Coverage::Samples);
  check.oneOf("a guarantee", own.guarantee, CoverageGuarantee::Safest);
  check.oneOf("an objective", own.objective, SphereObjective::Exposed);
  check.oneOf("an adjacency", own.adjacency, MedialAdjacency::SharedEdge);
  check.within("a branching", own.branching, minBranching, maxBranching);
  check.notNegative("an error bound", own.errorBound);
  check.within("a number of surface points", static_cast<Real>(own.surfacePoints), 0.0,
               static_cast<Real>(maxSurfacePoints));
  if (own.coverage != Coverage::Guaranteed && settings.nodeBoxRatio > 0.0)
    check.fault("guaranteed coverage where there are boxes");
  return check.outcome();
}

Result<Success> checkOwn(std::string_view builder, const SphereTreeSettings& settings,
                         const AnchoredSettings& own) {
  RangeCheck check(builder);
  check.within("a number of surface points", static_cast<Real>(own.surfacePoints), 0.0,
               static_cast<Real>(maxAnchoredPoints));
  auto sound = check.outcome();
  return sound ? checkOwn(builder, settings, mergeSettings(own)) : sound;
}

VariationalSettings clusterSettings(const DagSettings& own) noexcept {
  return {own.branching, own.adaptive, own.maxSpheres, own.objective, own.seeds, 0.0};
}

MedialSettings mergeSettings(const AnchoredSettings& own) noexcept {
  MedialSettings merge;
  merge.branching = own.branching;
  merge.objective = own.objective;
  merge.errorBound = own.errorBound;
  merge.surfacePoints = own.surfacePoints;
  return merge;
}

}  // namespace nearmiss
