// SPDX-License-Identifier: MIT
#include "fly/host/sound/mixer.h"

#include <bit>

namespace nearmiss::app::fly {
namespace {

/// A sum for both ears.
struct Stereo {
  float left = 0.0f, right = 0.0f;
  void add(float sample, float pan = 0.0f) noexcept {
    left += sample * std::min(1.0f, 1.0f - 0.7f * pan);
    right += sample * std::min(1.0f, 1.0f + 0.7f * pan);
  }
};

}  // namespace

void Mixer::set(const Soundscape& scape) noexcept {
  using Values = std::array<float, values>;
  const auto all = std::bit_cast<Values>(scape);
  for (std::size_t i = 0; i < values; ++i) scape_[i].store(all[i], std::memory_order_relaxed);
}

Soundscape Mixer::read() const noexcept {
  std::array<float, values> all{};
  for (std::size_t i = 0; i < values; ++i) all[i] = scape_[i].load(std::memory_order_relaxed);
  return std::bit_cast<Soundscape>(all);
}

void Mixer::play(const OneShot& shot) noexcept {
  const std::uint32_t given = given_.load(std::memory_order_relaxed);
  if (given - taken_.load(std::memory_order_acquire) == queued) return;
  queue_[given % queued] = shot;
  given_.store(given + 1, std::memory_order_release);
}

void Mixer::startQueued() noexcept {
  std::uint32_t taken = taken_.load(std::memory_order_relaxed);
  const std::uint32_t given = given_.load(std::memory_order_acquire);
  for (; taken != given; ++taken) {
    const auto free = std::ranges::find_if(shots_, [](const auto& v) { return !v.playing(); });
    if (free != shots_.end()) free->start(queue_[taken % queued]);
  }
  taken_.store(taken, std::memory_order_release);
}

void Mixer::render(std::span<float> stereo) noexcept {
  startQueued();
  const Soundscape scape = read();
  for (std::size_t i = 0; i + 1 < stereo.size(); i += 2) {
    Stereo sum;
    const float effects = effects_.next(scape.effectsVolume);
    const float active = active_.next(scape.active);
    for (OneShotVoice& shot : shots_)
      if (shot.playing()) sum.add(effects * shot.next(), shot.pan());
    if (effects > 0.0f && active > 0.0f) {
      for (std::size_t ship = 0; ship < passing_.size(); ++ship) {
        const PassingShip& passes = scape.passing[ship];
        sum.add(effects * passing_[ship].next(passes.loudness, passes.ratio),
                pans_[ship].next(passes.pan));
      }
      sum.add(effects * proximity_.next(scape.secondsToHit));
    }
    if (const float engine = engine_.next(scape.engineVolume); engine > 0.0f && active > 0.0f)
      sum.add(engine * hum_.next(scape.thrust));
    if (const float music = musicVolume_.next(scape.musicVolume); music > 0.0f && active > 0.0f)
      sum.add(music * music_.next(scape.streak));
    stereo[i] = softLimit(active * sum.left);
    stereo[i + 1] = softLimit(active * sum.right);
  }
}

}  // namespace nearmiss::app::fly
