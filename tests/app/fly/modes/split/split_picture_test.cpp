// SPDX-License-Identifier: MIT
/// The split view on the work clock looks the same, whatever clocks on the wall say.
#include <gtest/gtest.h>
#include <imgui.h>

#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "app/fly/offscreen_window.h"
#include "app/fly/quick_lamps.h"
#include "fly/command/actions.h"
#include "fly/flight_context.h"
#include "fly/loop/canvas.h"

namespace nearmiss::app::fly {
namespace {

constexpr int splitWidth = 320, splitHeight = 200;

/// After some turns that take so long each, in a window that has been open for that long.
std::vector<std::uint8_t> splitPicture(float turn, std::chrono::seconds open) {
  auto renderer = Renderer::create();
  EXPECT_TRUE(renderer.has_value());
  Canvas canvas(*std::move(renderer));
  ImGuiContext* const imgui = ImGui::CreateContext();
  ImGui::GetIO().DeltaTime = turn;
  const Options options;
  std::vector<std::uint8_t> pixels;
  {
    FlightContext context(options, {nullptr, splitWidth, splitHeight, false, {}});
    auto flight = Flight::begin(quickLamps(6));
    EXPECT_TRUE(flight.has_value());
    context.flightManager.flight().emplace(*std::move(flight));
    context.times.started -= open;
    // The eye glides after a ship that turns
    context.steering.control.yaw = context.steering.control.thrust = 1.0;
    apply(context, Action::SplitView);
    EXPECT_TRUE(context.modes.split.on());
    for (int turns = 0; turns < 20; ++turns) {
      context.times.advanced = false;
      EXPECT_TRUE(context.modes.split.advance(context));
      EXPECT_TRUE(context.modes.split.draw(context, canvas));
    }
    pixels = canvas.renderer().readPixels(splitWidth, splitHeight);
  }
  ImGui::DestroyContext(imgui);
  return pixels;
}

TEST(SplitPicture, DoesNotDependOnHowLongItTakes) {
  using namespace std::chrono_literals;
  const nearmiss::test::OffscreenWindow window(splitWidth, splitHeight);
  ASSERT_EQ(window.failure(), "") << "tests draw with OpenGL 3.3 off screen";
  const std::vector<std::uint8_t> quick = splitPicture(0.01f, 0s);
  EXPECT_EQ(quick.size(), std::size_t{3} * splitWidth * splitHeight);
  EXPECT_TRUE(quick == splitPicture(0.2f, 100s));
}

}  // namespace
}  // namespace nearmiss::app::fly
