// SPDX-License-Identifier: MIT
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bodies.h"
#include "contacts.h"
#include "handle_columns.h"
#include "heard_clock.h"
#include "plain_data.h"
#include "ray_columns.h"
#include "unlocked.h"

namespace py = pybind11;

namespace nearmiss::python {
namespace {

std::int64_t handleNumber(BodyHandle body) noexcept {
  return body == BodyHandle{} ? -1 : std::int64_t{static_cast<std::uint32_t>(body)};
}

/// Returns the points of all pairs in one list.
ContactManifold joined(const Contacts& found) {
  ContactManifold all;
  for (const ContactsOfPair& pair : found.pairs)
    all.points.insert(all.points.end(), pair.manifold.points.begin(), pair.manifold.points.end());
  return all;
}

py::array_t<std::int64_t> countsOf(const Contacts& found) {
  py::array_t<std::int64_t> counts(static_cast<py::ssize_t>(found.pairs.size()));
  std::int64_t* out = counts.mutable_data();
  for (const ContactsOfPair& pair : found.pairs)
    *out++ = static_cast<std::int64_t>(pair.manifold.points.size());
  return counts;
}

/// The bodies of a world for several threads, because the queries of a world share its memory: the
/// calling thread asks the world itself, each other thread a copy. Constructed on the calling
/// thread.
class SharedBodies {
 public:
  explicit SharedBodies(nearmiss::World& world) : world_(world) {}

  /// A world to ask, and the handles of its bodies in the original.
  class Own {
   public:
    Own(nearmiss::World& world, std::shared_ptr<nearmiss::World> copy,
        const std::vector<BodyHandle>* handles)
        : world_(world), copy_(std::move(copy)), handles_(handles) {}
    [[nodiscard]] nearmiss::World& world() const { return copy_ ? *copy_ : world_; }
    /// Returns the handle in the world that is asked. Unknown handles stay unknown.
    [[nodiscard]] BodyHandle inside(BodyHandle body) const {
      if (!copy_ || body == BodyHandle{}) return body;
      const auto found = std::lower_bound(handles_->begin(), handles_->end(), body);
      const bool known = found != handles_->end() && *found == body;
      return BodyHandle{known ? static_cast<std::uint32_t>(found - handles_->begin() + 1)
                              : std::numeric_limits<std::uint32_t>::max()};
    }
    [[nodiscard]] BodyHandle outside(BodyHandle body) const {
      if (!copy_ || body == BodyHandle{}) return body;
      return (*handles_)[static_cast<std::uint32_t>(body) - 1];
    }

   private:
    nearmiss::World& world_;
    std::shared_ptr<nearmiss::World> copy_;
    const std::vector<BodyHandle>* handles_;
  };

  /// Lists the bodies for copies. Call on the calling thread, while the world is locked.
  void share() {
    handles_ = world_.handles();
    // Rays and points ignore traits
    for (const BodyHandle body : handles_)
      placed_.emplace_back(*world_.shapeOf(body), *world_.poseOf(body));
  }

  [[nodiscard]] Own forThisThread() const {
    if (caller_ == std::this_thread::get_id()) return {world_, nullptr, nullptr};
    auto copy = std::make_shared<nearmiss::World>();
    for (const auto& [shape, pose] : placed_) valueOf(copy->add(shape, pose));
    return {world_, std::move(copy), &handles_};
  }

