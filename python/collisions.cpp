// SPDX-License-Identifier: MIT
#include "collisions.h"

#include <nearmiss/detail/promised_verdict.h>

#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ask_many.h"
#include "ask_poses.h"
#include "heard_clock.h"
#include "ray_columns.h"
#include "unlocked.h"

namespace py = pybind11;

namespace nearmiss::python {
namespace {

/// @throws Failure for a matrix that is not a rigid motion
Pose poseOf(const double* m) {
  constexpr double tolerance = 1e-6;
  glm::dmat3 turn;
  Pose pose;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) turn[column][row] = m[4 * row + column];
    pose.position[row] = m[4 * row + 3];
  }
  valueOf(check(pose));
  for (int column = 0; column < 4; ++column)
    if (!(std::abs(m[12 + column] - (column == 3 ? 1.0 : 0.0)) <= tolerance))
      throw Failure("a pose is no rigid motion: its last row is not 0 0 0 1");
  const glm::dmat3 square = glm::transpose(turn) * turn;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (!(std::abs(square[i][j] - (i == j ? 1.0 : 0.0)) < tolerance))
        throw Failure("a pose is no rigid motion: its rotation is scaled or skewed");
  if (glm::determinant(turn) < 0.0) throw Failure("a pose is no rigid motion: it mirrors");
  pose.rotation = glm::normalize(glm::quat_cast(turn));
  return pose;
}

/// Returns `work()`. Prefixes a failure with the name of the argument.
auto named(const std::string& name, const auto& work) {
  try {
    return work();
  } catch (const Failure& failure) {
    throw Failure(name + ": " + failure.what());
  }
}

Pose poseAmong(const double* matrices, py::ssize_t i) {
  return named("pose " + std::to_string(i), [&] { return poseOf(matrices + 16 * i); });
}

/// @throws Failure unless the array has shape (n, 4, 4)
std::size_t poseCount(const Vertices& poses) {
  if (poses.ndim() != 3 || poses.shape(1) != 4 || poses.shape(2) != 4)
    throw Failure("poses must be an array of 4x4 matrices, not one of shape " + shapeOf(poses));
  return static_cast<std::size_t>(poses.shape(0));
}

SteadyMotion motionOf(const Pose& pose, const Vertices& velocities, const char* name) {
  return named(name, [&] {
    if (velocities.ndim() != 2 || velocities.shape(0) != 2 || velocities.shape(1) != 3)
      throw Failure(
          "a motion must be two rows, linear and angular velocity, not an array of shape " +
          shapeOf(velocities));
    SteadyMotion motion{pose};
    for (int k = 0; k < 3; ++k) {
      motion.velocity[k] = velocities.at(0, k);
      motion.angularVelocity[k] = velocities.at(1, k);
    }
    valueOf(check(motion));
    return motion;
  });
}

}  // namespace

Pose poseFromMatrix(const Vertices& matrix, const char* name) {
  return named(name, [&] {
    if (matrix.ndim() != 2 || matrix.shape(0) != 4 || matrix.shape(1) != 4)
      throw Failure("a pose must be a 4x4 matrix, not an array of shape " + shapeOf(matrix));
    return poseOf(matrix.data());
  });
}

py::array_t<double> matrixOf(const Pose& pose) {
  const glm::dmat3 turn = glm::mat3_cast(pose.rotation);
  py::array_t<double> matrix({py::ssize_t{4}, py::ssize_t{4}});
  auto out = matrix.mutable_unchecked<2>();
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) out(row, column) = turn[column][row];
    out(row, 3) = pose.position[row];
    out(3, row) = 0.0;
  }
  out(3, 3) = 1.0;
  return matrix;
}

std::vector<Pose> posesFromMatrices(const Vertices& matrices) {
  const auto count = static_cast<py::ssize_t>(poseCount(matrices));
  std::vector<Pose> poses;
  for (py::ssize_t i = 0; i < count; ++i) poses.push_back(poseAmong(matrices.data(), i));
  return poses;
}

Refinement collideOnce(const Shape& a, const Vertices& poseA, const Shape& b, const Vertices& poseB,
                       std::optional<double> budget) {
  return withPoses(poseA, poseB, budget,
                   [&](const Pose& here, const Pose& there, const TimeBudget& time) {
                     return collide(a, here, b, there, time);
                   });
}

py::dict collideMany(const Shape& a, const Shape& b, const Vertices& poses,
                     std::optional<double> budget, std::optional<int> workers) {
  const std::size_t count = poseCount(poses);
  Column<std::int8_t> verdict(count), stage(count);
  Column<std::int32_t> level(count);
  Column<double> bound(count);
  const auto matrices = copyOf(poses, workerCount(workers));
  askMany(count, "pose", budget, workers, [&] {
    return [&, query = std::make_shared<CollisionQuery>()](std::size_t i, const TimeBudget& time) {
      query->begin(a, Pose{}, b, poseOf(matrices.get() + 16 * i));
      const Refinement known = query->refine(time);
      verdict.data[i] = static_cast<std::int8_t>(promisedVerdict(known));
      stage.data[i] = static_cast<std::int8_t>(known.stage);
      level.data[i] = known.level;
      bound.data[i] = known.separationBound;
    };
  });
  py::dict out;
  out["verdict"] = verdict.array;
  out["stage"] = stage.array;
  out["level"] = level.array;
  out["bound"] = bound.array;
  return out;
}

