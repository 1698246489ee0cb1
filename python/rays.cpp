// SPDX-License-Identifier: MIT
#include <nearmiss/world.h>

#include "rays.h"

#include <pybind11/stl.h>

#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "ask_many.h"
#include "collisions.h"
#include "plain_data.h"
#include "ray_columns.h"

namespace py = pybind11;

namespace nearmiss::python {
namespace {

constexpr Real endless = std::numeric_limits<Real>::infinity();

/// Returns a world of shapes in their poses. Body i + 1 is shape i.
nearmiss::World placedBodies(const std::vector<Shape>& shapes, const std::vector<Pose>& poses) {
  nearmiss::World world;
  for (std::size_t i = 0; i < shapes.size(); ++i) valueOf(world.add(shapes[i], poses[i]));
  return world;
}

/// @throws Failure unless there is a pose for each shape
std::vector<Pose> posesOf(const std::vector<Shape>& shapes, const Vertices& matrices) {
  std::vector<Pose> poses = posesFromMatrices(matrices);
  if (poses.size() != shapes.size())
    throw Failure("there must be a pose for each shape, but there are " +
                  std::to_string(poses.size()) + " poses and " + std::to_string(shapes.size()) +
                  " shapes");
  return poses;
}

/// Returns the index of a shape of placedBodies(), -1 for no body.
std::int64_t indexOf(BodyHandle body) noexcept {
  return std::int64_t{static_cast<std::uint32_t>(body)} - 1;
}

}  // namespace

RowsOfThree rowsOfThree(const Vertices& array, const char* name) {
  const bool single = array.ndim() == 1;
  if ((!single && array.ndim() != 2) || array.shape(array.ndim() - 1) != 3)
    throw Failure(std::string(name) +
                  " must be an array of three columns, or three numbers, not an array of shape " +
                  shapeOf(array));
  const std::size_t count = single ? 1 : static_cast<std::size_t>(array.shape(0));
  RowsOfThree copied{std::vector<Vec3>(count), single};
  const double* from = array.data();
  for (Vec3& row : copied.rows) {
    row = Vec3(from[0], from[1], from[2]);
    from += 3;
  }
  return copied;
}

Rays raysOf(const RayArrays& given) {
  const RowsOfThree from = rowsOfThree(given.origins, "origins");
  const RowsOfThree along = rowsOfThree(given.directions, "directions");
  if (!from.single && !along.single && along.rows.size() != from.rows.size())
    throw Failure("there must be a direction for each origin, but there are " +
                  std::to_string(along.rows.size()) + " directions and " +
                  std::to_string(from.rows.size()) + " origins");
  const std::size_t count = from.single ? along.rows.size() : from.rows.size();
  Rays made{std::vector<Ray>(count), from.single && along.single};
  for (std::size_t i = 0; i < count; ++i)
    made.rays[i] = {from.rows[from.single ? 0 : i], along.rows[along.single ? 0 : i], endless,
                    given.radius};
  if (!given.ends) return made;
  const Vertices& ends = *given.ends;
  const bool one = ends.size() == 1;
  if (!one && (ends.ndim() != 1 || static_cast<std::size_t>(ends.shape(0)) != count))
    throw Failure("ends must be one number, or one for each ray, not an array of shape " +
                  shapeOf(ends));
  for (std::size_t i = 0; i < count; ++i) made.rays[i].end = ends.data()[one ? 0 : i];
  return made;
}

py::dict raycastShape(const Shape& shape, const Vertices& pose, const RayArrays& given,
                      std::optional<double> budget, std::optional<int> workers) {
  const Pose placed = poseFromMatrix(pose, "pose");
  const Rays rays = raysOf(given);
  HitColumns columns(rays.rays.size());
  askMany(rays.rays.size(), "ray", budget, workers, [&] {
    return [&, query = std::make_shared<RayQuery>()](std::size_t i, const TimeBudget& time) {
      valueOf(check(rays.rays[i]));
      query->begin(shape, placed, rays.rays[i]);
      columns.put(i, query->refine(time));
    };
  });
  return firstIf(rays.single, columns.named());
}

py::dict raycastShapes(const std::vector<Shape>& shapes, const Vertices& poses,
                       const RayArrays& given, std::optional<double> budget,
                       std::optional<int> workers) {
  const std::vector<Pose> placed = posesOf(shapes, poses);
  const Rays rays = raysOf(given);
  HitColumns columns(rays.rays.size());
  Column<std::int64_t> body(rays.rays.size());
  askMany(rays.rays.size(), "ray", budget, workers, [&] {
    return [&, bodies = std::make_shared<nearmiss::World>(placedBodies(shapes, placed))](
               std::size_t i, const TimeBudget& time) {
      const auto found = valueOf(bodies->raycast(rays.rays[i], {}, time));
      columns.put(i, found);
      body.data[i] = indexOf(found.body);
    };
  });
  py::dict out = columns.named();
  out["bodies"] = body.array;
  return firstIf(rays.single, out);
}

py::dict nearestOfShape(const Shape& shape, const Vertices& pose, const Vertices& points,
                        double reach, std::optional<double> budget, std::optional<int> workers) {
  const Pose placed = poseFromMatrix(pose, "pose");
  const RowsOfThree asked = rowsOfThree(points, "points");
  NearestColumns columns(asked.rows.size());
  askMany(asked.rows.size(), "point", budget, workers, [&] {
    return
        [&, query = std::make_shared<NearestPointQuery>()](std::size_t i, const TimeBudget& time) {
          valueOf(check(asked.rows[i], reach));
          query->begin(shape, placed, asked.rows[i], reach);
          columns.put(i, query->refine(time));
        };
  });
  return firstIf(asked.single, columns.named());
}

py::dict nearestOfShapes(const std::vector<Shape>& shapes, const Vertices& poses,
                         const Vertices& points, double reach, std::optional<double> budget,
                         std::optional<int> workers) {
  const std::vector<Pose> placed = posesOf(shapes, poses);
  const RowsOfThree asked = rowsOfThree(points, "points");
  NearestColumns columns(asked.rows.size());
  Column<std::int64_t> body(asked.rows.size());
  askMany(asked.rows.size(), "point", budget, workers, [&] {
    return [&, bodies = std::make_shared<nearmiss::World>(placedBodies(shapes, placed))](
               std::size_t i, const TimeBudget& time) {
      const auto found = valueOf(bodies->nearestPoint(asked.rows[i], reach, {}, time));
      columns.put(i, found);
      body.data[i] = indexOf(found.body);
    };
  });
  py::dict out = columns.named();
  out["bodies"] = body.array;
  return firstIf(asked.single, out);
}

py::object sidesOf(const Shape& shape, const Vertices& pose, const Vertices& points,
                   std::optional<double> budget, std::optional<int> workers) {
  const Pose placed = poseFromMatrix(pose, "pose");
  const RowsOfThree asked = rowsOfThree(points, "points");
  Column<std::int8_t> side(asked.rows.size());
  askMany(asked.rows.size(), "point", budget, workers, [&] {
    return [&](std::size_t i, const TimeBudget& time) {
      valueOf(check(asked.rows[i]));
      side.data[i] = static_cast<std::int8_t>(sideOf(shape, placed, asked.rows[i], time));
    };
  });
  if (asked.single) return side.array[py::int_(0)];
  return side.array;
}

py::dict containing(const std::vector<Shape>& shapes, const Vertices& poses, const Vertices& points,
                    std::optional<double> budget, std::optional<int> workers) {
  const std::vector<Pose> placed = posesOf(shapes, poses);
  const RowsOfThree asked = rowsOfThree(points, "points");
  ContainingColumns columns(asked.rows.size());
  std::mutex alone;
  askMany(asked.rows.size(), "point", budget, workers, [&] {
    return [&, found = std::vector<BodyHandle>(),
            bodies = std::make_shared<nearmiss::World>(placedBodies(shapes, placed))](
               std::size_t i, const TimeBudget& time) mutable {
      columns.final.data[i] = valueOf(bodies->containing(asked.rows[i], found, time));
      if (found.empty()) return;
      const std::lock_guard lock(alone);
      for (const BodyHandle body : found) columns.put(i, indexOf(body));
    };
  });
  return columns.named();
}

namespace {

constexpr const char* aboutRaycast =
    R"(Finds the first hit of each ray, origin + t direction, on a shape.

`origins` and `directions` are arrays (n, 3) [m], world frame, or (3) for one that serves all. If
both have one dimension, the results are those of one ray, without the first dimension. `ends`
are the last t, one or n; with a `radius` [m] above 0, rays are moving balls. For many shapes,
pass a list of shapes and poses (m, 4, 4).

Returns a dict of arrays: "hit", "t" (infinite for none), "lower" (nothing is hit before it),
"points" (n, 3), "normals" (n, 3), "triangles" (-1 for none), "final", and for many shapes
"bodies", their index (-1 for none).

`budget` is in seconds for each ray. `workers` is the maximum number of threads; None: one per
core. Without a budget, results do not depend on `workers`.

>>> float(nearmiss.raycast(cube, np.eye(4), [0, 0, 5], [0, 0, -1])["t"])
4.0
)";
constexpr const char* aboutNearest =
    R"(Finds the surface point of a shape that is nearest to each point.

`points` is an array (n, 3) [m], world frame, or (3) for one point, whose results then have no
first dimension. Points farther away than `reach` [m] are not found. For many shapes, pass a list
of shapes and poses (m, 4, 4).

Returns a dict of arrays: "lower" and "upper", bounds on the distance [m], "points" (n, 3),
"triangles" (-1 for none), "final", and for many shapes "bodies", their index (-1 for none).
`budget` and `workers` as for raycast().

>>> float(nearmiss.nearest_point(cube, np.eye(4), [0, 0, 5])["upper"])
4.0
)";
constexpr const char* aboutSides = R"(Tells on which side of the surface each point lies.

