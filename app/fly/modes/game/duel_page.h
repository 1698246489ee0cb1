// SPDX-License-Identifier: MIT
/// The card at the end of a duel.
#pragma once

#include <engine/game/best_runs.h>
#include <engine/game/duel.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "fly/overlay/text_page.h"

namespace nearmiss::app::fly {

/// Names of the players.
using DuelNames = std::array<std::string_view, 2>;

/// Returns one sentence that says what a player can do better next time.
[[nodiscard]] std::string duelAdvice(const engine::Duel& duel, std::size_t player);

/// Returns the title: who won, and the hits.
[[nodiscard]] std::string duelTitle(const engine::Duel& duel, const DuelNames& names);
/// Returns the result and the advice. The advice is for the first player, or for the loser of two
/// people.
[[nodiscard]] std::vector<PageGroup> duelPage(const engine::Duel& duel, const DuelNames& names,
                                              bool twoPeople);

}  // namespace nearmiss::app::fly
