// SPDX-License-Identifier: MIT
/// The sound of a hit: a burst of noise that is louder and brighter the faster ships met.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace nearmiss::app::fly {

/// Mono samples from -1 to 1 of a hit at `speed` m/s, `rate` samples per second. They begin and end
/// in silence; the same speed gives the same samples.
[[nodiscard]] std::vector<float> impactSamples(double speed, int rate);

/// The same of the tone that warns of a hit.
[[nodiscard]] std::vector<float> warningSamples(int rate);
/// The same of two notes for a pass, the higher the longer the streak that it is of.
[[nodiscard]] std::vector<float> praiseSamples(std::uint32_t streak, int rate);
/// True if the warning sounds now: within two seconds of a hit, the sooner that is the more often.
/// `since`: seconds since it sounded last.
[[nodiscard]] bool warningDue(double secondsToHit, double since) noexcept;

/// Plays hits on the default device. Without one it is silent.
class ImpactSound {
 public:
  ImpactSound();
  ImpactSound(ImpactSound&&) noexcept;
  ImpactSound& operator=(ImpactSound&&) noexcept;
  ~ImpactSound();

  /// Opens the device. @pre SDL has been started, and ends after this object
  void open();
  /// `loudness` from 0 to 1. Hits sound together; of too many the last are left out.
  void play(double speed, double loudness);
  /// The tone that warns of one.
  void warn();
  /// The notes for a pass that earned points.
  void praise(std::uint32_t streak);

 private:
  void sound(std::vector<float> samples);
  struct Device;
  std::unique_ptr<Device> device_;
};

}  // namespace nearmiss::app::fly
