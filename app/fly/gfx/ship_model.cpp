// SPDX-License-Identifier: MIT
#include "fly/gfx/ship_model.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace nearmiss::app::fly {
namespace {

void setModelAttributes() {
  struct Packed {
    GLuint location;
    GLint components;
    GLenum type;
    std::size_t offset;
  };
  const Packed attributes[] = {
      {0, 3, GL_FLOAT, offsetof(PackedVertex, position)},
      {1, 4, GL_INT_2_10_10_10_REV, offsetof(PackedVertex, normal)},
      {2, 4, GL_UNSIGNED_BYTE, offsetof(PackedVertex, paint)},
      {3, 4, GL_UNSIGNED_BYTE, offsetof(PackedVertex, surface)},
      {4, 2, GL_UNSIGNED_SHORT, offsetof(PackedVertex, hull)},
      {11, 4, GL_INT_2_10_10_10_REV, offsetof(PackedVertex, smoothNormal)},
  };
  for (const Packed& a : attributes) {
    glEnableVertexAttribArray(a.location);
    glVertexAttribPointer(a.location, a.components, a.type, a.type == GL_FLOAT ? GL_FALSE : GL_TRUE,
                          sizeof(PackedVertex), reinterpret_cast<const void*>(a.offset));
  }
}

}  // namespace

ShipModel uploadModel(const engine::DrawMesh& mesh, const HullMarks& marks) {
  PackedModel packed = packModel(mesh, marks);
  ShipModel model;
  static_cast<ModelProperties&>(model) = static_cast<ModelProperties&&>(packed);
  model.vertexArray = makeVertexArray();
  glBindVertexArray(model.vertexArray.get());
  model.vertices =
      makeStaticBuffer(GL_ARRAY_BUFFER, std::span<const PackedVertex>(packed.vertices));
  setModelAttributes();
  model.indices =
      makeStaticBuffer(GL_ELEMENT_ARRAY_BUFFER, std::span<const std::uint32_t>(packed.indices));
  glBindVertexArray(0);
  return model;
}

}  // namespace nearmiss::app::fly
