// SPDX-License-Identifier: MIT
/// Shapes that one search stored and a later one finds: those of the models as they are then.
#include <engine/interference/interference.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/shape.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "support/files.h"
#include "support/meshes.h"
#include "support/patterns.h"

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;
using nearmiss::test::asObj;
using nearmiss::test::cube;
using nearmiss::test::readText;
using nearmiss::test::TemporaryFolder;
using nearmiss::test::writeText;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

/// A model at the origin, and a cube of edge 2 three metres beside it.
class StoredShapes : public testing::Test {
 protected:
  StoredShapes() { writeText(folder_ / "beside.obj", asObj(cube())); }

  Result<StillScene> read(const std::string& model) const {
    const auto layout =
        writeText(folder_ / "layout.toml", "[[objects]]\nmodel = \"" + model +
                                               "\"\n[[objects]]\nmodel = \"beside.obj\"\n"
                                               "position = [3, 0, 0]\n");
    return readStillScene(layout, folder_ / "store", "octree");
  }

  StillScene scene(const std::string& model) const {
    auto found = read(model);
    EXPECT_TRUE(found) << found.error().message;
    return found ? *std::move(found) : StillScene{};
  }

  static std::size_t contacts(const StillScene& scene) {
    const auto found = findInterference(scene, {});
    EXPECT_TRUE(found) << found.error().message;
    return found ? contactsIn(*found) : 0;
  }

  /// As a copy that keeps the time of the file does it.
  static void replace(const fs::path& file, const std::string& text) {
    const auto time = fs::last_write_time(file);
    ASSERT_EQ(fs::file_size(file), text.size());
    writeText(file, text);
    fs::last_write_time(file, time);
  }

  TemporaryFolder folder_;
};

std::string cubeBuffer(Real half) {
  std::string bytes;
  const TriangleMesh mesh = cube(half);
  for (const Vec3& p : mesh.positions)
    for (int axis = 0; axis < 3; ++axis)
      nearmiss::test::appendBytes(bytes, static_cast<float>(p[axis]));
  for (const auto& t : mesh.triangles)
    for (const std::uint32_t v : t)
      nearmiss::test::appendBytes(bytes, static_cast<std::uint16_t>(v));
  return bytes;
}

TEST_F(StoredShapes, AreNotThoseOfAFileBesideTheModelThatHasChanged) {
  writeText(folder_ / "cube.bin", cubeBuffer(1.0));
  writeText(folder_ / "cube.gltf", R"({"asset":{"version":"2.0"},"scene":0,
    "scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3",
                  "min":[-3,-3,-3],"max":[3,3,3]},
                 {"bufferView":1,"componentType":5123,"count":36,"type":"SCALAR"}],
    "bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":96},
                   {"buffer":0,"byteOffset":96,"byteLength":72}],
    "buffers":[{"uri":"cube.bin","byteLength":168}]})");
  EXPECT_EQ(contacts(scene("cube.gltf")), 0u);
  writeText(folder_ / "cube.bin", cubeBuffer(3.0));
  const StillScene changed = scene("cube.gltf");
  EXPECT_EQ(changed.shapes[0].box.high.x, 3.0);
  EXPECT_EQ(contacts(changed), 1u);
}

TEST_F(StoredShapes, AreNotThoseOfAnotherModelOfTheSameSizeAndTime) {
  const fs::path file = writeText(folder_ / "part.obj", asObj(cube(1.0)));
  EXPECT_EQ(contacts(scene("part.obj")), 0u);
  replace(file, asObj(cube(3.0)));
  EXPECT_EQ(contacts(scene("part.obj")), 1u);
  replace(file, asObj(cube(1.0)));
  EXPECT_EQ(contacts(scene("part.obj")), 0u);
}

TEST_F(StoredShapes, AreFoundAgainWhereverAndWheneverTheSameMeshIsRead) {
  const fs::path file = writeText(folder_ / "part.obj", asObj(cube()));
  const fs::path stored = scene("part.obj").shapes[0].file;
  const auto built = fs::last_write_time(stored);
  fs::last_write_time(file, built + std::chrono::hours(1));
  EXPECT_EQ(scene("part.obj").shapes[0].file, stored);
  fs::create_directory(folder_ / "there");
  writeText(folder_ / "there/part.obj", "# moved\n" + asObj(cube()));
  EXPECT_EQ(scene("there/part.obj").shapes[0].file, stored);
  EXPECT_EQ(fs::last_write_time(stored), built);
  // A surface that faced inwards is told of as such, though the solid is the same
  TriangleMesh room = cube();
  nearmiss::test::flip(room);
  writeText(file, asObj(room));
  EXPECT_EQ(scene("part.obj").shapes[0].side, SolidSide::Turned);
}

TEST_F(StoredShapes, AreBuiltAgainWhereTheyCannotBeRead) {
  writeText(folder_ / "part.obj", asObj(cube(2.5)));
  const fs::path stored = scene("part.obj").shapes[0].file;
  const std::string sound = readText(stored);
  // Every word of the header, among them the version, and bytes of all that follows
  for (std::size_t at = 0; at < sound.size(); at += at < 32 ? 4 : sound.size() / 7) {
    SCOPED_TRACE(at);
    std::string damaged = sound;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    replace(stored, damaged);
    const StillScene mended = scene("part.obj");
    EXPECT_THAT(mended.shapes[0].notes, Contains(HasSubstr("; the shape was built again")));
    EXPECT_EQ(contacts(mended), 1u);
    EXPECT_EQ(readText(stored), sound);
    EXPECT_THAT(scene("part.obj").shapes[0].notes, IsEmpty());
  }
  writeText(stored, "");
  EXPECT_EQ(contacts(scene("part.obj")), 1u);
}

