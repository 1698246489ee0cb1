// SPDX-License-Identifier: MIT
/// Loops that are compiled several times, once for each set of instructions that may be there.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace nearmiss {

/// How many of these this machine has, each of which contains those before it: what every machine
/// has, AVX2, AVX-512 with vectors of all lengths.
[[nodiscard]] inline std::size_t instructionSets() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  if (__builtin_cpu_supports("avx2") == 0) return 1;
  return __builtin_cpu_supports("avx512vl") != 0 ? 3 : 2;
#else
  return 1;
#endif
}

/// Of what was compiled, in the order above, those that this machine can run.
template <class Path, std::size_t count>
[[nodiscard]] std::span<const Path> runnable(const std::array<Path, count>& compiled) noexcept {
  static const std::size_t known = instructionSets();
  return std::span(compiled).first(std::min(known, count));
}

}  // namespace nearmiss
