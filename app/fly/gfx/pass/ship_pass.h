// SPDX-License-Identifier: MIT
/// Draws the ships: one instanced call a model and level of detail, those out of view left out.
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

  /// Decides what is in view and writes it to the GPU; draw() and drawOutlines() follow.
  /// @param pixel size of a pixel at a distance of 1
  /// @param maxTriangles beyond which ships are drawn coarser, as far as that goes
  void prepare(std::span<const ShipInstance> ships, const Camera& camera, const ViewCone& view,
               float pixel, std::size_t maxTriangles);
  void draw(bool wireframe);
  /// The silhouettes of outlined ships.
  void drawOutlines();
  /// The same and their silhouettes as one sees through them; tests depth and writes it.
  void drawThrough();
  /// Indices in the span given to prepare() of those in view, grouped by model.
  [[nodiscard]] std::span<const std::uint32_t> visible() const noexcept { return visible_; }
  /// Triangles of the ships in view, at their levels of detail.
  [[nodiscard]] std::size_t triangles() const noexcept { return triangles_; }

 private:
  struct Instance {
    glm::vec4 rows[3];
    glm::vec4 livery;
    glm::vec4 outline;
    float glow;
    glm::vec4 hit;  ///< where it was hit, relative to the eye, and one over the squared reach
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
  std::vector<std::size_t> levels_;  ///< of detail, of all ships
  std::vector<Instance> instances_;
  std::vector<Group> groups_;
  std::size_t triangles_ = 0;
};

}  // namespace nearmiss::app::fly
