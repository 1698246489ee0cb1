// SPDX-License-Identifier: MIT
/// Model files that are damaged, too large or none at all: refused with a sentence that names them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>

#include "engine/model_loading.h"
#include "support/campaign.h"
#include "support/files.h"
#include "support/meshes.h"
#include "support/model_files.h"
#include "support/random.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::asAsciiStl;
using nearmiss::test::asBinaryStl;
using nearmiss::test::asObj;
using nearmiss::test::asPly;
using nearmiss::test::TemporaryFolder;
using nearmiss::test::writeText;
using testing::HasSubstr;
using testing::Not;

struct BadFile {
  const char* label;
  const char* name;
  std::string text;
  ErrorCode code;
  std::string sentence;
};
std::ostream& operator<<(std::ostream& out, const BadFile& bad) { return out << bad.label; }

class EveryBadFile : public testing::TestWithParam<BadFile> {};

TEST_P(EveryBadFile, IsRefusedWithASentenceThatNamesIt) {
  const TemporaryFolder folder;
  const auto loaded = loadModel(writeText(folder / GetParam().name, GetParam().text));
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, GetParam().code) << loaded.error().message;
  EXPECT_THAT(loaded.error().message, HasSubstr(GetParam().name));
  EXPECT_THAT(loaded.error().message, HasSubstr(GetParam().sentence));
  EXPECT_THAT(loaded.error().message, Not(HasSubstr("\n")));
}

std::string cut(const std::string& text, std::size_t length) { return text.substr(0, length); }

INSTANTIATE_TEST_SUITE_P(
    Models, EveryBadFile,
    testing::Values(
        BadFile{"empty", "x.obj", "", ErrorCode::BadFormat, "the file is empty"},
        BadFile{"points_only", "x.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n", ErrorCode::EmptyMesh,
                "0 triangles"},
        BadFile{"no_area", "x.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", ErrorCode::EmptyMesh,
                "0 triangles"},
        BadFile{"one_point", "x.obj", "v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3\n", ErrorCode::EmptyMesh,
                "0 triangles"},
        BadFile{"index", "x.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", ErrorCode::BadFormat,
                "index out of range"},
        BadFile{"nan", "x.obj", "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", ErrorCode::BadFormat,
                "not a finite number"},
        BadFile{"infinite", "x.obj", "v inf 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", ErrorCode::BadFormat,
                "not a finite number"},
        BadFile{"huge", "x.obj", "v 2e15 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", ErrorCode::BadFormat,
                "beyond 1e15"},
        BadFile{"noise", "x.stl", std::string(500, '\x8f'), ErrorCode::BadFormat, "STL"},
        BadFile{"truncated_stl", "x.stl", cut(asBinaryStl(test::sphere()), 700),
                ErrorCode::BadFormat, "STL"},
        BadFile{"unknown", "x.xyzzy", "hello", ErrorCode::BadFormat, "No suitable reader"},
        BadFile{"deep", "x.gltf", std::string(2'000'000, '['), ErrorCode::BadFormat,
                "nests deeper than 64 levels"}),
    [](const auto& bad) { return bad.param.label; });

TEST_F(Loading, SaysWhyAFileCannotBeOpened) {
  const auto missing = loadModel(folder_ / "x.obj");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
  EXPECT_THAT(missing.error().message, HasSubstr("(No such file)"));
  const auto folder = loadModel(folder_.path());
  ASSERT_FALSE(folder);
  EXPECT_THAT(folder.error().message, HasSubstr("(Is a directory)"));
  const auto device = loadModel("/dev/zero");
  ASSERT_FALSE(device);
  EXPECT_THAT(device.error().message, HasSubstr("(Not a regular file)"));
}

