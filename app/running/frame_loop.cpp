// SPDX-License-Identifier: MIT
#include "running/frame_loop.h"

#include <engine/base/threads.h>
#include <cmath>

#include "console/interrupt.h"

namespace nearmiss::app {

using engine::FrameProfile;
using std::chrono::steady_clock;

engine::FrameInput frameInputOf(const engine::Scene& scene) {
  engine::FrameInput input;
  input.dt = engine::frameStep(scene);
  input.detectStep = scene.detectStep;
  input.levelCap = scene.maxLevel;
  input.tighten = scene.tighten;
  input.coherence = scene.coherence;
  input.order = scene.order;
  input.response = scene.response;
  input.instants = scene.instants;
  input.importance = scene.importance;
  return input;
}

FrameLoop::FrameLoop(const Options& options, engine::Simulation& simulation)
    : options_(options),
      scene_(options.scene),
      simulation_(simulation),
      input_(frameInputOf(options.scene)),
      target_(FrameProfile::Duration(std::llround(options.scene.frameMs * 1e6))) {
  simulation_.setCancelled(&interruption());
}

void FrameLoop::run(const std::function<void(const FrameProfile&)>& record) {
  began_ = steady_clock::now();
  account_ = engine::FrameAccount(began_);
  while (!ended())
    if (const auto profile = frame()) record(*profile);
}

double FrameLoop::seconds() const {
  return std::chrono::duration<double>(account_.began() - began_).count();
}

bool FrameLoop::ended() const {
  if (interrupted()) return true;
  if (options_.frames && frames_ >= *options_.frames) return true;
  if (options_.frames && !scene_.simSeconds) return false;
  // Half a step tolerates rounding over many steps
  const Real end = scene_.simSeconds.value_or(defaultRunSeconds);
  return simulation_.world().time() + 0.5 * engine::frameStep(scene_) > end;
}

/// Returns `nullopt` if the frame was cancelled.
std::optional<FrameProfile> FrameLoop::frame() {
  input_.detectionBudget = account_.allowance(scene_.budget, scene_.clock, target_);
  account_.book(&FrameProfile::input, steady_clock::now());
  if (!drawing_.empty()) {
    // Spin, because a sleep would let other processes use the caches, which drawing does not
    const auto end = steady_clock::now() + drawing_[frames_ % drawing_.size()];
    while (steady_clock::now() < end) continue;
    account_.book(&FrameProfile::render, steady_clock::now());
  }
  const std::uint64_t preemptionsBefore = engine::preemptions();
  const engine::FrameOutput& output = simulation_.advance(input_);
  const std::uint64_t preempted = engine::preemptions() - preemptionsBefore;
  if (output.cancelled) return std::nullopt;
  account_.simulated(output.profile, target_, steady_clock::now());
  missedByDriver_ += output.missedByDriver.size();
  if (session_) session_->add(input_, output, simulation_.world().ships());
  if (options_.realtime) {
    engine::idleUntil(account_.began() + target_ + output.profile.watching);
    account_.book(&FrameProfile::slack, steady_clock::now());
  }
  ++frames_;
  FrameProfile profile = *account_.end(steady_clock::now());
  profile.preemptions = static_cast<std::uint32_t>(preempted);
  return profile;
}

}  // namespace nearmiss::app
