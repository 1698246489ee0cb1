// SPDX-License-Identifier: MIT
/// What the window remembers: written and read back, damaged files set aside, unknown ones kept.
#include "fly/settings/window_settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::app::fly {
namespace {

namespace fs = std::filesystem;

class WindowSettingsFile : public testing::Test {
 protected:
  WindowSettingsFile() { fs::create_directories(folder_); }
  ~WindowSettingsFile() override { fs::remove_all(folder_); }

  void write(const std::string& text) const { std::ofstream(file_) << text; }
  static std::string contents(const fs::path& file) {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }

  fs::path folder_ = fs::path(testing::TempDir()) /
                     (std::string("nearmiss-window-settings-") +
                      testing::UnitTest::GetInstance()->current_test_info()->name());
  fs::path file_ = folder_ / "window.toml";
};

WindowSettings unusual() {
  WindowSettings settings;
  settings.overlay = OverlayMode::Off;
  settings.spheres = DrawLevel::Level4;
  settings.camera = CameraMode::Free;
  settings.wireframe = settings.boundingSpheres = settings.reduceFlashing = true;
  settings.muted = settings.introduced = true;
  settings.cues = false;
  settings.uiScale = 1.25f;
  settings.volumes = {0.35f, 0.0f, 1.0f};
  settings.assist = false;
  EXPECT_TRUE(settings.keys.add(Action::Boost, {SDL_SCANCODE_RSHIFT}).has_value());
  EXPECT_TRUE(settings.keys.add(Action::PitchUp, {SDL_SCANCODE_KP_8}).has_value());
  EXPECT_TRUE(settings.keys.add(Action::Wireframe, {SDL_SCANCODE_BACKSLASH, true}).has_value());
  EXPECT_TRUE(settings.keys.set(Action::Sound, {}).has_value());
  return settings;
}

TEST(WindowSettings, ReadBackAsTheyWereWritten) {
  for (const WindowSettings& settings : {WindowSettings{}, unusual()}) {
    const auto read = parseWindowSettings(writeWindowSettings(settings), "window.toml");
    ASSERT_TRUE(read.has_value());
    EXPECT_TRUE(*read == settings);
  }
  EXPECT_FALSE(unusual() == WindowSettings{});
}

TEST(WindowSettings, PassOverWhatALaterVersionKnows) {
  const auto read = parseWindowSettings("muted = true\nhologram = 3\n", "window.toml");
  ASSERT_TRUE(read.has_value());
  EXPECT_TRUE(read->muted);
}

TEST(WindowSettings, NameTheLineThatIsWrong) {
  for (const char* wrong :
       {"muted = true\noverlay = \"huge\"", "\nspheres = 3", "\nmuted = 1", "\nui_scale = 9.0",
        "\ncamera = ", "\nmusic_volume = 1.5", "\nui_scale = \"large\""}) {
    const auto read = parseWindowSettings(wrong, "window.toml");
    ASSERT_FALSE(read.has_value()) << wrong;
    EXPECT_TRUE(read.error().message.starts_with("window.toml:2:")) << read.error().message;
  }
}

TEST(WindowSettings, HaveKeysByTheirNames) {
  std::vector<std::string> notes;
  const auto read = parseWindowSettings("[keys]\nwireframe = [\"9\", \"Shift+F6\"]\nhelp = []\n",
                                        "window.toml", &notes);
  ASSERT_TRUE(read.has_value());
  const auto wireframe = read->keys.of(Action::Wireframe);
  ASSERT_EQ(wireframe.size(), 2u);
  EXPECT_EQ(wireframe[0], (KeyPress{SDL_SCANCODE_9, false}));
  EXPECT_EQ(wireframe[1], (KeyPress{SDL_SCANCODE_F6, true}));
  EXPECT_TRUE(read->keys.of(Action::Help).empty());
  EXPECT_TRUE(read->keys.isDefault(Action::Pause));
  // Shift+F6 is the next method of the left half, too
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0],
            "window.toml: the key Shift+F6 is bound to wireframe and next_left_method; the first "
            "wins");
}

