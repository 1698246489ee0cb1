// SPDX-License-Identifier: MIT
#include "fly/sheet/tree_sheet.h"

#include <backends/imgui_impl_opengl3.h>
#include <backends/imgui_impl_sdl.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "fly/gfx/gl_objects.h"
#include "fly/overlay/ink.h"
#include "fly/sheet/sheet_view.h"
#include "options/options.h"

namespace nearmiss::app::fly {
namespace {

constexpr int columns = 1 + TreeSheet::levels;  // the object is first
constexpr int cellWidth = 400, cellGap = 14, sheetMargin = 36;
constexpr int headerHeight = 104, rowHead = 42, caption = 44, rowGap = 14;
constexpr int oversampling = 3;
constexpr float textScale = 1.2f;

struct Row {
  const SheetRow* tree = nullptr;
  std::vector<ShownLevel> levels;  ///< 1 to TreeSheet::levels
  SheetView view;
  int top = 0, cellHeight = cellWidth;  ///< pixels

  [[nodiscard]] Rect cell(int column) const {
    return {static_cast<float>(sheetMargin + column * (cellWidth + cellGap)),
            static_cast<float>(top + rowHead), static_cast<float>(cellWidth),
            static_cast<float>(cellHeight)};
  }
};

/// Everything except the pixels.
struct Plan {
  std::vector<Row> rows;
  TightnessScale scale;
  int width = 0, height = 0;
};

Plan planOf(const SheetContents& contents) {
  Plan plan;
  int top = headerHeight;
  for (const SheetRow& tree : contents.rows) {
    Row& row = plan.rows.emplace_back();
    row.tree = &tree;
    row.view.include(*contents.object);
    for (int level = 1; level <= TreeSheet::levels; ++level) {
      row.levels.push_back(shownLevel(*tree.tree, level));
      row.view.include(row.levels.back());
      for (const ShownLevel::Ball& ball : row.levels.back().balls) plan.scale.include(ball.h);
    }
    row.top = top;
    row.cellHeight = static_cast<int>(std::lround(cellWidth / row.view.aspect()));
    top += rowHead + row.cellHeight + caption + rowGap;
  }
  plan.scale.settle();
  plan.width = 2 * sheetMargin + columns * cellWidth + (columns - 1) * cellGap;
  plan.height = top - rowGap + sheetMargin / 2;
  return plan;
}

/// Averages the squares that form each pixel.
std::vector<std::uint8_t> reduced(const std::vector<std::uint8_t>& fine, int width, int height) {
  const auto place = [](int x, int y, int wide) {
    return 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(wide) +
                static_cast<std::size_t>(x));
  };
  std::vector<std::uint8_t> rgb(place(0, height, width));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (std::size_t c = 0; c < 3; ++c) {
        int sum = 0;
        for (int k = 0; k < oversampling * oversampling; ++k)
          sum += fine[place(oversampling * x + k % oversampling,
                            oversampling * y + k / oversampling, oversampling * width) +
                      c];
        rgb[place(x, y, width) + c] = static_cast<std::uint8_t>(
            (sum + oversampling * oversampling / 2) / (oversampling * oversampling));
      }
  return rgb;
}

/// Draws one cell at a higher resolution and reduces it, for smooth edges.
Texture drawCell(Renderer& renderer, const RenderTarget& target, const DrawFrame& frame) {
  target.bind();
  renderer.draw(frame, target.width(), target.height());
  const int width = target.width() / oversampling, height = target.height() / oversampling;
  const std::vector<std::uint8_t> rgb =
      reduced(renderer.readPixels(target.width(), target.height()), width, height);
  Texture texture = makeTexture();
  glBindTexture(GL_TEXTURE_2D, texture.get());
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, width, height, 0, GL_RGB, GL_UNSIGNED_BYTE, rgb.data());
  return texture;
}

