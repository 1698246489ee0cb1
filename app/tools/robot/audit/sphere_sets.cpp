// SPDX-License-Identifier: MIT
#include "tools/robot/audit/sphere_sets.h"

#include <engine/scene/json_limits.h>
#include <fmt/format.h>
#include <nearmiss/mesh.h>
#include <tinyxml2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "tools/robot/named_files.h"
#include "tools/robot/robot_file.h"
#include "tools/robot/urdf.h"
#include "tools/robot/yaml.h"

namespace nearmiss::app::robot {
namespace {

using SetJson = nlohmann::ordered_json;

/// Collects the spheres of one file; keeps the first fault.
class SetReader {
 public:
  explicit SetReader(const std::filesystem::path& file) : file_(file) {}

  Result<SphereSets> finish() {
    if (!fault_ && sets_.links.empty()) fail("holds no spheres");
    if (fault_) return *fault_;
    if (switchedOff_ > 0)
      sets_.remarks.push_back(fmt::format("\"{}\": {} spheres of a radius of 0 or less are off",
                                          file_.string(), switchedOff_));
    return std::move(sets_);
  }

  void fail(std::string_view what) {
    if (!fault_)
      fault_ = Error{ErrorCode::BadFormat, fmt::format("\"{}\" {}", file_.string(), what)};
  }
  [[nodiscard]] bool failed() const noexcept { return fault_.has_value(); }
  void remark(std::string text) { sets_.remarks.push_back(std::move(text)); }
  void name(std::vector<std::filesystem::path> files) { sets_.named = std::move(files); }

  std::vector<Sphere>& setOf(const std::string& link) {
    const auto [at, isNew] = places_.try_emplace(link, sets_.links.size());
    if (isNew) sets_.links.push_back({link, {}});
    return sets_.links[at->second].spheres;
  }

  /// Radii of 0 or less disable a sphere and are valid.
  static bool isRadius(Real radius) noexcept {
    return std::isfinite(radius) && radius <= maxMeshSize;
  }
  void failOf(const std::string& link) {
    fail(fmt::format("has a sphere of \"{}\" that is not finite or has a number above 1e15", link));
  }

  void add(const std::string& link, const Sphere& sphere) {
    if (!isWithin(sphere.centre, maxMeshSize) || !isRadius(sphere.radius)) return failOf(link);
    if (sphere.radius > 0.0)
      setOf(link).push_back(sphere);
    else
      ++switchedOff_;
  }

  /// Reads any of the JSON and YAML formats.
  void take(const SetJson& root) {
    if (root.is_object() && root.contains("format") && root["format"] == "xrdf")
      return readXrdf(root);
    if (const SetJson* holder = holderOfSpheres(root, 0)) return readCurobo(*holder);
    if (root.is_array()) return readLevels(root, "");
    if (!root.is_object()) return fail("holds no spheres");
    if (root.contains("links") && root["links"].is_array()) return readLinks(root["links"]);
    if (root.contains("levels") && root["levels"].is_array()) return readLevels(root["levels"], "");
    readMap(root);
  }

 private:
  /// The object that contains `collision_spheres`.
  static const SetJson* holderOfSpheres(const SetJson& at, int depth) {
    if (!at.is_object() || depth > 8) return nullptr;
    if (at.contains("collision_spheres")) return &at;
    for (const SetJson& each : at)
      if (const SetJson* found = holderOfSpheres(each, depth + 1)) return found;
    return nullptr;
  }

  void readCurobo(const SetJson& holder) {
    const SetJson& spheres = holder["collision_spheres"];
    if (spheres.is_string())
      return fail(fmt::format("names another file for its spheres, \"{}\": check that one",
                              spheres.get<std::string>()));
    if (!spheres.is_object()) return fail("has collision_spheres that are not a map of links");
    readMap(spheres);
    if (!holder.contains("collision_sphere_buffer")) return;
    const SetJson& buffer = holder["collision_sphere_buffer"];
    if (buffer.is_null()) return;
    if (buffer.is_object()) return addBuffers(buffer, "collision_sphere_buffer");
    if (!buffer.is_number())
      return fail("has a collision_sphere_buffer that is neither a number nor a map of links");
    for (SphereSet& set : sets_.links) widen(set, buffer.get<double>());
  }

