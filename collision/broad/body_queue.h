// SPDX-License-Identifier: MIT
/// Bodies that wait to be looked at: which go first when there is not time for all.
#pragma once

#include <nearmiss/broad_phase.h>
#include <nearmiss/detail/key_indices.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// First come, first served, but those of full importance before all others, and those marked
/// unimportant after all others. Bodies are named by their indices in the span of the current call.
class BodyQueue {
 public:
  /// At the beginning of a call. Bodies may have come, gone or changed their indices since the last
  /// one: those that wait are found by their keys.
  void begin(std::span<const BodyState> bodies, Real time);
  [[nodiscard]] bool contains(std::uint32_t body) const noexcept { return queued_[body]; }
  /// Removes bodies that do not wait, and duplicates.
  void keepWaiting(std::vector<std::uint32_t>& some) const;
  /// Takes up `more`, perhaps repeated, perhaps waiting already.
  void add(std::span<const std::uint32_t> more);

  [[nodiscard]] bool empty() const noexcept { return next_ == waiting_.size(); }

  /// Replaces `out` by those without a mark. Comes before any take().
  void takeUnmarked(std::vector<std::uint32_t>& out);
  /// Replaces `out` by those that must not wait. Comes before any take().
  void takeForced(std::vector<std::uint32_t>& out);
  /// Replaces `out` by the next bodies, at most `most`.
  void take(std::size_t most, std::vector<std::uint32_t>& out);
  void takeAll(std::vector<std::uint32_t>& out) { take(waiting_.size(), out); }

  /// At the end of a call: what was not taken goes on waiting.
  void end();
  /// Those that wait longest first; valid until the next begin().
  [[nodiscard]] std::span<const PostponedBody> postponed() const noexcept { return waiting_; }
  /// How long a body had waited until it was taken in this call.
  [[nodiscard]] Wait waitBefore(std::uint32_t body) const noexcept {
    return !looked_.empty() && body < before_.size() ? before_[body] : Wait{};
  }

 private:
  void note(const BodyState& body) noexcept;
  void moveToNewIndices();
  void look(const PostponedBody& waiting, std::vector<std::uint32_t>& out);
  [[nodiscard]] std::size_t due() const noexcept;
  void putMarkedLast();
  void takeWhere(auto wanted, std::vector<std::uint32_t>& out);

  std::span<const BodyState> bodies_;
  Real time_ = 0.0;
  std::vector<PostponedBody> waiting_;            ///< those that wait longest first
  std::vector<PostponedBody> aside_;              ///< kept for its memory
  std::vector<std::uint32_t> keys_;               ///< as waiting_ at the end of the last call
  std::size_t next_ = 0;                          ///< of waiting_, the first that was not taken
  bool someForced_ = false, someMarked_ = false;  ///< of those that wait
  std::vector<char> queued_;                      ///< by body
  std::vector<Wait> before_;                      ///< by body: of looked_
  std::vector<std::uint32_t> looked_;             ///< in this call, of those that had waited
  KeyIndices indices_;
};

}  // namespace nearmiss
