// SPDX-License-Identifier: MIT
#include <engine/session/session_player.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace nearmiss::engine {

/// A second player of the session on another thread, and its results.
struct SessionPlayer::Scout {
  std::unique_ptr<SessionPlayer> player;
  std::mutex mutex;
  std::vector<Mark> found;
  std::optional<SessionDifference> difference;
  BuildProgress loading;  // also cancels frames
  std::jthread thread;    // destroyed first

  void fly(const std::stop_token& stop) noexcept {
    try {
      // A frame, or the trees of a scene, may take longer than the destructor should wait
      const std::stop_callback cancel(stop, [this] { loading.cancelled = true; });
      player->setCancelled(&loading.cancelled);
      player->loading_ = &loading;
      while (!stop.stop_requested() && !player->atEnd() && player->step()) {
        const std::lock_guard lock(mutex);
        std::ranges::move(player->marks_, std::back_inserter(found));
        player->marks_.clear();
        difference = player->difference_;
      }
    } catch (const std::exception&) {
      // Out of memory: the rest is played on demand
    }
  }
};

void SessionPlayer::EndScout::operator()(Scout* scout) const noexcept { delete scout; }

void SessionPlayer::scoutAhead() {
  // Without memory or a thread for a second player, seeking is slower
  try {
    std::unique_ptr<Scout, EndScout> scout(new Scout);
    scout->player.reset(new SessionPlayer(session_, source_, nullptr));
    scout->player->known_ = known_;
    if (!scout->player->enter(0)) return;
    scout->thread =
        std::jthread([ahead = scout.get()](const std::stop_token& stop) { ahead->fly(stop); });
    scout_ = std::move(scout);
  } catch (const std::exception&) {
  }
}

void SessionPlayer::awaitScout() {
  if (!scout_) return;
  if (scout_->thread.joinable()) scout_->thread.join();
  // Its snapshots need memory and are taken over on demand
  if (!difference_) difference_ = std::move(scout_->difference);
}

/// Takes over the results of the scout.
void SessionPlayer::collect() {
  if (!scout_) return;
  const std::lock_guard lock(scout_->mutex);
  // Reserve first, so that none is lost if memory runs out
  marks_.reserve(marks_.size() + scout_->found.size());
  for (Mark& mark : scout_->found) keep(std::move(mark));
  scout_->found.clear();
  if (!difference_) difference_ = scout_->difference;
}

}  // namespace nearmiss::engine
