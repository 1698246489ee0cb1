// SPDX-License-Identifier: MIT
/// Short messages that come, are read and go.
#pragma once

#include <deque>
#include <string>

namespace nearmiss::app {

class Ink;

class Toasts {
 public:
  enum class Kind { Note, Warning };
  void add(std::string text, double wallSeconds, Kind kind = Kind::Note);
  /// The same, replacing the last message about `topic`.
  void say(std::string topic, std::string text, double wallSeconds);
  /// Forgets what was shown long enough.
  void update(double wallSeconds);
  void clear() noexcept { toasts_.clear(); }
  /// Stacked downwards from `top`, centred between `left` and `right`, pixels.
  void draw(const Ink& ink, float left, float right, float top) const;
  [[nodiscard]] bool empty() const noexcept { return toasts_.empty(); }

 private:
  struct Toast {
    std::string topic, text;
    double until;
    Kind kind;
  };
  std::deque<Toast> toasts_;
};

}  // namespace nearmiss::app
