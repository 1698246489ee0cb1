// SPDX-License-Identifier: MIT
/// Finds, for each of many points or triangles, the first one that equals it. Uses a hash table
/// with open addressing, in linear time. Sorts instead if keys were chosen so that their hashes
/// collide.
#pragma once

#include <nearmiss/math.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel_for.h"

namespace nearmiss {

inline constexpr std::uint32_t noItem = 0xffffffff;

/// Number of items in a unit of work of a thread.
inline constexpr std::size_t itemsPerChunk = std::size_t{1} << 15;
[[nodiscard]] inline std::size_t chunksOf(std::size_t count) noexcept {
  return (count + itemsPerChunk - 1) / itemsPerChunk;
}
/// Returns `workers`, or 1 if starting threads would take longer than the work itself.
[[nodiscard]] inline int workersFor(std::size_t count, int workers) noexcept {
  return count < itemsPerChunk ? 1 : std::clamp(workers, 1, 64);
}
/// Calls work(begin, end, chunk) in parallel for consecutive ranges that make up [0, count). The
/// ranges depend only on `count`, so that results by chunk do not depend on the number of threads.
void forChunks(std::size_t count, int workers, const auto& work) {
  parallelFor(chunksOf(count), workersFor(count, workers), [&](std::size_t chunk, int) {
    work(chunk * itemsPerChunk, std::min(count, (chunk + 1) * itemsPerChunk), chunk);
  });
}

[[nodiscard]] inline bool isBefore(const Vec3& a, const Vec3& b) noexcept {
  if (a.x != b.x) return a.x < b.x;
  return a.y != b.y ? a.y < b.y : a.z < b.z;
}
[[nodiscard]] inline bool isBefore(const std::array<std::uint32_t, 3>& a,
                                   const std::array<std::uint32_t, 3>& b) noexcept {
  return a < b;
}

/// One step of a hash over words of 64 bits.
[[nodiscard]] inline std::uint64_t mixedHash(std::uint64_t hash, std::uint64_t word) noexcept {
  hash = (hash ^ word) * 0x9fb21c651e98df25u;
  return hash ^ (hash >> 35);
}
/// Zeros of both signs have the same hash.
[[nodiscard]] inline std::uint32_t keyHash(const Vec3& p) noexcept {
  std::uint64_t hash = 0x6e6561726d697373u;
  for (int axis = 0; axis < 3; ++axis)
    hash = mixedHash(hash, std::bit_cast<std::uint64_t>(p[axis] + 0.0));
  return static_cast<std::uint32_t>((hash * 0x9fb21c651e98df25u) >> 32);
}
[[nodiscard]] inline std::uint32_t keyHash(const std::array<std::uint32_t, 3>& t) noexcept {
  const std::uint64_t hash =
      mixedHash(mixedHash(0x6e6561726d697373u, std::uint64_t{t[0]} << 32 | t[1]), t[2]);
  return static_cast<std::uint32_t>((hash * 0x9fb21c651e98df25u) >> 32);
}

/// A table of 32-bit hashes and their items. Grows as needed.
class HashSlots {
 public:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t item = noItem;
  };

  /// @param expected number of items; more can be added
  explicit HashSlots(std::size_t expected = 0) {
    while (bits_ < 31 && (std::size_t{1} << bits_) < 2 * expected) ++bits_;
    slots_.resize(std::size_t{1} << bits_);
  }

