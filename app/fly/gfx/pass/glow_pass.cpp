// SPDX-License-Identifier: MIT
#include "fly/gfx/pass/glow_pass.h"

#include <nearmiss/detail/split_mix.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/common.hpp>

namespace nearmiss::app::fly {
namespace {

constexpr int motes = 420;
constexpr double dustBox = 20.0;     ///< period of the particles, metres
constexpr double nearDustBox = 7.0;  ///< period of a second, denser set, metres
constexpr double plumeLength = 1.9;  ///< ship radii at full thrust
const glm::vec3 cream(1.0f, 0.941f, 0.753f);
const glm::vec3 violet(0.52f, 0.36f, 1.0f);
const glm::vec3 flame(0.30f, 0.55f, 1.0f);

}  // namespace

GlowPass::GlowPass(ShaderLoader& load)
    : halo_(load("halo")), plume_(load("plume")), dust_(load("dust")) {
  haloArray_ = makeVertexArray();
  glBindVertexArray(haloArray_.get());
  glBindBuffer(GL_ARRAY_BUFFER, haloStream_.get());
  setAttributes({{0, 4, offsetof(Halo, ball)}, {1, 3, offsetof(Halo, colour)}}, sizeof(Halo), 1);
  plumeArray_ = makeVertexArray();
  glBindVertexArray(plumeArray_.get());
  glBindBuffer(GL_ARRAY_BUFFER, plumeStream_.get());
  setAttributes({{0, 3, offsetof(Plume, from)},
                 {1, 3, offsetof(Plume, along)},
                 {2, 2, offsetof(Plume, shape)}},
                sizeof(Plume), 1);
  makeDust();
}

void GlowPass::makeDust() {
  SplitMix random(0xd057u);
  std::vector<glm::vec4> points;
  for (int i = 0; i < motes; ++i) {
    const auto unit = [&] { return static_cast<float>(random.unit()); };
    const float x = unit(), y = unit(), z = unit(), size = unit();
    points.emplace_back(x, y, z, size);
  }
  // Then both ends of the streaks; the second one has a negative size
  for (std::size_t i = 0; i < motes; ++i) {
    const glm::vec4 mote = points[i];
    points.push_back(mote);
    points.emplace_back(mote.x, mote.y, mote.z, -mote.w);
  }
  dustArray_ = makeVertexArray();
  glBindVertexArray(dustArray_.get());
  dustVertices_ = makeStaticBuffer(GL_ARRAY_BUFFER, std::span<const glm::vec4>(points));
  setAttributes({{0, 4, 0}}, sizeof(glm::vec4), 0);
  glBindVertexArray(0);
}

void GlowPass::addPlume(const ShipInstance& ship, const ShipModel& model, const Camera& camera,
                        double seconds, double phase) {
  const double flicker = 1.0 + 0.07 * std::sin(23.0 * seconds + 5.1 * phase) +
                         0.05 * std::sin(57.0 * seconds + 2.3 * phase);
  const double thrust = std::min(static_cast<double>(ship.thrust), 1.0);
  const double radius = static_cast<double>(model.radius);
  const double length = plumeLength * radius * thrust * flicker;
  const glm::vec3 along(ship.pose.rotation * Vec3(0, 0, length));
  const auto light = static_cast<float>((0.25 + 0.35 * thrust) * flicker);
  for (const Nozzle& nozzle : model.nozzles) {
    const glm::vec3 place(transformed(ship.pose, Vec3(nozzle.place)) - camera.pose.position);
    const float width = nozzle.radius * (1.3f + 0.4f * ship.thrust);
    // Thin flames are shorter.
    const float share = std::min(0.45f + 5.0f * nozzle.radius / model.radius, 1.0f);
    plumes_.push_back({place, share * along, {width, 0.55f + 0.45f * ship.thrust}});
    halos_.push_back({glm::vec4(place, 3.5f * nozzle.radius), light * flame});
  }
}

void GlowPass::drawGlow(const DrawFrame& frame, std::span<const ShipModel> models,
                        const ViewCone& view) {
  const std::span<const ShipInstance> ships = frame.ships;
  const Vec3& eye = frame.camera.pose.position;
  halos_.clear();
  plumes_.clear();
  for (const DrawLight& light : frame.lights) {
    const Sphere& sphere = light.sphere;
    if (view.mayBeVisible(sphere.centre, sphere.radius))
      halos_.push_back(
          {glm::vec4(glm::vec3(sphere.centre - eye), static_cast<float>(sphere.radius)),
           light.colour});
  }
  // Halos add up: keep many hit ships only a little brighter than two
  const auto hit =
      std::ranges::count_if(ships, [](const ShipInstance& s) { return s.glow > 0.01f; });
  const float share = 0.42f / std::sqrt(std::max(1.0f, 0.5f * static_cast<float>(hit)));
  for (std::size_t i = 0; i < ships.size(); ++i) {
    const ShipInstance& ship = ships[i];
    const auto shape = static_cast<std::size_t>(ship.shape);
    if (shape >= models.size()) continue;
    const double radius = static_cast<double>(models[shape].radius);
    if (!view.mayBeVisible(ship.pose.position, (1.3 + plumeLength) * radius)) continue;
    if (ship.glow > 0.01f) {
      const glm::vec3 centre(ship.hit - eye);
      halos_.push_back({glm::vec4(centre, 0.8f * models[shape].radius),
                        share * std::min(ship.glow, 1.0f) * (ship.crackles ? violet : cream)});
    }
    if (ship.thrust > 0.02f) {
      addPlume(ship, models[shape], frame.camera, frame.seconds, static_cast<double>(i));
    }
  }
  glBlendFunc(GL_ONE, GL_ONE);
  if (!plumes_.empty()) {
    plumeStream_.write(GL_ARRAY_BUFFER, std::span<const Plume>(plumes_));
    glUseProgram(plume_.get());
    glBindVertexArray(plumeArray_.get());
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(plumes_.size()));
  }
  if (!halos_.empty()) {
    haloStream_.write(GL_ARRAY_BUFFER, std::span<const Halo>(halos_));
    glUseProgram(halo_.get());
    glBindVertexArray(haloArray_.get());
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(halos_.size()));
  }
}

