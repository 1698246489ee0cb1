// SPDX-License-Identifier: MIT
#include "tools/robot/semantics/ignored_pairs.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "tools/robot/urdf.h"
#include "tools/robot/yaml.h"

namespace nearmiss::app::robot {
namespace {

using tinyxml2::XMLElement;
using IgnoreJson = nlohmann::ordered_json;

/// Reads one file; keeps the first fault.
class IgnoredReader {
 public:
  explicit IgnoredReader(const std::filesystem::path& file) : file_(file) {}

  Result<IgnoredPairs> finish() {
    if (fault_) return *fault_;
    sortIgnored(found_.pairs);
    sortIgnored(found_.checked);
    std::ranges::sort(found_.alone);
    // clang 14 does not compile std::ranges::unique
    found_.alone.erase(std::unique(found_.alone.begin(), found_.alone.end()), found_.alone.end());
    return std::move(found_);
  }

  void readSrdf(const tinyxml2::XMLDocument& document) {
    const XMLElement* root = document.RootElement();
    if (!root || std::string_view(root->Name()) != "robot")
      return fail(
          fmt::format("is not SRDF: its root is <{}>, not <robot>", root ? root->Name() : ""));
    for (const XMLElement* each = root->FirstChildElement(); each;
         each = each->NextSiblingElement()) {
      const std::string_view kind = each->Name();
      if (kind == "disable_collisions") readPair(*each, found_.pairs);
      if (kind == "enable_collisions") readPair(*each, found_.checked);
      if (kind == "disable_default_collisions")
        if (const char* link = attribute(*each, "link")) found_.alone.emplace_back(link);
    }
  }

  /// Reads the map from links to lists of links in an XRDF or cuRobo file.
  void readYaml(const IgnoreJson& root) {
    const IgnoreJson* ignore = mapOf(root, 0);
    if (!ignore) return fail("has no self_collision with ignore, and no self_collision_ignore");
    if (ignore->is_null()) return;
    if (!ignore->is_object()) return fail("ignores collisions by no map of links");
    for (const auto& [link, others] : ignore->items()) {
      if (others.is_null()) continue;
      const bool sound =
          others.is_array() &&
          std::ranges::all_of(others, [](const IgnoreJson& name) { return name.is_string(); });
      if (!sound)
        return fail(fmt::format("has an ignore entry of \"{}\" that is not a list of links", link));
      for (const IgnoreJson& other : others) add(link, other.get<std::string>(), "", found_.pairs);
    }
  }

  void fail(const std::string& what) {
    if (!fault_)
      fault_ = Error{ErrorCode::BadFormat, fmt::format("\"{}\" {}", file_.string(), what)};
  }

 private:
  const char* attribute(const XMLElement& element, const char* name) {
    const char* text = element.Attribute(name);
    if (!text || !*text)
      fail(fmt::format("has a <{}> without {} in line {}", element.Name(), name,
                       element.GetLineNum()));
    return text;
  }

  void readPair(const XMLElement& element, std::vector<IgnoredPair>& pairs) {
    const char *first = attribute(element, "link1"), *second = attribute(element, "link2");
    if (fault_) return;
    const char* reason = element.Attribute("reason");
    // Unlike names, which are checked against the robot, reasons are written unchanged
    const std::string_view fault = xmlNameFault(reason ? reason : "");
    if (!fault.empty())
      return fail(fmt::format("has a <{}> in line {} whose reason {}", element.Name(),
                              element.GetLineNum(), fault));
    add(first, second, reason ? reason : "", pairs);
  }

  void add(const std::string& a, const std::string& b, const std::string& reason,
           std::vector<IgnoredPair>& pairs) {
    if (a == b) return fail(fmt::format("ignores collisions of \"{}\" with itself", a));
    pairs.push_back(ignoredPair(a, b, reason));
  }

  static const IgnoreJson* mapOf(const IgnoreJson& at, int depth) {
    if (!at.is_object() || depth > 8) return nullptr;
    if (at.contains("self_collision_ignore")) return &at["self_collision_ignore"];
    if (at.contains("self_collision") && at["self_collision"].is_object() &&
        at["self_collision"].contains("ignore"))
      return &at["self_collision"]["ignore"];
    for (const IgnoreJson& each : at)
      if (const IgnoreJson* found = mapOf(each, depth + 1)) return found;
    return nullptr;
  }