  /// The geometry group named by `collision`, or the only one.
  void readXrdf(const SetJson& root) {
    const SetJson none = SetJson::object();
    const auto objectAt = [&none](const SetJson& at, const char* key) -> const SetJson& {
      return at.contains(key) && at[key].is_object() ? at[key] : none;
    };
    const SetJson &groups = objectAt(root, "geometry"), &collision = objectAt(root, "collision");
    if (groups.empty()) return fail("has no geometry");
    std::string name = groups.size() == 1 ? groups.begin().key() : "";
    if (collision.contains("geometry") && collision["geometry"].is_string())
      name = collision["geometry"].get<std::string>();
    if (name.empty()) return fail("has several groups of geometry, and its collision names none");
    if (!groups.contains(name))
      return fail(fmt::format("has no geometry \"{}\", which its collision names", name));
    const SetJson& group = groups[name];
    if (!group.is_object() || !group.contains("spheres") || !group["spheres"].is_object())
      return fail(fmt::format("has a geometry \"{}\" without a map of spheres", name));
    readMap(group["spheres"]);
    if (collision.contains("buffer_distance"))
      addBuffers(collision["buffer_distance"], "buffer_distance");
  }

  void addBuffers(const SetJson& buffers, std::string_view key) {
    if (!buffers.is_object()) return fail(fmt::format("has a {} that is not a map of links", key));
    for (const auto& [link, buffer] : buffers.items()) {
      if (buffer.is_null()) continue;
      if (!buffer.is_number())
        return fail(fmt::format("has a {} of \"{}\" that is not a number", key, link));
      for (SphereSet& set : sets_.links)
        if (set.link == link) widen(set, buffer.get<double>());
    }
  }

  /// A negative buffer may disable spheres.
  void widen(SphereSet& set, Real buffer) {
    for (Sphere& sphere : set.spheres) {
      sphere.radius += buffer;
      if (!isRadius(sphere.radius)) return failOf(set.link);
    }
    switchedOff_ += std::erase_if(set.spheres, [](const Sphere& s) { return !(s.radius > 0.0); });
  }

  void readMap(const SetJson& links) {
    for (const auto& [link, spheres] : links.items()) {
      if (!spheres.is_array() && !spheres.is_null())
        return fail(fmt::format("has \"{}\", which is not a list of spheres", link));
      setOf(link);
      for (const SetJson& each : spheres) take(link, each);
    }
  }

  void readLinks(const SetJson& links) {
    for (const SetJson& each : links) {
      if (!each.is_object() || !each.contains("name") || !each["name"].is_string() ||
          !each.contains("spheres") || !each["spheres"].is_array())
        return fail("has an entry of \"links\" without name and spheres");
      const auto link = each["name"].get<std::string>();
      setOf(link);
      for (const SetJson& sphere : each["spheres"]) take(link, sphere);
    }
  }

  /// Each level covers the link: use the last, finest one.
  void readLevels(const SetJson& levels, const std::string& link) {
    if (levels.empty()) return fail("holds no spheres");
    const SetJson& last = levels.back();
    if (!last.is_object() || !last.contains("spheres") || !last["spheres"].is_array())
      return fail("has a level without spheres");
    if (levels.size() > 1)
      remark(
          fmt::format("\"{}\": of {} levels the last is checked", file_.string(), levels.size()));
    setOf(link);
    for (const SetJson& sphere : last["spheres"]) take(link, sphere);
  }

  /// Reads {center or origin, radius}, or [x, y, z, radius].
  void take(const std::string& link, const SetJson& sphere) {
    const SetJson* at = nullptr;
    if (sphere.is_object())
      for (const char* name : {"center", "centre", "origin"})
        if (!at && sphere.contains(name)) at = &sphere[name];
    const SetJson* radius =
        sphere.is_object() && sphere.contains("radius") ? &sphere["radius"] : nullptr;
    if (sphere.is_array() && sphere.size() == 4) {
      at = &sphere;
      radius = &sphere[3];
    }
    const bool sound = at && radius && at->is_array() && at->size() >= 3 && (*at)[0].is_number() &&
                       (*at)[1].is_number() && (*at)[2].is_number() && radius->is_number();
    if (!sound)
      return fail(fmt::format(
          "has a sphere of \"{}\" without a centre of three numbers and a radius: {}", link,
          sphere.dump(-1, ' ', false, SetJson::error_handler_t::replace).substr(0, 80)));
    add(link, {{(*at)[0].get<double>(), (*at)[1].get<double>(), (*at)[2].get<double>()},
               radius->get<double>()});
  }

