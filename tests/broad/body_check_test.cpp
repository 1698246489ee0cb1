// SPDX-License-Identifier: MIT
/// Bad bodies are refused by name, and what refused them is as it was.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/body_state.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/advanced/mesh_file.h>
#include <nearmiss/shape.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "support/borrowed.h"
#include "support/broad_phases.h"
#include "support/meshes.h"
#include "support/test_name.h"

namespace nearmiss {
namespace {

using testing::HasSubstr;

constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
constexpr Real infinity = std::numeric_limits<Real>::infinity();

constexpr Real now = 2.0;

struct Herd {
  CuttingPlane planes[2] = {{Vec3(0.0, 1.0, 0.0), 0.25}, {Vec3(0.6, 0.0, -0.8), 0.0}};
  std::vector<BodyState> bodies;

  Herd() {
    for (std::uint32_t i = 0; i < 5; ++i) {
      BodyState body;
      body.key = 10 * i + 7;
      body.pose.position = {1.5 * i, 0.0, 0.0};
      body.shape = ShapeRef::ofRadius(1.0, body.shape.index());
      body.accelerationBound = 0.5;
      body.boundHoldsUntil = now + 1.0;
      bodies.push_back(body);
    }
    bodies[3].planes = planes;
  }
};

struct Spoiled {
  std::string message;  ///< after "body 3 (key 37): "
  std::function<void(BodyState&, CuttingPlane&)> spoil;
};

std::vector<Spoiled> spoiledFields() {
  std::vector<Spoiled> cases;
  static const std::string axes[] = {"x", "y", "z"};
  for (const auto& [bad, text] :
       {std::pair{nan, "nan"}, std::pair{infinity, "inf"}, std::pair{-infinity, "-inf"}}) {
    const Real value = bad;  // what clang 14 can capture
    for (int axis = 0; axis < 3; ++axis) {
      const std::string& name = axes[axis];
      cases.push_back({"pose.position." + name + " is " + text + ", but must be finite",
                       [=](BodyState& b, CuttingPlane&) { b.pose.position[axis] = value; }});
      cases.push_back({"velocity." + name + " is " + text + ", but must be finite",
                       [=](BodyState& b, CuttingPlane&) { b.velocity[axis] = value; }});
      cases.push_back({"planes[1].direction is ",
                       [=](BodyState&, CuttingPlane& p) { p.direction[axis] = value; }});
    }
    cases.push_back({std::string("shape.radius is ") + text, [=](BodyState& b, CuttingPlane&) {
                       b.shape = ShapeRef::ofRadius(value, b.shape.index());
                     }});
    cases.push_back({std::string("accelerationBound is ") + text,
                     [=](BodyState& b, CuttingPlane&) { b.accelerationBound = value; }});
    cases.push_back({std::string("planes[1].reverse is ") + text,
                     [=](BodyState&, CuttingPlane& p) { p.reverse = value; }});
    cases.push_back(
        {"pose.rotation is ", [=](BodyState& b, CuttingPlane&) { b.pose.rotation.w = value; }});
  }
  cases.push_back(
      {"shape.radius is -0.5, but must be from 0 to 1e60",
       [](BodyState& b, CuttingPlane&) { b.shape = ShapeRef::ofRadius(-0.5, b.shape.index()); }});
  cases.push_back({"accelerationBound is -1e-300, but must be from 0 to 1e60",
                   [](BodyState& b, CuttingPlane&) { b.accelerationBound = -1e-300; }});
  cases.push_back({"boundHoldsUntil is 2, but must be later than the time of detection",
                   [](BodyState& b, CuttingPlane&) { b.boundHoldsUntil = now; }});
  cases.push_back(
      {"boundHoldsUntil is nan", [](BodyState& b, CuttingPlane&) { b.boundHoldsUntil = nan; }});
  cases.push_back({"boundHoldsUntil is -inf",
                   [](BodyState& b, CuttingPlane&) { b.boundHoldsUntil = -infinity; }});
  cases.push_back({"planes[1].direction is 1.001, but must be of length 1",
                   [](BodyState&, CuttingPlane& p) { p.direction *= 1.001; }});
  cases.push_back({"planes[1].direction is 0, but must be of length 1",
                   [](BodyState&, CuttingPlane& p) { p.direction = Vec3(0.0); }});
  cases.push_back({"planes[1].reverse is -0.125, but must be from 0 to 1e60",
                   [](BodyState&, CuttingPlane& p) { p.reverse = -0.125; }});
  cases.push_back({"pose.position.y is 1e+61, but must be at most 1e60 in size",
                   [](BodyState& b, CuttingPlane&) { b.pose.position.y = 1e61; }});
  cases.push_back({"velocity.z is -1.1e+60, but must be at most 1e60 in size",
                   [](BodyState& b, CuttingPlane&) { b.velocity.z = -1.1e60; }});
  // Beyond by a rounding: as many digits as it takes to see it
  cases.push_back({"pose.position.y is 1.0000000001",
                   [](BodyState& b, CuttingPlane&) { b.pose.position.y = 1.0000000001e60; }});
  cases.push_back({"accelerationBound is 1.0000000001",
                   [](BodyState& b, CuttingPlane&) { b.accelerationBound = 1.0000000001e60; }});
  cases.push_back({"pose.rotation is 1.00000000",
                   [](BodyState& b, CuttingPlane&) { b.pose.rotation *= 1.000000002; }});
  cases.push_back({"pose.rotation is 2, but must be of length 1",
                   [](BodyState& b, CuttingPlane&) { b.pose.rotation *= 2.0; }});
  return cases;
}

TEST(BodyCheck, AcceptsWhatIsSound) {
  Herd herd;
  EXPECT_TRUE(checkBodies(herd.bodies, now));
  EXPECT_TRUE(checkBodies({}, now));
  // The ends of what is allowed
  herd.bodies[0].shape = ShapeRef::ofRadius(0.0);
  herd.bodies[0].accelerationBound = 0.0;
  herd.bodies[1].boundHoldsUntil = infinity;
  herd.bodies[2].pose.position = Vec3(-maxPoseMagnitude, 1e7, -0.0);
  herd.bodies[4].velocity = Vec3(std::numeric_limits<Real>::denorm_min());
  EXPECT_TRUE(checkBodies(herd.bodies, now));
}

TEST(BodyCheck, NamesTheBodyAndTheField) {
  for (const Spoiled& spoiled : spoiledFields()) {
    Herd herd;
    spoiled.spoil(herd.bodies[3], herd.planes[1]);
    const auto checked = checkBodies(herd.bodies, now);
    ASSERT_FALSE(checked) << spoiled.message;
    EXPECT_EQ(checked.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(checked.error().message, HasSubstr("body 3 (key 37): " + spoiled.message));
    const auto fault = faultIn(herd.bodies, now);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->index, 3u);
    EXPECT_EQ(fault->key, 37u);
  }
  const auto late = checkBodies(Herd().bodies, infinity);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().message, "the time of detection is not finite");
}

/// Where the time is no matter.
TEST(BodyCheck, FindsNoBoundExpiredBeforeAllTimes) {
  Herd herd;
  herd.bodies[3].boundHoldsUntil = -infinity;
  EXPECT_TRUE(faultIn(herd.bodies, now));
  EXPECT_FALSE(faultIn(herd.bodies, -infinity));
  EXPECT_FALSE(faultIn(herd.bodies, std::numeric_limits<Real>::lowest()));
  herd.bodies[3].boundHoldsUntil = nan;
  EXPECT_TRUE(faultIn(herd.bodies, -infinity));
}

TEST(BodyCheck, CountsTheBodiesBeforeItReadsAny) {
  const Herd herd;
  // Only the count of this span is real
  const std::span<const BodyState> endless(herd.bodies.data(), bodyCountLimit + 1);
  const auto checked = checkBodies(endless, now);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message,
            "2147483649 bodies are too many: at most 2147483648 can be told apart");
}

