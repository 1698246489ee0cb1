// SPDX-License-Identifier: MIT
#include "rays.h"

#include <string>
#include <utility>
#include <vector>

#include "collisions.h"
#include "heard_clock.h"

namespace py = pybind11;

namespace nearmiss::python {
namespace {

/// Rows of three, copied: others may write or free an array meanwhile.
std::vector<Vec3> rowsOf(const Vertices& array, const char* name) {
  if (array.ndim() != 2 || array.shape(1) != 3)
    throw Failure(std::string(name) + " must be an array of three columns");
  std::vector<Vec3> rows;
  rows.reserve(static_cast<std::size_t>(array.shape(0)));
  for (py::ssize_t i = 0; i < array.shape(0); ++i)
    rows.emplace_back(array.at(i, 0), array.at(i, 1), array.at(i, 2));
  return rows;
}

std::vector<Real> endsOf(const std::optional<Vertices>& ends, std::size_t count) {
  if (!ends) return std::vector<Real>(count, std::numeric_limits<Real>::infinity());
  if (ends->size() == 1) return std::vector<Real>(count, *ends->data());
  if (ends->ndim() != 1 || static_cast<std::size_t>(ends->shape(0)) != count)
    throw Failure("ends must be one number, or one for each ray");
  return {ends->data(), ends->data() + count};
}

/// Calls ask(i, budget of it) for each, while other threads run and Ctrl-C is heard.
void askEach(std::size_t count, const char* name, std::optional<double> budget, const auto& ask) {
  HeardClock clock;
  static_cast<void>(clock.budget(budget));
  {
    const py::gil_scoped_release unlocked;
    for (std::size_t i = 0; i < count && !clock.interrupted(); ++i)
      if (const auto answered = ask(i, clock.budget(budget)); !answered)
        throw Failure(std::string(name) + " " + std::to_string(i) + ": " +
                      answered.error().message);
  }
  clock.raiseIfInterrupted();
}

void putRow(double* rows, std::size_t i, const Vec3& v) noexcept {
  for (int k = 0; k < 3; ++k) rows[3 * i + static_cast<std::size_t>(k)] = v[k];
}

std::int64_t numberOf(std::uint32_t triangle) noexcept {
  return triangle == RayHit::noTriangle ? -1 : std::int64_t{triangle};
}

py::array_t<double> rowsFor(std::size_t count) {
  return py::array_t<double>({static_cast<py::ssize_t>(count), py::ssize_t{3}});
}

}  // namespace

py::dict raycastMany(const Shape& shape, const Vertices& pose, const Vertices& origins,
                     const Vertices& directions, const std::optional<Vertices>& ends, double radius,
                     std::optional<double> budget) {
  const Pose placed = poseOf(pose);
  const std::vector<Vec3> from = rowsOf(origins, "origins"),
                          along = rowsOf(directions, "directions");
  const std::size_t count = from.size();
  if (along.size() != count) throw Failure("there must be a direction for each origin");
  const std::vector<Real> last = endsOf(ends, count);
  const auto size = static_cast<py::ssize_t>(count);
  py::array_t<bool> hits(size), finals(size);
  py::array_t<double> times(size), lowers(size), points = rowsFor(count), normals = rowsFor(count);
  py::array_t<std::int64_t> triangles(size);
  bool* const hit = hits.mutable_data();
  bool* const final = finals.mutable_data();
  double *const t = times.mutable_data(), *const lower = lowers.mutable_data();
  double *const point = points.mutable_data(), *const normal = normals.mutable_data();
  std::int64_t* const triangle = triangles.mutable_data();
  askEach(count, "ray", budget, [&](std::size_t i, const TimeBudget& time) -> Result<Success> {
    const auto found = raycastChecked(shape, placed, {from[i], along[i], last[i], radius}, time);
    if (!found) return found.error();
    hit[i] = found->hit();
    final[i] = !found->canRefine;
    t[i] = found->t;
    lower[i] = found->lower;
    putRow(point, i, found->point);
    putRow(normal, i, found->normal);
    triangle[i] = numberOf(found->triangle);
    return Success{};
  });
  py::dict out;
  out["hit"] = hits;
  out["t"] = times;
  out["lower"] = lowers;
  out["points"] = points;
  out["normals"] = normals;
  out["triangles"] = triangles;
  out["final"] = finals;
  return out;
}

py::dict nearestMany(const Shape& shape, const Vertices& pose, const Vertices& points, double reach,
                     std::optional<double> budget) {
  const Pose placed = poseOf(pose);
  const std::vector<Vec3> asked = rowsOf(points, "points");
  const auto size = static_cast<py::ssize_t>(asked.size());
  py::array_t<double> lowers(size), uppers(size), places = rowsFor(asked.size());
  py::array_t<std::int64_t> triangles(size);
  py::array_t<bool> finals(size);
  double *const lower = lowers.mutable_data(), *const upper = uppers.mutable_data();
  double* const place = places.mutable_data();
  std::int64_t* const triangle = triangles.mutable_data();
  bool* const final = finals.mutable_data();
  askEach(asked.size(), "point", budget,
          [&](std::size_t i, const TimeBudget& time) -> Result<Success> {
            const auto found = nearestPointChecked(shape, placed, asked[i], time, reach);
            if (!found) return found.error();
            lower[i] = found->lower;
            upper[i] = found->upper;
            putRow(place, i, found->point);
            triangle[i] = numberOf(found->triangle);
            final[i] = !found->canRefine;
            return Success{};
          });
  py::dict out;
  out["lower"] = lowers;
  out["upper"] = uppers;
  out["points"] = places;
  out["triangles"] = triangles;
  out["final"] = finals;
  return out;
}

py::array_t<std::int8_t> sidesOf(const Shape& shape, const Vertices& pose, const Vertices& points,
                                 std::optional<double> budget) {
  const Pose placed = poseOf(pose);
  const std::vector<Vec3> asked = rowsOf(points, "points");
  py::array_t<std::int8_t> sides(static_cast<py::ssize_t>(asked.size()));
  std::int8_t* const side = sides.mutable_data();
  askEach(asked.size(), "point", budget,
          [&](std::size_t i, const TimeBudget& time) -> Result<Success> {
            const auto found = sideOfChecked(shape, placed, asked[i], time);
            if (!found) return found.error();
            side[i] = static_cast<std::int8_t>(found->side);
            return Success{};
          });
  return sides;
}

}  // namespace nearmiss::python
