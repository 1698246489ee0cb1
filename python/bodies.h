// SPDX-License-Identifier: MIT
/// nearmiss.World: bodies by handle for Python.
#pragma once

#include <nearmiss/world.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "rays.h"
#include "shapes.h"
#include "world_lock.h"

namespace nearmiss::python {

/// The result of World.collisions().
struct Collisions {
  std::vector<TouchingPair> pairs;
  std::vector<HandlePair> waiting;
  bool complete = true;
};

/// The contacts of two bodies of a world.
struct ContactsOfPair {
  HandlePair bodies;
  ContactManifold manifold;
  bool sensed = false;
};

/// The result of World.contacts().
struct Contacts {
  std::vector<ContactsOfPair> pairs;
  bool complete = true;
};

/// Thread-safe: each call waits, without the GIL, until earlier ones have ended. A signal handler
/// is refused if its own thread is inside a call.
class World {
 public:
  /// The traits of a body. Omitted ones stay unchanged, or get their defaults for a new body.
  struct Given {
    std::optional<std::uint32_t> group, mask, assembly, importance;
    std::optional<bool> sensor;
  };

  /// @throws Failure, like all of these functions, with the library's message
  std::uint32_t add(const Shape& shape, const std::optional<Vertices>& pose, const Given& given);
  void set(std::uint32_t body, const std::optional<Vertices>& pose, const Given& given);
  void remove(std::uint32_t body);

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool contains(std::uint32_t body) const;
  [[nodiscard]] std::vector<std::uint32_t> bodies() const;
  [[nodiscard]] Shape shapeOf(std::uint32_t body) const;
  /// Returns a matrix of four rows.
  [[nodiscard]] pybind11::array_t<double> poseOf(std::uint32_t body) const;

  [[nodiscard]] Collisions collisions(std::optional<double> budget);
  [[nodiscard]] NearestBodies nearest(double within, std::optional<double> budget);
  [[nodiscard]] Contacts contacts(double margin, std::size_t maxPoints,
                                  std::optional<double> budget);

  /// As the functions of rays.h, with handles in "bodies"; `ignored` is a handle.
  [[nodiscard]] pybind11::dict raycast(const RayArrays& rays, std::optional<std::uint32_t> ignored,
                                       std::optional<double> budget, std::optional<int> workers);
  [[nodiscard]] pybind11::dict nearestPoint(const Vertices& points, double reach,
                                            std::optional<std::uint32_t> ignored,
                                            std::optional<double> budget,
                                            std::optional<int> workers);
  [[nodiscard]] pybind11::dict containing(const Vertices& points, std::optional<double> budget,
                                          std::optional<int> workers);

 private:
  mutable WorldLock one_;
  nearmiss::World bodies_;
};

void declareWorld(pybind11::module_& m);
/// Declares Contacts and ContactsOfPair. Call before declareWorld().
void declareWorldContacts(pybind11::module_& m);

}  // namespace nearmiss::python
