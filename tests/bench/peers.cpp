// SPDX-License-Identifier: MIT
/// Pairs of meshes in many poses: sphere trees to each level and exactly, beside other libraries.
#include <engine/record/commit.h>
#include <engine/record/record_head.h>
#include <fmt/format.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/rivals/catalog.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <functional>
#include <glm/common.hpp>
#include <glm/gtc/quaternion.hpp>
#include <numeric>

#include "bench.h"
#include "mesh_peer.h"
#include "model_pairs.h"
#include "percentile.h"
#include "support/random.h"

namespace nearmiss::bench {
namespace {

using Clock = std::chrono::steady_clock;

/// For the report: how many times as fast as the first peer the exact answer is, by mesh.
constexpr std::string_view figures =
    R"(# figure: {"title":"Times as fast as FCL, exactly","says":"Mean and 99th percentile, by mesh","kind":"bars","x":"pair","y":["times_fcl_mean","times_fcl_p99"],"by":[],"log":"y","x_label":"meshes","y_label":"times as fast as FCL","where":{"method":"sphere-tree exact"}}
# figure: {"title":"False alarms by level","says":"Of the poses apart, the share that a level leaves open","kind":"bars","x":"pair","y":["false_alarms_percent"],"by":["method"],"log":"","x_label":"meshes","y_label":"false alarms, %","where":{"method":"sphere-tree L1|sphere-tree L2|sphere-tree L3|sphere-tree L4|sphere-tree L5|sphere-tree L6"}}
)";

using Poses = std::vector<std::array<Pose, 2>>;

/// What a broad phase hands over: bounding spheres that meet, the centres 0.2 to 1.0 of the sum of
/// the radii apart.
Poses randomPoses(const Model& a, const Model& b, int count) {
  test::Random random(1);
  Poses poses(static_cast<std::size_t>(count));
  for (auto& [p, q] : poses) {
    p.rotation = random.rotation();
    q.rotation = random.rotation();
    const Real reach = a.shape.radius() + b.shape.radius();
    q.position = random.direction() * random.between(0.2, 1.0) * reach;
  }
  return poses;
}

/// The same as a flight shows them: from one of these to the next in small steps.
Poses coherentPoses(const Model& a, const Model& b, int count) {
  constexpr int steps = 50;
  const Poses ends = randomPoses(a, b, count / steps + 2);
  Poses poses(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const auto &from = ends[i / steps], &to = ends[i / steps + 1];
    const Real share = static_cast<Real>(i % steps) / steps;
    for (std::size_t k = 0; k < 2; ++k) {
      poses[i][k].rotation = glm::slerp(from[k].rotation, to[k].rotation, share);
      poses[i][k].position = glm::mix(from[k].position, to[k].position, share);
    }
  }
  return poses;
}

/// Near the place where two parts fit into each other, the first one in any pose.
Poses assembledPoses(const ModelPair& pair, int count) {
  test::Random random(1);
  Poses poses(static_cast<std::size_t>(count));
  for (auto& [p, q] : poses) {
    p = {random.inCube(1.0), random.rotation()};
    q = composed(p, pair.near(random));
  }
  return poses;
}

Poses posesOf(const PeersCommand& command, const ModelPair& pair) {
  if (pair.near) return assembledPoses(pair, command.poses);
  return command.coherent ? coherentPoses(pair.a, pair.b, command.poses)
                          : randomPoses(pair.a, pair.b, command.poses);
}

/// A method on one pair of models.
struct Contender {
  std::string name;
  std::function<bool(const std::array<Pose, 2>&)> hit;  ///< false: separate
  bool own = false;                                     ///< must find every contact
  std::vector<std::vector<double>> nanos{};             ///< per pose, a value a round
  std::vector<char> answers{};
};

/// A narrow phase with the two bodies that it is asked about.
class Stepwise {
 public:
  Stepwise(const Model& a, const Model& b, std::unique_ptr<NarrowPhase> (*make)(const Shapes&)) {
    bodies_[0].shape = shapes_.add(a.shape);
    bodies_[1].shape = shapes_.add(b.shape);
    bodies_[1].key = 1;
    method_ = make(shapes_);
  }

