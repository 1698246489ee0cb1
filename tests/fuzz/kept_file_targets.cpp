// SPDX-License-Identifier: MIT
/// Files that the program writes for itself, as somebody else may have written them: checksums that
/// are right prove nothing.
#include <engine/game/best_runs.h>
#include <engine/session/session.h>
#include <nearmiss/advanced/bsp_tree.h>
#include <nearmiss/advanced/tree_files.h>
#include <nearmiss/pair.h>
#include <nearmiss/shape.h>

#include "fuzz/target.h"
#include "session/session_format.h"
#include "spheres/tree_file.h"
#include "support/meshes.h"

namespace nearmiss::fuzz {
namespace {

constexpr TreeFileKind sphereTreeKind{{'S', 'P', 'H', 'T'}, 5, "sphere tree"};
constexpr TreeFileKind bspTreeKind{{'B', 'S', 'P', 'T'}, 1, "BSP tree"};
constexpr TreeFileKind shapeKind{{'S', 'H', 'P', 'E'}, 2, "shape"};
constexpr std::size_t headerSize = 32;

/// What begins like a file is one; everything else is the payload of a file with a right checksum.
std::vector<std::byte> asContainer(Bytes bytes, const TreeFileKind& kind) {
  const auto given = std::as_bytes(bytes);
  if (textOf(bytes).starts_with("NEARMISS")) return {given.begin(), given.end()};
  return *treeContainer(given, "x", kind);
}

std::string payloadOf(const std::filesystem::path& file) {
  return test::readText(file).substr(headerSize);
}

Shape smallShape(const TriangleMesh& mesh) {
  ShapeSettings settings;
  settings.tree = {.levels = 2, .nodeBoxRatio = 0.5, .innerSpheres = 4};
  settings.bspTree = true;
  return *makeShape(mesh, settings);
}

void readTree(Bytes bytes) {
  const auto read = sphereTreeFromBytes(asContainer(bytes, sphereTreeKind));
  if (!read) return demandSentence(read.error().message);
  demand(!SphereTree::validate(read->tree.data(), read->triangleCount),
         "an accepted tree is valid");
  demand(read->builder.size() <= longestBuilderName, "a name keeps to its limit");
}

void readBsp(Bytes bytes) {
  const auto container = asContainer(bytes, bspTreeKind);
  const auto file = test::writeText(
      scratch() / "x.bsp", {reinterpret_cast<const char*>(container.data()), container.size()});
  const auto read = readBspTree(file, 1, 2, 4);
  if (!read) return demandSentence(read.error().message);
  demand(!BspTree::validate(read->data(), 4), "an accepted tree is valid");
  (void)read->inside({0.1, 0.2, 0.3});
}

void readShapeBytes(Bytes bytes) {
  const auto read = shapeFromBytes(asContainer(bytes, shapeKind));
  if (!read) return demandSentence(read.error().message);
  if (read->sphereTree())
    demand(bool(checkTree(*read->sphereTree(), read->polyhedron())), "its tree");
  if (read->bspTree())
    demand(bool(checkTree(*read->bspTree(), read->polyhedron())), "its BSP tree");
  const auto again = bytesOf(*read);
  demand(again && shapeFromBytes(*again), "what was read can be written and read");
  if (!read->sphereTree()) return;
  const Pose beside{{0.75 * read->radius(), 0.1 * read->radius(), 0.0}, {1.0, 0.0, 0.0, 0.0}};
  const Refinement found = collide(*read, {}, *read, beside);
  demand(!found.canRefine, "without a limit the answer is final");
}

void readSession(Bytes bytes) {
  const std::string_view given = textOf(bytes);
  const std::string whole = given.starts_with("nearmiss")
                                ? std::string(given)
                                : engine::sessionBeginning() + engine::packedBlock(given);
  const auto file = test::writeText(scratch() / "x.session", whole);
  auto read = engine::RecordedSession::read(file);
  if (!read) return demandSentence(read.error().message);
  demand(read->frames() > 0 && !read->scenes().empty(), "an accepted session has frames");
  for (std::uint64_t n = 0; n < read->frames(); ++n) {
    const engine::SessionFrame& frame = read->frame(n);
    demand(frame.collisions == read->collisions()[static_cast<std::size_t>(n)], "frames are alike");
    demand(frame.dt >= 0.0 && frame.dt <= 10'000.0, "times keep to their range");
  }
}

std::vector<std::string> sessionSeeds() {
  std::string items;
  engine::SessionScene scene;
  scene.text = "version = 2\n";
  scene.narrow = "sphere-tree";
  scene.shapes = {{"lamp", 1, "octree", 2}};
  engine::appendScene(scene, {{"build", "x"}}, items);
  engine::SessionFrame frame;
  frame.dt = frame.detectStep = 0.01;
  frame.ships = {1, 2, 3};
  frame.granted.resize(1);
  engine::appendFrame(frame, {}, items);
  engine::SessionFrame next = frame;
  next.control.thrust = 1.0;
  next.stateHash = 7;
  engine::appendFrame(next, frame, items);
  return {items, engine::sessionBeginning() + engine::packedBlock(items) + engine::sessionEnd(2)};
}

void readRuns(Bytes bytes) {
  asFile("runs.json", bytes);
  const auto read = engine::readBestRuns(scratch());
  std::error_code none;
  std::filesystem::remove(scratch() / "runs-damaged.json", none);
  if (!read) return demandSentence(read.error().message);
  demand(read->runs.size() <= engine::BestRuns::most, "a table holds at most ten runs");
  for (const engine::BestRun& run : read->runs)
    demand(run.session.find('/') == std::string::npos, "a session lies in the folder of its table");
}

}  // namespace

std::vector<Target> keptFileTargets() {
  return {
      {"tree", readTree,
       [] {
         const Shape shape = smallShape(test::tetrahedron());
         const SphereTreeFile contents{{1, 2}, "octree", 4, 0.5, *shape.sphereTree()};
         (void)writeSphereTree(scratch() / "seed", contents);
         return std::vector{payloadOf(scratch() / "seed"), test::readText(scratch() / "seed")};
       }},
      {"bsp", readBsp,
       [] {
         (void)writeBspTree(scratch() / "seed", 1, 2, *smallShape(test::tetrahedron()).bspTree());
         return std::vector{payloadOf(scratch() / "seed")};
       }},
      {"shape", readShapeBytes,
       [] {
         (void)writeShape(scratch() / "seed", smallShape(test::tetrahedron()));
         return std::vector{payloadOf(scratch() / "seed"), test::readText(scratch() / "seed")};
       }},
      {"session", readSession, sessionSeeds},
      {"runs", readRuns,
       [] {
         return std::vector<std::string>{
             R"({"version":1,"runs":[{"points":10,"date":"2026-01-31 17:45","scene":"lamps","seed":42,)"
             R"("least_budget_ns":1000,"greatest_budget_ns":null,"near_misses":1,"hits":2,)"
             R"("false_hits":0,"longest_streak":3,"session":"a.session"}]})"};
       }},
  };
}

}  // namespace nearmiss::fuzz
