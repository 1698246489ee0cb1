// SPDX-License-Identifier: MIT
/// Selects among loops that are compiled once for each instruction set.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace nearmiss {

/// Returns the number of available instruction sets. Each contains the previous ones: the baseline,
/// AVX2, AVX-512 with vectors of all lengths.
[[nodiscard]] inline std::size_t instructionSets() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  if (__builtin_cpu_supports("avx2") == 0) return 1;
  return __builtin_cpu_supports("avx512vl") != 0 ? 3 : 2;
#else
  return 1;
#endif
}

/// Returns the compiled variants, in that order, that this machine can run.
template <class Path, std::size_t count>
[[nodiscard]] std::span<const Path> runnable(const std::array<Path, count>& compiled) noexcept {
  static const std::size_t known = instructionSets();
  return std::span(compiled).first(std::min(known, count));
}

}  // namespace nearmiss
