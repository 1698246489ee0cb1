// SPDX-License-Identifier: MIT
#include "tools/robot/robot_spheres.h"

#include <fmt/format.h>
#include <nearmiss/advanced/worker_pool.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <functional>
#include <glm/matrix.hpp>
#include <mutex>
#include <optional>
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
    // The volume first: a robot may have thousands of links, and most pairs differ in it
    if (!encloseAlike(*first.polyhedron, *body.polyhedron)) continue;
    if (isOfSpheres(*body.link) || isOfSpheres(*first.link)) continue;
    const auto map = likenessOf(first.polyhedron->mesh(), body.polyhedron->mesh());
    if (!map) continue;
    group.push_back({std::move(body), *map});
    return;
  }
  groups.emplace_back().push_back({std::move(body), {}});
}

/// Calls work(index) for every index below `count`, on at most `threads` threads.
void forEachIndex(std::size_t count, int threads, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  WorkerPool(
      std::clamp(static_cast<int>(std::min<std::size_t>(count, 64)), 1, std::max(1, threads)))
      .run([&](int) {
        for (std::size_t i = next++; i < count; i = next++) work(i);
      });
}

/// Prepares the links with shapes; primitives on all threads. Errors: those of prepareLink() with
/// the link's name.
std::vector<Result<LinkBody>> preparedLinks(const RobotFile& robot, int threads) {
  std::vector<const RobotLink*> links;
  for (const RobotLink& link : robot.links)
    if (!link.shapes.empty()) links.push_back(&link);
  std::vector<Result<LinkBody>> bodies(links.size(), Error{});
  const auto isMesh = [](const LinkShape& shape) { return shape.kind == LinkShapeKind::Mesh; };
  const auto prepare = [&](std::size_t i, bool meshes) {
    if (std::ranges::any_of(links[i]->shapes, isMesh) == meshes) bodies[i] = prepareLink(*links[i]);
  };
  forEachIndex(links.size(), threads, [&](std::size_t i) { prepare(i, false); });
  for (std::size_t i = 0; i < links.size(); ++i) prepare(i, true);
  for (std::size_t i = 0; i < links.size(); ++i)
    if (!bodies[i])
      bodies[i] = Error{bodies[i].error().code,
                        fmt::format("link \"{}\": {}", links[i]->name, bodies[i].error().message)};
  return bodies;
}

Result<std::vector<AlikeLinks>> groupsOf(const RobotFile& robot, const RobotCover& settings) {
  std::vector<std::string> warnings = robot.remarks;
  std::vector<AlikeLinks> groups;
  std::size_t triangles = 0;
  for (Result<LinkBody>& body : preparedLinks(robot, settings.each.workers)) {
    if (!body) return body.error();
    triangles += body->polyhedron->mesh().triangles.size();
    if (triangles > maxRobotTriangles)
      return Error{ErrorCode::TooLarge,
                   fmt::format("the links have more than {} triangles", maxRobotTriangles)};
    warnings.insert(warnings.end(), body->warnings.begin(), body->warnings.end());
    addToGroups(*std::move(body), groups);
  }
  complainOfAll(warnings, settings.verbose);
  return groups;
}

/// A robot with many different primitives gets the layouts of primitiveCovers() as they are, which
/// takes a thousandth of the time.
LinkEffort effortFor(const std::vector<AlikeLinks>& groups) {
  constexpr std::size_t maxSearched = 128;
  if (groups.size() <= maxSearched) return {};
  return {.searches = false, .rows = 64};
}

/// Makes the final result of a link. Errors: those of auditLink() with the link's name.
Result<CoveredLink> finished(const LinkBody& body, const LinkSpheres& found, std::size_t budget,
                             Real allow, const LinkEffort& effort, BuildProgress& progress) {
  CoveredLink done;
  done.link = body.link;
  done.budget = budget;
  done.open = body.polyhedron->report().boundaryEdges > 0;
  done.spheres = found.spheres;
  for (Sphere& sphere : done.spheres) {
    if (!found.exact) sphere.radius += body.lost;
    // Points in a ball with a radius of at most the allowance are within the allowance of its
    // centre
    if (allow > 0.0) sphere.radius = std::max(sphere.radius - allow, 0.01 * allow);
  }
  done.volume = found.exact && allow == 0.0 ? found.volume : volumeOf(body, done.spheres, effort);
  if (allow > 0.0) {
    auto left = auditLink(*body.link, done.spheres, &progress);
    if (!left) return namedAfter(body, left.error());
    done.left = *std::move(left);
  }
  return done;
}

