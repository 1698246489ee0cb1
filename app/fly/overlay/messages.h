// SPDX-License-Identifier: MIT
/// Short messages that disappear after a while.
#pragma once

#include <nearmiss/advanced/build_progress.h>

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
  /// Adds a message that replaces the last one about `topic`.
  void say(std::string topic, std::string text, double wallSeconds);
  /// Adds a message with a button, which stays longer.
  using ClickAction = std::function<void(FlightContext&)>;
  void offer(std::string topic, std::string text, std::string button, ClickAction deed,
             double wallSeconds, Kind kind = Kind::Note);
  /// Removes messages that were shown long enough.
  void update(double wallSeconds);
  void clear() noexcept { toasts_.clear(); }
  /// Removes the last message about `topic`.
  void forget(std::string_view topic) {
    std::erase_if(toasts_, [topic](const Toast& toast) { return toast.topic == topic; });
  }
  /// Draws the messages from `top` downwards, centred between `left` and `right`, pixels. Stores a
  /// click on a button for takeClicked().
  void draw(const Ink& ink, float left, float right, float top);
  /// Adds the areas of the last draw().
  void addPlaces(std::vector<Ground>& out) const;
  /// Returns the action of the clicked button once; empty if none was clicked.
  [[nodiscard]] ClickAction takeClicked() { return std::exchange(clicked_, {}); }
  /// Returns true if a click there hits a button of the last draw().
  [[nodiscard]] bool takesClick(const glm::vec2& at) const noexcept;
  [[nodiscard]] bool empty() const noexcept { return toasts_.empty(); }
  /// Returns true if a message has that text.
  [[nodiscard]] bool contains(std::string_view words) const noexcept {
    return std::ranges::any_of(
        toasts_, [&](const Toast& toast) { return toast.text.find(words) != std::string::npos; });
  }

 private:
  struct Toast {
    std::string topic, text;
    double until;
    Kind kind;
    std::string button;  ///< empty: none
    ClickAction deed;
    Rect place, buttonPlace;  ///< at the last draw()
  };
  std::deque<Toast> toasts_;
  ClickAction clicked_;
};

/// The answer to a question in the centre of the window.
enum class Answer : std::uint8_t { None, Yes, No };

/// Draws the progress of loading: stage, fraction, time. No: the user cancelled.
Answer drawLoading(const Ink& ink, float width, float height, std::string_view what,
                   const BuildProgress& progress, double elapsedSeconds);

/// Draws an error that ends the program. Yes: the user has read it.
Answer drawFailure(const Ink& ink, float width, float height, const std::string& sentence);

/// Draws "Quit?". None: not answered yet.
Answer drawQuitQuestion(const Ink& ink, float width, float height);

/// Fraction of the stage that is done, in [0, 0.99]. Never 1, because a finished stage is no longer
/// shown.
[[nodiscard]] float shareDone(const BuildProgress& progress) noexcept;

/// Draws stage and fraction in the first of two lines of `rect`, and a bar in the second.
void drawStage(const Ink& ink, const Rect& rect, const BuildProgress& progress);

}  // namespace nearmiss::app::fly
