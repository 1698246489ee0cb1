// SPDX-License-Identifier: MIT
/// Every allocation of every door fails in turn, alone or with all after it: the answer is the same
/// or an error, and what was asked can be asked again.
#include <gtest/gtest.h>
#include <nearmiss/advanced/bsp_tree.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/mesh.h>
#include <nearmiss/pair.h>
#include <nearmiss/ray.h>
#include <nearmiss/rivals/catalog.h>
#include <nearmiss/shape.h>
#include <nearmiss/spheres.h>
#include <nearmiss/world.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/allocations.h"
#include "support/campaign.h"
#include "support/checked_values.h"
#include "support/files.h"
#include "support/meshes.h"

namespace nearmiss {
namespace {

constexpr std::size_t endless = static_cast<std::size_t>(-1);
using Work = std::function<Result<double>()>;
using test::caught;

/// A function that takes data from outside, with all that it needs laid out beforehand.
struct Door {
  const char* name;
  std::function<Work()> prepare;
  bool again = true;  ///< the same objects can be asked again after a failure
  int places = 150;   ///< where memory runs out, of all
  bool allocates = true;
};
void PrintTo(const Door& door, std::ostream* out) { *out << door.name; }

template <class Value>
Result<double> figure(const Result<Value>& answer, const auto& figureOf) {
  if (!answer) return answer.error();
  return static_cast<double>(figureOf(*answer));
}
template <class Value>
Result<double> done(const Result<Value>& answer) {
  return figure(answer, [](const auto&) { return 1.0; });
}

const Pose beside{{1.1, 0.3, 0.2}, {1.0, 0.0, 0.0, 0.0}};

Shape builtShape() {
  ShapeSettings settings;
  settings.tree.levels = 2;
  settings.treeBuilder = "octree";
  return *makeShape(test::torus(8, 5), settings);
}

/// Asked of a pair of bodies of one shape, made anew, so that all that is kept with it is made too.
Door pairDoor(const char* name, const auto& ask, int places = 150) {
  return {name,
          [ask]() -> Work {
            return
                [ask, shape = std::make_shared<const Shape>(builtShape())] { return ask(*shape); };
          },
          true, places};
}

std::vector<BodyState> threeBodies(const Shapes& shapes) {
  std::vector<BodyState> bodies(3);
  for (std::uint32_t i = 0; i < 3; ++i) {
    bodies[i].key = i;
    bodies[i].shape = shapes.ref(0);
    bodies[i].pose.position.x = 1.1 * i;
  }
  return bodies;
}

std::vector<Door> pairDoors() {
  const Pose here;
  return {
      pairDoor("collide",
               [=](const Shape& s) {
                 return figure(caught([&] { return collide(s, here, s, beside); }),
                               [](const Refinement& r) { return static_cast<int>(r.verdict); });
               }),
      pairDoor("distance",
               [=](const Shape& s) {
                 return figure(caught([&] {
                                 return distance(s, here, s, {{3.0, 0.0, 0.0}, here.rotation});
                               }),
                               [](const DistanceBounds& d) { return d.upper; });
               }),
      {"timeToContact",
       [=]() -> Work {
         return [=, query = std::make_shared<DistanceQuery>(), s = builtShape()] {
           return figure(caught([&] {
                           return timeToContact(
                               *query, s, {here, {1.0, 0.0, 0.0}, Vec3(0.0)}, s,
                               {{{4.0, 0.0, 0.0}, here.rotation}, Vec3(0.0), Vec3(0.0)}, 10.0,
                               1e-3);
                         }),
                         [](const ContactTime& c) { return c.noContactBefore; });
         };
       }},
      pairDoor(
          "penetration",
          [=](const Shape& s) {
            return figure(caught([&] { return penetration(s, here, s, beside); }),
                          [](const PenetrationBounds& p) { return p.upper; });
          },
          25),
      pairDoor("protrusion",
               [=](const Shape& s) {
                 return done(caught([&] { return protrusion(s, here, s, beside); }));
               }),
      pairDoor("manifold",
               [=](const Shape& s) {
                 return done(caught([&] { return contactManifold(s, here, s, beside); }));
               }),
      pairDoor("raycast",
               [=](const Shape& s) {
                 return figure(caught([&] {
                                 return raycast(s, here, {{0.1, 5.0, 0.1}, {0.0, -1.0, 0.0}});
                               }),
                               [](const RayHit& hit) { return hit.lower; });
               }),
      pairDoor("nearestPoint",
               [=](const Shape& s) {
                 return done(caught([&] { return nearestPoint(s, here, {2.0, 1.0, 0.5}); }));
               }),
      pairDoor("sideOf",
               [=](const Shape& s) {
                 return figure(caught([&] {
                                 return sideOf(s, here, {0.7, 0.0, 0.0});
                               }),
                               [](PointSide side) { return static_cast<int>(side); });
               }),
      pairDoor("refit",
               [](const Shape& s) {
                 return figure(refit(s, s.polyhedron().mesh().positions),
                               [](const Refit& r) { return r.growth; });
               }),
      pairDoor("bytesOf",
               [](const Shape& s) {
                 return figure(bytesOf(s), [](const auto& bytes) { return bytes.size(); });
               }),
  };
}

/// Doors to many bodies at once.
std::vector<Door> setDoors() {
  return {
      {"world",
       []() -> Work {
         auto world = std::make_shared<World>();
         return [world, shape = builtShape()]() -> Result<double> {
           for (int i = 0; i < 3; ++i) {
             const auto added = world->add(shape, {{1.1 * i, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}});
             if (!added) return added.error();
           }
           const auto found = world->collisions();
           if (!found) return found.error();
           const auto touching = world->contacts({0.01, 4});
           if (!touching) return touching.error();
           const auto hit = world->raycast({{-5.0, 0.1, 0.1}, {1.0, 0.0, 0.0}});
           if (!hit) return hit.error();
           if (const auto near = world->nearestPoint({0.0, 3.0, 0.0}); !near) return near.error();
           std::vector<BodyHandle> around;
           if (const auto all = world->containing({0.7, 0.0, 0.0}, around); !all)
             return all.error();
           return figure(world->minDistance(), [](const NearestBodies&) { return 1.0; });
         };
       }},
      {"detector",
       []() -> Work {
         Shapes shapes;
         shapes.add(builtShape());
         auto broad = std::make_shared<std::unique_ptr<BroadPhase>>(makeSpaceTimeGridBroadPhase());
         return [shapes, broad, bodies = threeBodies(shapes)]() -> Result<double> {
           auto narrow = makeNarrowPhase(*findNarrowPhase("sphere-tree"), shapes);
           if (!narrow) return narrow.error();
           auto detector = makeDetector(std::move(*broad), *std::move(narrow));
           if (!detector) return detector.error();
           return caught([&] {
             const Detection& found = (*detector)->detect(bodies, 0.0, TimeBudget::unlimited());
             return static_cast<double>(found.pairs.size());
           });
         };
       },
       false},
  };
}

std::vector<Door> makingDoors() {
  return {
      {"makePolyhedron",
       []() -> Work {
         auto mesh = std::make_shared<TriangleMesh>(test::torus(8, 5));
         return [mesh] {
           return figure(makePolyhedron(std::move(*mesh)),
                         [](const Polyhedron& p) { return p.mesh().triangles.size(); });
         };
       },
       false},
      {"convexHull",
       []() -> Work {
         return [mesh = test::torus(8, 5)] {
           return figure(convexHullMesh(mesh.positions),
                         [](const TriangleMesh& hull) { return hull.triangles.size(); });
         };
       }},
      {"sphereMesh",
       []() -> Work {
         return [] {
           return figure(sphereMesh(1.0, 2),
                         [](const TriangleMesh& mesh) { return mesh.triangles.size(); });
         };
       }},
      {"capsuleMesh",
       []() -> Work {
         return [] {
           return figure(capsuleMesh(1.0, 2.0, 8),
                         [](const TriangleMesh& mesh) { return mesh.triangles.size(); });
         };
       }},
      {"massProperties",
       []() -> Work {
         return [mesh = test::torus(8, 5)] {
           return figure(massProperties(mesh),
                         [](const MassProperties& mass) { return mass.volume; });
         };
       }},
      {"cleanMesh",
       []() -> Work {
         auto mesh = std::make_shared<TriangleMesh>(test::torus(8, 5));
         return [mesh] { return done(cleanMesh(*mesh, 1e-6)); };
       }},
      {"bspTree",
       []() -> Work {
         return [p = std::make_shared<const Polyhedron>(test::torus(6, 4))] {
           return figure(buildBspTree(*p), [](const BspTree& tree) { return tree.nodes().size(); });
         };
       }},
      {"flatSet",
       []() -> Work {
         return [p = std::make_shared<const Polyhedron>(test::cube())] {
           return figure(fitFlatSet(*p, {.count = 2}), [](const auto& set) { return set.size(); });
         };
       },
       true, 3},
      {"shapeFromBytes",
       []() -> Work {
         return [bytes = *bytesOf(builtShape())] {
           return figure(shapeFromBytes(bytes),
                         [](const Shape& s) { return s.polyhedron().mesh().triangles.size(); });
         };
       }},
      {"loadMesh",
       []() -> Work {
         auto folder = std::make_shared<test::TemporaryFolder>();
         test::writeText(*folder / "x.obj", test::asObj(test::torus(8, 5)));
         return [folder, file = (*folder / "x.obj").string()] {
           return figure(loadMesh(file),
                         [](const TriangleMesh& mesh) { return mesh.triangles.size(); });
         };
       }},
  };
}

/// Runs the work with a shortage; an exception, which no door may let out, is told.
Result<double> outcomeOf(std::size_t after, std::size_t refusals, const Work& work) {
  return test::shortOfMemory(after, refusals, [&]() -> Result<double> {
    try {
      return work();
    } catch (...) {
      test::shortage.firstRefused = endless;
      ADD_FAILURE() << "an exception came out of the door";
      return 0.0;
    }
  });
}

class EveryDoor : public testing::TestWithParam<Door> {};

TEST_P(EveryDoor, AnswersTheSameOrWithAnErrorWhereverMemoryRunsOut) {
  const Door& door = GetParam();
  double truth = 0.0;
  const Work first = door.prepare();
  const std::size_t count = test::allocationsIn([&] { truth = *first(); });
  ASSERT_EQ(count > 0, door.allocates);
  if (count == 0) return;
  const std::size_t step =
      std::max<std::size_t>(1, count / static_cast<std::size_t>(test::cases(door.places)));
  std::size_t refused = 0, tried = 0;
  for (std::size_t after = 0; after < count; after += step)
    for (const std::size_t refusals : {std::size_t{1}, endless}) {
      SCOPED_TRACE(testing::Message() << "allocation " << after << " of " << count);
      const Work work = door.prepare();
      const Result<double> answer = outcomeOf(after, refusals, work);
      ++tried;
      if (answer) {
        EXPECT_EQ(*answer, truth);
        continue;
      }
      ++refused;
      EXPECT_EQ(answer.error().code, ErrorCode::OutOfMemory) << answer.error().message;
      if (!door.again) continue;
      const Result<double> again = work();
      ASSERT_TRUE(again) << again.error().message;
      EXPECT_EQ(*again, truth) << "asked again";
    }
  test::reportCases(static_cast<int>(tried));
  EXPECT_GT(refused, tried / 2) << "memory hardly ever ran out";
}

std::vector<Door> allDoors() {
  std::vector<Door> doors = pairDoors();
  for (const auto& more : {setDoors(), makingDoors()})
    doors.insert(doors.end(), more.begin(), more.end());
  // The hierarchy that these search comes with the shape
  for (Door& door : doors)
    for (const std::string_view name : {"raycast", "nearestPoint", "sideOf"})
      if (door.name == name) door.allocates = false;
  return doors;
}
INSTANTIATE_TEST_SUITE_P(Memory, EveryDoor, testing::ValuesIn(allDoors()),
                         [](const auto& tested) { return tested.param.name; });

/// The first query of a finished shape builds nothing: it allocates as often as the second.
TEST(Shapes, AreReadyWhereverTheyComeFrom) {
  const Shape made = *makeShape(test::torus(24, 12));
  const Pose apart{Vec3(0.1, 3.0, 0.2), glm::identity<Quat>()};
  const Pose near{Vec3(0.3, 0.9, 0.1), glm::identity<Quat>()};
  for (const auto& [origin, shape] : {std::pair{"makeShape()", *makeShape(test::torus(24, 12))},
                                      std::pair{"bytes", *shapeFromBytes(*bytesOf(made))},
                                      std::pair{"scaled()", *scaled(made, 2.0)}}) {
    SCOPED_TRACE(origin);
    const auto expectAlike = [](const auto& query) {
      const std::size_t first = test::allocationsIn(query);
      EXPECT_EQ(first, test::allocationsIn(query));
    };
    expectAlike([&] { static_cast<void>(collide(shape, {}, shape, near)); });
    expectAlike([&] { static_cast<void>(distance(shape, {}, shape, apart)); });
    expectAlike([&] {
      static_cast<void>(raycast(shape, {}, {{5.0, 0.1, 0.1}, {-1.0, 0.0, 0.0}}));
    });
  }
}

}  // namespace

}  // namespace nearmiss