`points` is an array (n, 3) [m], world frame, or (3) for one. Returns the value of a PointSide
for each: UNKNOWN if the shape is not a solid, UNDECIDED if the budget ran out. `budget` and
`workers` as for raycast().

>>> nearmiss.side_of(cube, np.eye(4), [0, 0, 0]) == nearmiss.PointSide.INSIDE.value
True
)";
constexpr const char* aboutContaining =
    R"(Finds the shapes that contain each point, inside or on the surface.

`poses` is an array (m, 4, 4), `points` an array (n, 3) [m], world frame. Returns a dict:
"containing", an array (k, 2) of the index of a point and the index of a shape, sorted by point,
and "final" (n). `budget` and `workers` as for raycast().

>>> nearmiss.containing([cube], [np.eye(4)], [[0, 0, 0], [9, 0, 0]])["containing"]
array([[0, 0]])
)";

/// Defines the function for one shape or for a list of shapes.
template <class ShapeOrShapes, class Cast>
void defineRaycast(py::module_& m, const char* shape, const char* pose, Cast cast) {
  m.def(
      "raycast",
      [cast](const ShapeOrShapes& what, const Vertices& where, const Vertices& origins,
             const Vertices& directions, const std::optional<Vertices>& ends, double radius,
             std::optional<double> budget, std::optional<int> workers) {
        return cast(what, where, {origins, directions, ends, radius}, budget, workers);
      },
      py::arg(shape), py::arg(pose), py::arg("origins"), py::arg("directions"), py::kw_only(),
      py::arg("ends") = py::none(), py::arg("radius") = 0.0, py::arg("budget") = py::none(),
      py::arg("workers") = py::none(), aboutRaycast);
}

