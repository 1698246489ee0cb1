// SPDX-License-Identifier: MIT
#include "fly/gfx/renderer.h"

#include <engine/base/atomic_file.h>
#include <engine/base/resources.h>
#include <fmt/format.h>
#include <stb_image_write.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "fly/gfx/frame_block.h"
#include "fly/gfx/gl_objects.h"
#include "fly/gfx/panel_sheet.h"
#include "fly/gfx/pass/glow_pass.h"
#include "fly/gfx/pass/mark_passes.h"
#include "fly/gfx/pass/ship_pass.h"
#include "fly/gfx/sky.h"
#include "fly/overlay/palette.h"

namespace nearmiss::app::fly {
namespace {

FrameBlock frameBlockOf(const DrawFrame& frame, int width, int height, float finer) {
  const Camera& camera = frame.camera;
  const double aspect = static_cast<double>(width) / height;
  FrameBlock block;
  block.viewProjection = camera.projection(aspect) * camera.viewRotation();
  const auto axis = [&](const Vec3& own) {
    return glm::vec4(glm::vec3(camera.pose.rotation * own), 0.0f);
  };
  block.right = axis({1, 0, 0});
  block.up = axis({0, 1, 0});
  block.forward = axis({0, 0, -1});
  block.viewport = {static_cast<float>(width), static_cast<float>(height),
                    1.0f / static_cast<float>(width), 1.0f / static_cast<float>(height)};
  block.misc = {static_cast<float>(2.0 * std::tan(0.5 * camera.fieldOfView) / height),
                static_cast<float>(std::fmod(frame.seconds, 1000.0)), finer, 0.0f};
  block.sun = glm::vec4(sunDirection, 0.0f);
  block.planet = glm::vec4(planetDirection, 0.0f);
  return block;
}

/// Averages each square of `side` by `side` pixels; rows have `width` pixels.
std::vector<std::uint8_t> averaged(const std::vector<std::uint8_t>& rgb, int width, int side) {
  const auto n = static_cast<std::size_t>(side), columns = static_cast<std::size_t>(width) / n;
  const std::size_t row = static_cast<std::size_t>(width) * 3, rows = rgb.size() / row / n;
  std::vector<std::uint8_t> means;
  means.reserve(rows * columns * 3);
  for (std::size_t y = 0; y < rows; ++y)
    for (std::size_t x = 0; x < columns; ++x)
      for (std::size_t k = 0; k < 3; ++k) {
        std::size_t sum = n * n / 2;
        for (std::size_t j = 0; j < n; ++j)
          for (std::size_t i = 0; i < n; ++i) sum += rgb[(y * n + j) * row + (x * n + i) * 3 + k];
        means.push_back(static_cast<std::uint8_t>(sum / (n * n)));
      }
  return means;
}

/// Sets the nearest depth where panels will be, so that no pixel there is shaded. Leaves the
/// scissor test on.
void excludeCovered(std::span<const PixelRect> covered, const Viewport& part,
                    const Viewport& shownIn) {
  // At other resolutions pixels at an edge are blended
  const double scale = static_cast<double>(part.width) / shownIn.width;
  const int edge = part.width == shownIn.width ? 0 : 2;
  glClearDepth(0.0);
  for (const PixelRect& rect : covered) {
    const auto across = [&](int x) {
      return part.x + static_cast<int>(std::lround(scale * (x - shownIn.x)));
    };
    const auto up = [&](int y) { return static_cast<int>(std::lround(scale * y)); };
    const int left = std::max(across(rect.x) + edge, part.x);
    const int right = std::min(across(rect.x + rect.width) - edge, part.x + part.width);
    const int low = up(rect.y) + edge, high = up(rect.y + rect.height) - edge;
    if (left >= right || low >= high) continue;
    glScissor(left, low, right - left, high - low);
    glClear(GL_DEPTH_BUFFER_BIT);
  }
  glClearDepth(1.0);
}

std::string text(GLenum name) {
  const GLubyte* words = glGetString(name);
  return words ? reinterpret_cast<const char*>(words) : "";
}

}  // namespace

struct Renderer::Parts {
  explicit Parts(ShaderLoader& load)
      : ships(load), sky(load), lines(load), spheres(load), glow(load), balls(load), plane(load) {}

