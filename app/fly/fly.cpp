// SPDX-License-Identifier: MIT
#include "fly/fly.h"

#include <fmt/format.h>

#include "fly/flight_loop.h"
#include "record_places.h"

namespace nearmiss::app {
namespace {

int refuse(const Error& error, int code) {
  fmt::print(stderr, "nearmiss: {}\n", error.message);
  return code;
}

}  // namespace

int fly(const Options& options) {
  // What is missing is said before a window opens, not after
  if (const auto fault = faultOfPlaces(options)) return refuse(*fault, Environment);
  if (const auto models = engine::modelFilesOf(options.scene); !models)
    return refuse(models.error(), BadModelOrScene);
  auto window = Window::open(options);
  if (!window) return refuse(window.error(), Environment);
  auto renderer = Renderer::create();
  if (!renderer) return refuse(renderer.error(), Environment);
  FlightLoop loop(options, *std::move(window), *std::move(renderer));
  return loop.run();
}

}  // namespace nearmiss::app
