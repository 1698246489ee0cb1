// SPDX-License-Identifier: MIT
/// Plays the sounds of a flight on the default device.
#pragma once

#include <memory>

#include "fly/host/sound/mixer.h"

namespace nearmiss::app::fly {

/// Silent without a device.
class FlightSound {
 public:
  FlightSound();
  ~FlightSound();

  /// Opens the device.
  /// @pre SDL is initialised and outlives this object
  void open();
  /// Returns true if there is a device.
  [[nodiscard]] bool ready() const noexcept;
  /// Plays a short sound.
  void play(const OneShot& shot);
  /// Changes the continuous sounds.
  void set(const Soundscape& scape);

 private:
  struct Device;
  std::unique_ptr<Device> device_;
};

}  // namespace nearmiss::app::fly
