// SPDX-License-Identifier: MIT
/// Whose turn it is, step by step, by a narrow phase that answers as it is told and keeps a log.
#include <gtest/gtest.h>
#include <nearmiss/advanced/detector.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace nearmiss {
namespace {

/// What becomes of a pair.
struct Course {
  int levels = 1;
  Real bound = 1.0;  ///< of every level
  Verdict last = Verdict::Possible;
};

struct Log {
  std::vector<std::size_t> refined, tightened;
};

class ToldPhase final : public NarrowPhase {
 public:
  ToldPhase(std::vector<Course> courses, Log& log) : courses_(std::move(courses)), log_(log) {}
  std::string_view name() const noexcept override { return "told"; }
  void begin(std::span<const BodyState>, std::span<const BodyPair> pairs) override {
    levels_.assign(pairs.size(), 0);
  }
  bool refine(std::size_t i, const TimeBudget& budget) override {
    log_.refined.push_back(i);
    ++levels_[i];
    budget.spend({1, 0});
    return true;
  }
  Refinement result(std::size_t i) const noexcept override {
    Refinement known;
    known.level = levels_[i];
    known.canRefine = levels_[i] < courses_[i].levels;
    known.separationBound = courses_[i].bound;
    if (!known.canRefine) known.verdict = courses_[i].last;
    return known;
  }
  bool tighten(std::size_t i, const TimeBudget& budget) override {
    log_.tightened.push_back(i);
    const bool over = budget.spend({1, 0});
    return !over || i % 2 == 0;  // some are at their end as the time is
  }
  void contacts(std::size_t, std::size_t, std::vector<ContactSpheres>&) const override {}
  WorkCount work() const noexcept override { return {log_.refined.size(), 0}; }

 private:
  std::vector<Course> courses_;
  Log& log_;
  std::vector<int> levels_;
};

/// Finds every second body and the one after it, for nothing.
class NeighbourPhase final : public BroadPhase {
 public:
  std::string_view name() const noexcept override { return "neighbours"; }
  Real findPairs(std::span<const BodyState> bodies, Real time,
                 std::vector<BodyPair>& pairs) override {
    pairs.clear();
    for (std::uint32_t i = 0; i + 1 < bodies.size(); i += 2) pairs.push_back({i, i + 1});
    return time;
  }
  WorkCount work() const noexcept override { return {}; }
};

/// A detector of as many pairs as there are courses.
class Turns : public testing::Test {
 protected:
  std::unique_ptr<Detector> detectorOf(const std::vector<Course>& courses) {
    bodies_.assign(2 * courses.size(), BodyState{});
    for (std::uint32_t i = 0; i < bodies_.size(); ++i) {
      bodies_[i].key = i + 1;
      bodies_[i].pose.position.x = i;
      bodies_[i].shape = ShapeRef::ofRadius(1.0);
    }
    return std::make_unique<Detector>(std::make_unique<NeighbourPhase>(),
                                      std::make_unique<ToldPhase>(courses, log_));
  }
  /// Under a budget of `steps` steps of refinement.
  const Detection& detect(Detector& detector, int steps) {
    log_ = {};
    WorkClock clock;
    return detector.detect(bodies_, 0.0, TimeBudget(clock, WorkClock::boundTestPrice * steps));
  }
  const Detection& detect(Detector& detector) {
    log_ = {};
    return detector.detect(bodies_, 0.0, TimeBudget::unlimited());
  }

