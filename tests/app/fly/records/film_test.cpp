// SPDX-License-Identifier: MIT
/// Films of a flight, and what names them.
#include "fly/records/film.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

#include "app/running/small_ships.h"
#include "console/film_name.h"

namespace nearmiss::app::fly {
namespace {

using test::joined;
using test::Outcome;
using test::readText;
using test::Words;
using testing::HasSubstr;
using testing::StartsWith;

class FilmOfAFlight : public test::SmallShips {
 protected:
  Outcome film(const std::string& file, const Words& more = {}) const {
    return run(joined({"fly", "crowd.toml", "--headless", "--size", "480x300", "--seed", "5",
                       "--frames", "4", "--video", file},
                      more));
  }
};

TEST_F(FilmOfAFlight, HasOnePictureAFrameAndIsTheSameEveryTime) {
  for (const char* file : {"a.y4m", "b.y4m"}) {
    const Outcome outcome = film(file, {"--frame-ms", "40"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  }
  const std::string bytes = readText(home() / "a.y4m");
  const std::string head = "YUV4MPEG2 W480 H300 F25:1 Ip A1:1 C444\n";
  EXPECT_THAT(bytes, StartsWith(head));
  EXPECT_EQ(bytes.size(), head.size() + 4 * (6 + 3 * 480 * 300));
  EXPECT_EQ(bytes, readText(home() / "b.y4m"));
  // The ships move from picture to picture
  const std::size_t picture = 6 + 3 * 480 * 300;
  EXPECT_NE(bytes.substr(head.size(), picture), bytes.substr(head.size() + picture, picture));
}

TEST_F(FilmOfAFlight, IsAFileAPictureWhereItsNameSaysSo) {
  const Outcome outcome = film("p%03d.png");
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  for (const char* file : {"p001.png", "p002.png", "p003.png", "p004.png"})
    EXPECT_THAT(readText(home() / file), StartsWith("\x89PNG")) << file;
  EXPECT_FALSE(std::filesystem::exists(home() / "p005.png"));
}

TEST_F(FilmOfAFlight, ThatCannotBeWrittenIsSaid) {
  const Outcome nowhere = film("no/a.y4m");
  EXPECT_EQ(nowhere.exitCode, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("cannot write \"no/a.y4m\": No such file or directory"));
  EXPECT_THAT(film("a.mp4").err, HasSubstr("FILE.y4m or FILE_%05d.png"));
}

TEST_F(FilmOfAFlight, HasTheSizeThatWasAskedForHoweverSmall) {
  const Outcome outcome = run({"fly", "crowd.toml", "--headless", "--size", "161x121", "--frames",
                               "1", "--video", "a.y4m"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(readText(home() / "a.y4m"), StartsWith("YUV4MPEG2 W161 H121 "));
}

TEST_F(FilmOfAFlight, KeepsItsPicturesFromOtherOutputs) {
  std::filesystem::create_directory(home() / "films");
  for (const char* picture : {"p003.png@2", "./p1234.png@2"}) {
    const Outcome outcome = film("films/../p%03d.png", {"--screenshot", picture});
    EXPECT_EQ(outcome.exitCode, 1) << picture;
    EXPECT_THAT(outcome.err, HasSubstr("--screenshot and --video name the same file"));
  }
  EXPECT_FALSE(std::filesystem::exists(home() / "p001.png"));
}

TEST(FilmName, KnowsItsPictures) {
  for (const char* file : {"f_001.png", "f_999.png", "f_12345.png"})
    EXPECT_TRUE(isPictureOf("f_%03d.png", file)) << file;
  for (const char* file :
       {"f_1.png", "f_0001.png", "f_.png", "f_001.pn", "f_-01.png", "f_00x.png", "f_001x.png",
        "g_001.png", "a/f_001.png", "", "f_99999999999999999999.png"})
    EXPECT_FALSE(isPictureOf("f_%03d.png", file)) << file;
  EXPECT_TRUE(isPictureOf("50%/a%d.png", "50%/a7.png"));
  EXPECT_FALSE(isPictureOf("a.y4m", "a.y4m"));
}

TEST(FilmName, StandsForOneFileOrForMany) {
  for (const char* name : {"a.y4m", "out/a.y4m", "a%d.png", "out/a_%05d.png", "50%/a%1d.png"})
    EXPECT_TRUE(namesFilm(name)) << name;
  for (const char* name : {"", "a", "a.png", "a.mp4", "a%.png", "a%s.png", "a%0d.png", "a%99d.png",
                           "%d/a.png", "a%5.png"})
    EXPECT_FALSE(namesFilm(name)) << name;
  EXPECT_EQ(pictureName("out/a_%05d.png", 12), "out/a_00012.png");
  EXPECT_EQ(pictureName("50%/a%d.png", 7), "50%/a7.png");
}

/// Players count in whole numbers of 31 bits: what is no whole rate is a fraction of two.
TEST(FilmRate, IsWhatTheFramesTake) {
  const test::TemporaryFolder folder;
  for (const double seconds : {0.04, 0.016, 1001.0 / 30000.0, 1.23456e-5, 3.7e-5, 2.5, 999.9}) {
    SCOPED_TRACE(seconds);
    const auto file = folder / "a.y4m";
    ASSERT_TRUE(Film::begin(file, 8, 8, seconds));
    const std::string head = readText(file);
    long long pictures = 0, duration = 0;
    ASSERT_EQ(std::sscanf(head.c_str(), "YUV4MPEG2 W8 H8 F%lld:%lld ", &pictures, &duration), 2);
    EXPECT_LT(std::max(pictures, duration), 1LL << 31);
    const double found = static_cast<double>(duration) / static_cast<double>(pictures);
    EXPECT_NEAR(found / seconds, 1.0, 1.1e-6);
  }
}

TEST(FilmPlanes, HoldTheColoursOfTelevision) {
  // Black, white, red, green, blue
  const std::array<std::uint8_t, 15> rgb{0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 255, 0, 0, 0, 255};
  std::string planes;
  toPlanes(rgb, planes);
  const std::array<int, 15> expected{16, 235, 82,  144, 41,  128, 128, 90,
                                     54, 240, 128, 128, 240, 34,  110};
  ASSERT_EQ(planes.size(), expected.size());
  for (std::size_t i = 0; i < planes.size(); ++i)
    EXPECT_NEAR(static_cast<std::uint8_t>(planes[i]), expected[i], 1) << i;
}

}  // namespace
}  // namespace nearmiss::app::fly