  ShipPass ships;
  Sky sky;
  LinePass lines;
  SpherePass spheres;
  GlowPass glow;
  BallPass balls;
  PlanePass plane;
  PanelSheet panels;
  StreamBuffer frameBlock;
  std::size_t shipsDrawn = 0, triangles = 0;
  std::optional<RenderTarget> target;  ///< render target for other resolutions than the window's
  std::optional<bool> windowSamples;
};

Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;
Renderer::~Renderer() = default;

Result<Renderer> Renderer::create() {
  const auto root = engine::resourceRoot();
  if (!root) {
    return Error{ErrorCode::NotFound, "cannot find the folder shaders/; set NEARMISS_ROOT to it"};
  }
  ShaderLoader load(*root / "shaders");
  Renderer renderer;
  renderer.parts_ = std::make_unique<Parts>(load);
  if (load.fault()) return *load.fault();
  return renderer;
}

void Renderer::setShapes(const engine::ShapeSet& shapes) {
  std::vector<const engine::DrawMesh*> meshes;
  std::vector<HullMarks> marks;
  for (std::uint32_t i = 0; i < shapes.shapes().size(); ++i) {
    const engine::LoadedShape& shape = shapes.shapes()[i];
    meshes.push_back(&shapes.drawMesh(i));
    marks.push_back(hullMarksOf(shape.file, shape.ownFrame));
  }
  parts_->ships.setModels(meshes, marks);
  drawOneOfEach();
}

void Renderer::setShapes(std::span<const engine::DrawMesh> models) {
  std::vector<const engine::DrawMesh*> meshes;
  for (const engine::DrawMesh& model : models) meshes.push_back(&model);
  parts_->ships.setModels(meshes);
  drawOneOfEach();
}

void Renderer::drawOneOfEach() {
  // Drivers compile a shader at its first use, which takes many frames: do it now, not in flight.
  constexpr std::array<std::uint8_t, 4> colour{255, 255, 255, 128};
  constexpr auto noPicture = std::numeric_limits<std::uint64_t>::max();
  for (const glm::vec3& towards : {planetDirection, sunDirection}) {
    const Vec3 middle = 5.0 * Vec3(towards);
    ShipInstance ship;
    ship.pose.position = middle;
    ship.glow = ship.outline = ship.thrust = 1.0f;
    const DrawSphere sphere{{middle, 1.0}, glm::vec3(1.0f), 1.0f, true};
    const DrawLine line{middle - Vec3(1, 0, 0), middle + Vec3(1, 0, 0), glm::vec3(1.0f)};
    const DrawTriangle triangle{line.from, line.to, middle + Vec3(0, 1, 0), glm::vec3(1.0f)};
    const DrawBall ball{{middle, 1.0}};
    const DrawLight light{{middle, 1.0}};
    DrawFrame frame;
    frame.camera.pose.rotation = glm::quatLookAt(Vec3(towards), Vec3(0, 1, 0));
    frame.ships = frame.ghosts = {&ship, 1};
    frame.spheres = {&sphere, 1};
    frame.lines = frame.arcs = {&line, 1};
    frame.triangles = {&triangle, 1};
    frame.balls = frame.shells = {&ball, 1};
    frame.lights = {&light, 1};
    frame.plane = DrawPlane{{line.from, line.to, triangle.c, middle}, colour, 1, noPicture};
    frame.arenaRadius = 9.0;
    frame.eyeBefore = Pose();
    draw(frame, 64, 64);
    draw(frame, 64, 64, {.scale = 0.75});
  }
}

void Renderer::draw(const DrawFrame& frame, const Viewport& part, const DrawQuality& quality) {
  const auto [x, width, height] = part;
  if (width <= 0 || height <= 0) return;
  const auto scaled = [&](int pixels) {
    return std::max(1, static_cast<int>(std::lround(quality.scale * pixels)));
  };
  // One target for all coarser scales, because a new one costs a frame. A multisampled window
  // allows no such copy
  const int targetWidth = std::max(width, scaled(width));
  const int targetHeight = std::max(height, scaled(height));
  if (quality.scale != 1.0 && !windowHasSamples() && fitTarget(targetWidth, targetHeight)) {
    parts_->target->bind();
    drawScene(frame, {0, scaled(width), scaled(height)}, part, quality.maxTriangles,
              static_cast<float>(std::max(1.0, quality.scale)));
    parts_->target->copyToWindow(scaled(width), scaled(height), x, width, height);
  } else {
    drawScene(frame, part, part, quality.maxTriangles);
  }
}

Result<Photograph> Renderer::photograph(const DrawFrame& frame, int width, int height) {
  DrawFrame whole = frame;
  whole.covered = {};
  constexpr int samples = 2;  // per pixel along a side
  // If the driver lacks memory, use the window's size
  for (const int finer : {2 * samples, samples}) {
    const int fineWidth = finer * width, fineHeight = finer * height;
    const Result<RenderTarget> target = RenderTarget::create(fineWidth, fineHeight);
    if (!target) continue;
    target->bind();
    const Viewport fine{0, fineWidth, fineHeight};
    drawScene(whole, fine, fine, DrawQuality::unlimited, static_cast<float>(finer));
    const std::vector<std::uint8_t> pixels = readPixels(fineWidth, fineHeight);
    RenderTarget::unbind();
    glViewport(0, 0, width, height);
    return Photograph{fineWidth / samples, fineHeight / samples,
                      averaged(pixels, fineWidth, samples)};
  }
  return Error{ErrorCode::Unsupported, "the driver cannot allocate a picture of this size"};
}

bool Renderer::windowHasSamples() {
  if (!parts_->windowSamples) {
    GLint samples = 0;
    glGetIntegerv(GL_SAMPLES, &samples);
    parts_->windowSamples = samples > 1;
  }
  return *parts_->windowSamples;
}

/// Returns true if there is a render target of this size.
bool Renderer::fitTarget(int width, int height) {
  std::optional<RenderTarget>& target = parts_->target;
  if (target && target->width() == width && target->height() == height) return true;
  Result<RenderTarget> made = RenderTarget::create(width, height);
  if (!made) return false;
  target = *std::move(made);
  return true;
}

void Renderer::drawScene(const DrawFrame& frame, const Viewport& part, const Viewport& shownIn,
                         std::size_t maxTriangles, float finer) {
  const auto [x, width, height] = part;
  const double aspect = static_cast<double>(width) / height;
  const ViewCone view(frame.camera, aspect);
  const Vec3& eye = frame.camera.pose.position;
  const FrameBlock block = frameBlockOf(frame, width, height, finer);
  parts_->frameBlock.write(GL_UNIFORM_BUFFER, &block, sizeof block);
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, parts_->frameBlock.get());

