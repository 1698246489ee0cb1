// SPDX-License-Identifier: MIT
#include <nearmiss/world.h>

#include "rays.h"

#include <pybind11/stl.h>

#include <limits>
#include <string>
#include <utility>

#include "collisions.h"
#include "ray_columns.h"

namespace py = pybind11;

namespace nearmiss::python {
namespace {

constexpr Real endless = std::numeric_limits<Real>::infinity();

/// Returns a world of shapes in their poses. Body i + 1 is shape i.
nearmiss::World placedBodies(const std::vector<Shape>& shapes, const Vertices& matrices) {
  const std::vector<Pose> poses = posesFromMatrices(matrices);
  if (poses.size() != shapes.size()) throw Failure("there must be a pose for each shape");
  nearmiss::World world;
  for (std::size_t i = 0; i < shapes.size(); ++i) valueOf(world.add(shapes[i], poses[i]));
  return world;
}

/// Returns the index of a shape of placedBodies(), -1 for no body.
std::int64_t indexOf(BodyHandle body) noexcept {
  return std::int64_t{static_cast<std::uint32_t>(body)} - 1;
}

}  // namespace

/// Copies rows of three numbers, because others may write or free an array meanwhile.
std::vector<Vec3> rowsOfThree(const Vertices& array, const char* name) {
  if (array.ndim() != 2 || array.shape(1) != 3)
    throw Failure(std::string(name) + " must be an array of three columns");
  std::vector<Vec3> rows;
  rows.reserve(static_cast<std::size_t>(array.shape(0)));
  for (py::ssize_t i = 0; i < array.shape(0); ++i)
    rows.emplace_back(array.at(i, 0), array.at(i, 1), array.at(i, 2));
  return rows;
}

std::vector<Ray> raysOf(const RayArrays& given) {
  const std::vector<Vec3> from = rowsOfThree(given.origins, "origins");
  const std::vector<Vec3> along = rowsOfThree(given.directions, "directions");
  if (along.size() != from.size()) throw Failure("there must be a direction for each origin");
  std::vector<Ray> rays(from.size());
  for (std::size_t i = 0; i < rays.size(); ++i)
    rays[i] = {from[i], along[i], endless, given.radius};
  if (!given.ends) return rays;
  const Vertices& ends = *given.ends;
  const bool one = ends.size() == 1;
  if (!one && (ends.ndim() != 1 || static_cast<std::size_t>(ends.shape(0)) != rays.size()))
    throw Failure("ends must be one number, or one for each ray");
  for (std::size_t i = 0; i < rays.size(); ++i) rays[i].end = ends.data()[one ? 0 : i];
  return rays;
}

py::dict raycastShape(const Shape& shape, const Vertices& pose, const RayArrays& given,
                      std::optional<double> budget) {
  const Pose placed = poseFromMatrix(pose, "pose");
  const std::vector<Ray> rays = raysOf(given);
  HitColumns columns(rays.size());
  askEach(rays.size(), "ray", budget, [&](std::size_t i, const TimeBudget& time) {
    auto sound = check(rays[i]);
    if (sound) columns.put(i, raycast(shape, placed, rays[i], time));
    return sound;
  });
  return columns.named();
}

py::dict raycastShapes(const std::vector<Shape>& shapes, const Vertices& poses,
                       const RayArrays& given, std::optional<double> budget) {
  nearmiss::World bodies = placedBodies(shapes, poses);
  const std::vector<Ray> rays = raysOf(given);
  HitColumns columns(rays.size());
  Column<std::int64_t> body(rays.size());
  askEach(rays.size(), "ray", budget, [&](std::size_t i, const TimeBudget& time) {
    const auto found = bodies.raycast(rays[i], {}, time);
    if (!found) return found;
    columns.put(i, *found);
    body.data[i] = indexOf(found->body);
    return found;
  });
  py::dict out = columns.named();
  out["bodies"] = body.array;
  return out;
}

py::dict nearestOfShape(const Shape& shape, const Vertices& pose, const Vertices& points,
                        double reach, std::optional<double> budget) {
  const Pose placed = poseFromMatrix(pose, "pose");
  const std::vector<Vec3> asked = rowsOfThree(points, "points");
  NearestColumns columns(asked.size());
  askEach(asked.size(), "point", budget, [&](std::size_t i, const TimeBudget& time) {
    auto sound = check(asked[i], reach);
    if (sound) columns.put(i, nearestPoint(shape, placed, asked[i], reach, time));
    return sound;
  });
  return columns.named();
}

py::dict nearestOfShapes(const std::vector<Shape>& shapes, const Vertices& poses,
                         const Vertices& points, double reach, std::optional<double> budget) {
  nearmiss::World bodies = placedBodies(shapes, poses);
  const std::vector<Vec3> asked = rowsOfThree(points, "points");
  NearestColumns columns(asked.size());
  Column<std::int64_t> body(asked.size());
  askEach(asked.size(), "point", budget, [&](std::size_t i, const TimeBudget& time) {
    const auto found = bodies.nearestPoint(asked[i], reach, {}, time);
    if (!found) return found;
    columns.put(i, *found);
    body.data[i] = indexOf(found->body);
    return found;
  });
  py::dict out = columns.named();
  out["bodies"] = body.array;
  return out;
}

py::array_t<std::int8_t> sidesOf(const Shape& shape, const Vertices& pose, const Vertices& points,
                                 std::optional<double> budget) {
  const Pose placed = poseFromMatrix(pose, "pose");
  const std::vector<Vec3> asked = rowsOfThree(points, "points");
  Column<std::int8_t> side(asked.size());
  askEach(asked.size(), "point", budget, [&](std::size_t i, const TimeBudget& time) {
    auto sound = check(asked[i]);
    if (sound) side.data[i] = static_cast<std::int8_t>(sideOf(shape, placed, asked[i], time));
    return sound;
  });
  return side.array;
}

py::dict containing(const std::vector<Shape>& shapes, const Vertices& poses, const Vertices& points,
                    std::optional<double> budget) {
  nearmiss::World bodies = placedBodies(shapes, poses);
  const std::vector<Vec3> asked = rowsOfThree(points, "points");
  ContainingColumns columns(asked.size());
  std::vector<BodyHandle> found;
  askEach(asked.size(), "point", budget, [&](std::size_t i, const TimeBudget& time) {
    const auto complete = bodies.containing(asked[i], found, time);
    if (!complete) return complete;
    columns.final.data[i] = *complete;
    for (const BodyHandle body : found) columns.put(i, indexOf(body));
    return complete;
  });
  return columns.named();
}

namespace {

constexpr const char* aboutRaycast =
    "Where rays origin + t direction first meet a surface: arrays hit, t, lower, points, normals, "
    "triangles and final. `ends` are their last t; with a `radius` they are balls that move. "
    "Nothing is met before `lower`, even where `budget`, in seconds for each ray, ran out. Given "
    "a list of shapes and as many poses, the first of all, and its index in bodies.";
constexpr const char* aboutNearest =
    "The nearest points of a surface: arrays lower and upper, bounds on the distance, points, "
    "triangles and final. What is farther than `reach` is not looked for. Given a list of shapes "
    "and as many poses, the nearest of all, and its index in bodies.";

/// Defines the function for one shape or for a list of shapes.
template <class ShapeOrShapes, class Cast>
void defineRaycast(py::module_& m, const char* shape, const char* pose, Cast cast) {
  m.def(
      "raycast",
      [cast](const ShapeOrShapes& what, const Vertices& where, const Vertices& origins,
             const Vertices& directions, const std::optional<Vertices>& ends, double radius,
             std::optional<double> budget) {
        return cast(what, where, {origins, directions, ends, radius}, budget);
      },
      py::arg(shape), py::arg(pose), py::arg("origins"), py::arg("directions"), py::kw_only(),
      py::arg("ends") = py::none(), py::arg("radius") = 0.0, py::arg("budget") = py::none(),
      aboutRaycast);
}

template <class Look>
void defineNearest(py::module_& m, const char* shape, const char* pose, Look look) {
  m.def("nearest_point", look, py::arg(shape), py::arg(pose), py::arg("points"), py::kw_only(),
        py::arg("reach") = endless, py::arg("budget") = py::none(), aboutNearest);
}

}  // namespace

void declareRays(py::module_& m) {
  py::enum_<PointSide>(m, "PointSide")
      .value("OUTSIDE", PointSide::Outside)
      .value("INSIDE", PointSide::Inside)
      .value("ON_SURFACE", PointSide::OnSurface)
      .value("UNKNOWN", PointSide::Unknown)
      .value("UNDECIDED", PointSide::Undecided);
  defineRaycast<Shape>(m, "shape", "pose", &raycastShape);
  defineRaycast<std::vector<Shape>>(m, "shapes", "poses", &raycastShapes);
  defineNearest(m, "shape", "pose", &nearestOfShape);
  defineNearest(m, "shapes", "poses", &nearestOfShapes);
  m.def(
      "side_of", &sidesOf, py::arg("shape"), py::arg("pose"), py::arg("points"), py::kw_only(),
      py::arg("budget") = py::none(),
      "For each point the value of a PointSide: UNKNOWN if the shape is not a solid, UNDECIDED if "
      "`budget`, in seconds for each, ran out.");
  m.def("containing", &containing, py::arg("shapes"), py::arg("poses"), py::arg("points"),
        py::kw_only(), py::arg("budget") = py::none(),
        "Which shapes contain which points, inside or on the surface: containing, rows of the "
        "index of a point and that of a shape; final, false for points whose `budget`, in "
        "seconds, ran out.");
}

}  // namespace nearmiss::python
