// SPDX-License-Identifier: MIT
/// Shapes for Python: from arrays and files, and back to arrays.
#pragma once

#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/shape.h>
#include <pybind11/numpy.h>

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "made_objects.h"

namespace nearmiss::python {

/// nearmiss.Error with a message of the library.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// @throws Failure with the error's message
template <class T>
T valueOf(Result<T> result) {
  if (!result) throw Failure(result.error().message);
  return *std::move(result);
}

/// Converts text for Python. Bytes that are not UTF-8, possible in file names, become \x and their
/// digits.
/// @throws the exception of Python if memory runs out
pybind11::str textOf(std::string_view words);

/// Issues a UserWarning for each sentence.
/// @throws the warning as an exception if Python treats warnings as errors
void warn(const std::vector<std::string>& sentences);

/// An array of numbers. Rejects arrays of dates, complex numbers and strings, which NumPy would
/// also cast.
class Vertices
    : public pybind11::array_t<double, pybind11::array::c_style | pybind11::array::forcecast> {
 public:
  using array_t::array_t;
};
using Faces =
    pybind11::array_t<std::int64_t, pybind11::array::c_style | pybind11::array::forcecast>;
/// Called with the fraction that is done, 0 to 1, several times per second while a tree is built or
/// checked. Cancels the work by returning False.
using Progress = std::optional<pybind11::function>;

/// Converts an argument to an array of numbers.
/// @throws pybind11::type_error that names it, unless that is possible
Vertices numbersOf(const pybind11::object& given, const char* name);
/// Returns the shape of an array, such as "(3, 4)".
std::string shapeOf(const pybind11::array& array);

/// Returns the positions in an array of three columns.
/// @throws Failure if it has another shape
std::vector<Vec3> positionsOf(const Vertices& vertices);

/// Converts faces to integers. A plain cast would truncate fractions and wrap large numbers.
/// @throws Failure
Faces wholeNumbers(const pybind11::object& given);
/// @throws Failure if a face refers to a missing vertex
TriangleMesh meshOf(const Vertices& vertices, const Faces& faces);

/// @param vertices an array; or, if `faces` is None, an object with the attributes vertices and
/// faces
Shape shapeFromArrays(const pybind11::object& vertices, const pybind11::object& faces, double weld,
                      const std::string& quality, const std::optional<std::string>& builder,
                      int levels, int branching, std::size_t maxSpheres,
                      std::optional<double> boxes, std::optional<std::size_t> inner, bool bsp,
                      int workers, const Progress& progress);

Shape shapeFromFile(const std::filesystem::path& file, double radius, const std::string& quality,
                    const std::optional<std::string>& builder, int levels, int branching,
                    std::size_t maxSpheres, std::optional<double> boxes,
                    std::optional<std::size_t> inner, bool bsp, int workers,
                    const Progress& progress);

Shape tightenedShape(const Shape& shape, int workers, const Progress& progress);

pybind11::array_t<double> verticesOf(const TriangleMesh& mesh);
pybind11::array_t<std::uint32_t> facesOf(const TriangleMesh& mesh);
int levelsOf(const Shape& shape);
pybind11::dict dictOf(const MeshCleaning& cleaning, const MeshReport& report);
pybind11::dict reportOf(const Shape& shape);
pybind11::array_t<double> spheresOf(const Shape& shape, int level);
SphereTreeCertificate certificateOf(const Shape& shape, const Progress& progress);
/// Reads a file that the library itself wrote, including trees.
Shape shapeFromOwnFile(const std::filesystem::path& file);
void saveShape(const Shape& shape, const std::filesystem::path& file);
Shape scaledShape(const Shape& shape, double factor);
Refit refittedShape(const Shape& shape, const Vertices& vertices);
/// Returns a pickle: all that saveShape() writes.
pybind11::bytes bytesOfShape(const Shape& shape);
Shape shapeFromPickle(const pybind11::bytes& state);
void saveTree(const Shape& shape, const std::filesystem::path& file);
std::vector<std::string> builderNames();

}  // namespace nearmiss::python

namespace pybind11::detail {

template <>
struct type_caster<nearmiss::python::Vertices> {
  using Numbers = nearmiss::python::Vertices;
  PYBIND11_TYPE_CASTER(Numbers, handle_type_name<array_t<double>>::name);

  bool load(handle source, bool convert) {
    if (!convert && !Numbers::check_(source)) return false;
    if (isinstance<array>(source)) {
      const char kind = reinterpret_borrow<array>(source).dtype().kind();
      if (std::string_view("biufO").find(kind) == std::string_view::npos) return false;
    }
    const auto numbers = Numbers::ensure(source);
    if (!numbers) return false;
    value = Numbers(numbers);
    return true;
  }
};

}  // namespace pybind11::detail