/// Draws the cells of one row.
class CellDrawing {
 public:
  CellDrawing(const TightnessScale& scale, const SheetView& view) : scale_(scale) {
    ship_.pose = sheetPose();
    frame_.camera = view.camera();
    frame_.backdrop = srgb(palette::plot);
  }
  /// Draws the object inside the outlines of a level.
  const DrawFrame& object(const ShownLevel& level) {
    rings_.clear();
    for (const ShownLevel::Ball& ball : level.balls)
      rings_.push_back(
          {placed(ball.sphere), TightnessScale::colourAt(scale_.place(ball.h)), 0.75f, false});
    frame_.ships = {&ship_, 1};
    frame_.spheres = rings_;
    frame_.balls = {};
    return frame_;
  }
  const DrawFrame& spheres(const ShownLevel& level) {
    balls_.clear();
    for (const ShownLevel::Ball& ball : level.balls) {
      const glm::vec3 colour = TightnessScale::colourAt(scale_.place(ball.h));
      balls_.push_back({placed(ball.sphere), glm::pow(colour, glm::vec3(2.2f))});
    }
    frame_.ships = {};
    frame_.spheres = {};
    frame_.balls = balls_;
    return frame_;
  }

 private:
  [[nodiscard]] Sphere placed(const Sphere& own) const {
    return {transformed(ship_.pose, own.centre), own.radius};
  }
  const TightnessScale& scale_;
  ShipInstance ship_;
  std::vector<DrawSphere> rings_;
  std::vector<DrawBall> balls_;
  DrawFrame frame_;
};

std::string seconds(double s) { return s < 1.0 ? formatTime(1e3 * s) : fmt::format("{:.1f} s", s); }

std::string percent(double h, double radius) {
  const double part = 100.0 * h / radius;
  return part < 9.995 ? fmt::format("{:.2f} %", part) : fmt::format("{:.1f} %", part);
}

/// Draws the colour scale with its ends and round values between them.
void drawTightnessScale(const Ink& ink, const Rect& bar, const Plan& plan, double radius) {
  const float em = ink.em();
  const int steps = 96;
  for (int i = 0; i < steps; ++i) {
    const glm::vec3 c = TightnessScale::colourAt((i + 0.5) / steps);
    const float left = std::round(bar.x + bar.width * static_cast<float>(i) / steps);
    const float right = std::round(bar.x + bar.width * static_cast<float>(i + 1) / steps);
    ink.list()->AddRectFilled({left, bar.y}, {right, bar.bottom()},
                              ImGui::ColorConvertFloat4ToU32({c.x, c.y, c.z, 1.0f}));
  }
  ink.text({bar.x, bar.y - 0.75f * em}, "tight", palette::text, ink.small());
  ink.textRight({bar.right(), bar.y - 0.75f * em}, "loose", palette::text, ink.small());
  for (double decade = 0.01; decade < 1000.0; decade *= 10.0)
    for (const double step : {1.0, 2.0, 5.0}) {
      const double h = 0.01 * step * decade * radius;
      if (h < plan.scale.low() || h > plan.scale.high()) continue;
      const float x = bar.x + bar.width * static_cast<float>(plan.scale.place(h));
      ink.segment({x, bar.bottom()}, {x, bar.bottom() + 0.3f * em}, palette::dim);
      const std::string label = fmt::format("{:g}", step * decade);
      ink.text({x - 0.5f * ink.textWidth(label, ink.small()), bar.bottom() + 0.9f * em}, label,
               palette::dim, ink.small());
    }
}

void drawSheetHeader(const Ink& ink, const Plan& plan, const SheetContents& contents) {
  const float left = sheetMargin, right = static_cast<float>(plan.width - sheetMargin),
              em = ink.em();

  ink.list()->AddText(ink.bold(), 1.6f * em, {left, 26.0f}, Ink::colour(palette::text),
                      contents.model.c_str());
  const std::string about = fmt::format("{} triangles and the spheres around it, level by level",
                                        formatCount(contents.triangles));
  ink.text({left, 70.0f}, about, palette::dim);
  const Rect bar{right - 20.0f * em, 42.0f, 20.0f * em, 0.75f * em};
  drawTightnessScale(ink, bar, plan, contents.radius);
  const std::string_view what = "H, how far a point in a sphere can be from the surface";
  ink.textRight({bar.x - 1.2f * em, bar.y + 0.1f * em}, what, palette::dim, ink.small());
  ink.textRight({bar.x - 1.2f * em, bar.y + 1.2f * em}, "in percent of the model's radius",
                palette::dim, ink.small());
}

