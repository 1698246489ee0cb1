// SPDX-License-Identifier: MIT
#include "fly/gfx/pass/ship_pass.h"

#include <algorithm>
#include <cstddef>
#include <glm/common.hpp>
#include <glm/exponential.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <tuple>
#include <utility>

#include "fly/gfx/detail_levels.h"
#include "fly/gfx/hull_marks.h"

namespace nearmiss::app::fly {
namespace {

/// Inverts the tone curve of shaders/display.glsl, so that `linear` under unit light appears
/// unchanged: a livery should be recognisable.
glm::vec3 shownAs(const glm::vec3& linear) {
  const glm::vec3 shown =
      glm::min(glm::pow(glm::max(linear, glm::vec3(0.0f)), glm::vec3(1.0f / 2.2f)), 0.95f);
  return 0.155f * shown / (1.019f - shown);
}

/// Mipmapped, so that panels smaller than a pixel fade to their mean.
Texture loadHullPicture() {
  const HullPicture picture = drawHullPicture();
  Texture texture = makeTexture();
  glBindTexture(GL_TEXTURE_2D, texture.get());
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, HullPicture::width, HullPicture::height, 0, GL_RED,
               GL_UNSIGNED_BYTE, picture.light.data());
  glGenerateMipmap(GL_TEXTURE_2D);
  for (const auto& [name, value] :
       {std::pair(GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST),
        std::pair(GL_TEXTURE_MAG_FILTER, GL_LINEAR), std::pair(GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE),
        std::pair(GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE)})
    glTexParameteri(GL_TEXTURE_2D, static_cast<GLenum>(name), value);
  return texture;
}

}  // namespace

ShipPass::ShipPass(ShaderLoader& load)
    : shade_(load("ship")), outline_(load("outline")), hullPicture_(loadHullPicture()) {}

void ShipPass::setModels(std::span<const engine::DrawMesh* const> meshes,
                         std::span<const HullMarks> marks) {
  models_.clear();
  for (std::size_t i = 0; i < meshes.size(); ++i)
    models_.push_back(uploadModel(*meshes[i], i < marks.size() ? marks[i] : HullMarks()));
}

ShipPass::Instance ShipPass::instanceOf(const ShipInstance& ship, const ShipModel& model,
                                        const Camera& camera) {
  const glm::mat3 turn(glm::mat3_cast(ship.pose.rotation));
  const glm::vec3 place(ship.pose.position - camera.pose.position);
  Instance instance;
  for (int i = 0; i < 3; ++i) {
    instance.rows[i] = {turn[0][i], turn[1][i], turn[2][i], place[i]};
  }
  // White means unpainted.
  const float painted = ship.tint == glm::vec3(1.0f) ? 0.0f : 1.0f;
  instance.livery = {shownAs(ship.tint), painted};
  instance.outline = {ship.outlineColour, ship.outline};
  instance.glow = ship.glow;
  const float reach = 0.7f * model.radius;
  const float perSquare = 1.0f / (reach * reach);
  instance.hit = {glm::vec3(ship.hit - camera.pose.position), ship.own ? -perSquare : perSquare};
  return instance;
}

/// Tolerates a vertex displacement of one pixel; up to three if there are too many triangles; up to
/// eight, except for the nearest ship, if there are more than `most`.
void ShipPass::chooseLevels(std::span<const ShipInstance> ships, float pixel, std::size_t most) {
  constexpr std::size_t defaultTriangles = 150000;
  constexpr float defaultError = 3.0f, maxError = 8.0f, growth = 1.25f;
  const auto nearest =
      std::ranges::min_element(visible_, {}, [this](std::uint32_t i) { return distances_[i]; });
  for (float error = 1.0f; error <= maxError; error *= growth) {
    triangles_ = 0;
    for (const std::uint32_t i : visible_) {
      const ShipModel& model = models_[static_cast<std::size_t>(ships[i].shape)];
      const float own = i == *nearest ? std::min(error, defaultError) : error;
      // The nearest possible point of the ship
      const auto near = static_cast<float>(distances_[i]) - model.radius;
      levels_[i] = levelFor(model.cells, own * pixel * near);
      triangles_ += model.levels[levels_[i]].count / 3;
    }
    if (triangles_ <= most && (triangles_ <= defaultTriangles || error * growth > defaultError))
      break;
  }
}