  // Opaque objects
  glViewport(x, 0, width, height);
  glDisable(GL_BLEND);
  // Clearing is restricted by scissors only
  glEnable(GL_SCISSOR_TEST);
  glScissor(x, 0, width, height);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glDepthMask(GL_TRUE);
  // The palette of high contrast draws on black
  const bool black = currentPalette() == Palette::Contrast;
  const glm::vec3 space = black ? glm::vec3(0.0f) : glm::vec3(0.02f, 0.026f, 0.047f);
  const glm::vec3 ground = frame.backdrop.value_or(space);
  glClearColor(ground.x, ground.y, ground.z, 1.0f);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  excludeCovered(frame.covered, part, shownIn);
  glDisable(GL_SCISSOR_TEST);
  glLineWidth(finer);
  parts_->ships.prepare(frame.ships, frame.camera, view, block.misc.x, maxTriangles);
  parts_->ships.draw(frame.wireframe);
  parts_->ships.drawOutlines();
  parts_->balls.draw(frame.balls, frame.camera, view);

  // Sky last, only on empty pixels: on slow drivers every pixel counts.
  if (!frame.backdrop && !black) parts_->sky.draw(frame.camera, aspect);

  parts_->shipsDrawn = parts_->ships.visible().size();
  parts_->triangles = parts_->ships.triangles();
  if (!frame.ghosts.empty()) {
    parts_->ships.prepare(frame.ghosts, frame.camera, view, block.misc.x, maxTriangles);
    parts_->ships.drawThrough();
    parts_->triangles += parts_->ships.triangles();
  }

