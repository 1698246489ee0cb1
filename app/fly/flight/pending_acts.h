// SPDX-License-Identifier: MIT
/// The user's hand acts that wait for the next frame.
#pragma once

#include <engine/flight/hand_acts.h>

#include <algorithm>
#include <span>
#include <vector>

namespace nearmiss::app::fly {

class PendingActs {
 public:
  /// Of several acts on a ship only the last one counts.
  void add(const engine::HandAct& act) {
    using enum engine::HandAct::Kind;
    if (act.kind == Put)
      std::erase_if(next_, [&](const engine::HandAct& other) {
        return other.kind == Put && other.ship == act.ship;
      });
    if (next_.size() < engine::maxHandActs) next_.push_back(act);
  }
  void clear() noexcept { next_.clear(); }
  /// Drops shots. Placed ships stay in place.
  void dropShots() noexcept {
    std::erase_if(
        next_, [](const engine::HandAct& act) { return act.kind == engine::HandAct::Kind::Shoot; });
  }
  /// Returns the acts of the next frame, valid until the following call.
  std::span<const engine::HandAct> take() {
    last_.swap(next_);
    next_.clear();
    return last_;
  }
  /// Acts of the last frame.
  [[nodiscard]] std::span<const engine::HandAct> last() const noexcept { return last_; }

 private:
  std::vector<engine::HandAct> next_, last_;
};

}  // namespace nearmiss::app::fly
