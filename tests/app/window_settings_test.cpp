// SPDX-License-Identifier: MIT
/// What the window remembers: written and read back, damaged files set aside, unknown ones kept.
#include "fly/settings/window_settings.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace nearmiss::app {
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
  for (const char* wrong : {"muted = true\noverlay = \"huge\"", "\nspheres = 3", "\nmuted = 1",
                            "\nui_scale = 9.0", "\ncamera = ", "\nui_scale = \"large\""}) {
    const auto read = parseWindowSettings(wrong, "window.toml");
    ASSERT_FALSE(read.has_value()) << wrong;
    EXPECT_TRUE(read.error().message.starts_with("window.toml:2: ")) << read.error().message;
  }
}

TEST_F(WindowSettingsFile, IsWrittenWithItsFolder) {
  const fs::path file = folder_ / "a" / "b" / "window.toml";
  ASSERT_TRUE(keepSettings(file, unusual()).has_value());
  const RecalledSettings recalled = recallSettings(file);
  EXPECT_TRUE(recalled.settings == unusual());
  EXPECT_TRUE(recalled.note.empty());
}

TEST_F(WindowSettingsFile, NeedNotBeThere) {
  const RecalledSettings recalled = recallSettings(file_);
  EXPECT_TRUE(recalled.settings == WindowSettings{});
  EXPECT_TRUE(recalled.note.empty());
}

TEST_F(WindowSettingsFile, IsSetAsideWhereItIsDamaged) {
  for (const std::string name : {"window-damaged.toml", "window-damaged-2.toml"}) {
    write("muted = tr" + name);
    const RecalledSettings recalled = recallSettings(file_);
    EXPECT_TRUE(recalled.settings == WindowSettings{});
    EXPECT_NE(recalled.note.find(name), std::string::npos) << recalled.note;
    EXPECT_FALSE(fs::exists(file_));
    // What someone wrote is not lost
    EXPECT_EQ(contents(folder_ / name), "muted = tr" + name);
  }
}

TEST_F(WindowSettingsFile, SaysWhereItCannotBeWritten) {
  write("");
  const auto kept = keepSettings(file_ / "window.toml", unusual());
  ASSERT_FALSE(kept.has_value());
  EXPECT_FALSE(kept.error().message.empty());
}

}  // namespace
}  // namespace nearmiss::app
