// SPDX-License-Identifier: MIT
/// Acts of the user's hand that wait for the next frame of a flight.
#pragma once

#include <engine/flight/hand_acts.h>

#include <algorithm>
#include <span>
#include <vector>

namespace nearmiss::app::fly {

class PendingActs {
 public:
  /// Of a ship only the last place and velocity count.
  void add(const engine::HandAct& act) {
    using enum engine::HandAct::Kind;
    if (act.kind == Put)
      std::erase_if(next_, [&](const engine::HandAct& other) {
        return other.kind == Put && other.ship == act.ship;
      });
    if (next_.size() < engine::maxHandActs) next_.push_back(act);
  }
  void clear() noexcept { next_.clear(); }
  /// Drops shots. Placements stay: the ships are there already.
  void dropShots() noexcept {
    std::erase_if(
        next_, [](const engine::HandAct& act) { return act.kind == engine::HandAct::Kind::Shoot; });
  }
  /// The next frame flies: its acts, valid until the one after that.
  std::span<const engine::HandAct> take() {
    last_.swap(next_);
    next_.clear();
    return last_;
  }
  /// Of the frame that was flown last.
  [[nodiscard]] std::span<const engine::HandAct> last() const noexcept { return last_; }

 private:
  std::vector<engine::HandAct> next_, last_;
};

}  // namespace nearmiss::app::fly
