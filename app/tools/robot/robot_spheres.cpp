// SPDX-License-Identifier: MIT
#include "tools/robot/robot_spheres.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <glm/matrix.hpp>
#include <utility>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/progress_line.h"
#include "console/text.h"
#include "tools/robot/link_curve.h"
#include "tools/robot/link_mesh.h"
#include "tools/robot/mesh_likeness.h"
#include "tools/robot/sphere_budget.h"

namespace nearmiss::app::robot {
namespace {

/// A link of a group, and the map from the first one to it.
struct AlikeLink {
  LinkBody body;
  MeshLikeness map;
};

/// Congruent links; the first is fitted for all of them.
using AlikeLinks = std::vector<AlikeLink>;

Error namedAfter(const LinkBody& body, const Error& error) {
  return {error.code, fmt::format("link \"{}\": {}", body.link->name, error.message)};
}

/// Compares volume and area, because vertices alone are not sufficient.
bool encloseAlike(const Polyhedron& a, const Polyhedron& b) {
  const Real first = std::abs(a.report().volume), second = std::abs(b.report().volume);
  return std::abs(first - second) <= 1e-5 * std::max(first, second);
}

void addToGroups(LinkBody body, std::vector<AlikeLinks>& groups) {
  for (AlikeLinks& group : groups) {
    const LinkBody& first = group.front().body;
    if (isOfSpheres(*body.link) || isOfSpheres(*first.link)) continue;
    const auto map = likenessOf(first.polyhedron->mesh(), body.polyhedron->mesh());
    if (!map || !encloseAlike(*first.polyhedron, *body.polyhedron)) continue;
    group.push_back({std::move(body), *map});
    return;
  }
  groups.emplace_back().push_back({std::move(body), {}});
}

Result<std::vector<AlikeLinks>> groupsOf(const RobotFile& robot) {
  std::vector<AlikeLinks> groups;
  std::size_t triangles = 0;
  for (const RobotLink& link : robot.links) {
    if (link.shapes.empty()) continue;
    auto body = prepareLink(link);
    if (!body)
      return Error{body.error().code,
                   fmt::format("link \"{}\": {}", link.name, body.error().message)};
    triangles += body->polyhedron->mesh().triangles.size();
    if (triangles > maxRobotTriangles)
      return Error{ErrorCode::TooLarge,
                   fmt::format("the links have more than {} triangles", maxRobotTriangles)};
    for (const std::string& warning : body->warnings) complain(warning);
    addToGroups(*std::move(body), groups);
  }
  return groups;
}

/// Runs work that an interrupt cancels, with a progress line. Work after an interrupt is completed,
/// so that nothing is lost.
template <class Work>
auto unlessInterrupted(const LinkBody& body, const char* what, const Work& work) {
  if (interrupted()) return work(nullptr);
  return runToEndWithProgressLine(fmt::format("link \"{}\": {}", printable(body.link->name), what),
                                  [&work](BuildProgress& progress) { return work(&progress); });
}

/// Makes the final result of a link. Errors: those of auditLink() with the link's name.
Result<CoveredLink> finished(const LinkBody& body, const LinkSpheres& found, std::size_t budget,
                             Real allow) {
  CoveredLink done;
  done.link = body.link;
  done.budget = budget;
  done.spheres = found.spheres;
  for (Sphere& sphere : done.spheres) {
    if (!found.exact) sphere.radius += body.lost;
    // Points in a ball with a radius of at most the allowance are within the allowance of its
    // centre
    if (allow > 0.0) sphere.radius = std::max(sphere.radius - allow, 0.01 * allow);
  }
  done.volume = found.exact && allow == 0.0 ? found.volume : volumeOf(body, done.spheres);
  if (allow > 0.0) {
    auto left = unlessInterrupted(
        body, "measuring what stays uncovered",
        [&](BuildProgress* progress) { return auditLink(*body.link, done.spheres, progress); });
    if (!left) return namedAfter(body, left.error());
    done.left = *std::move(left);
  }
  return done;
}

/// Covers groups of links and prints a line for each link.
class RobotFitting {
 public:
  RobotFitting(const std::vector<AlikeLinks>& groups, const RobotCover& settings)
      : groups_(groups), settings_(settings) {}

  /// One fit with a progress line; cancellation ends everything.
  Result<LinkSpheres> fit(std::size_t group, const LinkBody& body,
                          const FlatSetSettings& settings) {
    if (interrupted()) return Error{ErrorCode::Cancelled, "interrupted"};
    const std::string what =
        fmt::format("link {} of {}, \"{}\": {} spheres", group + 1, groups_.size(),
                    printable(body.link->name), settings.count);
    auto found = runToEndWithProgressLine(
        what, [&](BuildProgress& progress) { return coverLink(body, settings, &progress); });
    if (!found && found.error().code != ErrorCode::Cancelled)
      return namedAfter(body, found.error());
    return found;
  }

