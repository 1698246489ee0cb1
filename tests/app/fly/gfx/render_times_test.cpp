// SPDX-License-Identifier: MIT
/// How long a frame takes to draw.
#include <engine/model/model_loader.h>
#include <gtest/gtest.h>
#include <nearmiss/detail/split_mix.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <span>
#include <string>
#include <vector>

#include <glad/gl.h>

#include "app/fly/offscreen_window.h"
#include "fly/gfx/renderer.h"
#include "support/campaign.h"

namespace nearmiss::app::fly {
namespace {

/// Wall time of a frame, draw and wait: the median of some. The time that all threads of the
/// process spent on it is more reliable where other programs keep the cores busy.
struct FrameTime {
  double wallMs = 0.0, threadsMs = 0.0;
};

FrameTime measure(Renderer& renderer, const DrawFrame& frame) {
  std::vector<double> times;
  std::clock_t begin = 0;
  // The first ones compile and fill caches
  const int frames = test::cases(2), before = frames / 10 + 1;
  for (int i = 0; i < before + frames; ++i) {
    if (i == before) begin = std::clock();
    const auto start = std::chrono::steady_clock::now();
    renderer.draw(frame, 1280, 720);
    glFinish();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    if (i >= before) times.push_back(took.count());
  }
  const double spent = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  EXPECT_EQ(glGetError(), GLenum{GL_NO_ERROR});
  std::nth_element(times.begin(), times.begin() + frames / 2, times.end());
  return {times[static_cast<std::size_t>(frames / 2)], 1000.0 * spent / frames};
}

void print(const char* what, const FrameTime& t) {
  std::printf("%-26s %8.2f ms wall %8.2f ms of all threads\n", what, t.wallMs, t.threadsMs);
}

/// NEARMISS_CAMPAIGN=50 for figures to quote.
TEST(FlyRenderTimes, ArePrinted) {
  setenv("NEARMISS_ROOT", NEARMISS_SOURCE_DIR, 1);
  test::OffscreenWindow window(1280, 720);
  ASSERT_EQ(window.failure(), "");
  Result<Renderer> renderer = Renderer::create();
  ASSERT_TRUE(renderer) << renderer.error().message;
  std::printf("%s, 1280x720, draw and glFinish, median of %d\n", driverInfo().renderer.c_str(),
              test::cases(2));

  CameraRig rig;
  DrawFrame frame;
  frame.arenaRadius = 9.0;
  for (const char* name : {"lamp", "faucet", "rocket", "truck"}) {
    const auto file = engine::findModel(name);
    ASSERT_TRUE(file) << file.error().message;
    auto model = engine::loadModel(*file);
    ASSERT_TRUE(model) << model.error().message;
    renderer->setShapes(std::span(&model->draw, 1));
    SplitMix random(7);
    std::vector<ShipInstance> ships(10);
    for (std::size_t i = 1; i < ships.size(); ++i) {
      ships[i].tint = glm::vec3(0.105f, 0.147f, 0.262f);
      ships[i].thrust = 0.6f;
      const double x = random.between(-6, 6), y = random.between(-3, 3), z = random.between(-12, 0);
      ships[i].pose.position = {x, y, z};
    }
    frame.camera = rig.update(ships[0].pose, 1.0, 0.0);
    frame.ships = ships;
    const std::size_t triangles = model->draw.indices.size() / 3;
    const std::string what = "10 x " + std::string(name) + ", " + std::to_string(triangles);
    print((what + " triangles").c_str(), measure(*renderer, frame));
  }
  frame.ships = {};
  print("no ships", measure(*renderer, frame));
  SplitMix random(9);
  for (const bool three : {false, true}) {
    std::vector<DrawSphere> spheres(three ? 64 : 512);
    for (DrawSphere& s : spheres) {
      const double x = random.between(-1, 1), y = random.between(-1, 1), z = random.between(-1, 1);
      s.sphere = {{x, y, z}, three ? 0.25 : 0.12};
      s.threeCircles = three;
    }
    frame.spheres = spheres;
    print(three ? "64 of three circles" : "512 rings", measure(*renderer, frame));
  }
}

}  // namespace
}  // namespace nearmiss::app::fly