py::dict distanceMany(const Shape& a, const Shape& b, const Vertices& poses,
                      std::optional<double> budget, std::optional<int> workers) {
  const std::size_t count = poseCount(poses);
  const auto rows = static_cast<py::ssize_t>(count);
  Column<double> lower(count), upper(count);
  Column<bool> final(count);
  py::array_t<double> points({rows, py::ssize_t{2}, py::ssize_t{3}});
  py::array_t<std::int64_t> triangles({rows, py::ssize_t{2}});
  double* const point = points.mutable_data();
  std::int64_t* const triangle = triangles.mutable_data();
  const auto matrices = copyOf(poses, workerCount(workers));
  askMany(count, "pose", budget, workers, [&] {
    return [&, query = std::make_shared<DistanceQuery>()](std::size_t i, const TimeBudget& time) {
      query->begin(a, Pose{}, b, poseOf(matrices.get() + 16 * i));
      const DistanceBounds known = query->refine(time);
      lower.data[i] = known.lower;
      upper.data[i] = known.upper;
      final.data[i] = !known.canRefine;
      for (int k = 0; k < 3; ++k) {
        point[6 * i + static_cast<std::size_t>(k)] = known.pointA[k];
        point[6 * i + 3 + static_cast<std::size_t>(k)] = known.pointB[k];
      }
      triangle[2 * i] = numberOf(known.triangleA);
      triangle[2 * i + 1] = numberOf(known.triangleB);
    };
  });
  py::dict out;
  out["lower"] = lower.array;
  out["upper"] = upper.array;
  out["points"] = points;
  out["triangles"] = triangles;
  out["final"] = final.array;
  return out;
}

DistanceBounds distanceOnce(const Shape& a, const Vertices& poseA, const Shape& b,
                            const Vertices& poseB, std::optional<double> budget) {
  return withPoses(poseA, poseB, budget,
                   [&](const Pose& here, const Pose& there, const TimeBudget& time) {
                     return distance(a, here, b, there, time);
                   });
}

PenetrationBounds penetrationOnce(const Shape& a, const Vertices& poseA, const Shape& b,
                                  const Vertices& poseB, std::optional<double> budget) {
  return withPoses(poseA, poseB, budget,
                   [&](const Pose& here, const Pose& there, const TimeBudget& time) {
                     return penetration(a, here, b, there, time);
                   });
}

ContactTime contactTimeOnce(const Shape& a, const Vertices& poseA, const Vertices& motionA,
                            const Shape& b, const Vertices& poseB, const Vertices& motionB,
                            double horizon, double tolerance, std::optional<double> budget) {
  const SteadyMotion first = motionOf(poseFromMatrix(poseA, "pose_a"), motionA, "motion_a");
  const SteadyMotion second = motionOf(poseFromMatrix(poseB, "pose_b"), motionB, "motion_b");
  HeardClock clock;
  const TimeBudget time = clock.budget(budget);
  valueOf(checkHorizon(a, first, b, second, horizon, tolerance, time));
  const ContactTime answer = [&] {
    const Unlocked unlocked;
    DistanceQuery query;
    return timeToContact(query, a, first, b, second, horizon, tolerance, time);
  }();
  clock.raiseIfInterrupted();
  return answer;
}

py::array_t<double> vectorOf(const Vec3& v) {
  py::array_t<double> array(py::ssize_t{3});
  for (int k = 0; k < 3; ++k) array.mutable_at(k) = v[k];
  return array;
}

py::array_t<double> rowsOf(const Vec3& first, const Vec3& second) {
  py::array_t<double> array({py::ssize_t{2}, py::ssize_t{3}});
  auto out = array.mutable_unchecked<2>();
  for (int k = 0; k < 3; ++k) {
    out(0, k) = first[k];
    out(1, k) = second[k];
  }
  return array;
}

py::array_t<double> deepestSpheres(const Refinement& known) {
  py::array_t<double> array({py::ssize_t{2}, py::ssize_t{4}});
  auto out = array.mutable_unchecked<2>();
  for (int i = 0; i < 2; ++i) {
    const Sphere& ball = i == 0 ? known.deepest.a : known.deepest.b;
    for (int k = 0; k < 3; ++k) out(i, k) = ball.centre[k];
    out(i, 3) = ball.radius;
  }
  return array;
}

py::object touching(const Refinement& known) {
  switch (promisedVerdict(known)) {
    case Verdict::Contact:
      return py::bool_(true);
    case Verdict::Separate:
      return py::bool_(false);
    case Verdict::Possible:
      break;
  }
  return py::none();
}

py::object within(const DistanceBounds& bounds, double tolerance) {
  if (std::isnan(tolerance)) throw Failure("tolerance must be a number, not nan");
  const std::optional<bool> answer = bounds.isWithin(tolerance);
  return answer ? py::object(py::bool_(*answer)) : py::none();
}

py::object heldTriangles(const DistanceBounds& bounds) {
  constexpr std::uint32_t none = DistanceBounds::noTriangle;
  if (bounds.triangleA == none || bounds.triangleB == none) return py::none();
  return py::make_tuple(bounds.triangleA, bounds.triangleB);
}

py::object meetingTriangles(const Refinement& known) {
  if (known.triangleA == Refinement::noTriangle || known.triangleB == Refinement::noTriangle)
    return py::none();
  return py::make_tuple(known.triangleA, known.triangleB);
}

}  // namespace nearmiss::python