  const std::filesystem::path& file_;
  IgnoredPairs found_;
  std::optional<Error> fault_;
};

}  // namespace

IgnoredPair ignoredPair(std::string a, std::string b, std::string reason) {
  if (b < a) std::swap(a, b);
  return {std::move(a), std::move(b), std::move(reason)};
}

void sortIgnored(std::vector<IgnoredPair>& pairs) {
  const auto names = [](const IgnoredPair& pair) { return std::tie(pair.a, pair.b); };
  std::ranges::stable_sort(pairs, {}, names);
  // clang 14 does not compile std::ranges::unique
  const auto same =
      std::unique(pairs.begin(), pairs.end(),
                  [&](const IgnoredPair& p, const IgnoredPair& q) { return names(p) == names(q); });
  pairs.erase(same, pairs.end());
}

Result<IgnoredPairs> readIgnoredPairs(const std::filesystem::path& file) {
  const auto text = readTextFile(file);
  if (!text) return text.error();
  IgnoredReader reader(file);
  const std::size_t first = text->find_first_not_of(" \t\r\n");
  if (first != std::string::npos && (*text)[first] == '<') {
    const auto document = parseXml(*text, file);
    if (!document) return document.error();
    if (const auto expanded = checkExpanded(**document, file); !expanded) return expanded.error();
    reader.readSrdf(**document);
    return reader.finish();
  }
  const auto root = parseYaml(*text);
  if (root)
    reader.readYaml(*root);
  else
    reader.fail(fmt::format("is neither SRDF nor supported YAML: {}", root.error().message));
  return reader.finish();
}

void leaveChecked(const IgnoredPairs& ignored, std::vector<IgnoredPair>& pairs) {
  const auto names = [](const IgnoredPair& pair) { return std::tie(pair.a, pair.b); };
  std::erase_if(pairs, [&](const IgnoredPair& pair) {
    // They are sorted
    return std::ranges::binary_search(ignored.checked, names(pair), {}, names);
  });
}

namespace {

Error tooManyIgnored() {
  return {ErrorCode::TooLarge,
          fmt::format("more than {} pairs of links are ignored", maxIgnoredPairs)};
}

}  // namespace

Result<std::vector<IgnoredPair>> pairsAmong(const IgnoredPairs& ignored,
                                            std::span<const std::string> links) {
  const std::set<std::string> known(links.begin(), links.end());
  const auto alone = static_cast<std::size_t>(std::ranges::count_if(
      ignored.alone, [&known](const std::string& link) { return known.contains(link); }));
  if (ignored.pairs.size() + alone * known.size() > maxIgnoredPairs) return tooManyIgnored();
  const auto areKnown = [&](const IgnoredPair& pair) {
    return known.contains(pair.a) && known.contains(pair.b);
  };
  std::vector<IgnoredPair> pairs;
  std::ranges::copy_if(ignored.pairs, std::back_inserter(pairs), areKnown);
  for (const std::string& link : ignored.alone)
    for (const std::string& other : known)
      if (known.contains(link) && other != link)
        pairs.push_back(ignoredPair(link, other, "Default"));
  sortIgnored(pairs);
  leaveChecked(ignored, pairs);
  return pairs;
}

namespace {

/// For each link, the names of the links joined to it.
using Joined = std::map<std::string, std::set<std::string>>;

void join(const std::string& a, const std::string& b, Joined& joined) {
  joined[a].insert(b);
  joined[b].insert(a);
}

Joined jointsOfUrdf(const RobotFile& robot) {
  Joined joined;
  const XMLElement* root = robot.document->RootElement();
  for (const XMLElement* each = root->FirstChildElement("joint"); each;
       each = each->NextSiblingElement("joint")) {
    const XMLElement *parent = each->FirstChildElement("parent"),
                     *child = each->FirstChildElement("child");
    const char* a = parent ? parent->Attribute("link") : nullptr;
    const char* b = child ? child->Attribute("link") : nullptr;
    if (a && b) join(a, b, joined);
  }
  return joined;
}

Joined jointsOfMjcf(const RobotFile& robot) {
  std::map<const tinyxml2::XMLNode*, std::string> names;
  for (const RobotLink& link : robot.links) names[link.element] = link.name;
  Joined joined;
  for (const RobotLink& link : robot.links)
    for (const tinyxml2::XMLNode* at = link.element ? link.element->Parent() : nullptr; at;
         at = at->Parent())
      if (const auto found = names.find(at); found != names.end()) {
        join(found->second, link.name, joined);
        break;
      }
  return joined;
}

using LinkNames = std::set<std::string>;

/// Returns the links with shapes that are joined to `first` directly or through links without
/// shapes, which are added to `seen`.
std::vector<std::string> linksAround(const std::string& first, const Joined& joined,
                                     const LinkNames& solid, LinkNames& seen) {
  LinkNames around;
  std::vector<std::string> open{first};
  seen.insert(first);
  while (!open.empty()) {
    const std::string at = std::move(open.back());
    open.pop_back();
    for (const std::string& next : joined.at(at)) {
      if (solid.contains(next))
        around.insert(next);
      else if (seen.insert(next).second)
        open.push_back(next);
    }
  }
  return {around.begin(), around.end()};
}

}  // namespace

Result<std::vector<IgnoredPair>> adjacentPairs(const RobotFile& robot) {
  std::vector<IgnoredPair> pairs;
  if (!robot.document) return pairs;
  const Joined joined =
      robot.format == RobotFormat::Urdf ? jointsOfUrdf(robot) : jointsOfMjcf(robot);
  LinkNames solid, seen;
  for (const RobotLink& link : robot.links)
    if (!link.shapes.empty()) solid.insert(link.name);
  for (const auto& [link, neighbours] : joined) {
    if (solid.contains(link)) {
      for (const std::string& next : neighbours)
        if (link < next && solid.contains(next))
          pairs.push_back(ignoredPair(link, next, "Adjacent"));
      continue;
    }
    if (seen.contains(link)) continue;
    // Links without shapes connect their neighbours
    const std::vector<std::string> around = linksAround(link, joined, solid, seen);
    const std::size_t more = around.size() * around.size() / 2;
    if (pairs.size() + more > maxIgnoredPairs) return tooManyIgnored();
    for (std::size_t i = 0; i < around.size(); ++i)
      for (std::size_t k = i + 1; k < around.size(); ++k)
        pairs.push_back(ignoredPair(around[i], around[k], "Adjacent"));
  }
  sortIgnored(pairs);
  return pairs;
}

}  // namespace nearmiss::app::robot
