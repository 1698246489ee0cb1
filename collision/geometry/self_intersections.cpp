// SPDX-License-Identifier: MIT
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/equal_items.h"
#include "geometry/mesh_check.h"
#include "geometry/self_pairs.h"

namespace nearmiss {
namespace {

/// The pairs found by one of several tasks.
struct FoundPairs {
  SelfIntersections count;
  MeetingTriangles meeting;
};

/// Work that ends at a maximum number of pairs, or once cancelled.
class PairDescent {
 public:
  PairDescent(const SelfPairs& search, std::size_t most, const std::atomic<bool>* cancelled,
              bool keepsPairs)
      : search_(search), most_(most), cancelled_(cancelled), keepsPairs_(keepsPairs) {}

  FoundPairs below(const SlotPair& root, std::size_t usual) {
    SelfDescent descent;
    for (descent.begin(root, usual); !descent.ended() && !ended();)
      descent.step(search_, [this](std::uint32_t t, std::uint32_t u) { compare(t, u); });
    return std::move(found_);
  }

  /// Returns the pairs about one vertex, which the descents skip.
  FoundPairs aboutHub(std::size_t hub) {
    VertexHubs::Walk walk;
    for (walk.begin(search_.hubs(), hub); !walk.ended() && !ended();)
      walk.step([this](std::uint32_t t, std::uint32_t u) {
        compare(t, u);
        return ended();
      });
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool ended() const noexcept {
    return found_.count.pairs == most_ ||
           (cancelled_ && cancelled_->load(std::memory_order_relaxed));
  }

  void compare(std::uint32_t t, std::uint32_t u) {
    if (found_.count.pairs == most_) return;
    ++found_.count.compared;
    const auto [first, second] = std::minmax(t, u);
    if (!search_.meet(first, second)) return;
    ++found_.count.pairs;
    if (keepsPairs_) found_.meeting.push_back({first, second});
  }

  const SelfPairs& search_;
  std::size_t most_;
  const std::atomic<bool>* cancelled_;
  bool keepsPairs_;
  FoundPairs found_;
};

/// Divides the root until there are enough pairs for threads to share. Depends only on the tree.
std::vector<SlotPair> tasksOf(const SelfPairs& search, std::size_t triangles) {
  constexpr std::size_t enough = 512, trianglesPerTask = 256;
  std::vector<SlotPair> tasks{{0, 0}};
  for (bool divided = true;
       divided && tasks.size() < std::min(enough, triangles / trianglesPerTask);) {
    std::vector<SlotPair> parts;
    divided = false;
    for (const SlotPair& task : tasks) {
      if (!search.mayMeet(task, nullptr)) continue;
      bool isLeaf = true;
      search.divide(
          task, nullptr,
          [&](const SlotPair& part) {
            isLeaf = false;
            parts.push_back(part);
          },
          [](std::uint32_t, std::uint32_t) {});
      if (isLeaf) parts.push_back(task);
      divided = divided || !isLeaf;
    }
    tasks = std::move(parts);
  }
  return tasks;
}

}  // namespace

SelfIntersections countSelfIntersections(const TriangleMesh& mesh, const WideBoxes& boxes,
                                         std::size_t most, const std::atomic<bool>* cancelled,
                                         MeetingTriangles* meeting, const VertexCorners* corners,
                                         int workers) {
  if (mesh.triangles.empty() || wasCancelled(cancelled)) return {};
  workers = workersFor(mesh.triangles.size(), workers);
  std::optional<VertexCorners> own;
  if (!corners) corners = &own.emplace(mesh, workers);
  const SelfPairs search(mesh, boxes, *corners, workers);
  const std::vector<SlotPair> tasks = tasksOf(search, mesh.triangles.size());
  const std::size_t usual =
      SelfDescent::usualOf(mesh.triangles.size(), std::max<std::size_t>(tasks.size(), 1));

  // Keeps the first `most` pairs in the order of tasks, independently of threads. A task stops when
  // the tasks before it have found enough
  const std::size_t count = tasks.size() + search.hubs().count();
  std::vector<FoundPairs> found(count);
  std::vector<std::atomic<std::size_t>> done(count);
  parallelFor(count, workers, [&](std::size_t task, int) {
    std::size_t before = 0;
    for (std::size_t i = 0; i < task && before < most; ++i) before += done[i];
    if (before >= most || wasCancelled(cancelled)) return;
    PairDescent descent(search, most - before, cancelled, meeting != nullptr);
    found[task] = task < tasks.size() ? descent.below(tasks[task], usual)
                                      : descent.aboutHub(task - tasks.size());
    done[task] = found[task].count.pairs;
  });

  SelfIntersections sum;
  for (const FoundPairs& each : found) {
    const std::size_t pairs = std::min(each.count.pairs, most - sum.pairs);
    sum.pairs += pairs;
    sum.compared += each.count.compared;
    if (meeting)
      meeting->insert(meeting->end(), each.meeting.begin(),
                      each.meeting.begin() + static_cast<std::ptrdiff_t>(pairs));
  }
  return sum;
}

}  // namespace nearmiss
