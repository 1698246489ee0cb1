// SPDX-License-Identifier: MIT
/// Contacts for a solver: stacks that must stand still, heaps that must come to rest, and what a
/// call costs, beside Bullet.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <string>

#include "bench.h"
#include "contact_piles.h"
#include "percentile.h"
#include "quantity_table.h"
#ifdef NEARMISS_HAVE_BULLET
#include "bullet_pile.h"
#endif

namespace nearmiss::bench {
namespace {

class ContactTable : public QuantityTable {
 public:
  explicit ContactTable(const std::filesystem::path& file)
      : QuantityTable(
            file,
            "# title: contacts for a solver of rigid bodies, beside Bullet\n"
            "# columns: quantities with their units; times are CPU time of one thread; goal: what "
            "ours must reach\n"
            "# note: 120 Hz, 15 iterations of sequential impulses, warm start by id, friction 0.5, "
            "Baumgarte 0.2, slop 3 mm, bodies of 1 m and 1 kg\n"
            "experiment,case,method,quantity,value,goal\n") {}
  void add(const std::string& experiment, const std::string& of, const std::string& method,
           const std::string& quantity, double value, const std::string& goal = "") {
    QuantityTable::add({experiment, of, method, quantity}, value, {goal});
  }
};

void addStack(ContactTable& table, const std::string& of, const std::string& method,
              const StackResult& result, bool goals) {
  const auto goal = [&](const char* text) { return std::string(goals ? text : ""); };
  table.add("stack", of, method, "energy_J", result.energy, goal("<= 1e-4"));
  table.add("stack", of, method, "fastest_m_per_s", result.fastest);
  table.add("stack", of, method, "normal_flips_per_s", result.flips, goal("0"));
  table.add("stack", of, method, "ids_kept", result.kept, goal("1"));
}

void measureStacks(ContactTable& table) {
  for (const Real margin : {0.0, 0.01}) {
    for (const std::size_t points : {4u, 8u, 16u})
      addStack(table, fmt::format("margin {} points {}", margin, points), "nearmiss",
               stackOfBoxes(margin, points, false), true);
    addStack(table, fmt::format("margin {}", margin), "ideal", stackOfBoxes(margin, 4, true),
             false);
  }
#ifdef NEARMISS_HAVE_BULLET
  std::vector<Dropped> boxes;
  for (int i = 0; i < 8; ++i)
    boxes.push_back({nullptr, {{1e-4 * (i % 3), 0.5 + i, 1e-4 * (i % 2)}}});
  const BulletSteps steps = bulletSteps(boxes, 6 * hertz, 1e9);
  const auto most = [](const std::vector<double>& all) {
    return *std::max_element(all.end() - hertz, all.end());
  };
  table.add("stack", "", "bullet", "energy_J", most(steps.energies));
  table.add("stack", "", "bullet", "fastest_m_per_s", most(steps.fastest));
#endif
}

/// Mean, 99th percentile and maximum. @pre ascending
void addTimes(ContactTable& table, const std::string& of, const std::string& method,
              const std::string& what, const std::vector<double>& times, const std::string& goal) {
  if (times.empty()) return;
  table.add("heap", of, method, what + "_mean", meanOf(times), goal);
  table.add("heap", of, method, what + "_p99", percentile(times, 0.99));
  table.add("heap", of, method, what + "_max", times.back());
}

void addHeap(ContactTable& table, const std::string& of, const HeapResult& heap, bool limited) {
  const char* method = limited ? "nearmiss 200 us" : "nearmiss";
  table.add("heap", of, method, "at_rest_after_s", heap.restAfter, limited ? "" : "<= 6");
  table.add("heap", of, method, "energy_J", heap.energy, "< 1e-3");
  table.add("heap", of, method, "deepest_m", heap.deepest, "<= 0.01");
  table.add("heap", of, method, "fallen_through", heap.fallen, "0");
  table.add("heap", of, method, "ids_kept", heap.kept);
  addTimes(table, of, method, "step_falling_ms", heap.falling, limited ? "" : "<= 10");
  addTimes(table, of, method, "step_at_rest_ms", heap.resting, limited ? "" : "<= 2");
  table.add("heap", of, method, "call_mean_us", meanOf(heap.calls));
  table.add("heap", of, method, "call_p99_us", percentile(heap.calls, 0.99));
  table.add("heap", of, method, "call_max_us", heap.calls.back(), limited ? "<= 250" : "<= 5000");
  if (limited) table.add("heap", of, method, "calls_cut", static_cast<double>(heap.cut));
  if (limited || heap.unchanged.empty()) return;
  table.add("heap", of, method, "unchanged_call_mean_us", meanOf(heap.unchanged), "<= 0.3");
  table.add("heap", of, method, "unchanged_call_max_us", heap.unchanged.back());
}

void measureHeap(ContactTable& table, const std::string& of, const std::vector<ContactMesh>& meshes,
                 const ContactsCommand& command) {
  using std::chrono::microseconds;
  const HeapResult heap = heapOf(meshes, command.seconds, microseconds(0));
  addHeap(table, of, heap, false);
  addHeap(table, of, heapOf(meshes, command.seconds, microseconds(200)), true);
#ifdef NEARMISS_HAVE_BULLET
  const std::vector<Dropped> bodies = droppedBodies(meshes);
  BulletSteps steps =
      bulletSteps(bodies, static_cast<int>(command.seconds * hertz), command.bulletSeconds);
  table.add("heap", of, "gimpact", "simulated_s", static_cast<double>(steps.millis.size()) / hertz);
  table.add("heap", of, "gimpact", "energy_J", steps.energies.back());
  const double fallen = static_cast<double>(
      std::ranges::count_if(steps.poses, [](const Pose& pose) { return pose.position.y < -0.3; }));
  table.add("heap", of, "gimpact", "fallen_through", fallen);
  // The same steps of both: while ours fall, they fall
  std::vector<double> falling(
      steps.millis.begin(), steps.millis.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                       heap.falling.size(), steps.millis.size())));
  std::ranges::sort(falling);
  std::ranges::sort(steps.millis);
  addTimes(table, of, "gimpact", "step_falling_ms", falling, "");
  addTimes(table, of, "gimpact", "step_ms", steps.millis, "");
  if (!falling.empty() && !heap.falling.empty())
    table.add("heap", of, "nearmiss", "times_gimpact_falling",
              meanOf(falling) / meanOf(heap.falling), ">= 20");
#endif
}

void addBoxCalls(ContactTable& table, const char* method, const BoxCalls& calls, bool goals) {
  table.add("box on box", "", method, "first_call_us", calls.first / 1000.0);
  table.add("box on box", "", method, "next_call_us", calls.next / 1000.0, goals ? "<= 4" : "");
  table.add("box on box", "", method, "unchanged_call_us", calls.unchanged / 1000.0,
            goals ? "<= 0.3" : "");
}

}  // namespace

int contacts(const ContactsCommand& command) {
  std::error_code failed;
  std::filesystem::create_directories(command.folder, failed);
  const auto file = command.folder / "contacts.csv";
  ContactTable table(file);
  addBoxCalls(table, "nearmiss", boxCalls(command.rounds), true);
#ifdef NEARMISS_HAVE_BULLET
  addBoxCalls(table, "bullet", bulletBoxCalls(command.rounds), false);
#endif
  measureStacks(table);
  measureHeap(table, "tuned", tunedMeshes(), command);
  measureHeap(table, "held out", heldOutMeshes(), command);
  if (table.good()) return 0;
  fmt::print(stderr, "nearmiss-lab: cannot write \"{}\"\n", file.string());
  return 2;
}

}  // namespace nearmiss::bench