  const std::filesystem::path& file_;
  SphereSets sets_;
  std::unordered_map<std::string, std::size_t> places_;  ///< index in sets_ by link
  std::size_t switchedOff_ = 0;
  std::optional<Error> fault_;
};

std::vector<std::string_view> cellsOf(std::string_view row) {
  std::vector<std::string_view> cells;
  for (;;) {
    const std::size_t comma = std::min(row.find(','), row.size());
    std::string_view cell = row.substr(0, comma);
    const std::size_t first = std::min(cell.find_first_not_of(" \t\r\""), cell.size());
    cell.remove_prefix(first);
    cells.push_back(cell.substr(0, cell.find_last_not_of(" \t\r\"") + 1));
    if (comma == row.size()) return cells;
    row.remove_prefix(comma + 1);
  }
}

constexpr std::size_t noColumn = static_cast<std::size_t>(-1);

/// The first column with one of these names.
std::size_t columnOf(const std::vector<std::string_view>& head,
                     std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    for (std::size_t i = 0; i < head.size(); ++i)
      if (head[i] == name) return i;
  return noColumn;
}

/// Detects spheres whose parent is in the file: they are part of a tree, not of a set.
class CsvParents {
 public:
  explicit CsvParents(const std::vector<std::string_view>& head)
      : level_(columnOf(head, {"level"})),
        index_(columnOf(head, {"index"})),
        parents_(columnOf(head, {"parents"})) {}

  [[nodiscard]] bool isTree(const std::vector<std::string_view>& cells) {
    if (std::max({level_, index_, parents_}) >= cells.size()) return false;
    const auto level = numbersIn(cells[level_]), index = numbersIn(cells[index_]);
    const auto parents = numbersIn(cells[parents_]);
    if (!level || level->size() != 1 || !index || index->size() != 1 || !parents) return false;
    seen_.emplace((*level)[0], (*index)[0]);
    return std::any_of(parents->begin(), parents->end(), [&](Real parent) {
      return seen_.contains({(*level)[0] - 1.0, parent});
    });
  }