void GlowPass::drawDust(const Camera& camera, const std::optional<Pose>& before,
                        double aspect) const {
  const Vec3& eye = camera.pose.position;
  Camera past = camera;
  past.pose = before.value_or(camera.pose);
  const glm::mat4 pastView = past.projection(aspect) * past.viewRotation();
  const glm::vec3 moved(eye - past.pose.position);
  glBlendFunc(GL_ONE, GL_ONE);
  glUseProgram(dust_.get());
  glUniformMatrix4fv(glGetUniformLocation(dust_.get(), "pastView"), 1, GL_FALSE, &pastView[0][0]);
  glUniform3f(glGetUniformLocation(dust_.get(), "moved"), moved.x, moved.y, moved.z);
  glUniform1f(glGetUniformLocation(dust_.get(), "roundness"), 1.0f);
  glBindVertexArray(dustArray_.get());
  glEnable(GL_PROGRAM_POINT_SIZE);
  // The wide box shows the position, the narrow one the speed
  for (const double size : {dustBox, nearDustBox}) {
    const Vec3 place = glm::fract(-eye / size);
    glUniform4f(glGetUniformLocation(dust_.get(), "box"), static_cast<float>(place.x),
                static_cast<float>(place.y), static_cast<float>(place.z), static_cast<float>(size));
    glDrawArrays(GL_POINTS, 0, motes);
  }
  // Streaks only for the narrow box, whose offset is still set: distant ones are short but equally
  // slow
  if (!before) return;
  glUniform1f(glGetUniformLocation(dust_.get(), "roundness"), 0.0f);
  glDrawArrays(GL_LINES, motes, 2 * motes);
}

}  // namespace nearmiss::app::fly
