// SPDX-License-Identifier: MIT
/// Lists of colliding sphere pairs, eight by eight, in memory that all lists share.
#pragma once

#include <nearmiss/detail/assertion.h>

#include <array>
#include <cstdint>
#include <deque>

namespace nearmiss {

/// Which spheres of one pack collide with which of another: bit 8 i + j: lane i of packA meets lane
/// j of packB. Holds up to 64 pairs in 16 bytes.
struct PackPair {
  std::uint32_t packA = 0;
  std::uint32_t packB = 0;
  std::uint64_t colliding = 0;
};

/// Owns the chunks of which all lists are made. A list that is released leaves its chunks to the
/// next one, so that a steady scene allocates nothing.
class PackPairPool {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  /// Names chunks of one pool; empty at first. A plain value: copies name the same chunks.
  struct List {
    std::uint32_t first = none;
    std::uint32_t last = none;
    [[nodiscard]] bool empty() const noexcept { return first == none; }
  };

  /// A position in a list; done() behind the last pair. Stays valid while pairs are pushed
  /// elsewhere.
  struct Cursor {
    std::uint32_t chunk = none;
    std::uint32_t index = 0;
    [[nodiscard]] bool done() const noexcept { return chunk == none; }
  };

  [[nodiscard]] static Cursor begin(const List& list) noexcept { return {list.first, 0}; }
  /// @pre !at.done()
  [[nodiscard]] const PackPair& operator[](const Cursor& at) const noexcept {
    NEARMISS_ASSERT(!at.done());
    return chunks_[at.chunk].pairs[at.index];
  }
  void advance(Cursor& at) const noexcept {
    const Chunk& chunk = chunks_[at.chunk];
    if (++at.index == chunk.size) at = {chunk.next, 0};
  }

  void push(List& list, const PackPair& pair) {
    if (list.empty() || chunks_[list.last].size == Chunk::capacity) append(list);
    Chunk& chunk = chunks_[list.last];
    chunk.pairs[chunk.size++] = pair;
  }

  /// Empties `list`; its chunks are free for others.
  void release(List& list) noexcept {
    if (list.empty()) return;
    chunks_[list.last].next = free_;
    free_ = list.first;
    list = {};
  }

 private:
  /// A quarter of a kilobyte: most pairs of bodies need one.
  struct Chunk {
    static constexpr std::uint32_t capacity = 15;
    std::array<PackPair, capacity> pairs;
    std::uint32_t size = 0;
    std::uint32_t next = none;
  };

  void append(List& list) {
    std::uint32_t fresh = free_;
    if (fresh != none) {
      free_ = chunks_[fresh].next;
      chunks_[fresh].size = 0;
      chunks_[fresh].next = none;
    } else {
      fresh = static_cast<std::uint32_t>(chunks_.size());
      chunks_.emplace_back();
    }
    (list.empty() ? list.first : chunks_[list.last].next) = fresh;
    list.last = fresh;
  }

  std::deque<Chunk> chunks_;
  std::uint32_t free_ = none;
};

}  // namespace nearmiss
