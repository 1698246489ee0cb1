// SPDX-License-Identifier: MIT
#include "tools/robot/robot_command.h"

#include <engine/base/atomic_file.h>
#include <fmt/format.h>
#include <tinyxml2.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "console/complaint.h"
#include "console/output_files.h"
#include "options/option_checks.h"
#include "tools/robot/named_files.h"
#include "tools/robot/robot_formats.h"
#include "tools/robot/semantics/ignored_pairs.h"
#include "tools/tree/spheres_command.h"

namespace nearmiss::app::robot {
namespace {

std::size_t linksWithShapes(const RobotFile& robot) {
  return static_cast<std::size_t>(
      std::count_if(robot.links.begin(), robot.links.end(),
                    [](const RobotLink& link) { return !link.shapes.empty(); }));
}

std::string sentenceWithoutShapes(const RobotFile& robot, const RobotCommand& command) {
  if (robot.format == RobotFormat::Mjcf)
    return fmt::format(
        "no body of \"{}\" has a geom{}", command.file.string(),
        command.reading.visualToo ? "" : " that collides; --visual takes the others");
  return fmt::format("no link of \"{}\" has a <collision>{}", command.file.string(),
                     command.reading.visualToo ? " or <visual>" : "; --visual takes <visual>");
}

/// Returns the pairs due to joints, minus those that the named file enables, plus those of that
/// file. Reports links that the robot does not have.
Result<std::vector<IgnoredPair>> ignoredBy(const RobotCommand& command, const RobotFile& robot) {
  const auto ofFile = [](const Error& error, const std::filesystem::path& file) {
    return Error{error.code, fmt::format("\"{}\": {}", file.string(), error.message)};
  };
  auto adjacent = adjacentPairs(robot);
  if (!adjacent) return ofFile(adjacent.error(), command.file);
  std::vector<IgnoredPair> pairs = *std::move(adjacent);
  if (!command.ignore.empty()) {
    const auto read = readIgnoredPairs(command.ignore);
    if (!read) return read.error();
    std::vector<std::string> links;
    for (const RobotLink& link : robot.links) links.push_back(link.name);
    const std::set<std::string_view> known(links.begin(), links.end());
    std::set<std::string> named(read->alone.begin(), read->alone.end());
    for (const auto* list : {&read->pairs, &read->checked})
      for (const IgnoredPair& pair : *list) named.insert({pair.a, pair.b});
    for (const std::string& name : named)
      if (!known.contains(name))
        complain(fmt::format("the robot has no link \"{}\", which \"{}\" names", name,
                             command.ignore.string()));
    leaveChecked(*read, pairs);
    auto more = pairsAmong(*read, links);
    if (!more) return ofFile(more.error(), command.ignore);
    pairs.insert(pairs.end(), std::make_move_iterator(more->begin()),
                 std::make_move_iterator(more->end()));
  }
  sortIgnored(pairs);
  return pairs;
}

/// Prints the summary after writing.
void printWhole(const RobotCommand& command, const RobotFile& robot, const CoveredRobot& covered,
                std::size_t ignored) {
  std::size_t spheres = 0;
  Real volume = 0.0;
  for (const CoveredLink& each : covered.links) {
    spheres += each.spheres.size();
    volume += each.volume.whole;
  }
  fmt::print("{} spheres on {} of {} links, unions of {:.4g} in all, in the unit of the file\n",
             spheres, covered.links.size(), robot.links.size(), volume);
  if (covered.unspent > 0)
    fmt::print("{} spheres of the total are left: more would gain nothing\n", covered.unspent);
  if (ignored > 0) fmt::print("{} pairs of links are ignored\n", ignored);
  if (command.allowMm > 0.0) {
    const auto worst = std::max_element(covered.links.begin(), covered.links.end(),
                                        [](const CoveredLink& a, const CoveredLink& b) {
                                          return a.left.farthestAtMost < b.left.farthestAtMost;
                                        });
    fmt::print("no point of a link is farther than {:.4g} from its spheres\n",
               worst->left.farthestAtMost);
  }
}

/// The files of a run: the robot's, and those that its format needs beside it.
struct RobotFiles {
  std::filesystem::path main;
  std::vector<std::pair<std::filesystem::path, const CompanionFile*>> beside;
};

RobotFiles filesOf(const RobotCommand& command, const RobotOutput& output) {
  RobotFiles files{command.out, {}};
  if (files.main.empty())
    files.main = command.file.stem().string() + "_spheres" + std::string(output.extension);
  for (const CompanionFile& each : output.companions)
    files.beside.emplace_back(companionOf(files.main, each), &each);
  return files;
}

/// Writes the files, or one of the finished links if others are missing.
int writeFiles(const RobotFiles& files, const RobotOutput& output, const WrittenRobot& written,
               bool missing) {
  const auto write = [](const std::filesystem::path& file, const std::string& text) {
    const auto kept = engine::writeWhole(file, text);
    if (!kept) return complain(kept.error(), Environment);
    fmt::print("written to {}\n", file.string());
    return static_cast<int>(Ok);
  };
  if (missing) return write(files.main.string() + ".partial", output.write(written));
  // The main file last, so that it never stands without the others
  for (const auto& [file, companion] : files.beside)
    if (const int fault = write(file, companion->write(written, files.main)); fault != Ok)
      return fault;
  return write(files.main, output.write(written));
}

/// Complains about what the formats cannot do. Returns an ExitCode.
int checkFormat(const RobotCommand& command, const RobotOutput* output) {
  if (!output) {
    complain(fmt::format("\"{}\" cannot be written as {}: it is no {}", command.file.string(),
                         command.format, command.format == "mjcf" ? "MJCF" : "URDF"));
    return Usage;
  }
  if (!command.ignore.empty() && !output->hasIgnored) {
    complain(
        fmt::format("{} does not say which pairs are ignored: --ignore is for srdf, xrdf, "
                    "curobo and vamp",
                    output->name));
    return Usage;
  }
  return Ok;
}

}  // namespace

void addRobotCommand(CLI::App& app, RobotCommand& command) {
  CLI::App* robot = app.add_subcommand("robot", std::string(robotSummary));
  robot->add_option("FILE", command.file, "a URDF, or an MJCF file of MuJoCo")->required();
  robot->add_option("-o,--output", command.out,
                    "the file to write; default: FILE_spheres with the format's extension");
  robot
      ->add_option("--format", command.format,
                   "urdf or mjcf: the same file with spheres to collide with, the default; "
                   "curobo: YAML collision_spheres; xrdf; srdf; json; foam: a URDF as foam writes "
                   "it; vamp: that URDF, an SRDF and a configuration of cricket for VAMP")
      ->check(oneOf(namesOf(robotOutputs()), "NAME"));
  tree::addFlatSetOptions(*robot, command.cover.each,
                          "at most N spheres per link; fewer if more would not help");
  robot
      ->add_option("--total", command.cover.total,
                   "at most N spheres in all, distributed so that the excess volume is small")
      ->transform(wholeFrom(1, 1000000))
      ->excludes("--count");
  robot
      ->add_option("--allow", command.allowMm,
                   "maximum distance of a point of a link from its spheres, millimetres; 0: "
                   "everything is covered")
      ->check(numberFrom(0.0, 1e6))
      ->capture_default_str();
  robot->add_option(
      "--ignore", command.ignore,
      "an SRDF, XRDF or cuRobo file with pairs of links that are not checked against "
      "each other; srdf, xrdf, curobo and vamp list them, and pairs that share a joint");
  robot->add_flag("--visual", command.reading.visualToo,
                  "use the visual shapes of links without collision shapes");
  robot->add_option("--packages", command.reading.packageFolders,
                    "folders with the packages of package:// names");
  robot->add_flag("--verbose", command.cover.verbose, "print all warnings, not the first few");
}

int writeRobot(const RobotCommand& command) {
  // Before the robot is read, which may take long
  const InputFiles inputs{command.file, command.ignore};
  if (!command.out.empty())
    if (const int exitCode = checkOutputs({{"-o", command.out}}, inputs); exitCode != Ok)
      return exitCode;
  const auto robot = readRobot(command.file, command.reading);
  if (!robot) return complain(robot.error(), BadModelOrScene);
  const RobotOutput* output = outputFor(*robot, command.format);
  if (const int fault = checkFormat(command, output); fault != Ok) return fault;
  const RobotFiles files = filesOf(command, *output);
  OutputFiles outputs{{"-o", files.main}};
  for (const auto& [file, companion] : files.beside) outputs.emplace_back("--format", file);
  if (const int exitCode = checkOutputs(outputs, inputs); exitCode != Ok) return exitCode;
  if (const int exitCode = checkOutputs(outputs, namedFiles(*robot, command.file, command.reading));
      exitCode != Ok)
    return exitCode;
  const std::size_t links = linksWithShapes(*robot);
  if (links == 0) {
    complainOfAll(robot->remarks, command.cover.verbose);
    complain(sentenceWithoutShapes(*robot, command));
    return BadModelOrScene;
  }
  if (command.cover.total > 0 && command.cover.total < links) {
    complain(fmt::format("{} links have shapes, and each needs a sphere: --total {} is too few",
                         links, command.cover.total));
    return Usage;
  }
  const auto ignored = output->hasIgnored
                           ? ignoredBy(command, *robot)
                           : Result<std::vector<IgnoredPair>>(std::vector<IgnoredPair>{});
  if (!ignored) return complain(ignored.error(), BadModelOrScene);
  RobotCover cover = command.cover;
  cover.each = tree::withWorkers(cover.each);
  cover.allow = 1e-3 * command.allowMm;
  const auto covered = coverRobot(*robot, cover);
  if (!covered) return complain(covered.error(), BadModelOrScene);
  if (covered->links.empty()) {
    complain("cancelled before a link was finished; nothing was written");
    return Interrupted;
  }
  printWhole(command, *robot, *covered, ignored->size());
  const int written =
      writeFiles(files, *output, {*robot, covered->links, *ignored}, covered->interrupted);
  if (!covered->interrupted || written != Ok) return written;
  complain(fmt::format("interrupted: {} of {} links are covered; \"{}\" was not written",
                       covered->links.size(), links, files.main.string()));
  return Interrupted;
}

}  // namespace nearmiss::app::robot
