// SPDX-License-Identifier: MIT
/// Stable ids of ships, independent of index changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nearmiss::engine {

/// Identifies a ship for its lifetime. A stale id is detected, never mistaken for another ship.
struct ShipId {
  std::uint32_t index = 0;
  std::uint32_t generation = 0;  ///< 0: invalid
  friend bool operator==(ShipId, ShipId) = default;
};

/// The ids of ships in a list. New ships are appended; destroying a ship moves the later ones.
class ShipIds {
 public:
  [[nodiscard]] bool contains(ShipId id) const noexcept;
  /// Index of the ship in the list, valid until a ship is created or destroyed.
  /// @pre contains(id)
  [[nodiscard]] std::size_t indexOf(ShipId id) const noexcept { return slots_[id.index].index; }

  /// Creates an id for a ship appended to the list.
  ShipId add();
  /// @pre contains(id)
  void remove(ShipId id) noexcept;

 private:
  /// Maps a ShipId to its ship.
  struct Slot {
    std::uint32_t index = 0;
    std::uint32_t generation = 0;
  };

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> freeSlots_;
  std::vector<std::uint32_t> slotOf_;  ///< by index in the list
};

}  // namespace nearmiss::engine
