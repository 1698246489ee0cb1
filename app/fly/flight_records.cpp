// SPDX-License-Identifier: MIT
#include <engine/record/commit.h>
#include <engine/record/record_head.h>
#include <fmt/format.h>

#include "fly/flight_loop.h"

namespace nearmiss::app {

void FlightLoop::toggleRecording() {
  const auto file = recorder_.toggle(recordHead());
  if (!file)
    toasts_.add(file.error().message, wallSeconds(), Toasts::Kind::Warning);
  else
    toasts_.add((recorder_.recording() ? "recording " : "recorded ") + file->string(),
                wallSeconds());
}

void FlightLoop::toggleSession() {
  engine::SessionWriter& session = changeover_.session();
  if (flight_->player()) {
    toasts_.add("this is a recorded session already; Enter flies on, and that can be recorded",
                wallSeconds());
  } else if (session.writing()) {
    const std::uint64_t frames = session.framesInFile();
    if (auto closed = session.close(); !closed)
      toasts_.add(closed.error().message, wallSeconds(), Toasts::Kind::Warning);
    else
      toasts_.add(
          fmt::format("{} frames recorded: nearmiss replay {}", frames, sessionFile_.string()),
          wallSeconds());
  } else if (!session.knowsStart()) {
    toasts_.add("the flight is too long to be recorded from its start: R begins it anew",
                wallSeconds(), Toasts::Kind::Warning);
  } else {
    sessionFile_ = freshFile("nearmiss-flight", ".session");
    if (auto opened = session.keepIn(sessionFile_); !opened)
      toasts_.add(withRemedy(opened.error().message), wallSeconds(), Toasts::Kind::Warning);
    else
      toasts_.add(fmt::format("recording the flight from its start to {}", sessionFile_.string()),
                  wallSeconds());
  }
}

engine::RecordHead FlightLoop::recordHead() const {
  return engine::recordHead(engine::commitName(), flight_->scene(), flight_->shapes(),
                            driver_.renderer);
}

}  // namespace nearmiss::app
