// SPDX-License-Identifier: MIT
/// Shapes as files: nothing is lost, nothing damaged is accepted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/mesh_file.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/pair.h>
#include <nearmiss/rivals/tree_builders.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "shape/tree_files.h"
#include "support/campaign.h"
#include "support/files.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/untrapped.h"

namespace nearmiss {
namespace {

using testing::HasSubstr;

constexpr TreeFileKind kind{{'S', 'H', 'P', 'E'}, 2, "shape"};
constexpr std::size_t headerSize = 32;

Shape made(const TriangleMesh& mesh, bool bsp = true) {
  ShapeSettings settings;
  settings.treeBuilder = "variational";
  settings.tree = {.levels = 2, .nodeBoxRatio = 0.5, .innerSpheres = 4};
  settings.bspTree = bsp;
  return *makeShape(test::loose(mesh), settings);
}

class ShapeIo : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "some.shape";
};

TEST_F(ShapeIo, LosesNothing) {
  for (const TriangleMesh& mesh : test::variousMeshes()) {
    const Shape shape = made(mesh);
    ASSERT_TRUE(writeShape(file_, shape));
    const auto read = readShape(file_);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->polyhedron().mesh().positions, shape.polyhedron().mesh().positions);
    EXPECT_EQ(read->polyhedron().mesh().triangles, shape.polyhedron().mesh().triangles);
    EXPECT_EQ(read->polyhedron().hash(), shape.polyhedron().hash());
    EXPECT_EQ(read->cleaning().weldedVertices, shape.cleaning().weldedVertices);
    EXPECT_GT(read->cleaning().weldedVertices, 0u);
    EXPECT_EQ(read->treeOrigin().builder, "variational");
    EXPECT_EQ(read->treeOrigin().settingsHash, shape.treeOrigin().settingsHash);
    EXPECT_EQ(read->radius(), shape.radius());
    ASSERT_TRUE(read->sphereTree() && read->bspTree());
    ASSERT_TRUE(writeShape(folder_ / "again", *read));
    EXPECT_EQ(test::readText(folder_ / "again"), test::readText(file_));
  }
}

TEST_F(ShapeIo, KeepsWhatThereIs) {
  ASSERT_TRUE(writeShape(file_, Shape::of(Polyhedron(test::cube()))));
  const auto bare = readShape(file_);
  ASSERT_TRUE(bare) << bare.error().message;
  EXPECT_FALSE(bare->sphereTree());
  EXPECT_FALSE(bare->bspTree());
  ASSERT_TRUE(writeShape(file_, made(test::cube(), false)));
  const auto spheres = readShape(file_);
  ASSERT_TRUE(spheres);
  EXPECT_TRUE(spheres->sphereTree());
  EXPECT_FALSE(spheres->bspTree());
  EXPECT_EQ(collide(*spheres, {}, *spheres, {}).verdict, Verdict::Contact);
  const std::atomic<bool> cancelled{true};
  EXPECT_EQ(readShape(file_, &cancelled).error().code, ErrorCode::Cancelled);
  EXPECT_EQ(shapeFromBytes(*bytesOf(*spheres), &cancelled).error().code, ErrorCode::Cancelled);
}

TEST_F(ShapeIo, RefusesEveryTruncationAndWhatIsNoShape) {
  ASSERT_TRUE(writeShape(file_, made(test::tetrahedron())));
  const std::uintmax_t size = std::filesystem::file_size(file_);
  ASSERT_GT(size, 1000u);
  for (std::uintmax_t length = size; length-- > 0;) {
    std::filesystem::resize_file(file_, length);
    const auto read = readShape(file_);
    ASSERT_FALSE(read) << length;
    ASSERT_EQ(read.error().code, ErrorCode::BadFormat);
  }
  EXPECT_EQ(readShape(folder_ / "nothing").error().code, ErrorCode::NotFound);
}

/// A box of no size beside the spheres of the levels `from` and below.
SphereTree::Data withSpeckBoxes(SphereTree::Data data, std::size_t from, std::size_t end) {
  data.boxes = {};
  data.boxes.boxOf.assign(data.packs.size() * SpherePack::width, NodeBoxes::none);
  for (std::size_t pack = data.levelBegin[from]; pack < data.levelBegin[end]; ++pack)
    for (std::size_t lane = 0; lane < SpherePack::width; ++lane) {
      const SpherePack& p = data.packs[pack];
      if (p.r[lane] < 0.0f) continue;
      data.boxes.boxOf[pack * SpherePack::width + lane] =
          static_cast<std::uint32_t>(data.boxes.boxes.size());
      data.boxes.boxes.push_back(
          {{p.x[lane], p.y[lane], p.z[lane]}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}});
    }
  return data;
}

