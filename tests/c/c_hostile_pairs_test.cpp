// SPDX-License-Identifier: MIT
/// Two hostile numbers at once at every C function that takes numbers: it fails with a sentence
/// that names one of them and writes nothing, or answers without a NaN.
#include <gtest/gtest.h>
#include <nearmiss/nearmiss_c.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "support/c_shapes.h"
#include "support/hostile_pairs.h"
#include "support/meshes.h"

namespace nearmiss {
namespace {

using test::HostileNumbers;
using test::Told;

const nearmiss_shape* askedShape() {
  static const test::Held<nearmiss_shape> shape(test::cShape(test::tetrahedron(), 1));
  return shape.get();
}

/// What all functions take, and a little time for those that need none.
struct CAsked {
  nearmiss_pose a{{0, 0, 0}, {1, 0, 0, 0}}, b{{0.5, 0, 0.25}, {0.6, 0, 0.8, 0}};
  double budget = 1e-5;
};

void addPose(HostileNumbers& numbers, nearmiss_pose& pose) {
  for (double& number : pose.position) numbers.number("position.", number);
  for (double& number : pose.rotation) numbers.number("rotation.", number);
}

void addVector(HostileNumbers& numbers, const std::string& name, double (&vector)[3]) {
  for (double& number : vector) numbers.number(name, number);
}

/// Half a second, or no limit, is for what ends soon.
HostileNumbers numbersOf(CAsked& asked, bool endsSoon = true) {
  HostileNumbers numbers;
  addPose(numbers, asked.a);
  addPose(numbers, asked.b);
  if (endsSoon) numbers.number("budget", asked.budget);
  return numbers;
}

/// What `call(out)` says, a status, of an answer of this type, by the numbers that `add(told, out)`
/// takes out of it.
template <class Answer>
Told toldC(const auto& call, const auto& add) {
  Answer out, before;
  std::memset(&out, 0x5a, sizeof out);
  std::memset(&before, 0x5a, sizeof before);
  const nearmiss_status status = call(&out);
  Told told;
  told.refused = status != NEARMISS_OK;
  if (!told.refused) {
    add(told, out);
    return told;
  }
  told.sentence = nearmiss_error();
  if (std::memcmp(&out, &before, sizeof out) != 0) told.fault = "a failure has written an answer";
  return told;
}

void putAll(Told& told, std::initializer_list<double> numbers) {
  told.numbers.insert(told.numbers.end(), numbers);
}

void putThree(Told& told, const double (&v)[3]) { putAll(told, {v[0], v[1], v[2]}); }

void add(Told& told, const nearmiss_distance_bounds& bounds) {
  putAll(told, {bounds.lower, bounds.upper});
  putThree(told, bounds.point_a);
  putThree(told, bounds.point_b);
}

TEST(CHostilePairs, OfTwoPoses) {
  CAsked asked;
  const nearmiss_shape* shape = askedShape();
  const auto tryPair = [&]<class Answer>(auto function, const Answer&, const auto& put,
                                         bool endsSoon = true) {
    numbersOf(asked, endsSoon).tryAll([&] {
      return toldC<Answer>(
          [&](Answer* out) {
            return function(shape, &asked.a, shape, &asked.b, asked.budget, out);
          },
          put);
    });
  };
  tryPair(nearmiss_collide, nearmiss_refinement{},
          [](Told& told, const nearmiss_refinement& answer) {
            putAll(told, {answer.separation_bound});
            if (answer.verdict != NEARMISS_SEPARATE)
              putAll(told, {answer.sphere_a[3], answer.sphere_b[0]});
          });
  tryPair(nearmiss_distance, nearmiss_distance_bounds{},
          [](Told& told, const nearmiss_distance_bounds& bounds) { add(told, bounds); });
  tryPair(
      nearmiss_penetration, nearmiss_penetration_bounds{},
      [](Told& told, const nearmiss_penetration_bounds& bounds) {
        putAll(told, {bounds.lower, bounds.upper});
        putThree(told, bounds.direction);
      },
      false);
  tryPair(nearmiss_protrusion, nearmiss_protruding{},
          [](Told& told, const nearmiss_protruding& found) {
            putAll(told, {found.depth});
            putThree(told, found.from);
            putThree(told, found.to);
          });
}

TEST(CHostilePairs, OfManifolds) {
  CAsked asked;
  double margin = 0.01;
  HostileNumbers numbers = numbersOf(asked);
  numbers.number("margin", margin);
  nearmiss_pair* pair = nullptr;
  ASSERT_EQ(nearmiss_pair_make(&pair), NEARMISS_OK);
  std::array<nearmiss_manifold_point, 4> points;
  const auto put = [&points](Told& told, const nearmiss_manifold& found) {
    for (std::size_t i = 0; i < found.point_count; ++i) {
      putThree(told, points[i].on_a);
      putThree(told, points[i].on_b);
      putThree(told, points[i].normal);
      putAll(told, {points[i].depth});
    }
  };
  const nearmiss_shape* shape = askedShape();
  numbers.tryAll([&] {
    Told told = toldC<nearmiss_manifold>(
        [&](nearmiss_manifold* out) {
          return nearmiss_contact_manifold(shape, &asked.a, shape, &asked.b, margin, asked.budget,
                                           points.data(), points.size(), out);
        },
        put);
    // The same of a pair, which forgets nothing when it refuses
    const nearmiss_status begun = nearmiss_pair_begin(pair, shape, &asked.a, shape, &asked.b);
    if (begun != NEARMISS_OK) return told;
    const Told again = toldC<nearmiss_manifold>(
        [&](nearmiss_manifold* out) {
          return nearmiss_pair_manifold(pair, margin, asked.budget, points.data(), points.size(),
                                        out);
        },
        put);
    if (again.refused != told.refused) told.fault = "one door refuses, the other does not";
    told.numbers.insert(told.numbers.end(), again.numbers.begin(), again.numbers.end());
    return told;
  });
  nearmiss_pair_free(pair);
}

TEST(CHostilePairs, OfMotions) {
  CAsked asked;
  nearmiss_motion a{asked.a, {0, 0, 0}, {0, 0, 0}}, b{asked.b, {0, 0, -1}, {0, 0, 0}};
  b.pose.position[2] = 4;
  double horizon = 10.0, tolerance = 1e-3;
  HostileNumbers numbers;
  for (nearmiss_motion* motion : {&a, &b}) {
    addPose(numbers, motion->pose);
    addVector(numbers, "velocity", motion->velocity);
    addVector(numbers, "angularVelocity", motion->angular_velocity);
  }
  numbers.number("horizon", horizon).number("tolerance", tolerance);
  numbers.tryAll([&] {
    return toldC<nearmiss_contact_time>(
        [&](nearmiss_contact_time* out) {
          return nearmiss_time_to_contact(askedShape(), &a, askedShape(), &b, horizon, tolerance,
                                          asked.budget, out);
        },
        [](Told& told, const nearmiss_contact_time& found) {
          putAll(told, {found.no_contact_before});
        });
  });
}

TEST(CHostilePairs, OfRaysAndPoints) {
  CAsked asked;
  nearmiss_ray ray{{0.25, 0.5, 3}, {0, 0.125, -1}, 100, 0};
  double reach = 10.0;
  HostileNumbers numbers;
  addPose(numbers, asked.a);
  addVector(numbers, "origin", ray.origin);
  addVector(numbers, "direction", ray.direction);
  numbers.number("end", ray.end).number("radius", ray.radius).number("budget", asked.budget);
  numbers.tryAll([&] {
    return toldC<nearmiss_ray_hit>(
        [&](nearmiss_ray_hit* out) {
          return nearmiss_raycast(askedShape(), &asked.a, &ray, asked.budget, out);
        },
        [](Told& told, const nearmiss_ray_hit& hit) {
          putAll(told, {hit.lower, hit.t});
          putThree(told, hit.point);
          putThree(told, hit.normal);
        });
  });
  HostileNumbers ofPoints;
  addPose(ofPoints, asked.a);
  addVector(ofPoints, "point", ray.origin);
  ofPoints.number("reach", reach).number("budget", asked.budget);
  ofPoints.tryAll([&] {
    Told told = toldC<nearmiss_point_bounds>(
        [&](nearmiss_point_bounds* out) {
          return nearmiss_nearest_point(askedShape(), &asked.a, ray.origin, reach, asked.budget,
                                        out);
        },
        [](Told& of, const nearmiss_point_bounds& bounds) {
          putAll(of, {bounds.lower, bounds.upper});
          putThree(of, bounds.point);
        });
    std::int32_t side = 77;
    const nearmiss_status status =
        nearmiss_side_of(askedShape(), &asked.a, ray.origin, asked.budget, &side);
    if (status != NEARMISS_OK && (side != 77 || !told.refused)) told.fault = "of a side";
    return told;
  });
}

TEST(CHostilePairs, OfShapes) {
  const TriangleMesh mesh = test::tetrahedron();
  std::vector<double> vertices;
  for (const Vec3& p : mesh.positions) vertices.insert(vertices.end(), {p.x, p.y, p.z});
  nearmiss_shape_settings settings{};
  settings.size = sizeof settings;
  settings.levels = 1;
  settings.builder = "octree";
  double factor = 2.0;
  HostileNumbers numbers;
  for (const std::size_t i : {std::size_t{0}, std::size_t{4}, std::size_t{8}})
    numbers.number("vert|coordinate|mesh", vertices[i]);
  numbers.number("weld", settings.weld).number("factor", factor);
  numbers.tryAll([&] {
    nearmiss_shape* made[3] = {};
    nearmiss_refit growth{-1.0, -1};
    std::string sentence;
    const auto note = [&sentence](nearmiss_status status) {
      if (status != NEARMISS_OK && sentence.empty()) sentence = nearmiss_error();
    };
    note(nearmiss_shape_make(vertices.data(), 4, &mesh.triangles[0][0], 4, &settings, &made[0]));
    note(nearmiss_shape_refit(askedShape(), vertices.data(), 4, &made[1], &growth));
    note(nearmiss_shape_scaled(askedShape(), factor, &made[2]));
    Told told;
    told.sentence = sentence;
    told.refused = !sentence.empty();
    for (nearmiss_shape* shape : made) putAll(told, {nearmiss_shape_radius(shape)});
    if (!made[1] && growth.growth != -1.0) told.fault = "a failure has written an answer";
    putAll(told, {growth.growth});
    for (nearmiss_shape* shape : made) nearmiss_shape_free(shape);
    return told;
  });
}

TEST(CHostilePairs, OfAWorld) {
  CAsked asked;
  nearmiss_world* world = nullptr;
  ASSERT_EQ(nearmiss_world_make(&world), NEARMISS_OK);
  nearmiss_body first = 0;
  const CAsked usual;
  ASSERT_EQ(nearmiss_world_add(world, askedShape(), &usual.a, nullptr, &first), NEARMISS_OK);
  double within = 5.0;
  HostileNumbers numbers = numbersOf(asked);
  numbers.number("within|distance", within);
  numbers.tryAll([&] {
    nearmiss_body second = 0;
    nearmiss_collisions detection;
    std::string sentence;
    const auto note = [&sentence](nearmiss_status status) {
      if (status != NEARMISS_OK && sentence.empty()) sentence = nearmiss_error();
      return status == NEARMISS_OK;
    };
    note(nearmiss_world_set_pose(world, first, &asked.a));
    note(nearmiss_world_add(world, askedShape(), &asked.b, nullptr, &second));
    note(nearmiss_world_collisions(world, asked.budget, &detection));
    Told told = toldC<nearmiss_nearest_bodies>(
        [&](nearmiss_nearest_bodies* out) {
          return nearmiss_world_min_distance(world, within, asked.budget, out);
        },
        [](Told& of, const nearmiss_nearest_bodies& nearest) { add(of, nearest.bounds); });
    if (!sentence.empty()) told.sentence = sentence;
    told.refused = !told.sentence.empty();
    if (nearmiss_world_size(world) != (second ? 2u : 1u)) told.fault = "a refused body is there";
    if (second && nearmiss_world_remove(world, second) != NEARMISS_OK) told.fault = "it stays";
    if (nearmiss_world_set_pose(world, first, &usual.a) != NEARMISS_OK) told.fault = "it is lost";
    return told;
  });
  nearmiss_world_free(world);
}

}  // namespace
}  // namespace nearmiss
