// SPDX-License-Identifier: MIT
/// Sphere trees as files: nothing is lost, nothing damaged is accepted, nothing old is destroyed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/mesh_file.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_files.h>
#include <nearmiss/detail/fingerprint.h>
#include <nearmiss/rivals/tree_builders.h>
#include <nearmiss/shape.h>

#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "shape/tree_files.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/untrapped.h"

namespace nearmiss {
namespace {

namespace fs = std::filesystem;
using test::Random;
using testing::HasSubstr;

constexpr TreeFileKind kind{{'S', 'P', 'H', 'T'}, 5, "sphere tree"};
constexpr std::size_t headerSize = 32;

SphereTreeFile contentsOf(const TriangleMesh& mesh, int levels) {
  const Polyhedron polyhedron(mesh);
  const SphereTreeSettings settings{
      .levels = levels, .hausdorffTolerance = 1.0, .nodeBoxRatio = 0.5, .innerSpheres = 3};
  return {{polyhedron.hash(), hashOf("octree", settings)},
          "octree",
          static_cast<std::uint32_t>(mesh.triangles.size()),
          0.25,
          *buildSphereTree(*findSphereTreeBuilder("octree"), polyhedron, settings)};
}

std::string bytesOf(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void putBytes(const fs::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// A file as docs/file-formats.md describes it, without the syncing that makes a write slow.
void putContainer(const fs::path& file, std::span<const std::byte> payload) {
  Fingerprint checksum;
  checksum.add(payload);
  std::string bytes = "NEARMISSSPHT";
  const auto little = [&bytes](std::uint64_t number, int size) {
    for (int k = 0; k < size; ++k) bytes += static_cast<char>(number >> (8 * k) & 0xff);
  };
  little(kind.version, 4);
  little(payload.size(), 8);
  little(checksum.value(), 8);
  for (const std::byte b : payload) bytes += static_cast<char>(b);
  putBytes(file, bytes);
}

class SphereTreeIo : public testing::Test {
 protected:
  SphereTreeIo() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~SphereTreeIo() override { fs::remove_all(folder_); }
  std::size_t filesInFolder() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  /// In memory where there is such a folder: thousands of files are written here.
  fs::path folder_ = (fs::exists("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path()) /
                     ("nearmiss-io-" + std::to_string(::getpid()));
  fs::path file_ = folder_ / "some tree.nmt";
};

TEST_F(SphereTreeIo, GivesBackEveryBit) {
  for (const TriangleMesh& mesh : test::variousMeshes()) {
    const SphereTreeFile written = contentsOf(mesh, 3);
    ASSERT_TRUE(writeSphereTree(file_, written));
    const auto read = readSphereTree(file_, written.key);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->key, written.key);
    EXPECT_EQ(read->builder, "octree");
    EXPECT_EQ(read->triangleCount, mesh.triangles.size());
    EXPECT_EQ(read->buildSeconds, 0.25);
    EXPECT_EQ(read->tree.coverage(), Coverage::Guaranteed);
    EXPECT_EQ(read->tree.data().levelBegin, written.tree.data().levelBegin);
    EXPECT_EQ(read->tree.data().inner.levelBegin, written.tree.data().inner.levelBegin);
    EXPECT_FALSE(read->tree.data().inner.empty());
    EXPECT_EQ(read->tree.data().boxes.boxOf, written.tree.data().boxes.boxOf);
    EXPECT_FALSE(read->tree.data().boxes.empty());
    EXPECT_EQ(read->tree.data().leafTriangles, written.tree.data().leafTriangles);
    const std::string first = bytesOf(file_);
    ASSERT_TRUE(writeSphereTree(file_, *read));
    EXPECT_EQ(bytesOf(file_), first);
    EXPECT_EQ(filesInFolder(), 1u);
  }
}

TEST_F(SphereTreeIo, RefusesEveryTruncation) {
  ASSERT_TRUE(writeSphereTree(file_, contentsOf(test::tetrahedron(), 1)));
  const std::string whole = bytesOf(file_);
  ASSERT_GT(whole.size(), 500u);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    putBytes(file_, std::string_view(whole).substr(0, length));
    const auto read = readSphereTree(file_);
    ASSERT_FALSE(read) << length;
    ASSERT_EQ(read.error().code, ErrorCode::BadFormat);
  }
  putBytes(file_, whole + '\0');
  EXPECT_FALSE(readSphereTree(file_));
}

TEST_F(SphereTreeIo, RefusesEveryFlippedBit) {
  ASSERT_TRUE(writeSphereTree(file_, contentsOf(test::tetrahedron(), 1)));
  std::string bytes = bytesOf(file_);
  for (std::size_t place = 0; place < bytes.size(); ++place)
    for (int bit = 0; bit < 8; ++bit) {
      bytes[place] = static_cast<char>(bytes[place] ^ (1 << bit));
      putBytes(file_, bytes);
      ASSERT_FALSE(readSphereTree(file_)) << "byte " << place << " bit " << bit;
      bytes[place] = static_cast<char>(bytes[place] ^ (1 << bit));
    }
}

/// With a correct checksum a file can hold anything: what is accepted is a valid tree all the same.
TEST_F(SphereTreeIo, IsSafeFromHostileFilesWithARightChecksum) {
  const nearmiss::test::Untrapped endsOfTheRange;
  ASSERT_TRUE(writeSphereTree(file_, contentsOf(test::tetrahedron(), 1)));
  const std::string whole = bytesOf(file_);
  const auto payload = std::as_bytes(std::span(whole)).subspan(headerSize);
  putContainer(file_, payload);
  ASSERT_EQ(bytesOf(file_), whole);
  Random random(5);
  int refused = 0, accepted = 0;
  for (int i = 0; i < test::cases(3000); ++i) {
    std::vector<std::byte> mutated(payload.begin(), payload.end());
    for (int edits = random.whole(1, 3); edits > 0; --edits) {
      const auto place =
          static_cast<std::size_t>(random.whole(0, static_cast<int>(mutated.size()) - 1));
      const int what = random.whole(0, 3);
      if (what == 0) mutated[place] = static_cast<std::byte>(random.bits());
      if (what == 1) mutated[place] = std::byte{0xff};
      if (what == 2) mutated[place] ^= static_cast<std::byte>(1 << random.whole(0, 7));
      if (what == 3) mutated.resize(place + 1);
    }
    putContainer(file_, mutated);
    const auto read = readSphereTree(file_);
    if (!read) {
      ++refused;
      ASSERT_THAT(read.error().message, HasSubstr("some tree.nmt"));
      continue;
    }
    ++accepted;
    ASSERT_EQ(SphereTree::validate(read->tree.data(), read->triangleCount), nullptr);
    ASSERT_TRUE(std::isfinite(read->buildSeconds));
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(accepted, 50);
}

TEST_F(SphereTreeIo, AllocatesNothingForCountsThatCannotBe) {
  PayloadWriter payload;
  payload.u64(1);
  payload.u64(2);
  payload.text("octree");
  payload.u32(12);
  payload.f64(0.0);
  payload.u32(1);
  payload.u64(std::uint64_t{1} << 60);
  ASSERT_TRUE(writeTreeContainer(file_, kind, payload.bytes()));
  const auto read = readSphereTree(file_);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::BadFormat);
}

TEST_F(SphereTreeIo, SaysWhatIsWrong) {
  const SphereTreeFile contents = contentsOf(test::cube(), 1);
  ASSERT_TRUE(writeSphereTree(file_, contents));

  const auto refusal = [](const auto& result, ErrorCode code, std::string_view part) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, code);
    EXPECT_THAT(result.error().message, HasSubstr(std::string(part)));
  };
  refusal(readSphereTree(file_, {contents.key.meshHash + 1, contents.key.settingsHash}),
          ErrorCode::Mismatch, "another mesh");
  refusal(readSphereTree(file_, {contents.key.meshHash, contents.key.settingsHash + 1}),
          ErrorCode::Mismatch, "settings");
  refusal(readSphereTree(folder_ / "none"), ErrorCode::NotFound, "none");
  refusal(readSphereTree(folder_), ErrorCode::Unreadable, "regular file");
  const std::vector<std::byte> nothing;
  ASSERT_TRUE(writeTreeContainer(file_, {{'S', 'P', 'H', 'T'}, 3, "sphere tree"}, nothing));
  refusal(readSphereTree(file_), ErrorCode::WrongVersion, "version 5");
  ASSERT_TRUE(writeTreeContainer(file_, {{'B', 'S', 'P', 'T'}, 1, "BSP tree"}, nothing));
  refusal(readSphereTree(file_), ErrorCode::BadFormat, "expected a sphere tree");
  putBytes(file_, "Not a tree, but long enough to hold the header of one.");
  refusal(readSphereTree(file_), ErrorCode::BadFormat, "NEARMISS");
  refusal(writeSphereTree(folder_ / "no" / "such" / "folder", contents), ErrorCode::Unreadable,
          "no/such/folder");
  refusal(writeSphereTree(folder_, contents), ErrorCode::Unreadable, "cannot write");
  EXPECT_EQ(filesInFolder(), 1u);
}

TEST_F(SphereTreeIo, DoesNotWriteWhatItWouldNotRead) {
  SphereTreeFile contents = contentsOf(test::cube(), 1);
  contents.triangleCount = 3;
  EXPECT_FALSE(writeSphereTree(file_, contents));
  EXPECT_EQ(filesInFolder(), 0u);
}

TEST_F(SphereTreeIo, KeepsTheOldFileWhereNoReaderWouldTakeTheBuildTime) {
  SphereTreeFile contents = contentsOf(test::tetrahedron(), 1);
  ASSERT_TRUE(writeSphereTree(file_, contents));
  const std::string before = bytesOf(file_);
  for (const double seconds : {-1.0, HUGE_VAL, std::nan("")}) {
    contents.buildSeconds = seconds;
    const auto written = writeSphereTree(file_, contents);
    ASSERT_FALSE(written) << seconds;
    EXPECT_THAT(written.error().message, HasSubstr("invalid build time"));
    EXPECT_EQ(bytesOf(file_), before);
  }
}

TEST_F(SphereTreeIo, KeepsTheOldFileWhenTheDiskIsFull) {
  const SphereTreeFile small = contentsOf(test::tetrahedron(), 1);
  ASSERT_TRUE(writeSphereTree(file_, small));
  const std::string before = bytesOf(file_);

  // A limit on the size of files stands in for the full disk: writing fails in the middle
  rlimit usual{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &usual), 0);
  const auto oldHandler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit tight{2048, usual.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
  const auto written = writeSphereTree(file_, contentsOf(test::torus(), 3));
  ::setrlimit(RLIMIT_FSIZE, &usual);
  std::signal(SIGXFSZ, oldHandler);

  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::Unreadable);
  EXPECT_EQ(bytesOf(file_), before);
  EXPECT_EQ(filesInFolder(), 1u);
}

TEST_F(SphereTreeIo, KeepsTheOldFileWhenTheFolderIsReadOnly) {
  const SphereTreeFile small = contentsOf(test::tetrahedron(), 1);
  ASSERT_TRUE(writeSphereTree(file_, small));
  const std::string before = bytesOf(file_);
  const SphereTreeFile large = contentsOf(test::torus(), 2);
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read |
                               fs::perms::others_exec);
  // The superuser may write anywhere, so that somebody else tries it
  constexpr uid_t nobody = 65534;
  const bool superuser = ::geteuid() == 0;
  if (superuser) {
    ASSERT_EQ(::seteuid(nobody), 0);
  }
  const auto written = writeSphereTree(file_, large);
  if (superuser) {
    ASSERT_EQ(::seteuid(0), 0);
  }
  fs::permissions(folder_, fs::perms::owner_all);
  ASSERT_FALSE(written);
  EXPECT_EQ(bytesOf(file_), before);
}

}  // namespace
}  // namespace nearmiss
