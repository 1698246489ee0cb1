// SPDX-License-Identifier: MIT
/// How much memory and time reading a file may take, by its size.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace nearmiss::engine {

/// Text as terse as "f 1 2 3" grows to some 80 times its size on the way to triangles.
inline constexpr std::uintmax_t memoryPerByte = 128;
inline constexpr std::size_t usualMemory = std::size_t{512} << 20;  ///< whatever the size
inline constexpr std::size_t greatestMemory = std::size_t{8} << 30;

[[nodiscard]] inline std::size_t memoryFor(std::uintmax_t bytes) noexcept {
  return static_cast<std::size_t>(std::min<std::uintmax_t>(memoryPerByte * bytes, greatestMemory));
}

/// A whole second for each MiB begun, which is fifty times what is usual.
[[nodiscard]] inline std::chrono::seconds secondsFor(std::uintmax_t bytes) noexcept {
  return std::chrono::seconds((bytes + 0xfffff) >> 20);
}

}  // namespace nearmiss::engine
