// SPDX-License-Identifier: MIT
/// Which ships have jumped, that is, no longer follow their certified motion.
#pragma once

#include <nearmiss/detail/bare_machine.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <vector>

namespace nearmiss::engine {

/// Records ships that were created or destroyed, and motion epochs that ended.
class Jumps {
 public:
  /// Increases with every jump. While it is constant, the bounds on the ships' motion hold.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  /// Indices of the ships that jumped since the last forget(), possibly with duplicates. `nullopt`
  /// if unknown: for example, creating or destroying a ship changes the indices of others.
  [[nodiscard]] std::optional<std::span<const std::uint32_t>> ships() const noexcept {
    if (reordered_) return std::nullopt;
    return ships_;
  }

  /// Records the end of the motion epoch of one of `count` ships.
  void add(std::size_t ship, std::size_t count) noexcept {
    ++count_;
    // Limits the list if forget() is not called. If memory runs out, the list counts as unknown
    NEARMISS_TRY {
      if (ships_.size() < 4 * count) return ships_.push_back(static_cast<std::uint32_t>(ship));
    }
    NEARMISS_CATCH(const std::exception&) {}
    reordered_ = true;
  }
  /// Records that a ship was created or destroyed.
  void reorder() noexcept {
    ++count_;
    reordered_ = true;
  }
  void forget() noexcept {
    ships_.clear();
    reordered_ = false;
  }

 private:
  std::uint64_t count_ = 0;
  std::vector<std::uint32_t> ships_;
  bool reordered_ = false;
};

}  // namespace nearmiss::engine
