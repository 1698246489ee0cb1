// SPDX-License-Identifier: MIT
/// Result columns for queries of many rays and points: arrays that are filled without the GIL.
#pragma once

#include <nearmiss/advanced/mesh_file.h>
#include <nearmiss/ray.h>
#include <pybind11/numpy.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ask_many.h"
#include "heard_clock.h"
#include "rays.h"
#include "unlocked.h"
#include "world_lock.h"

namespace nearmiss::python {

/// Rows of three numbers.
struct RowsOfThree {
  std::vector<Vec3> rows;
  bool single = false;  ///< given as one row without a second dimension
};

/// Copies rows of three numbers, because others may write or free an array meanwhile.
/// @throws Failure unless there are three columns, or three numbers
RowsOfThree rowsOfThree(const Vertices& array, const char* name);

struct Rays {
  std::vector<Ray> rays;
  bool single = false;  ///< one ray, given as one-dimensional arrays
};
/// One origin serves many directions, and one direction many origins.
/// @throws Failure unless the lengths of all arrays fit
Rays raysOf(const RayArrays& given);

/// Returns the results of one query that was given as one-dimensional arrays: without their first
/// dimension.
inline pybind11::dict firstOf(const pybind11::dict& columns) {
  pybind11::dict out;
  for (const auto& [name, column] : columns) out[name] = column[pybind11::int_(0)];
  return out;
}
inline pybind11::dict firstIf(bool single, const pybind11::dict& columns) {
  return single ? firstOf(columns) : columns;
}

/// A column of a result, and its memory for writing without the GIL.
template <class T>
struct Column {
  explicit Column(std::size_t count)
      : array(static_cast<pybind11::ssize_t>(count)), data(array.mutable_data()) {}
  pybind11::array_t<T> array;
  T* data;
};

struct Rows {
  explicit Rows(std::size_t count)
      : array({static_cast<pybind11::ssize_t>(count), pybind11::ssize_t{3}}),
        data(array.mutable_data()) {}
  void put(std::size_t i, const Vec3& v) noexcept {
    for (int k = 0; k < 3; ++k) data[3 * i + static_cast<std::size_t>(k)] = v[k];
  }
  pybind11::array_t<double> array;
  double* data;
};

inline std::int64_t numberOf(std::uint32_t index) noexcept {
  return index == 0xffffffffu ? -1 : std::int64_t{index};
}

struct HitColumns {
  explicit HitColumns(std::size_t n)
      : hit(n), final(n), t(n), lower(n), triangle(n), point(n), normal(n) {}
  void put(std::size_t i, const RayHit& found) noexcept {
    hit.data[i] = found.hit();
    final.data[i] = !found.canRefine;
    t.data[i] = found.t;
    lower.data[i] = found.lower;
    triangle.data[i] = numberOf(found.triangle);
    point.put(i, found.point);
    normal.put(i, found.normal);
  }
  [[nodiscard]] pybind11::dict named() const {
    pybind11::dict out;
    out["hit"] = hit.array;
    out["t"] = t.array;
    out["lower"] = lower.array;
    out["points"] = point.array;
    out["normals"] = normal.array;
    out["triangles"] = triangle.array;
    out["final"] = final.array;
    return out;
  }
  Column<bool> hit, final;
  Column<double> t, lower;
  Column<std::int64_t> triangle;
  Rows point, normal;
};

struct NearestColumns {
  explicit NearestColumns(std::size_t n) : lower(n), upper(n), triangle(n), final(n), point(n) {}
  void put(std::size_t i, const NearestPoint& found) noexcept {
    lower.data[i] = found.lower;
    upper.data[i] = found.upper;
    triangle.data[i] = numberOf(found.triangle);
    final.data[i] = !found.canRefine;
    point.put(i, found.point);
  }
  [[nodiscard]] pybind11::dict named() const {
    pybind11::dict out;
    out["lower"] = lower.array;
    out["upper"] = upper.array;
    out["points"] = point.array;
    out["triangles"] = triangle.array;
    out["final"] = final.array;
    return out;
  }
  Column<double> lower, upper;
  Column<std::int64_t> triangle;
  Column<bool> final;
  Rows point;
};

struct ContainingColumns {
  explicit ContainingColumns(std::size_t n) : final(n) {}
  void put(std::size_t point, std::int64_t body) {
    pairs.push_back({static_cast<std::int64_t>(point), body});
  }
  [[nodiscard]] pybind11::dict named() {
    // Threads add points in any order
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const auto& a, const auto& b) { return a[0] < b[0]; });
    pybind11::array_t<std::int64_t> rows(
        {static_cast<pybind11::ssize_t>(pairs.size()), pybind11::ssize_t{2}});
    std::int64_t* out = rows.mutable_data();
    for (const auto& pair : pairs) out = std::copy(pair.begin(), pair.end(), out);
    pybind11::dict named;
    named["containing"] = rows;
    named["final"] = final.array;
    return named;
  }
  Column<bool> final;
  std::vector<std::array<std::int64_t, 2>> pairs;  ///< a point and a body that contains it
};

}  // namespace nearmiss::python
