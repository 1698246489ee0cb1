// SPDX-License-Identifier: MIT
#include <utility>

#include "fly/flight.h"

namespace nearmiss::app {

Flight Flight::replay(std::unique_ptr<engine::SessionPlayer> player,
                      std::shared_ptr<WorkerPool> pool,
                      std::shared_ptr<engine::SessionWriter> session) {
  Flight flight;
  flight.pool_ = std::move(pool);
  flight.session_ = std::move(session);
  flight.player_ = std::move(player);
  flight.player_->scoutAhead();
  flight.output_ = std::make_unique<engine::FrameOutput>();
  flight.followPlayer();
  flight.output_->bodies = flight.world().states();
  return flight;
}

/// Takes over what flies there, which may be of another scene than the frame before.
void Flight::followPlayer() {
  const bool others = loaded_.shapes != player_->shapes();
  loaded_ = {player_->scene(), player_->shapes()};
  method_ = scene().narrow == "bsp" ? Method::Bsp : Method::SphereTree;
  methodName_ = scene().narrow;
  broadName_ = engine::broadPhaseOf(scene());
  if (others) nameTrees();
}

Result<Success> Flight::replayTo(std::uint64_t frames) {
  const auto output = player_->seek(frames);
  if (!output) {
    // What the last frame referred to may be gone
    *output_ = {};
    output_->bodies = world().states();
    return output.error();
  }
  if (*output) *output_ = **output;
  followPlayer();
  return Success{};
}

Result<Success> Flight::takeOver() {
  // What was replayed is the beginning of what is recorded
  if (session_) {
    engine::RecordedSession& past = player_->session();
    auto next = past.scenes().begin();
    for (std::uint64_t n = 0; n < player_->position(); ++n) {
      for (; next != past.scenes().end() && next->frame == n; ++next)
        session_->begin(next->scene, past.head());
      session_->add(past.frame(n));
    }
  }
  simulation_ = player_->release();
  takenFrom_ = std::move(player_);
  simulation_->shareWork(pool_.get());
  return setMethod(method_);
}

}  // namespace nearmiss::app