  // Transparent objects test depth but do not write it
  glDepthMask(GL_FALSE);
  glEnable(GL_BLEND);
  if (!frame.backdrop) {
    parts_->lines.drawCage(frame.arenaRadius, eye);
    parts_->glow.drawDust(frame.camera, frame.eyeBefore, aspect);
  }
  parts_->glow.drawGlow(frame, parts_->ships.models(), view);
  if (frame.plane) parts_->plane.draw(*frame.plane, eye);
  parts_->lines.drawTriangles(frame.triangles, eye);
  parts_->spheres.draw(frame.spheres, frame.camera, view);
  parts_->lines.drawLines(frame.lines, eye);
  glDisable(GL_DEPTH_TEST);
  parts_->lines.drawLines(frame.arcs, eye);
  glEnable(GL_DEPTH_TEST);

  glLineWidth(1.0f);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
  if (!frame.shells.empty()) parts_->balls.drawThrough(frame.shells, frame.camera, view);
  glBindVertexArray(0);
  glUseProgram(0);
}

PanelSheet& Renderer::panels() noexcept { return parts_->panels; }

std::size_t Renderer::shipsDrawn() const noexcept { return parts_->shipsDrawn; }

std::size_t Renderer::shipTriangles() const noexcept { return parts_->triangles; }

std::vector<std::uint8_t> Renderer::readPixels(int width, int height) const {
  const std::size_t row = static_cast<std::size_t>(std::max(width, 0)) * 3;
  const std::size_t rows = static_cast<std::size_t>(std::max(height, 0));
  std::vector<std::uint8_t> rgb(row * rows);
  if (rgb.empty()) return rgb;
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, rgb.data());
  // OpenGL's rows start at the bottom.
  for (std::size_t y = 0; y < rows / 2; ++y) {
    std::swap_ranges(rgb.begin() + static_cast<std::ptrdiff_t>(y * row),
                     rgb.begin() + static_cast<std::ptrdiff_t>((y + 1) * row),
                     rgb.begin() + static_cast<std::ptrdiff_t>((rows - 1 - y) * row));
  }
  return rgb;
}

DriverInfo driverInfo() {
  DriverInfo info{text(GL_VERSION), text(GL_RENDERER), false};
  for (const char* name : {"llvmpipe", "softpipe", "swrast", "SWR", "Software"}) {
    info.software = info.software || info.renderer.find(name) != std::string::npos;
  }
  return info;
}

Result<Success> writePng(const std::filesystem::path& file, int width, int height,
                         std::span<const std::uint8_t> rgb) {
  const auto expected = static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3;
  if (width <= 0 || height <= 0 || rgb.size() != expected) {
    return Error{ErrorCode::Unreadable,
                 fmt::format("cannot write \"{}\": {} bytes are not an image of {} x {} pixels",
                             file.string(), rgb.size(), width, height)};
  }
  std::string encoded;
  const auto append = [](void* to, void* bytes, int count) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(bytes),
                                          static_cast<std::size_t>(count));
  };
  if (!stbi_write_png_to_func(append, &encoded, width, height, 3, rgb.data(), width * 3))
    return Error{ErrorCode::Unreadable,
                 fmt::format("cannot write \"{}\": the picture cannot be encoded", file.string())};
  return engine::writeWhole(file, encoded);
}

}  // namespace nearmiss::app::fly