/// Whatever the list says, a shape needs the bytes of its file, and less than any machine has.
TEST_F(StoredShapes, AreMeasuredAgainWhereTheListMakesNoSense) {
  writeText(folder_ / "part.obj", asObj(cube(2.5)));
  EXPECT_EQ(scene("part.obj").shapes.size(), 2u);
  const fs::path list = folder_ / "store/shapes.json";
  const std::string sound = readText(list);
  for (const char* bytes : {"0", "7", "9223372036854775808", "4000000000"}) {
    const std::string told =
        test::Pattern("[0-9]+(,[[:space:]]+[0-9]+[[:space:]]+\\])").replaced(sound, bytes);
    ASSERT_NE(told, sound);
    writeText(list, told);
    const StillScene found = scene("part.obj");
    for (const StoredShape& shape : found.shapes) {
      EXPECT_GE(shape.bytes, fs::file_size(shape.file)) << bytes;
      // What could be is believed
      EXPECT_EQ(std::to_string(shape.bytes) == bytes, bytes == std::string("4000000000"));
    }
  }
}

TEST_F(StoredShapes, AreBuiltAgainWhereTheyAreOfAnotherModel) {
  writeText(folder_ / "part.obj", asObj(cube(2.5)));
  TriangleMesh room = cube(2.5);
  nearmiss::test::flip(room);
  writeText(folder_ / "room.obj", asObj(room));
  const fs::path stored = scene("part.obj").shapes[0].file;
  const std::string sound = readText(stored);
  const fs::path turned = scene("room.obj").shapes[0].file;
  const auto beside = scene("part.obj").shapes[1].file;
  const auto deeper = readStillScene(folder_ / "layout.toml", folder_ / "deeper", "variational");
  ASSERT_TRUE(deeper) << deeper.error().message;
  // Another mesh, the same that faced otherwise, another builder
  for (const fs::path& other : {beside, turned, deeper->shapes[0].file}) {
    SCOPED_TRACE(other);
    writeText(stored, readText(other));
    const StillScene mended = scene("part.obj");
    EXPECT_EQ(mended.shapes[0].box.high.x, 2.5);
    EXPECT_EQ(mended.shapes[0].side, SolidSide::AsWound);
    EXPECT_THAT(mended.shapes[0].notes,
                Contains(HasSubstr("holds the shape of another model; the shape was built again")));
    EXPECT_EQ(readText(stored), sound);
    EXPECT_THAT(scene("part.obj").shapes[0].notes, IsEmpty());
  }
}

TEST_F(StoredShapes, OfModelsOfLongNamesHaveShorterOnes) {
  // Letters of two bytes, from an odd one on: a name is cut between letters
  std::string letters = "a";
  while (letters.size() < 240) letters += "\u00e4";
  for (const std::string& name : {std::string(240, 'a'), letters}) {
    writeText(folder_ / (name + ".obj"), asObj(cube(2.5)));
    const fs::path stored = scene(name + ".obj").shapes[0].file;
    const std::string file = stored.filename().string();
    EXPECT_LE(file.size(), 160u);
    EXPECT_TRUE(name.starts_with(file.substr(0, file.find('-'))));
    EXPECT_EQ(file.find('-') % 2, name == letters ? 1u : 0u);
    const auto built = fs::last_write_time(stored);
    const StillScene again = scene(name + ".obj");
    EXPECT_EQ(again.shapes[0].file, stored);
    EXPECT_THAT(again.shapes[0].notes, IsEmpty());
    EXPECT_EQ(fs::last_write_time(stored), built);
  }
}

TEST_F(StoredShapes, ThatAreGoneLeaveTheList) {
  const fs::path list = folder_ / "store/shapes.json";
  writeText(folder_ / "part.obj", asObj(cube(2.5)));
  const fs::path stored = scene("part.obj").shapes[0].file;
  EXPECT_THAT(readText(list), HasSubstr(stored.filename().string()));
  fs::remove(stored);
  writeText(folder_ / "part.obj", asObj(cube(2.0)));
  const StillScene changed = scene("part.obj");
  const std::string left = readText(list);
  EXPECT_THAT(left, testing::Not(HasSubstr(stored.filename().string())));
  for (const StoredShape& shape : changed.shapes)
    EXPECT_THAT(left, HasSubstr(shape.file.filename().string()));
}

TEST_F(StoredShapes, ThatTheLayoutNamesAreTakenAsTheyAre) {
  // Without trees both are as large
  const auto bytesOfCube = [&](Real half) {
    ShapeSettings settings;
    settings.quality = TreeQuality::None;
    EXPECT_TRUE(writeShape(folder_ / "made.shape", *makeShape(cube(half), settings)));
    return readText(folder_ / "made.shape");
  };
  const std::string small = bytesOfCube(1.0), large = bytesOfCube(3.0);
  const fs::path named = writeText(folder_ / "part.shape", small);
  EXPECT_EQ(scene("part.shape").shapes[0].box.high.x, 1.0);
  ASSERT_NO_FATAL_FAILURE(replace(named, large));
  EXPECT_EQ(scene("part.shape").shapes[0].box.high.x, 3.0);
  const std::string nonsense(large.size(), 'x');
  ASSERT_NO_FATAL_FAILURE(replace(named, nonsense));
  const auto damaged = read("part.shape");
  ASSERT_FALSE(damaged);
  EXPECT_THAT(damaged.error().message, HasSubstr("part.shape"));
  EXPECT_EQ(readText(named), nonsense);
}

}  // namespace
}  // namespace nearmiss::engine
