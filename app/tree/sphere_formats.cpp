// SPDX-License-Identifier: MIT
#include "tree/sphere_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

namespace nearmiss::app {
namespace {

using Json = nlohmann::ordered_json;

std::string number(Real value) { return fmt::format("{:.17g}", value); }

std::string spaced(const Vec3& p) { return fmt::format("{:.17g} {:.17g} {:.17g}", p.x, p.y, p.z); }

Json toJson(const Vec3& p) { return Json::array({p.x, p.y, p.z}); }

/// The text of a value for XML and for a plain YAML key.
std::string plainName(const std::string& name) {
  std::string plain;
  for (const char c : name) {
    const bool safe = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || c == '-';
    plain += safe ? c : '_';
  }
  const bool digit = !plain.empty() && ((plain[0] >= '0' && plain[0] <= '9') || plain[0] == '-');
  return plain.empty() || digit ? "model_" + plain : plain;
}

bool wanted(int level, int only) { return only < 0 || level == only; }

/// The spheres that cover the model at a level: its own and the leaves above it.
std::vector<const ListedSphere*> coverAt(const SphereListing& listing, std::size_t level) {
  std::vector<const ListedSphere*> cover;
  for (std::size_t l = 0; l <= level; ++l)
    for (const ListedSphere& each : listing.levels[l])
      if (l == level || each.children.empty()) cover.push_back(&each);
  return cover;
}

/// The spheres that a format without levels writes: of the level wanted, or of the finest.
std::vector<const ListedSphere*> coverOf(const SphereListing& listing, int only) {
  return coverAt(listing, only < 0 ? listing.levels.size() - 1 : static_cast<std::size_t>(only));
}

Result<std::string> writeCsv(const SphereListing& listing, int only) {
  std::string text = "level,index,parent,cx,cy,cz,r,h\n";
  for (int l = 0; l < static_cast<int>(listing.levels.size()); ++l) {
    if (!wanted(l, only)) continue;
    const auto& level = listing.levels[static_cast<std::size_t>(l)];
    for (std::size_t i = 0; i < level.size(); ++i) {
      const ListedSphere& each = level[i];
      const Vec3& c = each.sphere.centre;
      const auto line = [&](std::int64_t parent) {
        fmt::format_to(std::back_inserter(text),
                       "{},{},{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g}\n", l, i, parent, c.x, c.y,
                       c.z, each.sphere.radius, each.h);
      };
      if (each.parents.empty()) line(-1);
      for (const std::size_t parent : each.parents) line(static_cast<std::int64_t>(parent));
    }
  }
  return text;
}

Result<std::string> writeJson(const SphereListing& listing, int only) {
  Json levels = Json::array();
  for (int l = 0; l < static_cast<int>(listing.levels.size()); ++l) {
    if (!wanted(l, only)) continue;
    Json spheres = Json::array();
    for (const ListedSphere& each : listing.levels[static_cast<std::size_t>(l)]) {
      Json sphere{
          {"center", toJson(each.sphere.centre)}, {"radius", each.sphere.radius}, {"h", each.h}};
      if (!listing.flat) sphere["parents"] = each.parents;
      spheres.push_back(std::move(sphere));
    }
    levels.push_back({{"level", l}, {"spheres", std::move(spheres)}});
  }
  const Json whole{{"name", listing.name},
                   {"builder", listing.builder},
                   {"frame", listing.sourceFrame ? "source" : "centred, radius 1"},
                   {"flat", listing.flat},
                   {"levels", std::move(levels)}};
  return whole.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<std::string> writeCurobo(const SphereListing& listing, int only) {
  std::string text = fmt::format("collision_spheres:\n  {}:\n", plainName(listing.name));
  for (const ListedSphere* each : coverOf(listing, only)) {
    const Vec3& c = each->sphere.centre;
    fmt::format_to(std::back_inserter(text), "    - center: [{}, {}, {}]\n      radius: {}\n",
                   number(c.x), number(c.y), number(c.z), number(each->sphere.radius));
  }
  return text;
}

Result<std::string> writeFoam(const SphereListing& listing, int only) {
  Json whole = Json::array();
  for (int l = 0; l < static_cast<int>(listing.levels.size()); ++l) {
    if (!wanted(l, only)) continue;
    Json spheres = Json::array();
    Real sum = 0.0, worst = 0.0, best = std::numeric_limits<Real>::infinity();
    const auto level = coverAt(listing, static_cast<std::size_t>(l));
    for (const ListedSphere* each : level) {
      spheres.push_back({{"origin", toJson(each->sphere.centre)}, {"radius", each->sphere.radius}});
      sum += each->h;
      best = std::min(best, each->h);
      worst = std::max(worst, each->h);
    }
    whole.push_back({{"mean", sum / static_cast<Real>(level.size())},
                     {"best", best},
                     {"worst", worst},
                     {"spheres", std::move(spheres)}});
  }
  return whole.dump(1) + "\n";
}

Result<std::string> writeUrdf(const SphereListing& listing, int only) {
  const std::string name = plainName(listing.name);
  std::string text =
      fmt::format("<?xml version=\"1.0\"?>\n<robot name=\"{0}\">\n  <link name=\"{0}\">\n", name);
  for (const ListedSphere* each : coverOf(listing, only))
    fmt::format_to(std::back_inserter(text),
                   "    <collision>\n      <origin xyz=\"{}\" rpy=\"0 0 0\"/>\n      <geometry>\n"
                   "        <sphere radius=\"{}\"/>\n      </geometry>\n    </collision>\n",
                   spaced(each->sphere.centre), number(each->sphere.radius));
  text += "  </link>\n</robot>\n";
  return text;
}

void appendSph(const ListedSphere* each, std::string& text) {
  if (!each) {
    text += "0 0 0 -1 0\n";
    return;
  }
  fmt::format_to(std::back_inserter(text), "{} {} 1\n", spaced(each->sphere.centre),
                 number(each->sphere.radius));
}

/// A whole tree in an array, level by level, the children of slot i of a level at branch * i of the
/// next; what several parents share is written below each of them.
Result<std::string> writeSph(const SphereListing& listing, int only) {
  constexpr std::size_t most = 4'000'000;
  const std::size_t depth =
      only < 0 ? listing.levels.size() : static_cast<std::size_t>(only) + std::size_t{1};
  if (listing.flat) {
    std::string text = fmt::format("1 {}\n", listing.levels.front().size());
    for (const ListedSphere& each : listing.levels.front()) appendSph(&each, text);
    return text;
  }
  std::size_t branch = 1;
  for (std::size_t l = 0; l + 1 < depth; ++l)
    for (const ListedSphere& each : listing.levels[l])
      branch = std::max(branch, each.children.size());
  std::size_t slots = 1, total = 1;
  for (std::size_t l = 1; l < depth && total <= most; ++l) total += slots *= branch;
  if (total > most)
    return Error{ErrorCode::TooLarge,
                 fmt::format("as .sph this tree needs over {} places ({} levels of up to {} "
                             "children); --level chooses fewer levels",
                             most, depth, branch)};

  std::string text = fmt::format("{} {}\n", depth, branch);
  std::vector<const ListedSphere*> row{&listing.levels[0][0]}, next;
  for (std::size_t l = 0; l < depth; ++l) {
    next.clear();
    for (const ListedSphere* each : row) {
      appendSph(each, text);
      if (l + 1 == depth) continue;
      const std::size_t filled = each ? each->children.size() : 0;
      for (std::size_t k = 0; k < filled; ++k)
        next.push_back(&listing.levels[l + 1][each->children[k]]);
      next.resize(next.size() + branch - filled, nullptr);
    }
    row.swap(next);
  }
  return text;
}

constexpr std::array<SphereFormat, 6> formats{{
    {"csv", "level,index,parent,cx,cy,cz,r,h; a line for each link of a sphere to a parent",
     writeCsv},
    {"json", "all levels, with H and parents", writeJson},
    {"curobo", "YAML collision_spheres of one level, as cuRobo reads them", writeCurobo},
    {"foam", "JSON levels of origins and radii, as foam writes them", writeFoam},
    {"urdf", "a link with <sphere> collision elements of one level", writeUrdf},
    {"sph", "the toolkit format of sphere trees: levels branch, then x y z r importance", writeSph},
}};

}  // namespace

std::span<const SphereFormat> sphereFormats() noexcept { return formats; }

}  // namespace nearmiss::app
