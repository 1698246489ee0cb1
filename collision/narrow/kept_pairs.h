// SPDX-License-Identifier: MIT
/// Data that a method keeps of pairs of bodies from one frame to the next.
#pragma once

#include <nearmiss/advanced/body_state.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nearmiss {

/// A direct-mapped cache: one pair per slot. A pair that was replaced starts again from nothing.
/// Allocates at first use only.
template <class Kept>
class KeptPairs {
 public:
  /// Returns the slot of two bodies with their present shapes. For a new pair its contents are
  /// fresh.
  [[nodiscard]] std::size_t slotOf(const BodyState& a, const BodyState& b) {
    if (slots_.empty()) slots_.resize(slots);
    const std::uint64_t bodies = std::uint64_t{a.key} << 32 | b.key;
    const std::uint64_t shapes = std::uint64_t{static_cast<std::uint32_t>(a.shape.index())} << 32 |
                                 static_cast<std::uint32_t>(b.shape.index());
    const std::uint64_t hash = (bodies ^ shapes * 0xbf58476d1ce4e5b9) * 0x9e3779b97f4a7c15;
    const auto at = static_cast<std::size_t>(hash >> (64 - bits));
    Slot& slot = slots_[at];
    if (!slot.used || slot.bodies != bodies || slot.shapes != shapes)
      slot = {bodies, shapes, true, Kept{}};
    return at;
  }
  [[nodiscard]] Kept& operator[](std::size_t slot) noexcept { return slots_[slot].kept; }

  void clear() noexcept { slots_.clear(); }

  /// Number of slots.
  static constexpr std::size_t slots = 512;

 private:
  static constexpr int bits = 9;
  static_assert(slots == std::size_t{1} << bits);
  struct Slot {
    std::uint64_t bodies = 0, shapes = 0;
    bool used = false;
    Kept kept;
  };
  std::vector<Slot> slots_;
};

}  // namespace nearmiss
