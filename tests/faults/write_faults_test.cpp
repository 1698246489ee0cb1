// SPDX-License-Identifier: MIT
/// Every write of every writer fails once, from then on, comes up short, or is interrupted, and so
/// do syncing, closing and renaming: the old file or the new one is there, and nothing beside it.
#include <engine/base/atomic_file.h>
#include <engine/game/best_runs.h>
#include <engine/record/record_writers.h>
#include <engine/session/session.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_files.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "faults/file_faults.h"
#include "support/campaign.h"
#include "support/files.h"
#include "support/meshes.h"

namespace nearmiss {
namespace {

namespace fs = std::filesystem;
using test::FaultKind;
using test::FileCall;
using test::FileFault;
using testing::HasSubstr;

constexpr auto writingCalls = {FileCall::Open,  FileCall::Write,  FileCall::Sync,
                               FileCall::Close, FileCall::Rename, FileCall::Truncate};

std::vector<std::string> namesIn(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

engine::SessionWriter flownSession(int frames) {
  engine::SessionWriter writer;
  engine::SessionScene scene;
  scene.text = "version = 2\n";
  scene.narrow = "sphere-tree";
  writer.begin(scene, {{"build", "x"}});
  engine::SessionFrame frame;
  frame.dt = 0.01;
  frame.ships = {1, 2, 3};
  for (int i = 0; i < frames; ++i) writer.add(frame);
  return writer;
}

engine::BestRun runOf(std::int64_t points) {
  engine::BestRun run;
  run.points = points;
  run.date = "2026-01-31 17:45";
  return run;
}

/// A writer of a whole file in place of an old one.
struct Replacing {
  std::string name;
  std::function<Result<Success>(const fs::path&)> write;
};
void PrintTo(const Replacing& replacing, std::ostream* out) { *out << replacing.name; }

std::vector<Replacing> replacings() {
  ShapeSettings settings;
  settings.tree.levels = 2;
  const Shape shape = *makeShape(test::torus(8, 5), settings);
  const SphereTreeFile tree{{1, 2}, "octree", 80, 0.5, *shape.sphereTree()};
  return {
      {"shape", [shape](const fs::path& file) { return writeShape(file, shape); }},
      {"tree", [tree](const fs::path& file) { return writeSphereTree(file, tree); }},
      {"text",
       [](const fs::path& file) { return engine::writeWhole(file, std::string(50'000, 'x')); }},
      {"session", [](const fs::path& file) { return flownSession(200).saveCopy(file); }},
      {"summary",
       [](const fs::path& file) {
         engine::RunSummary summary;
         summary.add({});
         return summary.write(file, {{"build", "x"}}, 7);
       }},
  };
}

class EveryReplacingWriter : public testing::TestWithParam<Replacing> {};

TEST_P(EveryReplacingWriter, LeavesTheOldFileOrTheNewWhereverWritingFails) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "kept";
  ASSERT_TRUE(GetParam().write(file));
  const std::string fresh = test::readText(file), old = "the old one";
  const std::ptrdiff_t openBefore = test::openFiles();
  std::size_t refused = 0, struck = 0;
  test::forEveryFault(writingCalls, [&](const FileFault& fault) {
    test::writeText(file, old);
    Result<Success> written = Error{};
    const std::size_t calls =
        test::callsIn(fault, [&] { EXPECT_NO_THROW(written = GetParam().write(file)); });
    struck += test::fileCalls.struck;
    EXPECT_EQ(test::readText(file), written ? fresh : old);
    EXPECT_EQ(namesIn(folder.path()), std::vector<std::string>{"kept"});
    EXPECT_EQ(test::openFiles(), openBefore);
    if (!written) {
      ++refused;
      EXPECT_EQ(written.error().code, ErrorCode::Unreadable);
      EXPECT_THAT(written.error().message, HasSubstr("kept"));
      EXPECT_FALSE(fault.kind == FaultKind::Short || fault.kind == FaultKind::Interrupted)
          << "these are no failures: " << written.error().message;
    }
    return calls;
  });
  test::reportCases(static_cast<int>(struck));
  EXPECT_GT(struck, 8u) << "hardly any call was seen";
  EXPECT_GT(refused, 5u);
}

INSTANTIATE_TEST_SUITE_P(Faults, EveryReplacingWriter, testing::ValuesIn(replacings()),
                         [](const auto& tested) { return tested.param.name; });

TEST(BestRunsUnderFaults, HaveTheOldTableOrTheNew) {
  std::size_t refused = 0;
  test::forEveryFault(writingCalls, [&](const FileFault& fault) {
    const test::TemporaryFolder folder;
    EXPECT_TRUE(engine::storeRun(folder.path(), runOf(5), {}));
    const std::string old = test::readText(folder / "runs.json");
    const auto save = [](const fs::path& file) { return flownSession(200).saveCopy(file); };
    Result<engine::StoredRun> kept = Error{};
    const std::size_t calls =
        test::callsIn(fault, [&] { kept = engine::storeRun(folder.path(), runOf(9), save); });
    const auto table = engine::readBestRuns(folder.path());
    EXPECT_TRUE(table && table->note.empty());
    if (kept) {
      EXPECT_EQ(table->runs.size(), 2u);
      EXPECT_TRUE(engine::RecordedSession::read(folder / table->runs.front().session));
      EXPECT_EQ(namesIn(folder.path()).size(), 2u);
    } else {
      ++refused;
      EXPECT_EQ(test::readText(folder / "runs.json"), old);
      EXPECT_EQ(namesIn(folder.path()), std::vector<std::string>{"runs.json"});
    }
    return calls;
  });
  EXPECT_GT(refused, 8u);
}

TEST(SessionUnderFaults, IsWholeUpToWhereWritingFailed) {
  std::size_t refused = 0, readable = 0;
  test::forEveryFault(writingCalls, [&](const FileFault& fault) {
    const test::TemporaryFolder folder;
    const fs::path file = folder / "x.session";
    bool failed = false;
    const std::size_t calls = test::callsIn(fault, [&] {
      engine::SessionWriter writer = flownSession(150);
      const auto begun = writer.startFile(file);
      failed = !begun;
      if (!begun) return;
      engine::SessionFrame frame;
      for (int i = 0; i < 150; ++i) writer.add(frame);
      const auto closed = writer.close();
      failed = !closed;
      if (!closed) {
        EXPECT_THAT(closed.error().message, HasSubstr("x.session"));
      }
    });
    const auto read = engine::RecordedSession::read(file);
    if (!failed) {
      EXPECT_TRUE(read && read->frames() == 300 && read->warning().empty());
    } else {
      ++refused;
      if (read) {
        ++readable;
        EXPECT_LE(read->frames(), 300u);
        EXPECT_TRUE(!read->warning().empty() || read->frames() == 300);
      } else {
        EXPECT_FALSE(read.error().message.empty());
      }
    }
    return calls;
  });
  EXPECT_GT(refused, 5u);
  EXPECT_GT(readable, 1u);
}

TEST(ProfileUnderFaults, EndsWithAWholeLineWhereverWritingFails) {
  std::size_t refused = 0;
  test::forEveryFault(writingCalls, [&](const FileFault& fault) {
    const test::TemporaryFolder folder;
    const fs::path file = folder / "p.csv";
    bool failed = false;
    const std::size_t calls = test::callsIn(fault, [&] {
      auto writer = engine::ProfileWriter::open(file, {{"build", "x"}});
      failed = !writer;
      if (!writer) return;
      engine::FrameProfile frame;
      for (int i = 0; i < 600; ++i) {
        frame.wallSeconds = 0.01 * i;
        writer->add(frame);
      }
      failed = !writer->close();
    });
    refused += failed;
    const std::string text = test::readText(file);
    // Where not even cutting the file works there may be a rest
    if (fault.call != FileCall::Truncate) {
      EXPECT_TRUE(text.empty() || text.ends_with("\n"));
    }
    if (!failed) {
      EXPECT_GT(std::ranges::count(text, '\n'), 600);
    }
    return calls;
  });
  EXPECT_GT(refused, 4u);
}

}  // namespace
}  // namespace nearmiss
