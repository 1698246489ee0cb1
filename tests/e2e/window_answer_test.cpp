// SPDX-License-Identifier: MIT
/// Number of frames until a key is seen.
#include <SDL.h>
#include <glad/gl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "e2e/driven_window.h"
#include "fly/command/actions.h"
#include "fly/command/command.h"
#include "fly/host/key_map.h"
#include "support/watched_window.h"

namespace nearmiss::app::fly {
namespace {

using Picture = std::vector<std::uint8_t>;

Picture pictureOf(SDL_Window* window) {
  int width = 0, height = 0;
  SDL_GL_GetDrawableSize(window, &width, &height);
  Picture pixels(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
  return pixels;
}

/// Presses one key after another in a paused flight, each when the picture rests, and counts the
/// frames until it is another.
class Onlooker {
 public:
  explicit Onlooker(std::span<const KeyPress> keys) : keys_(keys) {}

  void operator()(SDL_Window* window) {
    Picture now = pictureOf(window);
    const bool same = now == last_;
    last_ = std::move(now);
    ++frames_;
    if (frames_ == framesBefore) tap({SDL_SCANCODE_SPACE, false});
    if (frames_ < framesBefore) return;
    if (waiting_ && same && frames_ - since_ < maxFrames) return;
    if (waiting_) {
      answers_.push_back(frames_ - since_);
      waiting_ = false;
      since_ = frames_;
    }
    still_ = same ? still_ + 1 : 0;
    if (still_ < 5 && frames_ - since_ < maxFrames) return;
    if (answers_.size() == keys_.size()) {
      pushQuit();
      return;
    }
    if (still_ < 5) restless_.push_back(SDL_GetScancodeName(keys_[answers_.size()].key));
    still_ = 0;
    tap(keys_[answers_.size()]);
    waiting_ = true;
    since_ = frames_;
  }

  /// Frames from each key to the first picture that differs.
  [[nodiscard]] const std::vector<int>& answers() const { return answers_; }
  /// Keys before which the picture did not come to rest.
  [[nodiscard]] const std::vector<std::string>& restless() const { return restless_; }
  /// Keys that were seen later than in the frame after them.
  [[nodiscard]] std::vector<std::string> late() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < answers_.size(); ++i) {
      if (answers_[i] == 1) continue;
      names.push_back((keys_[i].shift ? "Shift+" : "") +
                      std::string(SDL_GetScancodeName(keys_[i].key)) + " after " +
                      std::to_string(answers_[i]));
    }
    return names;
  }

 private:
  static constexpr int framesBefore = 60, maxFrames = 1200;
  static void tap(const KeyPress& key) {
    test::tapKey(key.key, key.shift ? KMOD_LSHIFT : KMOD_NONE);
  }

  std::span<const KeyPress> keys_;
  std::vector<int> answers_;
  std::vector<std::string> restless_;
  Picture last_;
  int frames_ = 0, since_ = 0, still_ = 0;
  bool waiting_ = false;
};

/// Not what lets time pass, waits for other trees, models or a file, needs the pointer, or has
/// nothing to do in this flight.
bool answersAtRest(Action action) {
  using enum Action;
  for (const Action other :
       {Pause,      NormalSpeed,    Restart,  NewSeed,       Run,       NextMission,
        Bench,      PinExplanation, NextTree, AsPublished,   SplitView, NextLeftMethod,
        ExactGhost, ResetCamera,    Tour,     RecordProfile, Photo,     Screenshot,
        FullScreen, PageUp,         PageDown, Back,          Confirm})
    if (action == other) return false;
  return true;
}

/// A key that comes while a frame is being made is seen in the one after it: two frames at most.
TEST(Window, ShowsAKeyInTheNextFrame) {
  const OwnFolder folder;
  std::vector<KeyPress> keys;
  for (const Command& command : commands())
    if (command.hasDefaultKey() && hasEffect(command.action) && answersAtRest(command.action))
      keys.push_back({command.key, command.shift});
  ASSERT_GT(keys.size(), 35u);
  Onlooker onlooker(keys);
  test::watchFrames([&onlooker](SDL_Window* window) { onlooker(window); });
  Options options = smallWindow();
  options.window.width = 800;
  options.window.height = 500;
  const int code = flyScene(options);
  test::watchFrames({});
  EXPECT_EQ(code, Ok);
  EXPECT_THAT(onlooker.restless(), testing::IsEmpty());
  EXPECT_EQ(onlooker.answers().size(), keys.size());
  EXPECT_THAT(onlooker.late(), testing::IsEmpty());
}

}  // namespace
}  // namespace nearmiss::app::fly
