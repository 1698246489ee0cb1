// SPDX-License-Identifier: MIT
/// The sound of a collision: a noise burst, louder and brighter for faster collisions.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace nearmiss::app::fly {

/// Returns mono samples from -1 to 1 for a collision at `speed` m/s, with `rate` samples per
/// second. They start and end at 0. The samples depend on the arguments only.
[[nodiscard]] std::vector<float> impactSamples(double speed, int rate);

/// Returns the samples of the tone that warns of a collision.
[[nodiscard]] std::vector<float> warningSamples(int rate);
/// Returns the samples of two notes for a near miss; longer streaks sound higher.
[[nodiscard]] std::vector<float> nearMissSamples(std::uint32_t streak, int rate);
/// Returns true if the warning should sound now: within two seconds before a hit, more often the
/// closer it is. `since`: seconds since the last warning.
[[nodiscard]] bool warningDue(double secondsToHit, double since) noexcept;

/// Plays sounds on the default device. Silent without one.
class ImpactSound {
 public:
  ImpactSound();
  ImpactSound(ImpactSound&&) noexcept;
  ImpactSound& operator=(ImpactSound&&) noexcept;
  ~ImpactSound();

  /// Opens the device.
  /// @pre SDL is initialised and outlives this object
  void open();
  /// Plays a collision; `loudness` from 0 to 1. Sounds overlap; excess sounds are dropped.
  void play(double speed, double loudness);
  /// Plays the warning tone.
  void warn();
  /// Plays the notes for a near miss that earned points.
  void playNearMiss(std::uint32_t streak);

 private:
  void sound(std::vector<float> samples);
  struct Device;
  std::unique_ptr<Device> device_;
};

}  // namespace nearmiss::app::fly
