// SPDX-License-Identifier: MIT
/// Turned boxes over whole triangles: what they hold, and the search by them against brute force.
#include <gtest/gtest.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "geometry/mesh_check.h"
#include "geometry/polyhedron_pair.h"
#include "narrow/pair_search_work.h"
#include "narrow/searched_shapes.h"
#include "narrow/sphere_tree_narrow_phase.h"
#include "shape/box_hierarchy.h"
#include "support/assemblies.h"
#include "support/campaign.h"
#include "support/flawed_meshes.h"
#include "support/hard_meshes.h"
#include "support/narrow.h"
#include "support/pairs.h"

namespace nearmiss {
namespace {

using test::cases;
using test::Random;
using test::TwoBodies;

constexpr std::uint32_t width = SpherePack::width;

NodeBox boxOf(const BoxPack& pack, std::uint32_t lane) {
  NodeBox box{};
  for (int k = 0; k < 3; ++k) {
    box.centre[k] = pack.centre[k][lane];
    box.half[k] = pack.half[k][lane];
    for (int i = 0; i < 3; ++i) box.axis[k][i] = pack.axis[k][i][lane];
  }
  return box;
}

/// Walks down and checks that every box holds what is below it, but for the rounding of a product.
void checkBelow(const BoxHierarchy& boxes, const SurfaceBoxes& surface, std::uint32_t slot,
                std::vector<NodeBox> above, std::vector<int>& found) {
  const BoxPack& pack = boxes.packs()[slot / width];
  above.push_back(boxOf(pack, slot % width));
  ASSERT_LE(above.back().half[0], above.back().half[1]);
  ASSERT_LE(above.back().half[1], above.back().half[2]);
  const std::uint32_t child = pack.child[slot % width];
  if (child & BoxPack::isLeaf) {
    surface.boxes().anyIn(child, [&](std::uint32_t triangle, unsigned) {
      ++found[triangle];
      for (const Vec3& corner : surface.mesh().corners(triangle))
        for (const NodeBox& box : above)
          EXPECT_LE(box.excess(corner), 1e-12 * (glm::length(corner) + box.half[2]));
      return false;
    });
    return;
  }
  for (std::uint32_t lane = 0; lane < width; ++lane)
    if (boxes.packs()[child].child[lane] != SphereLinks::none)
      checkBelow(boxes, surface, child * width + lane, above, found);
}

TEST(BoxHierarchies, HoldEveryTriangleOnceInAllBoxesAbove) {
  std::vector<TriangleMesh> meshes = test::solidMeshes();
  meshes.push_back(test::slivers(300));
  meshes.push_back(test::soup(5, 400, 0.15));
  meshes.push_back(test::pegInHole(0.02).b);
  for (TriangleMesh& mesh : meshes) {
    const Polyhedron polyhedron(std::move(mesh));
    const BoxHierarchy boxes(polyhedron);
    std::vector<int> found(polyhedron.mesh().triangles.size(), 0);
    checkBelow(boxes, surfaceOf(polyhedron), 0, {}, found);
    EXPECT_EQ(std::ranges::count(found, 1), static_cast<std::ptrdiff_t>(found.size()));
  }
}

TEST(BoxHierarchies, FindTheContactsOfBruteForce) {
  const Shapes shapes = test::searchedShapes().shapes();
  const auto& polyhedra = test::searchedShapes().polyhedra;
  const auto boxes = makeSphereTreeNarrowPhase(shapes);
  const auto reference = makeBruteForceNarrowPhase(shapes);
  Random random(17);
  test::expectAgreement(
      cases(1500), 0.15, 0.85, [&] { return test::randomNearMissPair(random, polyhedra); }, *boxes,
      *reference);
  test::expectAgreement(
      cases(150), 0.2, 0.8,
      [&] { return test::grazingPair(random, polyhedra, *reference, 10, 40); }, *boxes, *reference);
}

/// Every pair of triangles that meets is among those that a search lists: where one pair is lost,
/// others may still be found, and no verdict shows it.
TEST(BoxHierarchies, ListEveryPairOfTrianglesThatMeets) {
  const Shapes shapes = test::searchedShapes().shapes();
  Random random(41);
  std::vector<SearchFrame> stack(100'000);
  std::vector<NearGroup> listed(400'000);
  std::size_t meeting = 0;
  for (int i = 0; i < cases(150); ++i) {
    const TwoBodies bodies = test::randomNearMissPair(random, test::searchedShapes().polyhedra);
    const Shape &a = shapes[bodies[0].shape.index()], &b = shapes[bodies[1].shape.index()];
    const Pose bToA = relativePose(bodies[0].pose, bodies[1].pose);
    Search search;
    search.a = sideOf(boxHierarchyOf(a), surfaceOf(a.polyhedron()));
    search.b = sideOf(boxHierarchyOf(b), surfaceOf(b.polyhedron()));
    setMotion(search, PackMotion(bToA, searchTreeOf(a).reach(), searchTreeOf(b).reach()));
    NearGroups near{listed.data(), 0, static_cast<std::uint32_t>(listed.size())};
    search.list = &near;
    search.maxAdded = 64;
    search.effort = 1'000'000'000;
    search.stack = stack.data();
    search.capacity = static_cast<std::uint32_t>(stack.size());
    stack[0] = rootFrame();
    search.size = 1;
    const SearchPath& path = searchPaths().back();
    ASSERT_EQ(path.findByBoxes(search), SearchEnd::Exhausted);
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t k = 0; k < near.size; ++k) {
      const NearGroup& at = listed[k];
      const std::uint32_t* const own =
          (at.ofA ? search.a : search.b).triangles + std::size_t{width} * at.leaf;
      const std::uint32_t other = (at.ofA ? search.b : search.a).triangles[at.other];
      for (std::uint32_t lane = 0; lane < width; ++lane)
        if (at.lanes >> lane & 1)
          pairs.insert(at.ofA ? std::pair{own[lane], other} : std::pair{other, own[lane]});
    }
    const TriangleMesh &meshA = a.polyhedron().mesh(), &meshB = b.polyhedron().mesh();
    for (std::uint32_t q = 0; q < meshB.triangles.size(); ++q) {
      const Triangle corners = moved(meshB, q, bToA);
      const Box box = nearmiss::boxOf(corners);
      for (std::uint32_t p = 0; p < meshA.triangles.size(); ++p) {
        if (!overlap(box, nearmiss::boxOf(meshA.corners(p))) ||
            !trianglesMeet(meshA.corners(p), corners))
          continue;
        ++meeting;
        ASSERT_TRUE(pairs.contains({p, q})) << p << " and " << q;
      }
    }
  }
  EXPECT_GT(meeting, 2000u);
}

/// Parts near their place, where surfaces run along each other.
TEST(BoxHierarchies, FindTheContactsOfAssemblies) {
  int allContacts = 0, allSeparate = 0;
  for (const test::Assembly& assembly : {test::pegInHole(0.02), test::hair(), test::lattices()}) {
    SCOPED_TRACE(assembly.name);
    test::SearchedShapes parts;
    parts.add(assembly.a, "octree", {.levels = 2});
    parts.add(assembly.b, "octree", {.levels = 2});
    const Shapes shapes = parts.shapes();
    const auto usual = makeSphereTreeNarrowPhase(shapes);
    const auto reference = makeBruteForceNarrowPhase(shapes);
    Random random(29);
    int contacts = 0, separate = 0;
    for (int i = 0; i < cases(12); ++i) {
      const TwoBodies bodies{
          test::bodyOf(0, 0, parts.polyhedra[0], {}),
          test::bodyOf(1, 1, parts.polyhedra[1], test::nearAssembled(random, assembly, 1.0))};
      const Verdict truth = test::finalVerdict(*reference, bodies);
      ASSERT_EQ(test::finalVerdict(*usual, bodies), truth);
      (truth == Verdict::Contact ? contacts : separate) += 1;
    }
    allContacts += contacts;
    allSeparate += separate;
  }
  EXPECT_GT(allContacts, 5);
  EXPECT_GT(allSeparate, 5);
}

/// A search by boxes that time cuts short ends as one that goes through.
TEST(BoxHierarchies, GoOnWhereTimeCutThemShort) {
  const test::Assembly assembly = test::hair();
  test::SearchedShapes parts;
  parts.add(assembly.a, "octree", {.levels = 2});
  const Shapes shapes = parts.shapes();
  const auto whole = makeSphereTreeNarrowPhase(shapes), pieces = makeSphereTreeNarrowPhase(shapes);
  Random random(31);
  int cuts = 0;
  for (int i = 0; i < cases(20); ++i) {
    const TwoBodies bodies{
        test::bodyOf(0, 0, parts.polyhedra[0], {}),
        test::bodyOf(1, 0, parts.polyhedra[0], test::nearAssembled(random, assembly, 0.3))};
    const Refinement expected = test::allLevels(*whole, bodies).back();
    const std::array pairs{BodyPair{0, 1}};
    pieces->begin(bodies, pairs);
    WorkClock clock;
    while (pieces->result(0).canRefine) cuts += !pieces->refine(0, TimeBudget(clock, {}));
    test::expectSame(pieces->result(0), expected);
  }
  EXPECT_GT(cuts, 50);
}

}  // namespace
}  // namespace nearmiss
