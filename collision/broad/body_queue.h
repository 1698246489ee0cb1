// SPDX-License-Identifier: MIT
/// Bodies that wait to be looked at: whose turn it is when there is not time for all.
#pragma once

#include <nearmiss/broad_phase.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// First come, first served, but those of full importance before all others. Bodies are named by
/// their places in a span.
class BodyQueue {
 public:
  /// Room for bodies 0 to count - 1. Another number than before forgets who waited.
  void resize(std::size_t count) {
    if (queued_.size() == count) return;
    waiting_.clear();
    looked_.clear();
    queued_.assign(count, false);
    before_.assign(count, Wait{});
  }
  [[nodiscard]] bool contains(std::uint32_t body) const noexcept { return queued_[body]; }

  /// At the beginning of a call: takes up `more`, perhaps repeated, perhaps waiting already.
  void begin(std::span<const std::uint32_t> more, Real time) {
    for (const std::uint32_t body : looked_) before_[body] = {};
    looked_.clear();
    time_ = time;
    next_ = 0;
    for (const std::uint32_t body : more) {
      if (queued_[body]) continue;
      queued_[body] = true;
      waiting_.push_back({body, {}});
    }
  }

  [[nodiscard]] bool empty() const noexcept { return next_ == waiting_.size(); }

  /// Replaces `out` by the next bodies, `most` of them if there are so many.
  void take(std::size_t most, std::vector<std::uint32_t>& out) {
    out.clear();
    for (; out.size() < most && !empty(); ++next_) look(waiting_[next_], out);
  }
  void takeAll(std::vector<std::uint32_t>& out) { take(waiting_.size(), out); }

  /// Replaces `out` by those that must not wait.
  void takeForced(std::span<const BodyState> bodies, std::vector<std::uint32_t>& out) {
    out.clear();
    std::size_t kept = 0;
    for (const PostponedBody& waiting : waiting_)
      if (bodies[waiting.body].importance == fullImportance)
        look(waiting, out);
      else
        waiting_[kept++] = waiting;
    waiting_.resize(kept);
    for (std::size_t count = due(); count > 0; --count) look(waiting_[next_++], out);
  }

  /// At the end of a call: what was not taken goes on waiting.
  void end() {
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(next_));
    next_ = 0;
    for (PostponedBody& waiting : waiting_) {
      if (waiting.wait.detections == 0) waiting.wait.since = time_;
      ++waiting.wait.detections;
    }
  }
  [[nodiscard]] std::span<const PostponedBody> postponed() const noexcept { return waiting_; }
  [[nodiscard]] Wait waitBefore(std::uint32_t body) const noexcept {
    return body < before_.size() ? before_[body] : Wait{};
  }

 private:
  void look(const PostponedBody& waiting, std::vector<std::uint32_t>& out) {
    queued_[waiting.body] = false;
    out.push_back(waiting.body);
    if (waiting.wait.detections == 0) return;
    before_[waiting.body] = waiting.wait;
    looked_.push_back(waiting.body);
  }

  /// How many must be taken now, so that the others can be later: of p bodies that may be left out
  /// l times at most, a share of one in l + 1.
  [[nodiscard]] std::size_t due() const noexcept {
    std::array<std::size_t, mostBodyWait + 1> count{};
    for (const PostponedBody& waiting : waiting_)
      ++count[mostBodyWait - std::min(mostBodyWait, waiting.wait.detections)];
    std::size_t most = 0, bodies = 0;
    for (std::size_t l = 0; l < count.size(); ++l) {
      bodies += count[l];
      most = std::max(most, bodies / (l + 1));
    }
    return most;
  }

  Real time_ = 0.0;
  std::vector<PostponedBody> waiting_;  ///< those that wait longest first
  std::size_t next_ = 0;                ///< of waiting_, the first that was not taken
  std::vector<char> queued_;            ///< by body
  std::vector<Wait> before_;            ///< by body: of looked_
  std::vector<std::uint32_t> looked_;   ///< in this call, of those that had waited
};

}  // namespace nearmiss
