// SPDX-License-Identifier: MIT
/// Counts what a test program takes from the heap, and lets it run short. Include in exactly one
/// source of a program: it replaces the global operator new.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace nearmiss::test {

inline std::atomic<std::size_t> allocationsSoFar{0};

/// Number of allocations in `run()`.
[[nodiscard]] inline std::size_t allocationsIn(const auto& run) {
  const std::size_t before = allocationsSoFar;
  run();
  return allocationsSoFar - before;
}

/// Allocations are numbered from 0; those from `firstRefused` on, fewer than `refusals` of them,
/// fail as if there were no memory left.
struct Shortage {
  std::atomic<std::size_t> firstRefused{static_cast<std::size_t>(-1)};
  std::atomic<std::size_t> refusals{0};
};
inline Shortage shortage;

/// The result of `run()` where `refusals` allocations after the first `after`, on any thread, find
/// no memory.
[[nodiscard]] inline auto shortOfMemory(std::size_t after, std::size_t refusals, const auto& run) {
  shortage.refusals = refusals;
  shortage.firstRefused = allocationsSoFar + after;
  auto result = run();
  shortage.firstRefused = static_cast<std::size_t>(-1);
  return result;
}

inline void* tryToAllocate(std::size_t size, std::size_t alignment) noexcept {
  const std::size_t number = allocationsSoFar++;
  const std::size_t first = shortage.firstRefused;
  if (number >= first && number - first < shortage.refusals) return nullptr;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  return std::aligned_alloc(alignment, rounded > 0 ? rounded : alignment);
}

inline void* allocate(std::size_t size, std::size_t alignment) {
  void* memory = tryToAllocate(size, alignment);
  if (!memory) throw std::bad_alloc();
  return memory;
}

inline constexpr std::size_t usualAlignment = alignof(std::max_align_t);

}  // namespace nearmiss::test

// All of them, because a sanitizer brings its own of those that are left out; none inline, where
// gcc 12 takes one for a mismatch of the other
[[gnu::noinline]] void* operator new(std::size_t size) {
  return nearmiss::test::allocate(size, nearmiss::test::usualAlignment);
}
[[gnu::noinline]] void* operator new[](std::size_t size) {
  return nearmiss::test::allocate(size, nearmiss::test::usualAlignment);
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return nearmiss::test::tryToAllocate(size, nearmiss::test::usualAlignment);
}
[[gnu::noinline]] void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return nearmiss::test::tryToAllocate(size, nearmiss::test::usualAlignment);
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return nearmiss::test::allocate(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void* operator new[](std::size_t size, std::align_val_t alignment) {
  return nearmiss::test::allocate(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
