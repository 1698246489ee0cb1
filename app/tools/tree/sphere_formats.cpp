// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <utility>

#include "tools/tree/sphere_formats.h"

namespace nearmiss::app::tree {

std::vector<std::vector<ListedSphere>> listLevels(const SphereTree& tree, int deepest) {
  std::vector<std::vector<ListedSphere>> levels;
  std::vector<SphereId> ids, above;
  for (int l = 0; l < tree.levelCount() && l <= deepest; ++l) {
    tree.spheresOf(l, ids);
    std::vector<ListedSphere>& level = levels.emplace_back();
    for (const SphereId id : ids)
      level.push_back({tree.sphere(id), static_cast<Real>(tree.hausdorff(id)), {}, {}});

    // Ids ascend within a level, so binary search finds a child
    for (std::size_t parent = 0; l > 0 && parent < above.size(); ++parent) {
      const std::uint32_t packs = tree.childPackCount(above[parent]);
      const SphereLinks& links = tree.data().links[above[parent] / SpherePack::width];
      const SphereId first =
          packs == 0 ? 0 : links.childPack[above[parent] % SpherePack::width] * SpherePack::width;
      for (SphereId slot = first; slot < first + packs * SpherePack::width; ++slot) {
        if (tree.sphere(slot).radius < 0.0) continue;
        const auto found = std::lower_bound(ids.begin(), ids.end(), tree.identity(slot));
        const auto child = static_cast<std::size_t>(found - ids.begin());
        level[child].parents.push_back(parent);
        levels[levels.size() - 2][parent].children.push_back(child);
      }
    }
    above = ids;
  }
  return levels;
}

void moveTo(const SourceFrame& frame, std::vector<std::vector<ListedSphere>>& levels) {
  constexpr Real epsilon = std::numeric_limits<Real>::epsilon();
  for (std::vector<ListedSphere>& level : levels)
    for (ListedSphere& each : level) {
      Sphere& sphere = each.sphere;
      sphere.centre = sphere.centre / frame.scale + frame.centre;
      const Vec3 size = glm::abs(sphere.centre) + glm::abs(frame.centre);
      sphere.radius = sphere.radius / frame.scale * (1.0 + 4.0 * epsilon);
      const Real largest = std::max({size.x, size.y, size.z}) + sphere.radius;
      const Real lost = 8.0 * epsilon * largest + frame.rounding;
      sphere.radius += lost;
      each.h = each.h / frame.scale * (1.0 + 4.0 * epsilon) + 2.0 * lost;
    }
}

namespace {

using Json = nlohmann::ordered_json;

std::string number(Real value) { return fmt::format("{:.17g}", value); }

std::string spaced(const Vec3& p) { return fmt::format("{:.17g} {:.17g} {:.17g}", p.x, p.y, p.z); }

Json toJson(const Vec3& p) { return Json::array({p.x, p.y, p.z}); }

/// A sphere and its position in the tree.
struct PlacedSphere {
  std::size_t level, index;
  const ListedSphere* listed;
};

std::vector<PlacedSphere> levelOf(const SphereListing& listing, std::size_t level) {
  std::vector<PlacedSphere> spheres;
  for (std::size_t i = 0; i < listing.levels[level].size(); ++i)
    spheres.push_back({level, i, &listing.levels[level][i]});
  return spheres;
}

/// The spheres that cover the model at a level: those of the level and the leaves above it.
std::vector<PlacedSphere> coverAt(const SphereListing& listing, std::size_t level) {
  std::vector<PlacedSphere> cover;
  for (std::size_t l = 0; l <= level; ++l)
    for (const PlacedSphere& each : levelOf(listing, l))
      if (l == level || each.listed->children.empty()) cover.push_back(each);
  return cover;
}

/// For formats without levels: the cover at the requested level, or at the finest.
std::vector<PlacedSphere> coverOf(const SphereListing& listing, int only) {
  return coverAt(listing, only < 0 ? listing.levels.size() - 1 : static_cast<std::size_t>(only));
}

/// For formats with levels: all spheres, or the cover at one level.
std::vector<PlacedSphere> placedOf(const SphereListing& listing, int only) {
  if (only >= 0) return coverOf(listing, only);
  std::vector<PlacedSphere> all;
  for (std::size_t l = 0; l < listing.levels.size(); ++l)
    for (const PlacedSphere& each : levelOf(listing, l)) all.push_back(each);
  return all;
}

Result<WrittenSpheres> writeCsv(const SphereListing& listing, int only) {
  std::string text = "level,index,parents,cx,cy,cz,r,h\n";
  const std::vector<PlacedSphere> spheres = placedOf(listing, only);
  for (const PlacedSphere& each : spheres) {
    const Vec3& c = each.listed->sphere.centre;
    fmt::format_to(std::back_inserter(text), "{},{},{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g}\n",
                   each.level, each.index, fmt::join(each.listed->parents, " "), c.x, c.y, c.z,
                   each.listed->sphere.radius, each.listed->h);
  }
  return WrittenSpheres{std::move(text), spheres.size()};
}

Result<WrittenSpheres> writeJson(const SphereListing& listing, int only) {
  Json levels = Json::array();
  const std::vector<PlacedSphere> spheres = placedOf(listing, only);
  for (const PlacedSphere& each : spheres) {
    if (levels.empty() || levels.back()["level"] != each.level)
      levels.push_back({{"level", each.level}, {"spheres", Json::array()}});
    Json sphere{{"index", each.index},
                {"center", toJson(each.listed->sphere.centre)},
                {"radius", each.listed->sphere.radius},
                {"h", each.listed->h}};
    if (!listing.flat) sphere["parents"] = each.listed->parents;
    levels.back()["spheres"].push_back(std::move(sphere));
  }
  const Json whole{{"name", listing.name},
                   {"builder", listing.builder},
                   {"frame", listing.sourceFrame ? "source" : "centred, radius 1"},
                   {"flat", listing.flat},
                   {"levels", std::move(levels)}};
  return WrittenSpheres{whole.dump(1, ' ', false, Json::error_handler_t::replace) + "\n",
                        spheres.size()};
}

Result<WrittenSpheres> writeCurobo(const SphereListing& listing, int only) {
  const std::vector<PlacedSphere> spheres = coverOf(listing, only);
  std::string text = fmt::format("collision_spheres:\n  \"{}\":\n", plainName(listing.name));
  for (const PlacedSphere& each : spheres) text += curoboEntry(each.listed->sphere);
  return WrittenSpheres{std::move(text), spheres.size()};
}

Result<WrittenSpheres> writeFoam(const SphereListing& listing, int only) {
  Json whole = Json::array();
  std::size_t count = 0;
  for (std::size_t l = 0; l < listing.levels.size(); ++l) {
    if (only >= 0 && l != static_cast<std::size_t>(only)) continue;
    Json spheres = Json::array();
    Real sum = 0.0, worst = 0.0, best = std::numeric_limits<Real>::infinity();
    const auto level = coverAt(listing, l);
    for (const PlacedSphere& each : level) {
      spheres.push_back(
          {{"origin", toJson(each.listed->sphere.centre)}, {"radius", each.listed->sphere.radius}});
      sum += each.listed->h;
      best = std::min(best, each.listed->h);
      worst = std::max(worst, each.listed->h);
    }
    count += level.size();
    whole.push_back({{"mean", sum / static_cast<Real>(level.size())},
                     {"best", best},
                     {"worst", worst},
                     {"spheres", std::move(spheres)}});
  }
  return WrittenSpheres{whole.dump(1) + "\n", count};
}

Result<WrittenSpheres> writeUrdf(const SphereListing& listing, int only) {
  const std::vector<PlacedSphere> spheres = coverOf(listing, only);
  const std::string name = plainName(listing.name);
  std::string text =
      fmt::format("<?xml version=\"1.0\"?>\n<robot name=\"{0}\">\n  <link name=\"{0}\">\n", name);
  for (const PlacedSphere& each : spheres)
    fmt::format_to(std::back_inserter(text),
                   "    <collision>\n      <origin xyz=\"{}\" rpy=\"0 0 0\"/>\n      <geometry>\n"
                   "        <sphere radius=\"{}\"/>\n      </geometry>\n    </collision>\n",
                   spaced(each.listed->sphere.centre), number(each.listed->sphere.radius));
  text += "  </link>\n</robot>\n";
  return WrittenSpheres{std::move(text), spheres.size()};
}

void appendSph(const ListedSphere& each, std::string& text) {
  fmt::format_to(std::back_inserter(text), "{} {} 1\n", spaced(each.sphere.centre),
                 number(each.sphere.radius));
}

/// The number of children of each sphere down to level `depth` if it is constant and there are no
/// leaves above; otherwise 0.
std::size_t evenBranch(const SphereListing& listing, std::size_t depth) {
  const std::size_t branch = listing.levels[0][0].children.size();
  for (std::size_t l = 0; l + 1 < depth; ++l)
    for (const ListedSphere& each : listing.levels[l])
      if (each.children.size() != branch) return 0;
  return branch;
}

/// A ball around all spheres, centred at the middle of their box, rounded up slightly.
ListedSphere ballAround(const std::vector<PlacedSphere>& spheres) {
  Box bounds;
  for (const PlacedSphere& each : spheres) bounds.include(each.listed->sphere.centre);
  ListedSphere ball;
  ball.sphere = {bounds.centre(), 0.0};
  for (const PlacedSphere& each : spheres)
    ball.sphere.radius =
        std::max(ball.sphere.radius, glm::distance(ball.sphere.centre, each.listed->sphere.centre) +
                                         each.listed->sphere.radius);
  ball.sphere.radius *= 1.0 + 1e-12;
  return ball;
}

/// In this format, all spheres have the same number of children. If that is true of the tree, it is
/// written as it is. Otherwise, a root is written whose children are the spheres of one level.
Result<WrittenSpheres> writeSph(const SphereListing& listing, int only) {
  const std::size_t depth =
      only < 0 ? listing.levels.size() : static_cast<std::size_t>(only) + std::size_t{1};
  const std::size_t branch = depth > 1 ? evenBranch(listing, depth) : 0;
  if (branch == 0) {
    const std::vector<PlacedSphere> cover = coverOf(listing, only);
    const ListedSphere root = cover.size() == 1 ? *cover[0].listed : ballAround(cover);
    std::string text = cover.size() == 1 ? "1 1\n" : fmt::format("2 {}\n", cover.size());
    appendSph(root, text);
    if (cover.size() == 1) return WrittenSpheres{std::move(text), 1};
    for (const PlacedSphere& each : cover) appendSph(*each.listed, text);
    return WrittenSpheres{std::move(text), cover.size() + 1};
  }
  constexpr std::size_t most = 4'000'000;
  std::string text = fmt::format("{} {}\n", depth, branch);
  std::size_t count = 0;
  std::vector<const ListedSphere*> row{&listing.levels[0][0]}, next;
  for (std::size_t l = 0; l < depth; ++l) {
    if (count + row.size() > most)
      return Error{ErrorCode::TooLarge,
                   fmt::format("as .sph this tree has over {} spheres ({} levels of {} children); "
                               "--level chooses fewer levels",
                               most, depth, branch)};
    next.clear();
    for (const ListedSphere* each : row) {
      appendSph(*each, text);
      if (l + 1 == depth) continue;
      for (const std::size_t child : each->children) next.push_back(&listing.levels[l + 1][child]);
    }
    count += row.size();
    row.swap(next);
  }
  return WrittenSpheres{std::move(text), count};
}

constexpr std::array<SphereFormat, 6> formats{{
    {"csv", "level,index,parents,cx,cy,cz,r,h; a line for each sphere", writeCsv},
    {"json", "all levels, with H and parents", writeJson},
    {"curobo", "YAML collision_spheres of one level, as cuRobo reads them", writeCurobo},
    {"foam", "JSON levels of origins and radii, as foam writes them", writeFoam},
    {"urdf", "a link with <sphere> collision elements of one level", writeUrdf},
    {"sph",
     "the toolkit format of sphere trees: levels branch, then x y z r importance; without padding",
     writeSph},
}};

}  // namespace

std::string extensionOf(std::string_view name) {
  if (name == "curobo") return ".yml";
  return name == "foam" ? ".json" : "." + std::string(name);
}

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

std::string curoboEntry(const Sphere& sphere) {
  const Vec3& c = sphere.centre;
  return fmt::format("    - center: [{}, {}, {}]\n      radius: {}\n", number(c.x), number(c.y),
                     number(c.z), number(sphere.radius));
}

std::span<const SphereFormat> sphereFormats() noexcept { return formats; }

const SphereFormat& sphereFormat(std::string_view name) noexcept {
  return *std::find_if(formats.begin(), formats.end(),
                       [name](const SphereFormat& each) { return each.name == name; });
}

}  // namespace nearmiss::app::tree
