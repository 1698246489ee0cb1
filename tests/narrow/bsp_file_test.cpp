// SPDX-License-Identifier: MIT
/// BSP trees as files: what is written is read, and nothing else is.
#include <gtest/gtest.h>
#include <nearmiss/advanced/bsp_tree.h>
#include <nearmiss/advanced/polyhedron.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/meshes.h"

namespace nearmiss {
namespace {

constexpr std::uint64_t meshHash = 0x0123456789abcdef;
constexpr std::uint64_t settingsHash = 0xfedcba9876543210;

class BspFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("nearmiss-bsp-file-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    file_ = folder_ / "comb.bsp";
    tree_ = *buildBspTree(polyhedron_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Result<BspTree> read() const { return readBspTree(file_, meshHash, settingsHash, triangles_); }
  Result<Success> write(const BspTree& tree) const {
    return writeBspTree(file_, meshHash, settingsHash, tree);
  }
  std::string bytes() const {
    std::ifstream in(file_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void put(const std::string& bytes) const {
    std::ofstream(file_, std::ios::binary | std::ios::trunc) << bytes;
  }

  std::filesystem::path folder_, file_;
  Polyhedron polyhedron_{test::comb(1)};
  std::uint32_t triangles_ = static_cast<std::uint32_t>(polyhedron_.mesh().triangles.size());
  BspTree tree_;
};

TEST_F(BspFile, GivesBackWhatWasWritten) {
  ASSERT_TRUE(write(tree_).has_value());
  const auto back = read();
  ASSERT_TRUE(back.has_value()) << back.error().message;
  ASSERT_EQ(back->nodes().size(), tree_.nodes().size());
  EXPECT_EQ(std::memcmp(back->nodes().data(), tree_.nodes().data(), tree_.nodes().size_bytes()), 0);
  EXPECT_EQ(back->data().faces, tree_.data().faces);
  EXPECT_TRUE(back->solid());

  // An overwritten file is the new one as a whole, and no neighbour is left behind
  BspTree::Data open = tree_.data();
  open.solid = false;
  ASSERT_TRUE(write(BspTree(std::move(open))).has_value());
  EXPECT_FALSE(read()->solid());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(BspFile, RefusesEveryTruncation) {
  ASSERT_TRUE(write(tree_).has_value());
  const std::string whole = bytes();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    put(whole.substr(0, length));
    const auto refused = read();
    ASSERT_FALSE(refused.has_value()) << length;
    ASSERT_NE(refused.error().message.find(file_.string()), std::string::npos);
  }
  put(whole + '\0');
  EXPECT_FALSE(read().has_value());
}

TEST_F(BspFile, RefusesEveryFlippedBit) {
  ASSERT_TRUE(write(tree_).has_value());
  const std::string whole = bytes();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string flipped = whole;
    flipped[i] = static_cast<char>(flipped[i] ^ (1 << (i % 8)));
    put(flipped);
    ASSERT_FALSE(read().has_value()) << i;
  }
}

TEST_F(BspFile, RefusesAnotherMeshOrOtherSettings) {
  ASSERT_TRUE(write(tree_).has_value());
  EXPECT_EQ(readBspTree(file_, 1, settingsHash, triangles_).error().code, ErrorCode::Mismatch);
  EXPECT_EQ(readBspTree(file_, meshHash, 1, triangles_).error().code, ErrorCode::Mismatch);
  EXPECT_EQ(readBspTree(file_, meshHash, settingsHash, 3).error().code, ErrorCode::BadFormat);
  EXPECT_EQ(readBspTree(folder_ / "none", meshHash, settingsHash, triangles_).error().code,
            ErrorCode::NotFound);
  EXPECT_FALSE(writeBspTree(folder_ / "no" / "folder", 0, 0, tree_).has_value());
}

/// The checksum is right, the contents are not.
TEST_F(BspFile, RefusesAHostileTree) {
  const auto refuses = [this](const auto& spoil) {
    BspTree::Data data = tree_.data();
    spoil(data);
    return write(BspTree(std::move(data))).has_value() && !read().has_value();
  };
  using Data = BspTree::Data;
  EXPECT_TRUE(refuses([](Data& d) { d.nodes.back().front = 0; }));
  EXPECT_TRUE(refuses([](Data& d) { d.nodes.back().front = 1000000; }));
  EXPECT_TRUE(refuses([](Data& d) { d.nodes.back().facesEnd = 0xfffffff0; }));
  EXPECT_TRUE(refuses([](Data& d) { d.faces.back() = 0xffffffff; }));
  EXPECT_TRUE(refuses([](Data& d) { d.nodes.clear(); }));
  EXPECT_TRUE(refuses([](Data& d) { d.nodes[0].offset = INFINITY; }));
}

}  // namespace
}  // namespace nearmiss
