// SPDX-License-Identifier: MIT
/// Flights recorded for comparisons: the same again by the same seeds, and whole without the world.
#include <engine/flight/recorded_flight.h>
#include <gtest/gtest.h>

#include <array>
#include <utility>

namespace nearmiss::engine {
namespace {

constexpr std::size_t steps = 20;

RecordedFlight recorded(std::uint64_t positionSeed, std::uint64_t pilotSeed) {
  const std::array shapes{ShapeRef::ofRadius(1.0, 0), ShapeRef::ofRadius(0.5, 1)};
  return recordFlight(shapes, {.ships = 9,
                               .crowding = 8.0,
                               .steps = steps,
                               .positionSeed = positionSeed,
                               .pilotSeed = pilotSeed});
}

Vec3 endOf(const RecordedFlight& flight) { return flight.steps.back().back().pose.position; }

TEST(RecordedFlight, IsTheSameBySameSeedsAndOfAllShapes) {
  const RecordedFlight flight = recorded(3, 4);
  ASSERT_EQ(flight.steps.size(), steps);
  ASSERT_EQ(flight.times.size(), steps);
  EXPECT_NEAR(flight.times.back() - flight.times.front(), 0.05 * (steps - 1), 1e-12);
  for (const auto& bodies : flight.steps) {
    ASSERT_EQ(bodies.size(), 9u);
    for (std::size_t i = 0; i < bodies.size(); ++i)
      ASSERT_EQ(bodies[i].shape.index(), static_cast<std::uint32_t>(i % 2));
  }
  EXPECT_EQ(endOf(recorded(3, 4)), endOf(flight));
  EXPECT_NE(endOf(recorded(5, 4)), endOf(flight));
  EXPECT_NE(endOf(recorded(3, 5)), endOf(flight));
  EXPECT_NE(flight.steps.front().back().pose.position, endOf(flight));
}

TEST(RecordedFlight, KeepsThePlanesOfItsBodies) {
  RecordedFlight first = recorded(3, 4);
  const RecordedFlight flight = std::move(first);
  std::size_t planes = 0;
  for (std::size_t step = 0; step < steps; ++step) {
    const auto& kept = flight.planes[step];
    for (const BodyState& body : flight.steps[step]) {
      planes += body.planes.size();
      if (body.planes.empty()) continue;
      ASSERT_GE(body.planes.data(), kept.data());
      ASSERT_LE(body.planes.data() + body.planes.size(), kept.data() + kept.size());
    }
  }
  EXPECT_GT(planes, 0u);
}

}  // namespace
}  // namespace nearmiss::engine