 private:
  std::size_t level_, index_, parents_;
  std::set<std::pair<Real, Real>> seen_;
};

void readCsv(std::string_view text, SetReader& reader) {
  std::vector<std::string_view> head;
  std::array<std::size_t, 5> column{};
  std::optional<CsvParents> parents;
  for (std::size_t number = 1; !text.empty() && !reader.failed(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view row = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (row.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto cells = cellsOf(row);
    if (head.empty()) {
      head = cells;
      parents.emplace(head);
      column = {columnOf(head, {"x", "cx"}), columnOf(head, {"y", "cy"}),
                columnOf(head, {"z", "cz"}), columnOf(head, {"radius", "r"}),
                columnOf(head, {"link", "name"})};
      if (*std::max_element(column.begin(), column.begin() + 4) == noColumn)
        return reader.fail("is CSV without the columns x, y, z and radius (or cx, cy, cz and r)");
      continue;
    }
    // A decimal comma splits a number into two cells and shifts the others
    if (cells.size() != head.size())
      return reader.fail(fmt::format("has {} cells in line {}, where its heading has {}",
                                     cells.size(), number, head.size()));
    std::array<Real, 4> numbers{};
    for (std::size_t i = 0; i < 4; ++i) {
      const auto read = numbersIn(cells[column[i]]);
      if (!read || read->size() != 1)
        return reader.fail(
            fmt::format("has no number for \"{}\" in line {}", head[column[i]], number));
      numbers[i] = (*read)[0];
    }
    if (parents->isTree(cells))
      return reader.fail(
          "holds a tree, whose upper levels cover it anyway: export one level of it");
    const std::string link(column[4] == noColumn ? std::string_view() : cells[column[4]]);
    reader.add(link, {{numbers[0], numbers[1], numbers[2]}, numbers[3]});
  }
}

/// The `link_sphere_approximation` of an SRDF.
void readSrdfSpheres(const tinyxml2::XMLDocument& document, SetReader& reader) {
  constexpr const char* kind = "link_sphere_approximation";
  const tinyxml2::XMLElement* root = document.RootElement();
  for (const auto* each = root->FirstChildElement(kind); each;
       each = each->NextSiblingElement(kind)) {
    const char* link = each->Attribute("link");
    if (!link)
      return reader.fail(
          fmt::format("has a <{}> without link in line {}", kind, each->GetLineNum()));
    reader.setOf(link);
    for (const auto* sphere = each->FirstChildElement("sphere"); sphere;
         sphere = sphere->NextSiblingElement("sphere")) {
      const char *centre = sphere->Attribute("center"), *radius = sphere->Attribute("radius");
      const auto at = centre ? numbersIn(centre) : std::nullopt;
      const auto size = radius ? numbersIn(radius) : std::nullopt;
      if (!at || at->size() != 3 || !size || size->size() != 1)
        return reader.fail(
            fmt::format("has a <sphere> without a center of three numbers and a radius in line {}",
                        sphere->GetLineNum()));
      reader.add(link, {{(*at)[0], (*at)[1], (*at)[2]}, (*size)[0]});
    }
  }
}

bool isSrdfWithSpheres(const tinyxml2::XMLDocument& document) {
  const tinyxml2::XMLElement* root = document.RootElement();
  return root && root->FirstChildElement("link_sphere_approximation");
}

void readRobotSpheres(const RobotFile& robot, SetReader& reader) {
  std::size_t others = 0;
  for (const RobotLink& link : robot.links) {
    if (link.shapes.empty()) continue;
    reader.setOf(link.name);
    for (const LinkShape& shape : link.shapes) {
      if (shape.kind == LinkShapeKind::Sphere)
        reader.add(link.name, {shape.at, shape.size.x});
      else
        ++others;
    }
  }
  if (others > 0)
    reader.remark(fmt::format(
        "{} collision shapes next to the spheres are not spheres and are ignored", others));
}

}  // namespace

Result<SphereSets> readSphereSets(const std::filesystem::path& file,
                                  const std::vector<std::filesystem::path>& packageFolders) {
  auto text = readTextFile(file);
  if (!text) return text.error();
  SetReader reader(file);
  const std::size_t first = text->find_first_not_of(" \t\r\n");
  const char begin = first == std::string::npos ? '\0' : (*text)[first];
  const std::string ending = file.extension().string();
  if (begin == '<') {
    auto document = parseXml(*text, file);
    if (!document) return document.error();
    if (isSrdfWithSpheres(**document)) {
      if (const auto expanded = checkExpanded(**document, file); !expanded) return expanded.error();
      readSrdfSpheres(**document, reader);
      return reader.finish();
    }
    const RobotReading reading{false, packageFolders};
    const auto robot = readRobot(*std::move(document), file, reading);
    if (!robot) return robot.error();
    reader.name(namedFiles(*robot, file, reading));
    readRobotSpheres(*robot, reader);
  } else if (ending == ".yml" || ending == ".yaml" || ending == ".xrdf") {
    const auto root = parseYaml(*text);
    if (root)
      reader.take(*root);
    else
      reader.fail(fmt::format("is not supported YAML: {}", root.error().message));
  } else if (begin == '{' || begin == '[') {
    const std::string_view excess = engine::jsonExcess(*text);
    const SetJson root = excess.empty() ? SetJson::parse(*text, nullptr, false)
                                        : SetJson(SetJson::value_t::discarded);
    if (!excess.empty())
      reader.fail(excess);
    else if (root.is_discarded())
      reader.fail("is not valid JSON");
    else
      reader.take(root);
  } else {
    readCsv(*text, reader);
  }
  return reader.finish();
}

}  // namespace nearmiss::app::robot
