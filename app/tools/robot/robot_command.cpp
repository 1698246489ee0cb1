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
  fmt::print("written to {}\n", command.out.string());
}

}  // namespace

void addRobotCommand(CLI::App& app, RobotCommand& command) {
  CLI::App* robot = app.add_subcommand("robot", std::string(robotSummary));
  robot->add_option("FILE", command.file, "a URDF, or an MJCF file of MuJoCo")->required();
  robot->add_option("-o,--out", command.out, "the file to write")->required();
  robot
      ->add_option("--format", command.format,
                   "urdf or mjcf: the same file with spheres to collide with, the default; "
                   "curobo: YAML collision_spheres; xrdf; srdf; json")
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
  robot->add_option("--ignore", command.ignore,
                    "an SRDF, XRDF or cuRobo file with pairs of links that are not checked against "
                    "each other; srdf, xrdf and curobo list them, and pairs that share a joint");
  robot->add_flag("--visual", command.reading.visualToo,
                  "use the visual shapes of links without collision shapes");
  robot->add_option("--packages", command.reading.packageFolders,
                    "folders with the packages of package:// names");
}

int writeRobot(const RobotCommand& command) {
  const OutputFiles outputs{{"-o", command.out}};
  if (const int exitCode = checkOutputs(outputs, {command.file, command.ignore}); exitCode != Ok)
    return exitCode;
  const auto robot = readRobot(command.file, command.reading);
  if (!robot) return complain(robot.error(), BadModelOrScene);
  if (const int exitCode = checkOutputs(outputs, namedFiles(*robot, command.file, command.reading));
      exitCode != Ok)
    return exitCode;
  const RobotOutput* output = outputFor(*robot, command.format);
  if (!output) {
    complain(fmt::format("\"{}\" cannot be written as {}: it is no {}", command.file.string(),
                         command.format, command.format == "urdf" ? "URDF" : "MJCF"));
    return Usage;
  }
  if (!command.ignore.empty() && !output->hasIgnored) {
    complain(
        fmt::format("{} does not say which pairs are ignored: --ignore is for srdf, xrdf and "
                    "curobo",
                    output->name));
    return Usage;
  }
  for (const std::string& remark : robot->remarks) complain(remark);
  const std::size_t links = linksWithShapes(*robot);
  if (links == 0) {
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
  if (const auto kept =
          engine::writeWhole(command.out, output->write({*robot, covered->links, *ignored}));
      !kept)
    return complain(kept.error(), Environment);
  if (covered->interrupted)
    complain("interrupted: the links above are finished, and no others are covered");
  printWhole(command, *robot, *covered, ignored->size());
  return covered->interrupted ? Interrupted : Ok;
}

}  // namespace nearmiss::app::robot