template <class Look>
void defineNearest(py::module_& m, const char* shape, const char* pose, Look look) {
  m.def("nearest_point", look, py::arg(shape), py::arg(pose), py::arg("points"), py::kw_only(),
        py::arg("reach") = endless, py::arg("budget") = py::none(), py::arg("workers") = py::none(),
        aboutNearest);
}

}  // namespace

void declareRays(py::module_& m) {
  py::enum_<PointSide> side(m, "PointSide", "The side of a surface on which a point lies.");
  refuseBool(side, "== nearmiss.PointSide.INSIDE");
  side.value("OUTSIDE", PointSide::Outside)
      .value("INSIDE", PointSide::Inside)
      .value("ON_SURFACE", PointSide::OnSurface)
      .value("UNKNOWN", PointSide::Unknown)
      .value("UNDECIDED", PointSide::Undecided);
  defineRaycast<Shape>(m, "shape", "pose", &raycastShape);
  defineRaycast<std::vector<Shape>>(m, "shapes", "poses", &raycastShapes);
  defineNearest(m, "shape", "pose", &nearestOfShape);
  defineNearest(m, "shapes", "poses", &nearestOfShapes);
  m.def("side_of", &sidesOf, py::arg("shape"), py::arg("pose"), py::arg("points"), py::kw_only(),
        py::arg("budget") = py::none(), py::arg("workers") = py::none(), aboutSides);
  m.def("containing", &containing, py::arg("shapes"), py::arg("poses"), py::arg("points"),
        py::kw_only(), py::arg("budget") = py::none(), py::arg("workers") = py::none(),
        aboutContaining);
}

}  // namespace nearmiss::python
