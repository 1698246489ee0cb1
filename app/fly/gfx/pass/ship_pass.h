// SPDX-License-Identifier: MIT
/// Draws the ships: one instanced call per model and level of detail, with culling.
#pragma once

#include <engine/model/draw_mesh.h>

#include <span>
#include <vector>

#include "fly/gfx/draw_frame.h"
#include "fly/gfx/frame_block.h"
#include "fly/gfx/ship_model.h"

namespace nearmiss::app::fly {

class ShipPass {
 public:
  explicit ShipPass(ShaderLoader& load);

  /// Without marks all models keep their own look.
  void setModels(std::span<const engine::DrawMesh* const> meshes,
                 std::span<const HullMarks> marks = {});
  [[nodiscard]] std::span<const ShipModel> models() const noexcept { return models_; }

  /// Culls the ships and uploads the instances for draw() and drawOutlines().
  /// @param pixel         size of a pixel at distance 1
  /// @param maxTriangles  beyond this, ships use coarser levels if possible
  void prepare(std::span<const ShipInstance> ships, const Camera& camera, const ViewCone& view,
               float pixel, std::size_t maxTriangles);
  void draw(bool wireframe);
  /// Draws the silhouettes of outlined ships.
  void drawOutlines();
  /// Draws translucent ships and their silhouettes; tests and writes depth.
  void drawThrough();
  /// Indices of the visible ships in the span of prepare(), grouped by model.
  [[nodiscard]] std::span<const std::uint32_t> visible() const noexcept { return visible_; }
  /// Triangles of the visible ships at their levels of detail.
  [[nodiscard]] std::size_t triangles() const noexcept { return triangles_; }

 private:
  struct Instance {
    glm::vec4 rows[3];
    glm::vec4 livery;
    glm::vec4 outline;
    float glow;
    glm::vec4 hit;  ///< place of the hit relative to the eye, and the reciprocal of the squared
                    ///< reach, negative for the user's ship
  };
  struct Group {
    std::size_t model, level, first, count, outlined;
  };

  static Instance instanceOf(const ShipInstance& ship, const ShipModel& model,
                             const Camera& camera);
  void chooseLevels(std::span<const ShipInstance> ships, float pixel, std::size_t most);
  void drawGroup(const Group& group, std::size_t count);

  ShaderProgram shade_, outline_;
  Texture hullPicture_;
  std::vector<ShipModel> models_;
  StreamBuffer stream_;
  std::vector<std::uint32_t> visible_;
  std::vector<double> distances_;    ///< of all ships from the eye
  std::vector<std::size_t> levels_;  ///< levels of detail of all ships
  std::vector<Instance> instances_;
  std::vector<Group> groups_;
  std::size_t triangles_ = 0;
};

}  // namespace nearmiss::app::fly
