// SPDX-License-Identifier: MIT
#include <engine/game/duel.h>

#include <algorithm>

namespace nearmiss::engine {
namespace {

constexpr std::size_t nobody = 2;
/// Tolerance for rounding over many steps, simulation seconds.
constexpr Real slack = 1e-6;

}  // namespace

void Duel::begin(std::span<const BodyState> bodies, std::size_t first, std::size_t second) {
  *this = Duel();
  ships_ = {PlayerShip{first, bodies[first].key}, PlayerShip{second, bodies[second].key}};
  shots_.reserve(static_cast<std::size_t>(2.0 * seconds / reload));
  throws_.reserve(64);
  hits_.reserve(std::size_t{4} * goal);
}

std::size_t Duel::playerOf(std::uint32_t key) const noexcept {
  if (key == 0) return 0;
  const auto found = std::ranges::find(ships_, key, &PlayerShip::key);
  return static_cast<std::size_t>(found - ships_.begin());
}

void Duel::noteThrow(std::size_t player, std::uint32_t body) {
  throws_.push_back({player, body, now_, false});
}

void Duel::noteShots(const FrameOutput& output, std::span<const HandAct> acts, Real began) {
  for (const HandAct& act : acts) {
    if (act.kind != HandAct::Kind::Shoot) continue;
    const bool exists = act.ship == 0 || std::ranges::find(output.bodies, act.ship,
                                                           &BodyState::key) != output.bodies.end();
    if (exists) shots_.push_back({playerOf(act.ship), 0, began, false});
  }
  // A shot whose start was invalid has no body
  while (shots_.size() < Shots::most && shots_.size() > output.shots) shots_.pop_back();
}

DuelState Duel::take(const FrameOutput& output, std::span<const HandAct> acts) {
  const Real began = now_;
  now_ = output.profile.simTime;
  noteShots(output, acts, began);
  if (state_ != DuelState::Flying) return state_;
  for (const Collision& collision : output.collisions)
    for (std::size_t player = 0; player < ships_.size(); ++player) {
      // What hits the other player's ship
      const std::size_t target = ships_[1 - player].index;
      if (collision.a == target) score(output, player, collision.b, collision.time);
      if (collision.b == target) score(output, player, collision.a, collision.time);
    }
  state_ = judge();
  if (state_ != DuelState::Flying) ended_ = now_;
  return state_;
}

/// Returns the last shot or throw of a body; null if there is none that can still score.
Duel::Launch* Duel::launchOf(const FrameOutput& output, std::size_t body, Real at) {
  const std::size_t firstShot = output.bodies.size() - output.shots;
  if (body >= firstShot) {
    const std::size_t place = body - firstShot;
    if (place >= shots_.size()) return nullptr;
    return &shots_[place + (shots_.size() - 1 - place) / Shots::most * Shots::most];
  }
  const std::uint32_t key = output.bodies[body].key;
  const auto last = std::find_if(throws_.rbegin(), throws_.rend(),
                                 [key](const Launch& each) { return each.body == key; });
  return last != throws_.rend() && at <= last->began + throwSeconds + slack ? &*last : nullptr;
}

void Duel::score(const FrameOutput& output, std::size_t player, std::size_t body, Real at) {
  Launch* launch = launchOf(output, body, at);
  if (!launch || launch->player != player || launch->spent) return;
  launch->spent = true;
  const bool thrown = launch->body != 0;
  const Launch* first = thrown ? throws_.data() : shots_.data();
  hits_.push_back({player, thrown, static_cast<std::size_t>(launch - first), now_});
}

DuelState Duel::judge() const noexcept {
  const std::uint32_t first = hits(0).total(), second = hits(1).total();
  if (std::max(first, second) < goal && now_ < seconds - slack) return DuelState::Flying;
  return first == second  ? DuelState::Draw
         : first > second ? DuelState::FirstWon
                          : DuelState::SecondWon;
}

void Duel::flyBack(Real time) {
  std::erase_if(shots_, [=](const Launch& each) { return each.began >= time; });
  std::erase_if(throws_, [=](const Launch& each) { return each.began >= time; });
  std::erase_if(hits_, [=](const DuelHit& hit) { return hit.time > time; });
  for (std::vector<Launch>* all : {&shots_, &throws_})
    for (Launch& each : *all) each.spent = false;
  for (const DuelHit& hit : hits_) (hit.thrown ? throws_ : shots_)[hit.source].spent = true;
  now_ = time;
  if (time >= ended_) return;
  state_ = DuelState::Flying;
  ended_ = std::numeric_limits<Real>::infinity();
}

bool Duel::mayShoot(std::size_t player, Real reloadSeconds) const noexcept {
  if (now_ < warmUp - slack) return false;
  const auto last = std::find_if(shots_.rbegin(), shots_.rend(),
                                 [=](const Launch& each) { return each.player == player; });
  return last == shots_.rend() || now_ >= last->began + reloadSeconds - slack;
}

DuelHits Duel::hits(std::size_t player) const noexcept {
  DuelHits found;
  for (const DuelHit& hit : hits_)
    if (hit.player == player) ++(hit.thrown ? found.throws : found.shots);
  return found;
}

std::size_t Duel::shots(std::size_t player) const noexcept {
  return static_cast<std::size_t>(std::ranges::count(shots_, player, &Launch::player));
}

std::int64_t Duel::points(std::size_t player) const noexcept {
  const DuelHits own = hits(player), others = hits(1 - player);
  std::int64_t sum = shotPoints * own.shots + throwPoints * own.throws - hitCost * others.total();
  const DuelState won = player == 0 ? DuelState::FirstWon : DuelState::SecondWon;
  if (state_ == won) sum += secondPoints * static_cast<std::int64_t>(left());
  return std::max<std::int64_t>(sum, 0);
}

}  // namespace nearmiss::engine