std::vector<Polyhedron> twoShapes() {
  std::vector<Polyhedron> made;
  made.emplace_back(test::cube(0.5));
  made.emplace_back(test::cube(0.25));
  return made;
}

TEST(BodyCheck, ComparesBodiesWithTheirShapes) {
  const std::vector<Polyhedron> shapes = twoShapes();
  const Shapes lent = test::borrowed(shapes);
  const auto messageOf = [&](const Herd& herd) {
    const auto checked = checkBodies(herd.bodies, now, &lent);
    return checked ? std::string() : checked.error().message;
  };
  Herd herd;
  EXPECT_EQ(messageOf(herd), "");
  herd.bodies[3].shape = ShapeRef::ofRadius(herd.bodies[3].shape.radius(), 2);
  EXPECT_EQ(messageOf(herd),
            "body 3 (key 37): shape.index is 2, but must be below the number of shapes, 2");
  EXPECT_TRUE(checkBodies(herd.bodies, now)) << "without shapes nothing is known of them";
  herd.bodies[3].shape = ShapeRef::ofRadius(herd.bodies[3].shape.radius(), 0xffffffff);
  EXPECT_THAT(messageOf(herd), HasSubstr("shape.index is 4294967295, but"));
  herd.bodies[3].shape = ShapeRef::ofRadius(0.5, 0);
  EXPECT_EQ(messageOf(herd),
            "body 3 (key 37): shape.radius is 0.5, but must be at least that of its shape, "
            "0.866025404");
  // Too small by a rounding: as many digits as it takes to see it
  herd.bodies[3].shape =
      ShapeRef::ofRadius(std::nextafter(shapes[0].radius(), 0.0), herd.bodies[3].shape.index());
  EXPECT_THAT(messageOf(herd),
              testing::MatchesRegex(".*is 0\\.866025[0-9]+, but .*, 0\\.86602[0-9]+"));
  EXPECT_THAT(messageOf(herd), testing::Not(HasSubstr("is 0.866025404,")));
  herd.bodies[3].shape = ShapeRef::ofRadius(shapes[0].radius(), herd.bodies[3].shape.index());
  EXPECT_EQ(messageOf(herd), "");
  herd.bodies[3].shape = ShapeRef::ofRadius(0.5, herd.bodies[3].shape.index());
  herd.bodies[3].shape = ShapeRef::ofRadius(herd.bodies[3].shape.radius(), 1);
  EXPECT_EQ(messageOf(herd), "");
}

