// SPDX-License-Identifier: MIT
/// Which ships have jumped: whose motion is no longer the one that was certified.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <vector>

namespace nearmiss::engine {

/// Ships that came or went, and motion epochs that ended.
class Jumps {
 public:
  /// Grows with every jump: while it stays the same, the bounds on the ships' motion hold.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  /// Which ships have jumped since the last forget(), by index, perhaps repeatedly; nothing if that
  /// is not known, as where a ship has come or gone, which changes the indices of others.
  [[nodiscard]] std::optional<std::span<const std::uint32_t>> ships() const noexcept {
    if (reordered_) return std::nullopt;
    return ships_;
  }

  /// The motion epoch of one of `count` ships has ended.
  void add(std::size_t ship, std::size_t count) noexcept {
    ++count_;
    // Without forget() the list must not grow forever; without memory it does not grow at all
    try {
      if (ships_.size() < 4 * count) return ships_.push_back(static_cast<std::uint32_t>(ship));
    } catch (const std::exception&) {
    }
    reordered_ = true;
  }
  /// A ship has come or gone.
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