  /// Returns the item with hash `hash` for which isEqual(item) is true, or noItem.
  [[nodiscard]] std::uint32_t find(std::uint32_t hash, const auto& isEqual) const {
    for (std::size_t at = place(hash); slots_[at].item != noItem; at = next(at))
      if (slots_[at].hash == hash && isEqual(slots_[at].item)) return slots_[at].item;
    return noItem;
  }
  /// As find(), but adds and returns `item` if there is no equal item.
  std::uint32_t findOrAdd(std::uint32_t hash, std::uint32_t item, const auto& isEqual) {
    ++calls_;
    std::size_t at = place(hash);
    for (; slots_[at].item != noItem; at = next(at), ++probes_)
      if (slots_[at].hash == hash && isEqual(slots_[at].item)) return slots_[at].item;
    slots_[at] = {hash, item};
    if (2 * ++size_ > slots_.size() && bits_ < 31) grow();
    return item;
  }
  void prefetch([[maybe_unused]] std::uint32_t hash) const noexcept {
#if defined(__GNUC__)
    __builtin_prefetch(&slots_[place(hash)]);
#endif
  }
  /// Returns true if far more slots were probed than chance explains: the keys may have been chosen
  /// so that their hashes collide.
  [[nodiscard]] bool crowded() const noexcept { return probes_ > 8 * calls_ + 4096; }

 private:
  [[nodiscard]] std::size_t place(std::uint32_t hash) const noexcept {
    return static_cast<std::size_t>(hash >> (32 - bits_));
  }
  [[nodiscard]] std::size_t next(std::size_t at) const noexcept {
    return (at + 1) & (slots_.size() - 1);
  }
  void grow() {
    const std::vector<Slot> old = std::move(slots_);
    ++bits_;
    slots_.assign(std::size_t{1} << bits_, {});
    for (const Slot& slot : old) {
      if (slot.item == noItem) continue;
      std::size_t at = place(slot.hash);
      while (slots_[at].item != noItem) at = next(at);
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
  /// number of calls of findOrAdd(), and of occupied slots that they probed
  std::size_t calls_ = 0, probes_ = 0;
  unsigned bits_ = 10;
};

/// The same as firstOfEqual(), by sorting.
template <class KeyAt>
[[nodiscard]] std::vector<std::uint32_t> firstOfEqualSorted(std::size_t count, const KeyAt& keyAt) {
  std::vector<std::uint32_t> order(count), first(count);
  for (std::uint32_t i = 0; i < count; ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::uint32_t p, std::uint32_t q) {
    const auto a = keyAt(p), b = keyAt(q);
    return a != b ? isBefore(a, b) : p < q;
  });
  for (std::size_t i = 0, run = 0; i < count; ++i) {
    if (keyAt(order[i]) != keyAt(order[run])) run = i;
    first[order[i]] = order[run];
  }
  return first;
}

/// Returns, for each of `count` items, the index of the first item with an equal key.
/// @param keyAt keyAt(i) returns the key of item i: a Vec3 without NaN, or three numbers
/// @param workers threads; the result does not depend on it
template <class KeyAt>
[[nodiscard]] std::vector<std::uint32_t> firstOfEqual(std::size_t count, const KeyAt& keyAt,
                                                      int workers) {
  // Each thread visits all items in order, but adds only those whose hashes it owns
  const auto parts = static_cast<std::uint32_t>(workersFor(count, workers));
  std::vector<std::uint32_t> first(count);
  std::atomic<bool> crowded{false};
  parallelFor(parts, static_cast<int>(parts), [&](std::size_t part, int) {
    constexpr std::size_t block = 32;
    HashSlots slots(count / 8 / parts);
    std::array<std::uint32_t, block> hashes;
    for (std::size_t begin = 0; begin < count; begin += block) {
      const std::size_t end = std::min(count, begin + block);
      for (std::size_t i = begin; i < end; ++i) {
        hashes[i - begin] = keyHash(keyAt(i));
        if (hashes[i - begin] % parts == part) slots.prefetch(hashes[i - begin]);
      }
      for (std::size_t i = begin; i < end; ++i) {
        if (hashes[i - begin] % parts != part) continue;
        const auto key = keyAt(i);
        first[i] = slots.findOrAdd(hashes[i - begin], static_cast<std::uint32_t>(i),
                                   [&](std::uint32_t other) { return keyAt(other) == key; });
      }
      if (slots.crowded()) crowded = true;
      if (crowded.load(std::memory_order_relaxed)) return;
    }
  });
  return crowded ? firstOfEqualSorted(count, keyAt) : first;
}

}  // namespace nearmiss