 private:
  nearmiss::World& world_;
  const std::thread::id caller_ = std::this_thread::get_id();
  std::vector<BodyHandle> handles_;
  std::vector<std::pair<Shape, Pose>> placed_;
};

/// Runs `count` queries. Returns a column for each part of the results, and one for the bodies
/// found.
template <class Columns>
py::dict withBodies(std::size_t count, const char* name, std::optional<double> budget,
                    std::optional<int> workers, nearmiss::World& world, WorldLock& lock,
                    const auto& ask) {
  Columns columns(count);
  Column<std::int64_t> body(count);
  SharedBodies bodies(world);
  askMany(
      count, name, budget, workers,
      [&]() -> Ask {
        return [&, own = bodies.forThisThread()](std::size_t i, const TimeBudget& time) {
          const auto found = valueOf(ask(own, i, time));
          columns.put(i, found);
          body.data[i] = handleNumber(own.outside(found.body));
        };
      },
      &lock, [&] { bodies.share(); });
  py::dict out = columns.named();
  out["bodies"] = body.array;
  return out;
}

}  // namespace

Contacts World::contacts(double margin, std::size_t maxPoints, std::optional<double> budget) {
  HeardClock clock;
  const TimeBudget time = clock.budget(budget);
  Contacts copied;
  bool depthKnown = true;
  {
    const Unlocked unlocked;
    const std::lock_guard alone(one_);
    const WorldContacts& found = *valueOf(bodies_.contacts({margin, maxPoints}, time));
    copied.complete = found.complete;
    for (const PairContacts& pair : found) {
      ContactsOfPair& own = copied.pairs.emplace_back();
      own.bodies = pair.bodies;
      own.manifold.points.assign(pair.points.begin(), pair.points.end());
      own.manifold.depthKnown = pair.depthKnown;
      own.manifold.canRefine = pair.canRefine;
      own.sensed = pair.sensed;
      depthKnown = depthKnown && pair.depthKnown;
    }
  }
  clock.raiseIfInterrupted();
  warnOnceUnless(depthKnown);
  return copied;
}

py::dict World::raycast(const RayArrays& given, std::optional<std::uint32_t> ignored,
                        std::optional<double> budget, std::optional<int> workers) {
  const Rays rays = raysOf(given);
  const BodyHandle except{ignored.value_or(0)};
  return firstIf(rays.single,
                 withBodies<HitColumns>(
                     rays.rays.size(), "ray", budget, workers, bodies_, one_,
                     [&](const SharedBodies::Own& own, std::size_t i, const TimeBudget& time) {
                       return own.world().raycast(rays.rays[i], own.inside(except), time);
                     }));
}

py::dict World::nearestPoint(const Vertices& points, double reach,
                             std::optional<std::uint32_t> ignored, std::optional<double> budget,
                             std::optional<int> workers) {
  const RowsOfThree asked = rowsOfThree(points, "points");
  const BodyHandle except{ignored.value_or(0)};
  return firstIf(asked.single,
                 withBodies<NearestColumns>(
                     asked.rows.size(), "point", budget, workers, bodies_, one_,
                     [&](const SharedBodies::Own& own, std::size_t i, const TimeBudget& time) {
                       return own.world().nearestPoint(asked.rows[i], reach, own.inside(except),
                                                       time);
                     }));
}

py::dict World::containing(const Vertices& points, std::optional<double> budget,
                           std::optional<int> workers) {
  const RowsOfThree asked = rowsOfThree(points, "points");
  ContainingColumns columns(asked.rows.size());
  SharedBodies bodies(bodies_);
  std::mutex alone;
  askMany(
      asked.rows.size(), "point", budget, workers,
      [&]() -> Ask {
        return [&, own = bodies.forThisThread(), found = std::vector<BodyHandle>()](
                   std::size_t i, const TimeBudget& time) mutable {
          columns.final.data[i] = valueOf(own.world().containing(asked.rows[i], found, time));
          if (found.empty()) return;
          const std::lock_guard lock(alone);
          for (const BodyHandle body : found) columns.put(i, handleNumber(own.outside(body)));
        };
      },
      &one_, [&] { bodies.share(); });
  return columns.named();
}

void declareWorldContacts(py::module_& m) {
  py::class_<ContactsOfPair> declared(
      m, "PairContacts",
      "The contact points of two bodies of a world. Has no truth value: use `points`.");
  declared
      .def_property_readonly(
          "bodies",
          [](const ContactsOfPair& pair) {
            return py::make_tuple(static_cast<std::uint32_t>(pair.bodies.a),
                                  static_cast<std::uint32_t>(pair.bodies.b));
          },
          "Two handles, the lower one first.")
      .def_readonly("points", &ContactsOfPair::manifold,
                    "A ContactManifold: normals point from the second body to the first.")
      .def_property_readonly(
          "depth_known", [](const ContactsOfPair& pair) { return pair.manifold.depthKnown; },
          "As ContactManifold.depth_known.")
      .def_property_readonly(
          "can_refine", [](const ContactsOfPair& pair) { return pair.manifold.canRefine; },
          "True if the search was cut short, so that more points may touch.")
      .def_readonly("sensed", &ContactsOfPair::sensed, "True if one of the two is a sensor.");
  declarePlain(declared, [](const ContactsOfPair& pair) {
    return "bodies=" + brief(pair.bodies) + ", " + std::to_string(pair.manifold.points.size()) +
           " points, sensed=" + brief(pair.sensed);
  });
  refuseBool(declared, ".points or .bodies");
  py::class_<Contacts> contacts(
      m, "Contacts",
      "The contacts of a world: an iterable of PairContacts, and the points of all pairs as "
      "arrays. Its length is the number of pairs.");
  contacts.def("__len__", [](const Contacts& found) { return found.pairs.size(); })
      .def("__iter__",
           [](const Contacts& found) {
             py::list pairs;
             for (const ContactsOfPair& pair : found.pairs) pairs.append(pair);
             return py::iter(pairs);
           })
      .def_readonly("complete", &Contacts::complete, "True if no pair can be refined further.")
      .def_property_readonly(
          "pairs",
          [](const Contacts& found) {
            return columnsOf(found.pairs, [](const ContactsOfPair& pair) { return pair.bodies; });
          },
          "Handles of the bodies: an array (n, 2), the lower handle first.")
      .def_property_readonly("counts", &countsOf, "Number of points of each pair: an array (n).")
      .def_property_readonly("all_points", &joined,
                             "A ContactManifold of the points of all pairs, pair by pair.");
  declarePlain(contacts, [](const Contacts& found) {
    std::size_t points = 0;
    for (const ContactsOfPair& pair : found.pairs) points += pair.manifold.points.size();
    return std::to_string(found.pairs.size()) + " pairs, " + std::to_string(points) +
           " points, complete=" + brief(found.complete);
  });
}

}  // namespace nearmiss::python
