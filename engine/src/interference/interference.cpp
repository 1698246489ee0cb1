// SPDX-License-Identifier: MIT
#include <engine/interference/interference.h>
#include <engine/interference/visit_plan.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

#include "interference/clash_sorter.h"
#include "model/guarded.h"

namespace nearmiss::engine {
namespace {

/// Returns the edges of the graph in visiting order and records statistics.
std::vector<std::uint32_t> visitsOf(const OverlapGraph& graph, const InterferenceSettings& settings,
                                    Interference& found) {
  VisitPlan plan = planVisits(graph, settings.memoryLimit);
  found.groups = plan.groupCount;
  found.splitOff = plan.splitOff;
  if (settings.order == VisitOrder::Planned) return std::move(plan.edges);
  std::vector<std::uint32_t> given(graph.edges.size());
  std::iota(given.begin(), given.end(), 0u);
  return given;
}

Error memoryExceeded(const StillScene& scene, const OverlapGraph::Edge& edge, std::uint64_t limit) {
  const StoredShape &a = scene.shapes[edge.a], &b = scene.shapes[edge.b];
  const auto mebi = [](std::uint64_t bytes) { return static_cast<double>(bytes) / 1048576.0; };
  return {ErrorCode::Unsupported,
          fmt::format("\"{}\" and \"{}\" may touch and need {:.1f} MiB of memory together; at "
                      "most {:.1f} are allowed",
                      a.file.filename().string(), b.file.filename().string(),
                      mebi(a.bytes + (edge.a == edge.b ? 0 : b.bytes)), mebi(limit))};
}

/// Counts finished pairs and checks for cancellation.
class SearchProgress {
 public:
  SearchProgress(BuildProgress* shown, std::size_t pairs) noexcept : shown_(shown), pairs_(pairs) {}
  [[nodiscard]] bool goesOn() noexcept {
    if (!shown_) return true;
    if (shown_->cancelled) return false;
    shown_->fraction = static_cast<float>(done_++) / static_cast<float>(pairs_);
    return true;
  }
  /// The error of a cancelled search, which loses its clashes.
  [[nodiscard]] Error cancellation() const {
    return {ErrorCode::Cancelled,
            fmt::format("the search was cancelled after {} of {} pairs", done_, pairs_)};
  }
  [[nodiscard]] const std::atomic<bool>* cancelled() const noexcept {
    return shown_ ? &shown_->cancelled : nullptr;
  }

 private:
  BuildProgress* shown_;
  std::size_t pairs_, done_ = 0;
};

Error searchCancelled() { return {ErrorCode::Cancelled, "the search was cancelled"}; }

Error tooManyPairs(std::size_t most) {
  return {
      ErrorCode::TooLarge,
      fmt::format("more than {} pairs of objects overlap by their boxes: too many objects lie in "
                  "one place",
                  most)};
}

/// Appends the clashes of all pairs of an edge. Returns false if cancelled.
bool sortPairs(const StillScene& scene, const OverlapGraph& graph, const OverlapGraph::Edge& edge,
               ClashSorter& sorter, SearchProgress& progress, std::vector<Clash>& clashes) {
  for (std::size_t i = edge.first; i < edge.first + edge.count; ++i) {
    if (!progress.goesOn()) return false;
    const BodyPair pair = graph.pairs[i];
    const bool swapped = scene.objects[pair.a].shape != edge.a;
    const StillObject& a = scene.objects[swapped ? pair.b : pair.a];
    const StillObject& b = scene.objects[swapped ? pair.a : pair.b];
    Clash clash = sorter.sort(a.pose, b.pose);
    if (progress.cancelled() && *progress.cancelled()) return false;
    if (clash.kind == ClashClass::Clear) continue;
    clash.pair = pair;
    clash.ofB = clash.ofB != swapped;
    clashes.push_back(clash);
  }
  return true;
}

Result<Interference> search(const StillScene& scene, const InterferenceSettings& settings,
                            BuildProgress* progress) {
  const OverlapGraph graph =
      overlapGraph(scene, std::max(settings.limits.clearance, settings.limits.tolerance),
                   settings.maxPairs, progress);
  if (progress && progress->cancelled) return searchCancelled();
  if (graph.pairs.size() > settings.maxPairs) return tooManyPairs(settings.maxPairs);
  Interference found;
  found.pairs = graph.pairs.size();
  found.sceneBytes = std::accumulate(graph.weights.begin(), graph.weights.end(), std::uint64_t{0});
  if (const auto heavy = heaviestBeyond(graph, settings.memoryLimit))
    return memoryExceeded(scene, *heavy, settings.memoryLimit);
  const std::vector<std::uint32_t> edges = visitsOf(graph, settings, found);
  std::vector<ShapeVisit> visits;
  for (const std::uint32_t edge : edges)
    visits.push_back({graph.edges[edge].a, graph.edges[edge].b});

  ShapesInMemory inMemory(scene.shapes, std::move(visits), settings.memoryLimit);
  SearchProgress done(progress, graph.pairs.size());
  for (const std::uint32_t number : edges) {
    const OverlapGraph::Edge& edge = graph.edges[number];
    const auto shapes = inMemory.next();
    if (!shapes) return shapes.error();
    // A sorter caches data of its shapes, so each visit has its own
    ClashSorter sorter(shapes->first, shapes->second, settings.limits, done.cancelled());
    if (!sortPairs(scene, graph, edge, sorter, done, found.clashes)) return done.cancellation();
  }
  std::ranges::sort(found.clashes, {}, &Clash::pair);
  found.figures = inMemory.figures();
  return found;
}

}  // namespace

std::size_t contactsIn(const Interference& found) noexcept {
  return static_cast<std::size_t>(std::ranges::count_if(
      found.clashes, [](const Clash& clash) { return isContact(clash.kind); }));
}

Result<Interference> findInterference(const StillScene& scene, const InterferenceSettings& settings,
                                      BuildProgress* progress) {
  return guarded([&] { return search(scene, settings, progress); });
}

}  // namespace nearmiss::engine
