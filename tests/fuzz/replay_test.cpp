// SPDX-License-Identifier: MIT
/// Every target of fuzzing over its corpus, its seeds and mutations of them, without a fuzzer: what
/// fuzzing has found stays found. One process per target, so that a broken promise names its input.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "fuzz/target.h"
#include "support/campaign.h"
#include "support/files.h"
#include "support/random.h"
#include "support/test_name.h"

namespace nearmiss::fuzz {

/// For names of tests and messages.
static void PrintTo(const Target& target, std::ostream* out) { *out << target.name; }

namespace {

namespace fs = std::filesystem;

/// What the folder of a target holds: earlier findings, and what reaches further than the seeds.
std::vector<std::string> corpusOf(const Target& target) {
  std::vector<fs::path> files;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(
           fs::path(NEARMISS_SOURCE_DIR) / "tests/fuzz/corpus" / target.name, none))
    files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<std::string> inputs;
  for (const fs::path& file : files) inputs.push_back(test::readText(file));
  return inputs;
}

void changeOne(std::string& text, test::Random& random) {
  const auto place = [&] {
    return static_cast<std::size_t>(random.whole(0, static_cast<int>(text.size()) - 1));
  };
  if (text.empty()) text = " ";
  switch (random.whole(0, 7)) {
    case 0:
      text[place()] = static_cast<char>(random.whole(0, 255));
      break;
    case 1:
      text[place()] = static_cast<char>(text[place()] ^ (1 << random.whole(0, 7)));
      break;
    case 2:
      text[place()] = static_cast<char>(random.whole('0', '9'));
      break;
    case 3:
      text.resize(place() + 1);
      break;
    case 4:
      text.erase(place(), static_cast<std::size_t>(random.whole(1, 8)));
      break;
    case 5:
      text.insert(place(), text.substr(place(), static_cast<std::size_t>(random.whole(1, 40))));
      break;
    case 6: {
      constexpr const char* words[] = {"nan",  "-1",  "1e999", "99999999999999999999", "\"",
                                       "0x7f", "[[[", "}",     "4294967295",           "\n"};
      text.insert(place(), words[random.whole(0, static_cast<int>(std::size(words)) - 1)]);
      break;
    }
    default:
      // As a count in binary files
      for (std::size_t i = place(), k = 0; k < 4 && i + k < text.size(); ++k)
        text[i + k] = random.chance(0.5) ? '\xff' : '\0';
  }
}

/// In a process of its own, with limits: its input lies in `last` when it ends.
int statusOf(const Target& target, const std::vector<std::string>& inputs, const fs::path& last) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit time{120, 120};
    ::setrlimit(RLIMIT_CPU, &time);
    for (const std::string& input : inputs) {
      test::writeText(last, input);
      target.run({reinterpret_cast<const std::uint8_t*>(input.data()), input.size()});
    }
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

class EveryTarget : public testing::TestWithParam<Target> {};

TEST_P(EveryTarget, KeepsItsPromisesOnEveryInput) {
  const Target& target = GetParam();
  std::vector<std::string> inputs = corpusOf(target);
  const std::vector<std::string> seeds = target.seeds();
  ASSERT_FALSE(seeds.empty());
  inputs.insert(inputs.end(), seeds.begin(), seeds.end());
  const std::size_t whole = inputs.size();
  test::Random random(1);
  for (int i = 0; i < test::cases(60); ++i) {
    std::string mutated = inputs[static_cast<std::size_t>(i) % whole];
    for (int change = random.whole(1, 6); change > 0; --change) changeOne(mutated, random);
    inputs.push_back(mutated);
  }
  const test::TemporaryFolder folder;
  const int status = statusOf(target, inputs, folder / "input");
  if (status == 0) return;
  const std::string kept = "broken-" + std::string(target.name);
  fs::copy_file(folder / "input", kept, fs::copy_options::overwrite_existing);
  ADD_FAILURE() << "status " << status << "; the input is in " << fs::absolute(kept);
}

INSTANTIATE_TEST_SUITE_P(Fuzzing, EveryTarget, testing::ValuesIn(allTargets()),
                         [](const auto& tested) { return test::testName(tested.param.name); });

}  // namespace
}  // namespace nearmiss::fuzz
