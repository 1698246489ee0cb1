// SPDX-License-Identifier: MIT
/// Result columns for queries of many rays and points: arrays that are filled without the GIL.
#pragma once

#include <nearmiss/advanced/mesh_file.h>
#include <nearmiss/ray.h>
#include <pybind11/numpy.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "heard_clock.h"
#include "rays.h"
#include "unlocked.h"
#include "world_lock.h"

namespace nearmiss::python {

/// Copies rows of three numbers, because others may write or free an array meanwhile.
/// @throws Failure unless there are three columns
std::vector<Vec3> rowsOfThree(const Vertices& array, const char* name);
/// @throws Failure unless all arrays have the same length
std::vector<Ray> raysOf(const RayArrays& given);

/// Calls ask(i, budget) for each index, without the GIL and interruptible by Ctrl-C.
/// @param lock held meanwhile if not null
void askEach(std::size_t count, const char* name, std::optional<double> budget, const auto& ask,
             WorldLock* lock = nullptr) {
  HeardClock clock;
  static_cast<void>(clock.budget(budget));
  std::size_t i = 0;
  std::string refusal;
  {
    const Unlocked unlocked;
    std::unique_lock<WorldLock> alone;
    if (lock) alone = std::unique_lock(*lock);
    for (; i < count && refusal.empty() && !clock.interrupted(); ++i)
      if (const auto answered = ask(i, clock.budget(budget)); !answered)
        refusal = std::string(name) + " " + std::to_string(i) + ": " + answered.error().message;
  }
  // Python already has the exception of a signal
  clock.raiseIfInterrupted();
  if (!refusal.empty()) throw Failure(refusal);
  clock.raiseUnless(i == count);
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
    pairs.push_back(static_cast<std::int64_t>(point));
    pairs.push_back(body);
  }
  [[nodiscard]] pybind11::dict named() const {
    pybind11::array_t<std::int64_t> rows(
        {static_cast<pybind11::ssize_t>(pairs.size() / 2), pybind11::ssize_t{2}});
    std::copy(pairs.begin(), pairs.end(), rows.mutable_data());
    pybind11::dict out;
    out["containing"] = rows;
    out["final"] = final.array;
    return out;
  }
  Column<bool> final;
  std::vector<std::int64_t> pairs;  ///< a point and a body that contains it, alternating
};

}  // namespace nearmiss::python
