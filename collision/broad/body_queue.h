// SPDX-License-Identifier: MIT
/// Queue of postponed bodies: decides which go first if there is not enough time for all.
#pragma once

#include <nearmiss/advanced/broad_phase.h>
#include <nearmiss/detail/key_indices.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// First come, first served, except that bodies of full importance precede all others and bodies
/// marked unimportant follow all others. Bodies are identified by their indices in the span of the
/// current call.
class BodyQueue {
 public:
  /// Starts a call. Bodies may have been added, removed or reordered since the last call: waiting
  /// bodies are found again by their keys.
  void begin(std::span<const BodyState> bodies, Real time);
  [[nodiscard]] bool contains(std::uint32_t body) const noexcept { return queued_[body]; }
  /// Removes from `some` the bodies that do not wait, and duplicates.
  void keepWaiting(std::vector<std::uint32_t>& some) const;
  /// Adds bodies. `more` may contain duplicates and bodies that already wait.
  void add(std::span<const std::uint32_t> more);

  [[nodiscard]] bool empty() const noexcept { return next_ == waiting_.size(); }

  /// Replaces `out` by the bodies without a mark. Call before any take().
  void takeUnmarked(std::vector<std::uint32_t>& out);
  /// Replaces `out` by the bodies that must not wait. Call before any take().
  void takeForced(std::vector<std::uint32_t>& out);
  /// Replaces `out` by the next bodies, at most `most` of them.
  void take(std::size_t most, std::vector<std::uint32_t>& out);
  void takeAll(std::vector<std::uint32_t>& out) { take(waiting_.size(), out); }

  /// Ends a call: bodies that were not taken keep waiting.
  void end();
  /// Postponed bodies, longest wait first; valid until the next begin().
  [[nodiscard]] std::span<const PostponedBody> postponed() const noexcept { return waiting_; }
  /// How long a body had waited before it was taken in this call.
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
  std::vector<PostponedBody> waiting_;            ///< longest wait first
  std::vector<PostponedBody> aside_;              ///< scratch buffer
  std::vector<std::uint32_t> keys_;               ///< keys of waiting_ at the end of the last call
  std::size_t next_ = 0;                          ///< index in waiting_ of the first body not taken
  bool someForced_ = false, someMarked_ = false;  ///< whether any waiting body is forced or marked
  std::vector<char> queued_;                      ///< by body
  std::vector<Wait> before_;           ///< by body: wait before this call, for those in looked_
  std::vector<std::uint32_t> looked_;  ///< bodies taken in this call that had waited
  KeyIndices indices_;
};

}  // namespace nearmiss