/// Fits one set. Errors: those of coverLink() with the link's name; Cancelled without one.
Result<LinkSpheres> fit(const LinkBody& body, const FlatSetSettings& settings,
                        const LinkEffort& effort, BuildProgress& progress) {
  auto found = coverLink(body, settings, effort, &progress);
  if (!found && found.error().code != ErrorCode::Cancelled) return namedAfter(body, found.error());
  return found;
}

/// Maps the spheres of the first link of a group to another one; fits it separately if they do not
/// cover it.
Result<CoveredLink> reuseSpheres(const AlikeLinks& group, std::size_t member,
                                 const LinkSpheres& first, std::size_t budget,
                                 const RobotCover& settings, const LinkEffort& effort,
                                 BuildProgress& progress) {
  const AlikeLink& link = group[member];
  if (member == 0) return finished(link.body, first, budget, settings.allow, effort, progress);
  LinkSpheres own;
  own.spheres = mapped(link.map, first.spheres);
  const auto checked = checkFlatSet(*link.body.polyhedron, own.spheres, &progress);
  if (!checked) return namedAfter(link.body, checked.error());
  const bool covers = checked->covers();
  if (!covers) {
    FlatSetSettings again = settings.each;
    again.count = budget;
    auto found = fit(link.body, again, effort, progress);
    if (!found) return found.error();
    own = *std::move(found);
  }
  auto done = finished(link.body, own, budget, settings.allow, effort, progress);
  if (done && covers) {
    done->like = group.front().body.link->name;
    done->mirrored = glm::determinant(link.map.axes) < 0.0;
  }
  return done;
}

/// Collects links in the order of their groups, and prints a line for each.
class FinishedLinks {
 public:
  FinishedLinks(std::size_t groups, CoveredRobot& covered) : covered_(covered), of_(groups) {}

  /// Adds the links of a group. Returns the error of one that was not cancelled.
  void add(std::size_t group, std::vector<Result<CoveredLink>> links) {
    const std::lock_guard lock(mutex_);
    of_[group] = std::move(links);
    for (; next_ < of_.size() && of_[next_]; ++next_)
      for (Result<CoveredLink>& link : *of_[next_]) keep(std::move(link));
  }
  /// Adds the groups that are left after an interrupt.
  Result<Success> finish() {
    for (; next_ < of_.size(); ++next_) {
      covered_.interrupted = covered_.interrupted || !of_[next_];
      if (!of_[next_]) continue;
      for (Result<CoveredLink>& link : *of_[next_]) keep(std::move(link));
    }
    if (fault_) return *fault_;
    return Success{};
  }

 private:
  void keep(Result<CoveredLink> link) {
    if (!link) {
      covered_.interrupted = covered_.interrupted || link.error().code == ErrorCode::Cancelled;
      if (link.error().code != ErrorCode::Cancelled && !fault_) fault_ = link.error();
      return;
    }
    clearProgressLine();
    fmt::print("{}\n", lineOf(*link));
    // Flush, or a pipe would show the line late
    std::fflush(stdout);
    covered_.links.push_back(*std::move(link));
  }

  std::mutex mutex_;
  CoveredRobot& covered_;
  std::vector<std::optional<std::vector<Result<CoveredLink>>>> of_;
  std::size_t next_ = 0;  ///< the first group that is not printed
  std::optional<Error> fault_;
};

/// Calls work(index) for every index on all threads, until cancelled.
void onAllThreads(std::size_t count, int threads, SharedProgress& progress,
                  const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> done{0};
  forEachIndex(count, threads, [&](std::size_t i) {
    if (progress.cancelled) return;
    work(i);
    progress.fraction = static_cast<float>(++done) / static_cast<float>(count);
  });
}

/// Runs work with a progress line; an interrupt cancels it. Work after an interrupt is completed,
/// so that nothing is lost.
void withSharedLine(const std::string& what, const std::function<void(SharedProgress&)>& work) {
  if (!interrupted()) return withProgressLineToEnd(what, work);
  SharedProgress progress;
  work(progress);
}

/// The settings of one of several fits that run side by side.
FlatSetSettings shareOf(const FlatSetSettings& settings, std::size_t groups) {
  FlatSetSettings own = settings;
  own.workers = std::max(
      1, settings.workers / static_cast<int>(std::min<std::size_t>(
                                groups, static_cast<std::size_t>(std::max(1, settings.workers)))));
  return own;
}