TEST(WindowSettings, TellOfEveryKeyThatIsWrongAndHeedTheOthers) {
  std::vector<std::string> notes;
  const auto read = parseWindowSettings(
      "muted = true\n[keys]\nwirefrome = [\"9\"]\npause = [\"Spaec\"]\nsound = \"9\"\n"
      "restart = [\"Escape\"]\nclose = [7]\nyaw_left = [\"Shift+A\"]\npanel = []\n"
      "next_camera = [\"9\", \"nowhere at all\"]\n",
      "window.toml", &notes);
  ASSERT_TRUE(read.has_value());
  EXPECT_TRUE(read->muted);
  KeyMap expected;
  ASSERT_TRUE(
      expected.set(Action::NextCamera, std::array{KeyPress{SDL_SCANCODE_9, false}}).has_value());
  EXPECT_TRUE(read->keys == expected);
  const auto told = [&notes](std::string_view begin, std::string_view part) {
    return std::ranges::any_of(notes, [&](const std::string& note) {
      return note.starts_with(begin) && note.find(part) != std::string::npos;
    });
  };
  EXPECT_EQ(notes.size(), 8u);
  EXPECT_TRUE(told("window.toml:3: ", "\"wirefrome\". Did you mean \"wireframe\"?"));
  EXPECT_TRUE(told("window.toml:4: ", "\"Spaec\". Did you mean \"Space\"?"));
  EXPECT_TRUE(told("window.toml:5: ", "sound must be a list"));
  EXPECT_TRUE(told("window.toml:6: ", "Escape always means"));
  EXPECT_TRUE(told("window.toml:7: ", "a key is a name"));
  EXPECT_TRUE(told("window.toml:8: ", "without Shift"));
  EXPECT_TRUE(told("window.toml:9: ", "must open the panel"));
  EXPECT_TRUE(told("window.toml:10: ", "\"nowhere at all\""));
}

TEST(WindowSettings, SayThatKeysAreATable) {
  std::vector<std::string> notes;
  ASSERT_TRUE(parseWindowSettings("keys = 3\n", "window.toml", &notes).has_value());
  ASSERT_EQ(notes.size(), 1u);
}

TEST_F(WindowSettingsFile, IsWrittenWithItsFolder) {
  const fs::path file = folder_ / "a" / "b" / "window.toml";
  ASSERT_TRUE(saveSettings(file, unusual()).has_value());
  const LoadedSettings recalled = loadSettings(file);
  EXPECT_TRUE(recalled.settings == unusual());
  EXPECT_TRUE(recalled.note.empty());
}

TEST_F(WindowSettingsFile, NeedNotBeThere) {
  const LoadedSettings recalled = loadSettings(file_);
  EXPECT_TRUE(recalled.settings == WindowSettings{});
  EXPECT_TRUE(recalled.note.empty());
}

TEST_F(WindowSettingsFile, IsSetAsideWhereItIsDamaged) {
  for (const std::string name : {"window-damaged.toml", "window-damaged-2.toml"}) {
    write("muted = tr" + name);
    const LoadedSettings recalled = loadSettings(file_);
    EXPECT_TRUE(recalled.settings == WindowSettings{});
    EXPECT_NE(recalled.note.find(name), std::string::npos) << recalled.note;
    EXPECT_FALSE(fs::exists(file_));
    // What someone wrote is not lost
    EXPECT_EQ(contents(folder_ / name), "muted = tr" + name);
  }
}

TEST_F(WindowSettingsFile, IsSetAsideWhereItIsTooLargeOrNestsTooDeep) {
  std::string dots = "a";
  for (int i = 0; i < 300'000; ++i) dots += ".a";
  for (const std::string& text : {std::string(2 << 20, '#'), dots + " = 1\n"}) {
    write(text);
    const LoadedSettings recalled = loadSettings(file_);
    EXPECT_TRUE(recalled.settings == WindowSettings{});
    EXPECT_NE(recalled.note.find("window-damaged"), std::string::npos) << recalled.note;
    EXPECT_FALSE(fs::exists(file_));
  }
}

TEST_F(WindowSettingsFile, StaysWhereItCannotBeRead) {
  // A folder is no file to read
  const LoadedSettings recalled = loadSettings(folder_);
  EXPECT_TRUE(recalled.unread);
  EXPECT_NE(recalled.note.find("it stays as it is"), std::string::npos) << recalled.note;
  write("muted = true\n");
  EXPECT_FALSE(loadSettings(file_).unread);
  write("muted = tr");
  EXPECT_FALSE(loadSettings(file_).unread) << "it was set aside";
}

TEST_F(WindowSettingsFile, SaysWhereItCannotBeWritten) {
  write("");
  const auto kept = saveSettings(file_ / "window.toml", unusual());
  ASSERT_FALSE(kept.has_value());
  EXPECT_FALSE(kept.error().message.empty());
}

}  // namespace
}  // namespace nearmiss::app::fly
