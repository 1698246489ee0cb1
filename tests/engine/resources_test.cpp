// SPDX-License-Identifier: MIT
#include <engine/base/resources.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "support/files.h"

namespace nearmiss::engine {
namespace {

/// Sets a variable of the environment, or takes it away, until the end of the test.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    if (value)
      ::setenv(name, value, 1);
    else
      ::unsetenv(name);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() {
    if (old_)
      ::setenv(name_, old_->c_str(), 1);
    else
      ::unsetenv(name_);
  }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

TEST(ResourceRoot, FollowsTheVariable) {
  const Variable root("NEARMISS_ROOT", "/some/where");
  EXPECT_EQ(resourceRoot(), "/some/where");
}

TEST(ResourceRoot, IsFoundAboveTheProgram) {
  const Variable root("NEARMISS_ROOT", nullptr);
  const auto found = resourceRoot();
  ASSERT_TRUE(found);
  EXPECT_TRUE(std::filesystem::is_directory(*found / "assets" / "scenes"));
}

TEST(CacheFolder, FollowsXdg) {
  const Variable home("HOME", "/home/ann");
  {
    const Variable cache("XDG_CACHE_HOME", "/var/caches");
    EXPECT_EQ(defaultCacheFolder(), "/var/caches/nearmiss");
  }
  {
    const Variable cache("XDG_CACHE_HOME", "relative/is/void");
    EXPECT_EQ(defaultCacheFolder(), "/home/ann/.cache/nearmiss");
  }
  const Variable cache("XDG_CACHE_HOME", nullptr);
  const Variable none("HOME", nullptr);
  EXPECT_TRUE(defaultCacheFolder().is_absolute());
}

TEST(CacheFolder, IsNoStrangersFolder) {
  const test::TemporaryFolder shared;
  const Variable home("HOME", nullptr), cache("XDG_CACHE_HOME", nullptr);
  const Variable temporary("TMPDIR", shared.path().c_str());
  const std::filesystem::path folder = defaultCacheFolder();
  EXPECT_EQ(folder.parent_path(), shared.path());
  std::filesystem::create_directory(folder);
  EXPECT_EQ(defaultCacheFolder(), folder) << "it is found again";
  using std::filesystem::perms;
  std::filesystem::permissions(folder, perms::all);
  EXPECT_NE(defaultCacheFolder(), folder) << "anyone could have put trees there";
  std::filesystem::remove(folder);
  std::filesystem::create_symlink("elsewhere", folder);
  EXPECT_NE(defaultCacheFolder(), folder) << "anyone could have laid that link";
}

TEST(UserSettings, FollowXdg) {
  const Variable home("HOME", "/home/ann");
  {
    const Variable config("XDG_CONFIG_HOME", "/etc/ann");
    EXPECT_EQ(userSettingsFile(), "/etc/ann/nearmiss/config.toml");
  }
  const Variable config("XDG_CONFIG_HOME", nullptr);
  EXPECT_EQ(userSettingsFile(), "/home/ann/.config/nearmiss/config.toml");
  const Variable none("HOME", nullptr);
  EXPECT_TRUE(userSettingsFile().empty());
}

TEST(UserData, FollowXdg) {
  const Variable home("HOME", "/home/ann");
  {
    const Variable data("XDG_DATA_HOME", "/data/ann");
    EXPECT_EQ(userDataFolder(), "/data/ann/nearmiss");
  }
  const Variable data("XDG_DATA_HOME", nullptr);
  EXPECT_EQ(userDataFolder(), "/home/ann/.local/share/nearmiss");
  const Variable none("HOME", nullptr);
  EXPECT_TRUE(userDataFolder().empty());
}

}  // namespace
}  // namespace nearmiss::engine
