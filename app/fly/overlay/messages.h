// SPDX-License-Identifier: MIT
/// Short messages that come, are read and go.
#pragma once

#include <nearmiss/build_progress.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <glm/vec2.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fly/overlay/layout.h"
#include "fly/overlay/views.h"

namespace nearmiss::app::fly {

class Ink;
struct FlightContext;

class Toasts {
 public:
  enum class Kind { Note, Warning };
  void add(std::string text, double wallSeconds, Kind kind = Kind::Note);
  /// The same, replacing the last message about `topic`.
  void say(std::string topic, std::string text, double wallSeconds);
  /// The same with a button that does something; it stays longer.
  using Deed = std::function<void(FlightContext&)>;
  void offer(std::string topic, std::string text, std::string button, Deed deed, double wallSeconds,
             Kind kind = Kind::Note);
  /// Forgets what was shown long enough.
  void update(double wallSeconds);
  void clear() noexcept { toasts_.clear(); }
  /// Takes back the last message about `topic`.
  void forget(std::string_view topic) {
    std::erase_if(toasts_, [topic](const Toast& toast) { return toast.topic == topic; });
  }
  /// Stacked downwards from `top`, centred between `left` and `right`, pixels. A click on a button
  /// is kept for takeDeed().
  void draw(const Ink& ink, float left, float right, float top);
  /// Adds where they stand since the last draw().
  void addPlaces(std::vector<Ground>& out) const;
  /// What the button does that was clicked, once; empty: none was.
  [[nodiscard]] Deed takeDeed() { return std::exchange(clicked_, {}); }
  /// True if a click there is meant for a button of the last draw().
  [[nodiscard]] bool takesClick(const glm::vec2& at) const noexcept;
  [[nodiscard]] bool empty() const noexcept { return toasts_.empty(); }
  /// True if one of them has those words.
  [[nodiscard]] bool tells(std::string_view words) const noexcept {
    return std::ranges::any_of(
        toasts_, [&](const Toast& toast) { return toast.text.find(words) != std::string::npos; });
  }

 private:
  struct Toast {
    std::string topic, text;
    double until;
    Kind kind;
    std::string button;  ///< empty: none
    Deed deed;
    Rect place, buttonPlace;  ///< of the last draw()
  };
  std::deque<Toast> toasts_;
  Deed clicked_;
};

/// The answer to a question in the middle of the window.
enum class Answer : std::uint8_t { None, Yes, No };

/// Progress of loading: stage, share done, time; No when cancelling was clicked.
Answer drawLoading(const Ink& ink, float width, float height, std::string_view what,
                   const BuildProgress& progress, double elapsedSeconds);

/// A sentence that ends the program when it has been read; Yes when it was.
Answer drawFailure(const Ink& ink, float width, float height, const std::string& sentence);

/// "Quit?": Yes, No, or None yet.
Answer drawQuitQuestion(const Ink& ink, float width, float height);

/// The share of the stage that is done, in [0, 0.99]: a stage that is over is no longer shown, so
/// that what is left to do is never 0.
[[nodiscard]] float shareDone(const BuildProgress& progress) noexcept;

/// Stage and share done in the first of two lines of `rect`, the bar in the second.
void drawStage(const Ink& ink, const Rect& rect, const BuildProgress& progress);

}  // namespace nearmiss::app::fly
