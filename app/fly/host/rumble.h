// SPDX-License-Identifier: MIT
/// Shakes a game controller, where one is plugged in.
#pragma once

namespace nearmiss::app {

class Rumble {
 public:
  Rumble() = default;
  Rumble(Rumble&& other) noexcept;
  Rumble& operator=(Rumble&&) = delete;
  ~Rumble();

  /// Looks for controllers from now on. @pre SDL has been started, and ends after this object
  void start();
  /// `strength` from 0 to 1. Takes the first controller there is.
  void shake(double strength);

 private:
  void* controller_ = nullptr;  ///< SDL_GameController
  bool started_ = false;
};

}  // namespace nearmiss::app