/// Whoever believes them finds two cubes apart that are deep in each other.
TEST_F(ShapeIo, RefusesBoxesThatDoNotHoldTheSurface) {
  const Shape shape =
      *makeShape(test::cube(), {.quality = TreeQuality::Tight, .tree = {.levels = 2}});
  const Shape bare = Shape::of(Polyhedron(shape.polyhedron().mesh()));
  SphereTree::Data data = shape.sphereTree()->data();
  data.inner = {};
  const std::size_t levels = data.levelBegin.size() - 1;
  ASSERT_EQ(levels, 3u);
  const auto refusal = [&bare](const SphereTree::Data& forged) {
    EXPECT_EQ(SphereTree::validate(forged, 12), nullptr);
    const auto made = bare.with(SphereTree(forged));
    EXPECT_TRUE(made || made.error().code == ErrorCode::Mismatch);
    return made ? std::string() : made.error().message;
  };
  for (std::size_t level = 0; level < levels; ++level)
    EXPECT_EQ(refusal(withSpeckBoxes(data, level, level + 1)),
              "cannot use the sphere tree: a sphere or its box does not hold the surface below it");
  data.coverage = Coverage::Paper;
  EXPECT_EQ(refusal(withSpeckBoxes(data, 0, levels)),
            "cannot use the sphere tree: it has boxes, but its coverage is not guaranteed");

  // A reader looks as well
  const auto bytes = *bytesOf(*bare.with(*shape.sphereTree()));
  std::vector<std::byte> payload(bytes.begin() + headerSize, bytes.end());
  const NodeBox& first = shape.sphereTree()->data().boxes.boxes.front();
  const auto boxBytes = std::as_bytes(std::span(&first, 1));
  const auto at = std::search(payload.begin(), payload.end(), boxBytes.begin(), boxBytes.end());
  ASSERT_NE(at, payload.end());
  std::fill_n(at + offsetof(NodeBox, half), sizeof(NodeBox::half), std::byte{0});
  ASSERT_TRUE(writeTreeContainer(file_, kind, payload));
  EXPECT_THAT(readShape(file_).error().message, HasSubstr("or its box does not hold the surface"));
}

/// A leaf of a tree whose spheres have several parents has a box of its own.
TEST_F(ShapeIo, RefusesBoxesOfADagThatDoNotHoldTheirLeaves) {
  const Polyhedron polyhedron(test::torus(12, 8));
  const SphereTree dag = *buildSphereDag(polyhedron, {.levels = 2});
  const Shape bare = Shape::of(Polyhedron(polyhedron.mesh()));
  ASSERT_TRUE(dag.isDag() && bare.with(dag));
  SphereTree::Data data = withSpeckBoxes(dag.data(), 2, 3);
  for (SphereId id = 0; id < data.identity.size(); ++id)
    data.boxes.boxOf[id] = data.boxes.boxOf[data.identity[id]];
  ASSERT_EQ(
      SphereTree::validate(data, static_cast<std::uint32_t>(polyhedron.mesh().triangles.size())),
      nullptr);
  EXPECT_EQ(bare.with(SphereTree(data)).error().code, ErrorCode::Mismatch);
}

/// With a correct checksum a file can hold anything: what is accepted is a sound shape.
TEST_F(ShapeIo, IsSafeFromHostileFilesWithARightChecksum) {
  const nearmiss::test::Untrapped endsOfTheRange;
  ASSERT_TRUE(writeShape(file_, made(test::tetrahedron())));
  const std::string whole = test::readText(file_);
  const auto payload = std::as_bytes(std::span(whole)).subspan(headerSize);
  test::Random random(7);
  int refused = 0, accepted = 0;
  for (int i = 0; i < test::cases(600); ++i) {
    std::vector<std::byte> mutated(payload.begin(), payload.end());
    const auto place =
        static_cast<std::size_t>(random.whole(0, static_cast<int>(mutated.size()) - 1));
    const int what = random.whole(0, 2);
    if (what == 0) mutated[place] = static_cast<std::byte>(random.bits());
    if (what == 1) mutated[place] ^= static_cast<std::byte>(1 << random.whole(0, 7));
    if (what == 2) mutated.resize(place + 1);
    ASSERT_TRUE(writeTreeContainer(file_, kind, mutated));
    const auto read = readShape(file_);
    if (!read) {
      ++refused;
      ASSERT_THAT(read.error().message, HasSubstr("some.shape"));
      continue;
    }
    ++accepted;
    ASSERT_TRUE(checkTree(*read->sphereTree(), read->polyhedron()));
    ASSERT_TRUE(checkTree(*read->bspTree(), read->polyhedron()));
  }
  EXPECT_GT(refused, 200);
  EXPECT_GT(accepted, 5);
}

/// The mesh of one file before the trees of another.
TEST_F(ShapeIo, RefusesTreesOfAnotherMesh) {
  const auto payloadOf = [this](const TriangleMesh& mesh) {
    EXPECT_TRUE(writeShape(file_, made(mesh)));
    return test::readText(file_).substr(headerSize);
  };
  const std::size_t meshSize = 8 + 8 * 24 + 8 + 12 * 12;
  const std::string forged =
      payloadOf(test::cube(2.0)).substr(0, meshSize) + payloadOf(test::cube()).substr(meshSize);
  ASSERT_TRUE(writeTreeContainer(file_, kind, std::as_bytes(std::span(forged))));
  const auto read = readShape(file_);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::Mismatch);
  EXPECT_THAT(read.error().message, HasSubstr("another mesh"));
}

TEST(ShapeFile, KnowsThatItFacedInwards) {
  const test::TemporaryFolder folder;
  for (const bool inwards : {false, true}) {
    TriangleMesh mesh = test::cube();
    if (inwards) test::flip(mesh);
    ShapeSettings settings;
    settings.treeBuilder = "octree";
    settings.tree.levels = 1;
    const auto shape = makeShape(mesh, settings);
    ASSERT_TRUE(shape);
    ASSERT_TRUE(writeShape(folder / "room.shape", *shape));
    const auto read = readShape(folder / "room.shape");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->solidSide(), inwards ? SolidSide::Turned : SolidSide::AsWound);
    EXPECT_TRUE(read->sphereTree());
  }
}

}  // namespace
}  // namespace nearmiss
