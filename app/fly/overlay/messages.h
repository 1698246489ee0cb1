// SPDX-License-Identifier: MIT
/// Short messages that disappear after a while.
#pragma once

#include <nearmiss/advanced/build_progress.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <glm/vec2.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fly/overlay/layout.h"
#include "fly/overlay/views.h"

namespace nearmiss::app::fly {

class Ink;
struct FlightContext;

/// A message that was shown.
struct LoggedMessage {
  double flightSeconds = 0.0;  ///< simulation time at which it was shown
  std::string text;
};

/// Returns a place of that size in `area` that overlaps none of `taken`, as near to the upper or
/// lower edge as possible; if there is none, the place at an edge with the least overlap. Keeps
/// `last` if it is still free. Pixels.
[[nodiscard]] Rect freePlace(const Rect& area, const glm::vec2& size, std::span<const Rect> taken,
                             const Rect& last = {});

class Toasts {
 public:
  enum class Kind { Note, Warning };
  static constexpr std::size_t maxShown = 2, maxLogged = 200;
  void add(std::string text, double wallSeconds, Kind kind = Kind::Note);
  /// Adds a message that replaces the last one about `topic`.
  void say(std::string topic, std::string text, double wallSeconds);
  /// Adds a message with a button, which stays longer.
  using ClickAction = std::function<void(FlightContext&)>;
  void offer(std::string topic, std::string text, std::string button, ClickAction deed,
             double wallSeconds, Kind kind = Kind::Note);
  /// Removes messages that were shown long enough.
  void update(double wallSeconds);
  /// Sets the flight's time for the log; later messages have it.
  void setFlightTime(double simulationSeconds) noexcept { flightSeconds_ = simulationSeconds; }
  /// All messages, newest first, at most maxLogged.
  [[nodiscard]] const std::deque<LoggedMessage>& log() const noexcept { return log_; }
  void clear() noexcept { toasts_.clear(); }
  /// Removes the last message about `topic`.
  void forget(std::string_view topic) {
    std::erase_if(toasts_, [topic](const Toast& toast) { return toast.topic == topic; });
  }
  /// Draws the messages in `area`, pixels, where they cover none of `taken`, such as ships. Stores
  /// a click on a button for takeClicked().
  void draw(const Ink& ink, const Rect& area, std::span<const Rect> taken = {});
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
  void record(const std::string& text);

  std::deque<Toast> toasts_;  ///< oldest first
  std::deque<LoggedMessage> log_;
  double flightSeconds_ = 0.0;
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

/// Draws the log as a page; clamps `scroll`, in lines.
void drawMessageLog(const Ink& ink, float width, float height, const std::deque<LoggedMessage>& log,
                    float& scroll);

/// Fraction of the stage that is done, in [0, 0.99]. Never 1, because a finished stage is no longer
/// shown.
[[nodiscard]] float shareDone(const BuildProgress& progress) noexcept;

/// Draws the stage, its fraction and `time` in the first of two lines of `rect`, and a bar in the
/// second.
void drawStage(const Ink& ink, const Rect& rect, const BuildProgress& progress,
               std::string_view time);

}  // namespace nearmiss::app::fly