/// Covers with the same number of spheres for every link.
Result<Success> coverEach(const std::vector<AlikeLinks>& groups, const RobotCover& settings,
                          CoveredRobot& covered) {
  FinishedLinks finishedLinks(groups.size(), covered);
  const LinkEffort effort = effortFor(groups);
  const FlatSetSettings each = shareOf(settings.each, groups.size());
  withSharedLine(
      fmt::format("covering {} different links", groups.size()), [&](SharedProgress& progress) {
        onAllThreads(groups.size(), settings.each.workers, progress, [&](std::size_t g) {
          std::vector<Result<CoveredLink>> links;
          const auto first = fit(groups[g].front().body, each, effort, progress.each);
          if (!first) links.push_back(first.error());
          for (std::size_t m = 0; m < groups[g].size() && first; ++m)
            links.push_back(
                reuseSpheres(groups[g], m, *first, each.count, settings, effort, progress.each));
          finishedLinks.add(g, std::move(links));
        });
      });
  return finishedLinks.finish();
}

/// Covers with a total number of spheres.
Result<Success> coverWithSharedBudget(const std::vector<AlikeLinks>& groups,
                                      const RobotCover& settings, CoveredRobot& covered) {
  const LinkEffort effort = effortFor(groups);
  std::vector<LinkCurve> curves;
  for (const AlikeLinks& group : groups) curves.emplace_back(group.front().body, settings.each);
  std::size_t links = 0;
  for (const AlikeLinks& group : groups) links += group.size();
  Result<SharedBudget> shared = SharedBudget{};
  withSharedLine(
      fmt::format("sharing {} spheres among {} links", settings.total, links),
      [&](SharedProgress& progress) {
        const auto reach = [&](std::size_t g, std::size_t count, const FlatSetSettings& each) {
          return curves[g].reach(count, [&](const FlatSetSettings& one) {
            FlatSetSettings own = one;
            own.workers = each.workers;
            return fit(curves[g].body(), own, effort, progress.each);
          });
        };
        // Every link needs the first sets. Failures come back when the budget asks for them
        const FlatSetSettings side = shareOf(settings.each, groups.size());
        onAllThreads(groups.size(), settings.each.workers, progress,
                     [&](std::size_t g) { (void)reach(g, 2, side); });
        std::vector<BudgetedLinks> budgeted;
        for (std::size_t g = 0; g < groups.size(); ++g)
          budgeted.push_back(
              {groups[g].size(), maxSpheresOfFlatSet, [&, g](std::size_t count) -> Result<Real> {
                 const auto reached = reach(g, count, settings.each);
                 if (!reached) return reached.error();
                 return curves[g].at(count).volume.outside;
               }});
        shared = shareSpheres(budgeted, settings.total,
                              [&] { return interrupted() || progress.cancelled; });
      });
  if (!shared) return shared.error();
  covered.interrupted = interrupted();
  covered.unspent = covered.interrupted ? 0 : shared->unspent;
  FinishedLinks finishedLinks(groups.size(), covered);
  withSharedLine("checking the spheres", [&](SharedProgress& progress) {
    onAllThreads(groups.size(), settings.each.workers, progress, [&](std::size_t g) {
      std::vector<Result<CoveredLink>> found;
      // After an interrupt a link gets the spheres found so far
      const std::size_t reached = curves[g].reached();
      for (std::size_t m = 0; m < groups[g].size() && reached > 0; ++m) {
        const std::size_t count = shared->counts[g][m];
        found.push_back(reuseSpheres(groups[g], m, curves[g].at(std::min(count, reached)), count,
                                     settings, effort, progress.each));
      }
      finishedLinks.add(g, std::move(found));
    });
  });
  return finishedLinks.finish();
}

}  // namespace

Result<CoveredRobot> coverRobot(const RobotFile& robot, const RobotCover& settings) {
  const auto groups = groupsOf(robot, settings);
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
  if (link.open)
    text += ", its mesh is open, so no excess volume is known";
  else if (link.volume.solid > 0.0)
    text += fmt::format(", excess volume {} %", excess < 100.0 ? fmt::format("{:.3g}", excess)
                                                               : fmt::format("{:.0f}", excess));
  else
    text += ", no part of it is closed";
  if (!link.like.empty())
    text += fmt::format(", as \"{}\"{}", printable(link.like), link.mirrored ? ", mirrored" : "");
  if (link.left.farthestAtMost > 0.0)
    text +=
        fmt::format("; at most {:.3g} % of its surface is uncovered, nowhere by more than {:.4g}",
                    100.0 * link.left.shareAtMost, link.left.farthestAtMost);
  return text;
}

}  // namespace nearmiss::app::robot
