// SPDX-License-Identifier: MIT
#include "fly/modes/game/duel_page.h"

#include <fmt/format.h>

#include "fly/host/key_map.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app::fly {
namespace {

using engine::Duel;
using engine::DuelHits;
using engine::DuelState;

std::string hitsOf(const Duel& duel, std::size_t player) {
  const DuelHits hits = duel.hits(player);
  return fmt::format("{}: {} by shots, {} by throws; {} fired", counted(hits.total(), "hit"),
                     hits.shots, hits.throws, counted(duel.shots(player), "shot"));
}

}  // namespace

std::string duelAdvice(const Duel& duel, std::size_t player) {
  constexpr std::size_t few = 5, wasteful = 5;  // shots; shots for each hit
  const DuelHits own = duel.hits(player), taken = duel.hits(1 - player);
  const std::size_t shots = duel.shots(player);
  if (shots + own.throws < few)
    return fmt::format("Shoot whenever the other ship is before your nose{}.",
                       player == 0 ? fmt::format(" ({})", firstKeyName(Action::Shoot)) : "");
  if (taken.total() > own.total() && taken.total() > 2)
    return "Keep moving and turn across the other ship's nose: it aims at where you will be.";
  if (shots > wasteful * own.shots)
    return fmt::format("Shoot from closer and aim ahead of the other ship: {} of {} hit.",
                       own.shots, counted(shots, "shot"));
  if (own.throws == 0)
    return fmt::format("Tow a rock and throw it{}: it is harder to dodge than a shot.",
                       player == 0 ? fmt::format(" ({}, then {})", firstKeyName(Action::Tow),
                                                 firstKeyName(Action::Shoot))
                                   : "");
  return "Faster: every second left of a duel that you win earns points.";
}

std::string duelTitle(const Duel& duel, const DuelNames& names) {
  const std::uint32_t first = duel.hits(0).total(), second = duel.hits(1).total();
  switch (duel.state()) {
    case DuelState::FirstWon:
      return fmt::format("Duel: {} wins {} : {}", names[0], first, second);
    case DuelState::SecondWon:
      return fmt::format("Duel: {} wins {} : {}", names[1], second, first);
    case DuelState::Draw:
      return fmt::format("Duel: a draw, {} : {}", first, second);
    case DuelState::Flying:
      break;
  }
  return "Duel";
}

std::vector<PageGroup> duelPage(const Duel& duel, const DuelNames& names, bool twoPeople) {
  PageGroup result{"Result", {}};
  for (const std::size_t player : {0u, 1u})
    result.rows.push_back({std::string(names[player]), hitsOf(duel, player)});
  result.rows.push_back({"time", fmt::format("{:.1f} s", duel.flown())});
  if (!twoPeople) result.rows.push_back({"points", fmt::format("{}", duel.points(0))});
  const std::size_t loser = twoPeople && duel.state() == DuelState::FirstWon ? 1 : 0;
  const std::string heading =
      twoPeople ? fmt::format("Next time, {}", names[loser]) : std::string("Next time");
  return {std::move(result), {heading, {{"", duelAdvice(duel, loser)}}}};
}

}  // namespace nearmiss::app::fly