void ShipPass::prepare(std::span<const ShipInstance> ships, const Camera& camera,
                       const ViewCone& view, float pixel, std::size_t maxTriangles) {
  visible_.clear();
  instances_.clear();
  groups_.clear();
  distances_.clear();
  levels_.assign(ships.size(), 0);
  for (std::size_t i = 0; i < ships.size(); ++i) {
    const auto model = static_cast<std::size_t>(ships[i].shape);
    const Vec3& place = ships[i].pose.position;
    distances_.push_back(glm::distance(place, camera.pose.position));
    if (model < models_.size() &&
        view.mayBeVisible(place, static_cast<double>(models_[model].radius))) {
      visible_.push_back(static_cast<std::uint32_t>(i));
    }
  }
  chooseLevels(ships, pixel, maxTriangles);
  // Sort by model and level, so that one call draws each group; outlined ships first, so that one
  // call draws their silhouettes; then by distance, so that hidden ships are cheap.
  const auto key = [&](std::uint32_t i) {
    const ShipInstance& ship = ships[i];
    return std::tuple(static_cast<std::uint32_t>(ship.shape), levels_[i], ship.outline <= 0.0f,
                      distances_[i], i);
  };
  std::sort(visible_.begin(), visible_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  for (const std::uint32_t i : visible_) {
    const auto model = static_cast<std::size_t>(ships[i].shape);
    if (groups_.empty() || groups_.back().model != model || groups_.back().level != levels_[i]) {
      groups_.push_back({model, levels_[i], instances_.size(), 0, 0});
    }
    ++groups_.back().count;
    if (ships[i].outline > 0.0f) ++groups_.back().outlined;
    instances_.push_back(instanceOf(ships[i], models_[model], camera));
  }
  if (!instances_.empty()) {
    stream_.write(GL_ARRAY_BUFFER, std::span<const Instance>(instances_));
  }
}

/// Draws the first `count` ships of a group.
void ShipPass::drawGroup(const Group& group, std::size_t count) {
  const ShipModel& model = models_[group.model];
  glBindVertexArray(model.vertexArray.get());
  glBindBuffer(GL_ARRAY_BUFFER, stream_.get());
  setAttributes({{5, 4, offsetof(Instance, rows)},
                 {6, 4, offsetof(Instance, rows) + sizeof(glm::vec4)},
                 {7, 4, offsetof(Instance, rows) + 2 * sizeof(glm::vec4)},
                 {8, 4, offsetof(Instance, livery)},
                 {9, 4, offsetof(Instance, outline)},
                 {10, 1, offsetof(Instance, glow)},
                 {12, 4, offsetof(Instance, hit)}},
                sizeof(Instance), 1, group.first * sizeof(Instance));
  const ShipModel::Range& range = model.levels[group.level];
  glDrawElementsInstanced(GL_TRIANGLES, static_cast<GLsizei>(range.count), GL_UNSIGNED_INT,
                          reinterpret_cast<const void*>(range.first * sizeof(std::uint32_t)),
                          static_cast<GLsizei>(count));
}

void ShipPass::draw(bool wireframe) {
  glUseProgram(shade_.get());
  glBindTexture(GL_TEXTURE_2D, hullPicture_.get());
  if (wireframe) glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
  for (const Group& group : groups_) {
    if (models_[group.model].closed) {
      glEnable(GL_CULL_FACE);
    } else {
      glDisable(GL_CULL_FACE);
    }
    drawGroup(group, group.count);
  }
  glDisable(GL_CULL_FACE);
  if (wireframe) glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

void ShipPass::drawOutlines() {
  glUseProgram(outline_.get());
  glEnable(GL_CULL_FACE);
  glCullFace(GL_FRONT);
  for (const Group& group : groups_) {
    if (group.outlined > 0) drawGroup(group, group.outlined);
  }
  glCullFace(GL_BACK);
  glDisable(GL_CULL_FACE);
}

void ShipPass::drawThrough() {
  // Many thin parts are mostly rim; a strong rim would make them a white blot
  constexpr float opaque = 0.4f, rimOpaque = 0.2f;
  // Depth first, so that backs and insides do not shine through the front
  glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  draw(false);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glEnable(GL_BLEND);
  glBlendColor(0.0f, 0.0f, 0.0f, opaque);
  glBlendFunc(GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA);
  draw(false);
  glBlendColor(0.0f, 0.0f, 0.0f, rimOpaque);
  drawOutlines();
  glDisable(GL_BLEND);
}

}  // namespace nearmiss::app::fly