  /// Never inline, so that a profiler finds it by name.
  [[gnu::noinline]] bool hit(const std::array<Pose, 2>& poses, int level) {
    bodies_[0].pose = poses[0];
    bodies_[1].pose = poses[1];
    method_->begin(bodies_, pair_);
    const TimeBudget open = TimeBudget::unlimited();
    while (method_->mayRefine(0, level)) method_->refine(0, open);
    return method_->verdict(0) != Verdict::Separate;
  }
  static constexpr int exactly = 99;

 private:
  Shapes shapes_;
  std::array<BodyState, 2> bodies_;
  std::array<BodyPair, 1> pair_{{{0, 1}}};
  std::unique_ptr<NarrowPhase> method_;
};

void enter(std::vector<Contender>& contenders, const std::string& name, const Model& a,
           const Model& b, std::unique_ptr<NarrowPhase> (*make)(const Shapes&),
           const std::vector<int>& levels) {
  const auto method = std::make_shared<Stepwise>(a, b, make);
  for (const int level : levels)
    contenders.push_back(
        {name + (level == Stepwise::exactly ? " exact" : fmt::format(" L{}", level)),
         [method, level](const auto& poses) { return method->hit(poses, level); }, true});
}

/// False if a method of ours misses contacts of the first peer.
bool compare(const PeersCommand& command, const ModelPair& pair, std::ofstream& csv) {
  const Model &a = pair.a, &b = pair.b;
  const Poses poses = posesOf(command, pair);
  std::vector<Contender> contenders;
  for (const MeshPeerEntry& entry : meshPeers()) {
    if (!contenders.empty() && !command.allPeers) break;
    const std::shared_ptr<MeshPeer> peer =
        entry.make(a.shape.polyhedron().mesh(), b.shape.polyhedron().mesh());
    if (peer)
      contenders.push_back(
          {std::string(entry.name), [peer](const auto& p) { return peer->meet(p[0], p[1]); }});
  }
  std::vector<int> levels(static_cast<std::size_t>(command.levels));
  std::iota(levels.begin(), levels.end(), 1);
  levels.push_back(Stepwise::exactly);
  enter(contenders, "sphere-tree", a, b, makeSphereTreeNarrowPhase, levels);
  enter(contenders, "sphere-tree-all", a, b, makeSphereTreeAllNarrowPhase, levels);
  for (const NarrowPhaseEntry& entry : narrowPhaseCatalog())
    if (command.volumes && entry.interruptible && !entry.needsSphereTrees)
      enter(contenders, std::string(entry.name), a, b, entry.make, {Stepwise::exactly});
  contenders.push_back({"(the timer alone)", [](const auto&) { return true; }});
  if (!command.only.empty())
    std::erase_if(contenders, [&](const Contender& each) { return each.name != command.only; });
  if (contenders.empty()) {
    fmt::print(stderr, "nearmiss-lab: no method is called \"{}\"\n", command.only);
    return false;
  }
  for (Contender& contender : contenders) {
    contender.nanos.resize(poses.size());
    contender.answers.resize(poses.size());
  }
  const auto ask = [&poses](Contender& contender, std::size_t i) {
    const auto begin = Clock::now();
    const bool hit = contender.hit(poses[i]);
    const auto end = Clock::now();
    contender.nanos[i].push_back(std::chrono::duration<double, std::nano>(end - begin).count());
    contender.answers[i] = hit;
  };
  // Pose by pose, every method finds the caches as the others leave them
  constexpr std::size_t block = 100;
  for (int round = 0; round < command.rounds; ++round)
    if (!command.warm) {
      for (std::size_t i = 0; i < poses.size(); ++i)
        // Each in turn comes first, and last: nobody always inherits the same neighbour's caches
        for (std::size_t k = 0; k < contenders.size(); ++k)
          ask(contenders[(i + k) % contenders.size()], i);
    } else {
      for (std::size_t from = 0; from < poses.size(); from += block)
        for (Contender& contender : contenders)
          for (std::size_t i = from; i < std::min(poses.size(), from + block); ++i)
            ask(contender, i);
    }

  bool agree = true;
  const std::vector<char> reference = contenders[0].answers;
  const auto hits = std::count(reference.begin(), reference.end(), 1);
  fmt::print("{} against {}: {} and {} triangles, {} poses, {} meet\n", a.name, b.name,
             a.shape.polyhedron().mesh().triangles.size(),
             b.shape.polyhedron().mesh().triangles.size(), poses.size(), hits);
  double peerMean = 0.0, peerWorst = 0.0, peerLate = 0.0;
  for (Contender& contender : contenders) {
    std::vector<double> nanos;
    for (auto& each : contender.nanos) {
      std::sort(each.begin(), each.end());
      nanos.push_back(each[each.size() / 2]);
    }
    std::sort(nanos.begin(), nanos.end());
    const double mean = meanOf(nanos);
    std::size_t more = 0, fewer = 0;
    for (std::size_t i = 0; i < poses.size(); ++i) {
      more += contender.answers[i] && !reference[i];
      fewer += !contender.answers[i] && reference[i];
    }
    if (peerMean == 0.0) {
      peerMean = mean;
      peerWorst = nanos.back();
      peerLate = percentile(nanos, 0.99);
    }
    const double alarms = 100.0 * static_cast<double>(more) /
                          static_cast<double>(std::max<std::size_t>(
                              1, poses.size() - static_cast<std::size_t>(hits)));
    agree = agree && (!contender.own || fewer == 0);
    fmt::print(
        "  {:<22} mean {:>9.0f}  median {:>8.0f}  p95 {:>8.0f}  p99 {:>8.0f}  max {:>8.0f} ns   "
        "{:>7.2f} times, p99 {:>7.2f}, worst {:>7.2f}   {:5.1f} % more, {} fewer\n",
        contender.name, mean, percentile(nanos, 0.5), percentile(nanos, 0.95),
        percentile(nanos, 0.99), nanos.back(), peerMean / mean, peerLate / percentile(nanos, 0.99),
        peerWorst / nanos.back(), alarms, fewer);
    csv << fmt::format(
        "{},{},{},{},{},{:.1f},{:.1f},{:.1f},{:.1f},{:.1f},{:.3f},{:.3f},{},{},{:.3f},{:.1f},{}\n",
        a.name, b.name, contender.name, poses.size(), hits, mean, percentile(nanos, 0.5),
        percentile(nanos, 0.95), percentile(nanos, 0.99), nanos.back(), peerMean / mean,
        peerWorst / nanos.back(), more, fewer, peerLate / percentile(nanos, 0.99), alarms,
        a.name == b.name ? a.name : a.name + " and " + b.name);
  }
  std::fflush(stdout);
  if (!agree)
    fmt::print(stderr, "nearmiss-lab: a method missed contacts that {} found\n",
               contenders[0].name);
  return agree;
}

}  // namespace

int peers(const PeersCommand& command) {
  if (meshPeers().empty()) {
    fmt::print(stderr,
               "nearmiss-lab: built without peers; install one of libfcl-dev, libode-dev, "
               "libcgal-dev, libbullet-dev and configure again\n");
    return 2;
  }
  const auto pairs = modelPairs(command);
  if (!pairs) {
    fmt::print(stderr, "nearmiss-lab: {}\n", pairs.error().message);
    return 2;
  }

  std::error_code failed;
  std::filesystem::create_directories(command.folder, failed);
  const auto table = command.folder / "peers.csv";
  std::ofstream csv(table);
  csv << engine::headText(engine::machineHead(engine::commitName())) << figures
      << "a,b,method,poses,meet,mean_ns,median_ns,p95_ns,p99_ns,max_ns,times_fcl_mean,"
         "times_fcl_worst,more,fewer,times_fcl_p99,false_alarms_percent,pair\n";
  bool agree = true;
  for (const ModelPair& pair : *pairs) agree = compare(command, pair, csv) && agree;
  csv.close();
  if (!csv) {
    fmt::print(stderr, "nearmiss-lab: cannot write {}\n", table.string());
    return 2;
  }
  return agree ? 0 : 1;
}

}  // namespace nearmiss::bench