TEST_F(Loading, HoldsToItsLimits) {
  const std::string text = asObj(test::sphere());
  const auto large = load("x.obj", text, {.maxFileBytes = 100});
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, ErrorCode::TooLarge);
  const auto many = load("x.obj", text, {.maxTriangles = 100});
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().code, ErrorCode::TooLarge);
  EXPECT_THAT(many.error().message, HasSubstr("100 triangles"));
  EXPECT_TRUE(load("x.obj", text, {.maxTriangles = 10'000}));
  // Four times these as many vertices are more than a number holds
  for (const std::size_t none : {SIZE_MAX, SIZE_MAX / 4 + 1}) {
    EXPECT_TRUE(load("x.obj", text, {.maxTriangles = none}));
    EXPECT_TRUE(load("x.glb", test::asGlb(test::cube()), {.maxTriangles = none}));
  }
}

/// Nothing that a file loses or has changed may do more than be refused, and never for the time or
/// the memory that reading it took: files this small are read in milliseconds.
TEST_F(Loading, SurvivesEveryDamage) {
  const TriangleMesh mesh = test::torus(6, 4);
  test::Random random(1);
  std::size_t refused = 0, accepted = 0, byCount = 0;
  for (const Format& format :
       {Format{"obj", asObj}, Format{"stl", asBinaryStl}, Format{"stl", asAsciiStl},
        Format{"ply", asPly}, Format{"ply", test::asBinaryPly}, Format{"off", test::asOff},
        Format{"glb", test::asGlb}}) {
    const std::string whole = format.write(mesh);
    for (int round = 0; round < test::cases(30); ++round) {
      // The beginning, where counts are, is changed as often as all the rest
      std::string damaged = whole;
      if (round % 4 == 0)
        damaged.resize(
            static_cast<std::size_t>(random.whole(1, static_cast<int>(whole.size()) - 1)));
      const std::size_t last =
          (round % 2 == 0 ? damaged.size() : std::min(damaged.size(), std::size_t{300})) - 1;
      for (int change = 0; change < round % 5; ++change)
        damaged[static_cast<std::size_t>(random.whole(0, static_cast<int>(last)))] =
            static_cast<char>(round % 3 == 0 ? random.whole('0', '9') : random.whole(0, 255));
      const auto loaded = load(std::string("x.") + format.extension, damaged);
      ++(loaded ? accepted : refused);
      if (!loaded) {
        EXPECT_THAT(loaded.error().message, testing::MatchesRegex("\"[ -~]+: [ -~]+"));
        EXPECT_THAT(loaded.error().message, Not(HasSubstr("processor time"))) << format.extension;
        byCount += loaded.error().message.find("it announces") != std::string::npos;
        continue;
      }
      EXPECT_FALSE(loaded->mesh.triangles.empty());
      EXPECT_LE(radiusAboutOrigin(loaded->mesh), 1.0 + 1e-6);
    }
  }
  EXPECT_GT(refused, 50u);
  EXPECT_GT(accepted, 50u);
  EXPECT_GT(byCount, 10u);
}

TEST_F(Loading, LooksForTheEndOfAHeadOnlyOnce) {
  // The reader would look for it until its time is up
  for (const char* head :
       {"ply\nformat ascii 1.0\nelement vertex 24\nproperty fl", "ply\n", "ply"}) {
    const auto loaded = load("x.ply", head);
    ASSERT_FALSE(loaded);
    EXPECT_THAT(loaded.error().message, HasSubstr("its head has no end"));
  }
}

TEST_F(Loading, BelievesNoCountThatTheFileCannotHold) {
  const std::string head = "ply\nformat ascii 1.0\nelement vertex ";
  const std::string glb = test::asGlb(test::cube());
  const auto with = [&glb](const std::string& old, const std::string& changed) {
    std::string text = glb;
    text.replace(text.find(old), old.size(), changed);
    return text;
  };
  struct Claim {
    const char* name;
    std::string text;
  };
  for (const Claim& claim : {
           Claim{"x.ply", head + "4000000000\nproperty float x\nend_header\n0\n"},
           Claim{"x.ply", head + "4000000000\nend_header\n0\n"},
           Claim{"x.ply", head + "99999999999999999999\nproperty float x\nend_header\n"},
           Claim{"x.ply", head + "-1\nproperty float x\nend_header\n"},
           Claim{"x.ply",
                 "ply\nformat binary_little_endian 1.0\nelement face 1000000\nproperty "
                 "list uint int vertex_indices\nend_header\n"},
           Claim{"x.off", "OFF\n4294967295 1 0\n0 0 0\n"},
           Claim{"x.off", "# a comment\nOFF # another\n1\n4294967295 0\n0 0 0\n"},
           Claim{"x.glb", with("\"count\":36", "\"count\":99")},
           Claim{"x.glb", with("\"count\":36", "\"count\":-1")},
           Claim{"x.glb", with("\"byteLength\":144", "\"byteLength\":999")},
           Claim{"x.glb", with("\"byteOffset\":96", "\"byteOffset\":97")},
           Claim{"x.glb",
                 with("\"buffers\":[{\"byteLength\":240", "\"buffers\":[{\"byteLength\":970")},
       }) {
    const auto loaded = load(claim.name, claim.text);
    ASSERT_FALSE(loaded) << claim.text;
    EXPECT_EQ(loaded.error().code, ErrorCode::BadFormat) << loaded.error().message;
    EXPECT_THAT(loaded.error().message, HasSubstr("it announces")) << claim.text;
  }
  // As much as the file holds is accepted, to the last byte
  for (const Format& format : {Format{"ply", asPly}, Format{"ply", test::asBinaryPly},
                               Format{"off", test::asOff}, Format{"glb", test::asGlb}}) {
    std::string text = format.write(test::cube());
    if (text.back() == '\n') text.pop_back();
    const auto loaded = load(std::string("x.") + format.extension, text);
    EXPECT_TRUE(loaded) << loaded.error().message;
  }
}

/// What a file requires that is passed over would put its vertices elsewhere.
TEST_F(Loading, ReadsNoGltfThatRequiresWhatIsUnknown) {
  const auto requiring = [this](const std::string& list) {
    return load("x.glb", test::asGlbAt(test::cube(),
                                       R"(}],"extensionsRequired":)" + list + R"(,"extras":[{)"));
  };
  for (const char* name : {"KHR_mesh_quantization", "EXT_meshopt_compression",
                           "EXT_mesh_gpu_instancing", "VENDOR_scale_everything"}) {
    const auto loaded = requiring(std::string(R"(["KHR_materials_unlit",")") + name + "\"]");
    ASSERT_FALSE(loaded) << name;
    EXPECT_EQ(loaded.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(loaded.error().message,
                HasSubstr(std::string("requires the extension \"") + name + "\""));
  }
  EXPECT_FALSE(requiring(R"({"0":"KHR_mesh_quantization"})"));
  EXPECT_FALSE(requiring("[7]"));
  for (const char* list :
       {"[]", R"(["KHR_materials_unlit","KHR_texture_transform","KHR_lights_punctual"])",
        R"(["MSFT_texture_dds","EXT_lights_image_based","KHR_xmp"])"}) {
    const auto loaded = requiring(list);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->mesh.triangles.size(), 12u);
  }
}

TEST_F(Loading, ReadsNoGltfWhosePositionsAreNoThreeFloats) {
  const std::string glb = test::asGlb(test::cube());
  for (const auto& [old, changed] :
       {std::pair{"\"componentType\":5126", "\"componentType\":5122"},
        std::pair{"\"componentType\":5126", "\"componentType\":5121"}, std::pair{"VEC3", "VEC2"}}) {
    std::string text = glb;
    text.replace(text.find(old), std::string(old).size(), changed);
    const auto loaded = load("x.glb", text);
    ASSERT_FALSE(loaded) << changed;
    EXPECT_EQ(loaded.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(loaded.error().message, HasSubstr("accessor 0, of positions"));
  }
}

TEST_F(Loading, NamesTheLimitThatAFileGoesBeyond) {
  const auto slow = load("slow.obj", test::slowObj(), {.maxTime = std::chrono::seconds(0)});
  ASSERT_FALSE(slow);
  EXPECT_THAT(slow.error().message, HasSubstr("more than 1 s of processor time"));
}

}  // namespace
}  // namespace nearmiss::engine
