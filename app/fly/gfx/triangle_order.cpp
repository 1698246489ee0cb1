// SPDX-License-Identifier: MIT
#include "fly/gfx/triangle_order.h"

#include <optional>
#include <utility>

namespace nearmiss::app {
namespace {

/// The triangles at each vertex, one list after the other.
struct Fans {
  std::vector<std::uint32_t> starts, triangles;

  Fans(std::span<const std::uint32_t> indices, std::size_t vertexCount)
      : starts(vertexCount + 1, 0), triangles(indices.size()) {
    for (const std::uint32_t v : indices) ++starts[v + 1];
    for (std::size_t v = 0; v < vertexCount; ++v) starts[v + 1] += starts[v];
    std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
    for (std::size_t i = 0; i < indices.size(); ++i) {
      triangles[next[indices[i]]++] = static_cast<std::uint32_t>(i / 3);
    }
  }
  [[nodiscard]] std::span<const std::uint32_t> at(std::uint32_t v) const {
    return std::span(triangles).subspan(starts[v], starts[v + 1] - starts[v]);
  }
};

class Tipsify {
 public:
  Tipsify(std::span<const std::uint32_t> indices, std::size_t vertexCount, std::size_t cacheSize)
      : indices_(indices),
        fans_(indices, vertexCount),
        cacheSize_(cacheSize),
        now_(cacheSize + 1),
        live_(vertexCount),
        entered_(vertexCount, 0),
        emitted_(indices.size() / 3, false) {
    for (std::uint32_t v = 0; v < vertexCount; ++v) live_[v] = fans_.at(v).size();
  }

  std::vector<std::uint32_t> order() {
    ordered_.reserve(indices_.size());
    for (auto centre = nextLeft(); centre; centre = nextCentre()) emitFan(*centre);
    return std::move(ordered_);
  }

 private:
  /// Emits what is left of the fan about a vertex; its rim is where the next fan may lie.
  void emitFan(std::uint32_t centre) {
    rim_.clear();
    for (const std::uint32_t t : fans_.at(centre)) {
      if (emitted_[t]) continue;
      emitted_[t] = true;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t v = indices_[3 * t + k];
        ordered_.push_back(v);
        rim_.push_back(v);
        trail_.push_back(v);
        --live_[v];
        if (now_ - entered_[v] > cacheSize_) entered_[v] = now_++;
      }
    }
  }

  /// The oldest vertex of the rim that will still be in the cache when its fan is done; else the
  /// last one passed that has triangles left; else any.
  std::optional<std::uint32_t> nextCentre() {
    std::optional<std::uint32_t> best;
    std::size_t bestAge = 0;
    for (const std::uint32_t v : rim_) {
      if (live_[v] == 0) continue;
      const std::size_t age = now_ - entered_[v];
      const std::size_t worth = age + 2 * live_[v] <= cacheSize_ ? age + 1 : 1;
      if (worth > bestAge) {
        bestAge = worth;
        best = v;
      }
    }
    while (!best && !trail_.empty()) {
      if (live_[trail_.back()] > 0) best = trail_.back();
      trail_.pop_back();
    }
    return best ? best : nextLeft();
  }

  std::optional<std::uint32_t> nextLeft() {
    while (cursor_ < live_.size() && live_[cursor_] == 0) ++cursor_;
    if (cursor_ == live_.size()) return std::nullopt;
    return static_cast<std::uint32_t>(cursor_);
  }

  std::span<const std::uint32_t> indices_;
  Fans fans_;
  std::size_t cacheSize_, now_, cursor_ = 0;
  std::vector<std::size_t> live_;     ///< triangles at each vertex not yet emitted
  std::vector<std::size_t> entered_;  ///< when each vertex last entered the cache
  std::vector<bool> emitted_;
  std::vector<std::uint32_t> ordered_, rim_, trail_;
};

}  // namespace

std::vector<std::uint32_t> orderForReuse(std::span<const std::uint32_t> indices,
                                         std::size_t vertexCount, std::size_t cacheSize) {
  return Tipsify(indices, vertexCount, cacheSize).order();
}

}  // namespace nearmiss::app