  /// Maps the spheres of the first link to another one of the group; fits it separately if they do
  /// not cover it.
  Result<CoveredLink> reuseSpheres(std::size_t group, std::size_t member, const LinkSpheres& first,
                                   std::size_t budget) {
    const AlikeLink& link = groups_[group][member];
    if (member == 0) return finished(link.body, first, budget, settings_.allow);
    LinkSpheres own;
    own.spheres = mapped(link.map, first.spheres);
    const auto checked = unlessInterrupted(
        link.body, "checking the spheres of another", [&](BuildProgress* progress) {
          return checkFlatSet(*link.body.polyhedron, own.spheres, progress);
        });
    if (!checked) return namedAfter(link.body, checked.error());
    const bool covers = checked->covers();
    if (!covers) {
      FlatSetSettings settings = settings_.each;
      settings.count = budget;
      auto found = fit(group, link.body, settings);
      if (!found) return found.error();
      own = *std::move(found);
    }
    auto done = finished(link.body, own, budget, settings_.allow);
    if (done && covers) {
      done->like = groups_[group].front().body.link->name;
      done->mirrored = glm::determinant(link.map.axes) < 0.0;
    }
    return done;
  }

 private:
  const std::vector<AlikeLinks>& groups_;
  const RobotCover& settings_;
};

/// Adds a link and prints its line. Returns false if it was cancelled.
Result<bool> keep(Result<CoveredLink> link, CoveredRobot& covered) {
  if (!link && link.error().code == ErrorCode::Cancelled) return false;
  if (!link) return link.error();
  fmt::print("{}\n", lineOf(*link));
  // Flush, so that a pipe gets each line immediately
  std::fflush(stdout);
  covered.links.push_back(*std::move(link));
  return true;
}

/// Covers with the same number of spheres for every link.
Result<Success> coverEach(const std::vector<AlikeLinks>& groups, const RobotCover& settings,
                          CoveredRobot& covered) {
  RobotFitting fitting(groups, settings);
  for (std::size_t g = 0; g < groups.size() && !covered.interrupted; ++g) {
    const auto first = fitting.fit(g, groups[g].front().body, settings.each);
    if (!first && first.error().code != ErrorCode::Cancelled) return first.error();
    covered.interrupted = !first;
    for (std::size_t m = 0; m < groups[g].size() && !covered.interrupted; ++m) {
      const auto kept = keep(fitting.reuseSpheres(g, m, *first, settings.each.count), covered);
      if (!kept) return kept.error();
      covered.interrupted = !*kept;
    }
  }
  return Success{};
}

/// Covers with a total number of spheres.
Result<Success> coverWithSharedBudget(const std::vector<AlikeLinks>& groups,
                                      const RobotCover& settings, CoveredRobot& covered) {
  RobotFitting fitting(groups, settings);
  std::vector<LinkCurve> curves;
  std::vector<BudgetedLinks> budgeted;
  for (const AlikeLinks& group : groups) curves.emplace_back(group.front().body, settings.each);
  for (std::size_t g = 0; g < groups.size(); ++g)
    budgeted.push_back(
        {groups[g].size(), maxSpheresOfFlatSet, [&, g](std::size_t count) -> Result<Real> {
           const auto reached = curves[g].reach(count, [&](const FlatSetSettings& one) {
             return fitting.fit(g, curves[g].body(), one);
           });
           if (!reached) return reached.error();
           return curves[g].at(count).volume.outside;
         }});
  const auto shared = shareSpheres(budgeted, settings.total, [] { return interrupted(); });
  if (!shared) return shared.error();
  covered.interrupted = interrupted();
  covered.unspent = covered.interrupted ? 0 : shared->unspent;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (std::size_t m = 0; m < groups[g].size(); ++m) {
      // After an interrupt a link gets the spheres found so far
      const std::size_t reached = curves[g].reached();
      const std::size_t count = shared->counts[g][m];
      if (reached == 0) continue;
      const auto kept =
          keep(fitting.reuseSpheres(g, m, curves[g].at(std::min(count, reached)), count), covered);
      if (!kept) return kept.error();
      covered.interrupted = covered.interrupted || !*kept;
    }
  return Success{};
}

}  // namespace

Result<CoveredRobot> coverRobot(const RobotFile& robot, const RobotCover& settings) {
  const auto groups = groupsOf(robot);
  if (!groups) return groups.error();
  // Before this point an interrupt loses nothing
  watchForInterrupts();
  CoveredRobot covered;
  const auto done = settings.total > 0 ? coverWithSharedBudget(*groups, settings, covered)
                                       : coverEach(*groups, settings, covered);
  if (!done) return done.error();
  std::ranges::sort(covered.links, {}, &CoveredLink::link);
  return covered;
}

std::string lineOf(const CoveredLink& link) {
  std::string text = fmt::format("{:<32} {:>5} spheres, union {:.4g}", printable(link.link->name),
                                 link.spheres.size(), link.volume.whole);
  const Real excess = 100.0 * link.volume.outside / link.volume.solid;
  text += link.volume.solid > 0.0
              ? fmt::format(", excess volume {} %", excess < 100.0 ? fmt::format("{:.3g}", excess)
                                                                   : fmt::format("{:.0f}", excess))
              : ", no part of it is closed";
  if (!link.like.empty())
    text += fmt::format(", as \"{}\"{}", printable(link.like), link.mirrored ? ", mirrored" : "");
  if (link.left.farthestAtMost > 0.0)
    text +=
        fmt::format("; at most {:.3g} % of its surface is uncovered, nowhere by more than {:.4g}",
                    100.0 * link.left.shareAtMost, link.left.farthestAtMost);
  return text;
}

}  // namespace nearmiss::app::robot
