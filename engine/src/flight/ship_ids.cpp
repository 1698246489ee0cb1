// SPDX-License-Identifier: MIT
#include <engine/flight/ship_ids.h>

#include <iterator>

namespace nearmiss::engine {

bool ShipIds::contains(ShipId id) const noexcept {
  return id.generation % 2 == 1 && id.index < slots_.size() &&
         slots_[id.index].generation == id.generation;
}

ShipId ShipIds::add() {
  // Reuse the slot freed last, or add one
  std::uint32_t slot = 0;
  if (freeSlots_.empty()) {
    slot = static_cast<std::uint32_t>(slots_.size());
    slots_.emplace_back();
  } else {
    slot = freeSlots_.back();
    freeSlots_.pop_back();
  }
  ++slots_[slot].generation;
  slots_[slot].index = static_cast<std::uint32_t>(slotOf_.size());
  slotOf_.push_back(slot);
  return ShipId{slot, slots_[slot].generation};
}

void ShipIds::remove(ShipId id) noexcept {
  const std::size_t index = indexOf(id);
  slotOf_.erase(std::next(slotOf_.begin(), static_cast<std::ptrdiff_t>(index)));
  for (std::size_t p = index; p < slotOf_.size(); ++p)
    slots_[slotOf_[p]].index = static_cast<std::uint32_t>(p);

  // The generation of a free slot is one that no ship had
  ++slots_[id.index].generation;
  freeSlots_.push_back(id.index);
}

}  // namespace nearmiss::engine