void drawRow(const Ink& ink, const Plan& plan, std::size_t place, const SheetContents& contents) {
  const Row& row = plan.rows[place];
  const float em = ink.em();
  const float head = static_cast<float>(row.top) + 0.5f * rowHead;
  float x = sheetMargin;
  ink.text({x, head}, row.tree->builder, palette::text, ink.bold());
  x += ink.textWidth(row.tree->builder, ink.bold()) + 0.8f * em;
  ink.text({x, head}, row.tree->summary, palette::dim, ink.small());
  // Tighter spheres allow a closer view
  const double times =
      row.view.pixelsPerMetre(cellWidth) / plan.rows.front().view.pixelsPerMetre(cellWidth);
  const std::string zoom = place == 0
                               ? std::string()
                               : fmt::format("drawn {:.2g} times as large as the octree; ", times);
  ink.textRight({static_cast<float>(plan.width - sheetMargin), head},
                fmt::format("{}built in {}", zoom, seconds(row.tree->buildSeconds)), palette::dim,
                ink.small());

  for (int column = 0; column < columns; ++column) {
    const Rect cell = row.cell(column);
    ink.frame(cell, palette::panelEdge);
    const float middle = cell.bottom() + 1.05f * em;
    if (column == 0) {
      ink.text({cell.x, middle}, "object", palette::text, ink.bold());
      ink.textRight({cell.right(), middle}, "in the outlines of level 1", palette::dim,
                    ink.small());
      continue;
    }
    const ShownLevel& level = row.levels[static_cast<std::size_t>(column - 1)];
    const std::string name = fmt::format("level {}", column);
    ink.text({cell.x, middle}, name, palette::text, ink.bold());
    ink.text({cell.x + ink.textWidth(name, ink.bold()) + 0.7f * em, middle},
             fmt::format("{} spheres", formatCount(level.balls.size())), palette::text,
             ink.small());
    ink.textRight({cell.right(), middle},
                  fmt::format("H mean {}, max {}", percent(level.hMean, contents.radius),
                              percent(level.hMax, contents.radius)),
                  palette::text, ink.small());
  }
}

}  // namespace

TreeSheet::TreeSheet(Window window, Renderer renderer)
    : window_(std::move(window)), renderer_(std::move(renderer)) {}

Result<TreeSheet> TreeSheet::open() {
  Options options;
  options.window.headless = true;
  options.window.uiScale = textScale;
  auto window = Window::open(options);
  if (!window) return window.error();
  auto renderer = Renderer::create();
  if (!renderer) return renderer.error();
  return TreeSheet(*std::move(window), *std::move(renderer));
}

Result<SheetPicture> TreeSheet::draw(const SheetContents& contents) {
  const Plan plan = planOf(contents);
  auto sheetTarget = RenderTarget::create(plan.width, plan.height);
  if (!sheetTarget) return sheetTarget.error();

  // Draw each cell
  renderer_.setShapes(std::span(contents.object, 1));
  std::vector<Texture> cells;
  for (const Row& row : plan.rows) {
    const auto cellTarget =
        RenderTarget::create(oversampling * cellWidth, oversampling * row.cellHeight);
    if (!cellTarget) return cellTarget.error();
    CellDrawing drawing(plan.scale, row.view);
    cells.push_back(drawCell(renderer_, *cellTarget, drawing.object(row.levels.front())));
    for (const ShownLevel& level : row.levels)
      cells.push_back(drawCell(renderer_, *cellTarget, drawing.spheres(level)));
  }

  // Then the page with its text
  sheetTarget->bind();
  glViewport(0, 0, plan.width, plan.height);
  const glm::vec3 ground = srgb(palette::panel);
  glClearColor(ground.x, ground.y, ground.z, 1.0f);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplSDL2_NewFrame();
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(plan.width), static_cast<float>(plan.height)};
  io.DisplayFramebufferScale = {1.0f, 1.0f};
  ImGui::NewFrame();
  const Ink ink;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Rect cell = plan.rows[i / columns].cell(static_cast<int>(i % columns));
    ink.list()->AddImage(reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(cells[i].get())),
                         {cell.x, cell.y}, {cell.right(), cell.bottom()});
  }
  drawSheetHeader(ink, plan, contents);
  for (std::size_t row = 0; row < plan.rows.size(); ++row) drawRow(ink, plan, row, contents);
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  SheetPicture picture{plan.width, plan.height, renderer_.readPixels(plan.width, plan.height)};
  RenderTarget::unbind();
  return picture;
}

}  // namespace nearmiss::app::fly
