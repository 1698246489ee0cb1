// SPDX-License-Identifier: MIT
/// Hits as they are seen and heard: where, how hard, and for how long.
#include "fly/view/collision_marks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <vector>

#include "fly/host/impact_sound.h"

namespace nearmiss::app::fly {
namespace {

/// Two ships that fly apart along x after they met beside the origin.
struct Hit {
  std::array<BodyState, 2> bodies;
  std::array<engine::Collision, 1> collisions;

  explicit Hit(double speed) {
    bodies[0].velocity = {0.5 * speed, 1.0, 0.0};
    bodies[1].velocity = {-0.5 * speed, 1.0, 0.0};
    collisions[0] = {};
    collisions[0].a = 0;
    collisions[0].b = 1;
    collisions[0].refinement.deepest = {{{0.5, 0.0, 0.0}, 0.4}, {{-0.5, 0.0, 0.0}, 0.4}};
  }
  [[nodiscard]] engine::FrameOutput output() const {
    engine::FrameOutput output;
    output.bodies = bodies;
    output.collisions = collisions;
    return output;
  }
};

TEST(Impacts, AreWhereSpheresMeetAndAsHardAsShipsPart) {
  const Hit hit(3.0);
  const Impact impact = impactOf(hit.output(), hit.collisions[0], 2.0);
  EXPECT_NEAR(glm::length(impact.place), 0.0, 1e-9);
  EXPECT_NEAR(glm::distance(impact.normal, Vec3(1, 0, 0)), 0.0, 1e-12);
  EXPECT_NEAR(impact.speed, 3.0, 1e-12);
  EXPECT_EQ(impact.born, 2.0);
}

TEST(Impacts, FlyAsSparksAndFadeInWallTime) {
  Impacts impacts;
  const Hit hit(3.0);
  ASSERT_EQ(impacts.take(hit.output(), 10.0).size(), 1u);
  double before = 1e9;
  for (const double age : {0.05, 0.3, 0.6}) {
    std::vector<DrawLine> sparks;
    std::vector<DrawLight> marks;
    impacts.light(10.0 + age, sparks, marks);
    ASSERT_EQ(marks.size(), 1u);
    EXPECT_FALSE(sparks.empty());
    EXPECT_LT(double{marks[0].colour.r}, before);
    before = double{marks[0].colour.r};
    for (const DrawLine& spark : sparks) EXPECT_LT(glm::length(spark.to), 4.0 * age);
  }
  std::vector<DrawLine> sparks;
  std::vector<DrawLight> marks;
  impacts.light(10.0 + 1.01 * Impacts::seconds, sparks, marks);
  EXPECT_TRUE(sparks.empty() && marks.empty());
}

TEST(Impacts, OfManyTheNewestStay) {
  Impacts impacts;
  const Hit hit(1.0);
  for (int i = 0; i < 40; ++i) (void)impacts.take(hit.output(), 0.001 * i);
  std::vector<DrawLine> sparks;
  std::vector<DrawLight> marks;
  impacts.light(0.04, sparks, marks);
  EXPECT_EQ(marks.size(), Impacts::maxImpacts);
}

TEST(ImpactSound, IsLouderTheFasterShipsMeetAndEndsInSilence) {
  double before = 0.0;
  for (const double speed : {0.0, 0.5, 2.0, 4.0}) {
    const std::vector<float> samples = impactSamples(speed, 44100);
    ASSERT_GT(samples.size(), 4000u);
    EXPECT_EQ(samples, impactSamples(speed, 44100));
    double energy = 0.0;
    for (const float sample : samples) {
      ASSERT_LE(std::abs(sample), 1.0f);
      energy += double{sample} * double{sample};
    }
    EXPECT_GT(energy, before);
    before = energy;
    EXPECT_LT(std::abs(samples.front()), 1e-3f);
    EXPECT_LT(std::abs(samples.back()), 1e-3f);
  }
  EXPECT_EQ(impactSamples(4.0, 44100), impactSamples(90.0, 44100)) << "no hit is louder";
}

TEST(WarningTone, IsShortAndComesTheMoreOftenTheSoonerTheHit) {
  const std::vector<float> samples = warningSamples(44100);
  ASSERT_GT(samples.size(), 1000u);
  EXPECT_LT(samples.size(), 8000u);
  float loudest = 0.0f;
  for (const float sample : samples) loudest = std::max(loudest, std::abs(sample));
  EXPECT_GT(loudest, 0.05f);
  EXPECT_LT(loudest, 0.2f);
  EXPECT_LT(std::abs(samples.front()), 1e-3f);
  EXPECT_LT(std::abs(samples.back()), 1e-2f);

  const auto tonesIn = [](double secondsToHit) {
    int tones = 0;
    double last = -1.0;
    for (int frame = 0; frame < 600; ++frame) {
      const double now = frame / 60.0;
      if (!warningDue(secondsToHit, now - last)) continue;
      last = now;
      ++tones;
    }
    return tones;
  };
  EXPECT_EQ(tonesIn(3.0), 0);
  EXPECT_GT(tonesIn(1.5), 5);
  EXPECT_GT(tonesIn(0.3), 2 * tonesIn(1.5));
  EXPECT_LT(tonesIn(0.0), 100) << "tones stay apart";
}

TEST(PraiseTone, RisesWithTheStreakAndEndsInSilence) {
  const auto crossings = [](const std::vector<float>& samples) {
    int count = 0;
    for (std::size_t i = 1; i < samples.size(); ++i)
      count += (samples[i - 1] < 0.0f) != (samples[i] < 0.0f);
    return count;
  };
  int before = 0;
  for (const std::uint32_t streak : {1u, 2u, 5u, 8u}) {
    const std::vector<float> samples = nearMissSamples(streak, 44100);
    ASSERT_GT(samples.size(), 4000u);
    for (const float sample : samples) ASSERT_LE(std::abs(sample), 0.3f);
    EXPECT_LT(std::abs(samples.front()), 1e-3f);
    EXPECT_LT(std::abs(samples.back()), 1e-3f);
    EXPECT_GT(crossings(samples), before);
    before = crossings(samples);
  }
  EXPECT_EQ(nearMissSamples(8, 44100), nearMissSamples(90, 44100)) << "the scale ends";
}

TEST(ImpactSound, IsSilentWithoutADevice) {
  ImpactSound sound;
  sound.play(3.0, 1.0);
  sound.warn();
  sound.playNearMiss(3);
}

}  // namespace
}  // namespace nearmiss::app::fly