  using Order = std::vector<std::size_t>;
  std::vector<BodyState> bodies_;
  Log log_;
};

TEST_F(Turns, GoRoundFromLevelToLevel) {
  const auto detector = detectorOf({{3}, {1}, {2}});
  const Detection& all = detect(*detector);
  EXPECT_EQ(log_.refined, (Order{0, 1, 2, 0, 2, 0}));
  EXPECT_EQ(all.rounds, 3);
  EXPECT_EQ(all.steps, 6u);
  EXPECT_TRUE(all.complete);
  for (int steps = 0; steps <= 6; ++steps) {
    const Detection& some = detect(*detector, steps);
    EXPECT_EQ(log_.refined.size(), static_cast<std::size_t>(std::max(steps, 3))) << "one each";
    EXPECT_EQ(some.rounds, steps <= 3 ? 1 : steps <= 5 ? 2 : 3);
    EXPECT_EQ(some.complete, steps == 6);
  }
}

TEST_F(Turns, AreThoseOfTheLargestBoundAndThenOfTheFirst) {
  const auto detector = detectorOf({{3, 1.0}, {3, 1.0}, {3, 5.0}, {3, 1.0}});
  ASSERT_TRUE(detector->setOrder(RefinementOrder::LargestBound, {}));
  const Detection& all = detect(*detector);
  const Order order{0, 1, 2, 3, 2, 2, 0, 0, 1, 1, 3, 3};
  EXPECT_EQ(log_.refined, order);
  EXPECT_EQ(all.rounds, 2);
  EXPECT_TRUE(all.complete);
  for (int steps = 4; steps <= 12; ++steps) {
    EXPECT_EQ(detect(*detector, steps).complete, steps == 12);
    EXPECT_EQ(log_.refined, Order(order.begin(), order.begin() + steps));
  }
}

TEST_F(Turns, OfTighteningFollowAllOthers) {
  // Those that have been told apart or in contact have no bound to lower
  const auto detector = detectorOf({{1, 1.0},
                                    {1, 3.0},
                                    {1, 4.0, Verdict::Separate},
                                    {1, 3.0},
                                    {1, 0.0, Verdict::Contact},
                                    {1, 3.0}});
  detect(*detector);
  EXPECT_EQ(log_.tightened, Order{}) << "nobody has asked for it";
  detector->setTightening(true);
  detect(*detector);
  const Order order{1, 3, 5, 0};
  EXPECT_EQ(log_.tightened, order) << "the largest bound first, of equal ones the first pair";
  for (int steps = 6; steps <= 10; ++steps) {
    detect(*detector, steps);
    EXPECT_EQ(log_.tightened, Order(order.begin(), order.begin() + (steps - 6)));
  }
  // Without a step there is no bound
  detector->setLevelCap(0);
  detect(*detector);
  EXPECT_EQ(log_.tightened, Order{});
}

TEST_F(Turns, OfManyPairsKeepTheirOrderToo) {
  std::vector<Course> courses(40);
  Order order;
  for (std::size_t i = 0; i < courses.size(); ++i)
    courses[i] = {2, static_cast<Real>(1 + i * 7 % 3), Verdict::Possible};
  for (const Real bound : {3.0, 2.0, 1.0})
    for (std::size_t i = 0; i < courses.size(); ++i)
      if (courses[i].bound == bound) order.push_back(i);
  const auto detector = detectorOf(courses);
  ASSERT_TRUE(detector->setOrder(RefinementOrder::LargestBound, {}));
  detector->setTightening(true);
  detect(*detector);
  EXPECT_EQ(Order(log_.refined.begin() + 40, log_.refined.end()), order);
  EXPECT_EQ(log_.tightened, order);
  // Nothing is tightened before all is refined
  detector->setOrder(RefinementOrder::InTurn, {});
  for (int steps = 40; steps <= 80; ++steps) {
    EXPECT_FALSE(detect(*detector, steps).complete && steps < 80);
    EXPECT_EQ(log_.tightened, Order{});
  }
}

TEST_F(Turns, AreRepeatedAsTheyWereGranted) {
  const auto detector = detectorOf({{3, 1.0}, {3, 5.0}, {1, 2.0}});
  ASSERT_TRUE(detector->setOrder(RefinementOrder::LargestBound, {}));
  for (int steps = 0; steps <= 7; ++steps) {
    const Detection& found = detect(*detector, steps);
    GrantedWork granted;
    granted.take(found);
    const std::vector<DetectedPair> pairs(found.pairs.begin(), found.pairs.end());
    const std::size_t done = found.steps;
    log_ = {};
    const Detection& again = detector->repeat(bodies_, 0.0, granted);
    EXPECT_EQ(log_.refined.size(), static_cast<std::size_t>(std::max(steps, 3)));
    EXPECT_EQ(again.steps, done);
    EXPECT_EQ(again.complete, steps == 7);
    ASSERT_EQ(again.pairs.size(), pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      EXPECT_EQ(again.pairs[i].bodies, pairs[i].bodies);
      EXPECT_EQ(again.pairs[i].steps, pairs[i].steps);
      EXPECT_EQ(again.pairs[i].refinement.level, pairs[i].refinement.level);
    }
  }
  // More than there is: as much as there is
  GrantedWork more;
  more.pairs = {{{0, 1}, 9}, {{2, 3}, 2}};
  log_ = {};
  detector->repeat(bodies_, 0.0, more);
  EXPECT_EQ(log_.refined, (Order{0, 0, 0, 1, 1}));
}

/// Each order's measure, of two bodies on a line and of the contact between them.
TEST(Priorities, AreTheMeasuresOfTheirOrders) {
  BodyState a, b;
  a.shape = ShapeRef::ofRadius(1.0);
  b.shape = ShapeRef::ofRadius(2.0);
  b.pose.position.x = 4.0;
  a.velocity.x = 3.0;
  b.velocity.x = 1.0;
  Refinement known;
  known.separationBound = 0.5;
  known.deepest.b.centre.x = 2.0;
  const Viewer behind{{1.0, 0.0, 10.0}, {0.0, 0.0, -1.0}};
  const auto by = [&](RefinementOrder order, const Viewer& viewer = {}) {
    return priorityOf(order, viewer, a, b, known);
  };
  EXPECT_EQ(by(RefinementOrder::InTurn), 0.0);
  EXPECT_EQ(by(RefinementOrder::LargestBound), 0.5);
  EXPECT_EQ(by(RefinementOrder::ClosingSpeed), 2.0);
  EXPECT_DOUBLE_EQ(by(RefinementOrder::Visibility, behind), 0.05) << "half a metre at ten";
  EXPECT_DOUBLE_EQ(by(RefinementOrder::Eccentricity, behind), 1.0);
  const Viewer turned{behind.eye, {0.0, 0.0, 1.0}}, aside{behind.eye, {1.0, 0.0, 0.0}};
  EXPECT_DOUBLE_EQ(by(RefinementOrder::Visibility, turned), -20.0);
  EXPECT_DOUBLE_EQ(by(RefinementOrder::Visibility, aside), -20.0);
  EXPECT_DOUBLE_EQ(by(RefinementOrder::Eccentricity, turned), -1.0);
  EXPECT_DOUBLE_EQ(by(RefinementOrder::Eccentricity, aside), 0.0);
  // Without a bound the smaller body is all in doubt
  known.separationBound = std::numeric_limits<Real>::infinity();
  EXPECT_DOUBLE_EQ(by(RefinementOrder::Visibility, behind), 0.1);
  // An eye in the contact, and bodies in one place
  const Viewer within{{1.0, 0.0, 0.0}, {0.0, 0.0, -1.0}};
  EXPECT_EQ(by(RefinementOrder::Eccentricity, within), 1.0);
  EXPECT_DOUBLE_EQ(by(RefinementOrder::Visibility, within), -1e-9);
  known.separationBound = 0.0;
  EXPECT_DOUBLE_EQ(by(RefinementOrder::Visibility, turned), -1e10);
  b.pose.position.x = 0.0;
  EXPECT_EQ(by(RefinementOrder::ClosingSpeed), 0.0);
}

}  // namespace
}  // namespace nearmiss
