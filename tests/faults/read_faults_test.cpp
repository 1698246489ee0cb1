// SPDX-License-Identifier: MIT
/// Every read of every reader fails once, from then on, comes up short, or is interrupted: the
/// answer is the same or a sentence that names the file, and no file stays open.
#include <engine/game/best_runs.h>
#include <engine/scene/articulated_model.h>
#include <engine/scene/scene.h>
#include <engine/session/session.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/files.h>
#include <nearmiss/load_mesh.h>
#include <tinyxml2.h>

#include <functional>
#include <string>
#include <vector>

#include "faults/file_faults.h"
#include "report/record.h"
#include "session/session_format.h"
#include "support/campaign.h"
#include "support/files.h"
#include "support/meshes.h"
#include "support/model_files.h"
#include "tools/robot/robot_file.h"

namespace nearmiss {
namespace {

using test::FaultKind;
using test::FileCall;
using test::FileFault;

/// A reader, its file, and an answer by which two readings are compared.
struct Reading {
  std::string name;
  std::function<void(const std::filesystem::path&)> lay;
  std::function<Result<std::string>(const std::filesystem::path&)> read;
};
void PrintTo(const Reading& reading, std::ostream* out) { *out << reading.name; }

template <class Value>
Result<std::string> answer(const Result<Value>& read, const auto& text) {
  if (!read) return read.error();
  return std::string(text(*read));
}

std::string meshText(const TriangleMesh& mesh) { return test::asObj(mesh); }

Shape smallShape() {
  ShapeSettings settings;
  settings.tree.levels = 2;
  return *makeShape(test::torus(8, 5), settings);
}

std::string smallSession() {
  engine::SessionScene scene;
  scene.text = "version = 2\n";
  scene.narrow = "sphere-tree";
  std::string items, whole = engine::sessionBeginning();
  engine::appendScene(scene, {{"build", "x"}}, items);
  for (int block = 0; block < 3; ++block) {
    engine::SessionFrame frame;
    frame.dt = 0.01;
    frame.ships = {1, 2, 3};
    engine::appendFrame(frame, {}, items);
    whole += engine::packedBlock(items);
    items.clear();
  }
  return whole + engine::sessionEnd(3);
}

std::vector<Reading> readings() {
  const auto text = [](std::string contents) {
    return [contents](const std::filesystem::path& file) { test::writeText(file, contents); };
  };
  const auto mesh = [](const std::filesystem::path& file) {
    return answer(loadMesh(file), meshText);
  };
  const auto robot = [](const std::filesystem::path& file) {
    return answer(app::robot::readRobot(file, {}),
                  [](const auto& read) { return read.links.front().name; });
  };
  const std::string large = "# " + std::string(70'000, 'x') + "\n";
  return {
      {"x.obj", text(large + test::asObj(test::torus(40, 30))), mesh},
      {"x.ply", text(test::asBinaryPly(test::torus(40, 30))), mesh},
      {"x.stl", text(test::asBinaryStl(test::torus(40, 30))), mesh},
      {"x.off", text(test::asOff(test::torus(40, 30))), mesh},
      {"x.shape", [](const auto& file) { ASSERT_TRUE(writeShape(file, smallShape())); },
       [](const std::filesystem::path& file) {
         return answer(readShape(file), [](const Shape& shape) {
           return std::to_string(shape.polyhedron().hash());
         });
       }},
      {"x.toml", text("name = \"crowd\"\n" + large + "[arena]\nradius = 7.5\n"),
       [](const std::filesystem::path& file) {
         return answer(engine::readScene(file),
                       [](const engine::Scene& scene) { return engine::writeScene(scene); });
       }},
      {"y.toml", text("version = 1\n[[links]]\nname = \"a\"\nmodel = \"a.glb\"\n" + large),
       [](const std::filesystem::path& file) {
         return answer(engine::readArticulatedModel(file),
                       [](const auto& read) { return read.links.front().name; });
       }},
      {"x.session", text(smallSession()),
       [](const std::filesystem::path& file) {
         return answer(engine::RecordedSession::read(file), [](const auto& read) {
           return std::to_string(read.frames()) + read.warning();
         });
       }},
      {"x.urdf",
       text("<robot name=\"r\"><!-- " + large +
            " --><link name=\"a\"><collision><geometry><sphere "
            "radius=\"1\"/></geometry></collision></link></robot>"),
       robot},
      {"x.csv",
       text("# format: nearmiss record 3\n# build: " + std::string(20'000, 'x') +
            "\na,b\n1,2\n3,4\n"),
       [](const std::filesystem::path& file) -> Result<std::string> {
         auto reader = app::report::RecordReader::open(file);
         if (!reader) return reader.error();
         return answer(app::report::readTable(*std::move(reader)), [](const auto& table) {
           return std::to_string(table.rows()) + (table.cutShort ? " cut" : "");
         });
       }},
      {"runs.json", text("{\"version\":1,\"runs\":[]}" + std::string(70'000, ' ')),
       [](const std::filesystem::path& file) {
         return answer(engine::readBestRuns(file.parent_path()), [](const auto& read) {
           return std::to_string(read.runs.size()) + read.note;
         });
       }},
  };
}

class EveryReader : public testing::TestWithParam<Reading> {};

TEST_P(EveryReader, GivesTheSameOrASentenceWhereverReadingFails) {
  const Reading& reading = GetParam();
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder / reading.name;
  reading.lay(file);
  const auto whole = reading.read(file);
  ASSERT_TRUE(whole) << whole.error().message;
  const std::ptrdiff_t openBefore = test::openFiles();
  std::size_t refused = 0, struck = 0;
  test::forEveryFault(
      {FileCall::Open, FileCall::Read, FileCall::Close}, [&](const FileFault& fault) {
        Result<std::string> read = Error{};
        const std::size_t calls =
            test::callsIn(fault, [&] { EXPECT_NO_THROW(read = reading.read(file)); });
        struck += test::fileCalls.struck;
        if (read) {
          EXPECT_EQ(*read, *whole);
        } else {
          ++refused;
          EXPECT_THAT(read.error().message, testing::HasSubstr(reading.name));
          EXPECT_THAT(read.error().code,
                      testing::AnyOf(ErrorCode::Unreadable, ErrorCode::NotFound));
          EXPECT_FALSE(fault.kind == FaultKind::Short || fault.kind == FaultKind::Interrupted)
              << "these are no failures: " << read.error().message;
        }
        EXPECT_EQ(test::openFiles(), openBefore);
        EXPECT_TRUE(std::filesystem::exists(file)) << "reading has moved or removed the file";
        return calls;
      });
  test::reportCases(static_cast<int>(struck));
  EXPECT_GT(struck, 3u) << "hardly any call was seen";
  EXPECT_GT(refused, 1u);
}

INSTANTIATE_TEST_SUITE_P(Faults, EveryReader, testing::ValuesIn(readings()),
                         [](const auto& tested) {
                           std::string name = tested.param.name;
                           for (char& c : name)
                             if (c == '.') c = '_';
                           return name;
                         });

}  // namespace
}  // namespace nearmiss
