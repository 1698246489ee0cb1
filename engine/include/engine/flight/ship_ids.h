// SPDX-License-Identifier: MIT
/// Names of ships that outlast the changes of their indices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nearmiss::engine {

/// Names a ship for as long as it lives; a stale id is recognised, not followed.
struct ShipId {
  std::uint32_t index = 0;
  std::uint32_t generation = 0;  ///< 0: no ship
  friend bool operator==(ShipId, ShipId) = default;
};

/// The ids of ships in a list: new ships join its end, and a ship that leaves closes the gap.
class ShipIds {
 public:
  [[nodiscard]] bool contains(ShipId id) const noexcept;
  /// The ship's index in the list, valid until a ship comes or goes. @pre contains(id)
  [[nodiscard]] std::size_t indexOf(ShipId id) const noexcept { return slots_[id.index].index; }

  /// Names a ship at the end of the list.
  ShipId add();
  /// @pre contains(id)
  void remove(ShipId id) noexcept;

 private:
  /// The ship that a ShipId names.
  struct Slot {
    std::uint32_t index = 0;
    std::uint32_t generation = 0;
  };

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> freeSlots_;
  std::vector<std::uint32_t> slotOf_;  ///< by index in the list
};

}  // namespace nearmiss::engine
