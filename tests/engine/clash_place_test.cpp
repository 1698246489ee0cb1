// SPDX-License-Identifier: MIT
/// Where bodies that touch do so.
#include <engine/interference/clash.h>
#include <gtest/gtest.h>
#include <nearmiss/ray.h>
#include <nearmiss/shape.h>

#include "interference/clash_sorter.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/shapes.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::treelessShape;

/// A plate about the origin, and a box that stands on it far from there.
TEST(ClashPlace, OfWhatTouchesLiesOnBoth) {
  const Shape plate = treelessShape(nearmiss::test::box({-10, -10, -1}, {10, 10, 0})),
              box = treelessShape(nearmiss::test::cube(0.5));
  nearmiss::test::Random random(3);
  for (int i = 0; i < 10; ++i) {
    const Pose whole = i == 0 ? Pose{} : Pose{random.inCube(3.0), random.rotation()};
    const Pose on{transformed(whole, {8, 8, 0.5}), whole.rotation};
    for (const bool swapped : {false, true}) {
      const Clash clash = swapped ? ClashSorter(box, plate, {}).sort(on, whole)
                                  : ClashSorter(plate, box, {}).sort(whole, on);
      EXPECT_EQ(clash.kind, ClashClass::Touching);
      EXPECT_LT(nearestPoint(plate, whole, clash.at).upper, 1e-9);
      EXPECT_LT(nearestPoint(box, on, clash.at).upper, 1e-9);
    }
  }
}

}  // namespace
}  // namespace nearmiss::engine