TEST(BodyCheck, FindsKeysThatTwoBodiesHave) {
  Herd herd;
  herd.bodies[4].key = herd.bodies[1].key;
  const auto checked = checkBodies(herd.bodies, now);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(checked.error().message,
            "body 4 (key 17): key is 17, but must be other than that of body 1");
  // Of several, the first in the span, whatever the order of keys
  herd.bodies[3].key = herd.bodies[2].key;
  herd.bodies[2].planes = {};
  EXPECT_THAT(checkBodies(herd.bodies, now).error().message, HasSubstr("body 3 (key 27)"));
}

TEST(BodyCheck, ComparesWithTheShapesOfADetector) {
  const std::vector<Polyhedron> shapes = twoShapes();
  Detector detector(makeAllPairsBroadPhase(), makeBruteForceNarrowPhase(test::borrowed(shapes)));
  Herd herd;
  const auto refusal = [&] {
    const auto sound = checkBodies(herd.bodies, now, detector.narrowPhase().shapes());
    return sound ? std::string() : sound.error().message;
  };
  EXPECT_EQ(refusal(), "");
  herd.bodies[2].shape = ShapeRef::ofRadius(herd.bodies[2].shape.radius(), 2);
  EXPECT_THAT(refusal(), HasSubstr("body 2 (key 27): shape.index is 2"));
  herd.bodies[2].shape = ShapeRef::ofRadius(0.8, 0);
  EXPECT_THAT(refusal(), HasSubstr("body 2 (key 27): shape.radius is 0.8"));
  herd.bodies[2].shape = ShapeRef::ofRadius(1.0, herd.bodies[2].shape.index());
  herd.bodies[2].key = 7;
  EXPECT_THAT(refusal(), HasSubstr("body 2 (key 7): key is 7"));
}

TEST(DetectorDoor, TakesTwoPhases) {
  const std::vector<Polyhedron> shapes = twoShapes();
  EXPECT_TRUE(
      makeDetector(makeAllPairsBroadPhase(), makeBruteForceNarrowPhase(test::borrowed(shapes))));
  const auto broadless = makeDetector(nullptr, makeBruteForceNarrowPhase(test::borrowed(shapes)));
  ASSERT_FALSE(broadless);
  EXPECT_EQ(broadless.error().message, "cannot make a detector: there is no broad phase");
  EXPECT_EQ(makeDetector(makeAllPairsBroadPhase(), nullptr).error().message,
            "cannot make a detector: there is no narrow phase");
}

class BodiesThatPromiseNothing : public testing::TestWithParam<std::string_view> {};

TEST_P(BodiesThatPromiseNothing, AreDetected) {
  const std::vector<Polyhedron> shapes = twoShapes();
  Detector tried(findBroadPhase(GetParam())->make(),
                 makeBruteForceNarrowPhase(test::borrowed(shapes)));
  Herd herd;
  for (BodyState& body : herd.bodies) body.boundHoldsUntil = -infinity;
  for (const std::size_t count : {5u, 4u, 5u}) {
    const auto some = std::span(herd.bodies).first(count);
    EXPECT_EQ(tried.detect(some, now, TimeBudget::unlimited()).pairs.size(), count - 1);
  }
}

INSTANTIATE_TEST_SUITE_P(AtOnce, BodiesThatPromiseNothing,
                         testing::Values("all-pairs", "sweep-and-prune"),
                         [](const auto& tested) { return test::testName(tested.param); });
INSTANTIATE_TEST_SUITE_P(Catalog, BodiesThatPromiseNothing, testing::ValuesIn(test::lookingAhead()),
                         [](const auto& tested) { return test::testName(tested.param); });

}  // namespace
}  // namespace nearmiss
