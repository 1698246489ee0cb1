// SPDX-License-Identifier: MIT
/// What a method keeps of pairs of bodies from one frame to the next.
#pragma once

#include <nearmiss/body_state.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nearmiss {

/// One pair a slot: a pair that another one has replaced starts again from nothing. Allocates when
/// it is first used, and never again.
template <class Kept>
class KeptPairs {
 public:
  /// What is kept of two bodies in their present shapes; a fresh value for a new pair.
  [[nodiscard]] Kept& of(const BodyState& a, const BodyState& b) {
    if (slots_.empty()) slots_.resize(slots);
    const std::uint64_t bodies = std::uint64_t{a.key} << 32 | b.key;
    const std::uint64_t shapes = std::uint64_t{static_cast<std::uint32_t>(a.shape.id())} << 32 |
                                 static_cast<std::uint32_t>(b.shape.id());
    const std::uint64_t hash = (bodies ^ shapes * 0xbf58476d1ce4e5b9) * 0x9e3779b97f4a7c15;
    Slot& slot = slots_[static_cast<std::size_t>(hash >> (64 - bits))];
    if (!slot.used || slot.bodies != bodies || slot.shapes != shapes)
      slot = {bodies, shapes, true, Kept{}};
    return slot.kept;
  }

  void clear() noexcept { slots_.clear(); }

  /// Below `slots`, and of no other pair, for data of the caller's own beside `kept`.
  [[nodiscard]] std::size_t slotOf(const Kept& kept) const noexcept {
    const auto at = reinterpret_cast<std::uintptr_t>(&kept);
    return (at - reinterpret_cast<std::uintptr_t>(slots_.data())) / sizeof(Slot);
  }
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
