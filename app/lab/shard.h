// SPDX-License-Identifier: MIT
/// A share of an experiment's work items, for runs on several machines.
#pragma once

#include <nearmiss/result.h>

#include <cstddef>
#include <string>

namespace nearmiss::app {

/// Items are dealt out in turn: shard 1 of 4 has items 0, 4, 8 and so on.
struct Shard {
  std::size_t index = 1;  ///< from 1
  std::size_t count = 1;

  [[nodiscard]] bool has(std::size_t item) const noexcept { return item % count == index - 1; }
  /// Whether it is all there is.
  [[nodiscard]] bool whole() const noexcept { return count == 1; }
  friend bool operator==(const Shard&, const Shard&) = default;
};

inline constexpr std::size_t mostShards = 10'000;

/// Reads "2/4". Errors: BadFormat, with a sentence.
[[nodiscard]] Result<Shard> parseShard(const std::string& text);

}  // namespace nearmiss::app
