// SPDX-License-Identifier: MIT
/// Remembers moved parts of a tree while one pair of bodies is worked on: each meets many others.
#pragma once

#include <nearmiss/detail/assertion.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nearmiss {

template <typename Moved>
class MovedCache {
 public:
  /// Room for so many; those that share a slot replace each other. Trees of four levels seldom have
  /// more packs than `usualRoom`. Without room get() must not be called.
  explicit MovedCache(std::size_t room) : slots_(room == 0 ? 0 : std::bit_ceil(room)) {}
  static constexpr std::size_t usualRoom = 1024;

  /// Forgets everything.
  void reset() noexcept { ++generation_; }

  /// The part of that number; one not remembered is made by `move(Moved&)`. Valid until the next
  /// call.
  template <typename Move>
  [[nodiscard]] const Moved& get(std::uint32_t number, const Move& move) {
    NEARMISS_ASSERT(!slots_.empty());
    Slot& slot = slots_[number & (slots_.size() - 1)];
    if (slot.generation != generation_ || slot.number != number) {
      slot.generation = generation_;
      slot.number = number;
      move(slot.moved);
    }
    return slot.moved;
  }

 private:
  struct Slot {
    std::uint64_t generation = 0;
    std::uint32_t number = 0;
    Moved moved;
  };
  std::vector<Slot> slots_;  ///< as many as a power of two, or none
  std::uint64_t generation_ = 1;
};

}  // namespace nearmiss
