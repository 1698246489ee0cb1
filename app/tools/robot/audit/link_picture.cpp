// SPDX-License-Identifier: MIT
#include "tools/robot/audit/link_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>
#include <iterator>
#include <limits>
#include <string_view>

#include "report/html.h"
#include "tools/robot/audit/surface_view.h"

namespace nearmiss::app::robot {
namespace {

const std::array<ViewSide, 3> sides{{{"front: x right, z up", {1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
                                     {"side: y right, z up", {0, 1, 0}, {0, 0, 1}, {1, 0, 0}},
                                     {"top: x right, y up", {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};

/// Pixels: largest view, border around a view, caption; side of a cell.
constexpr Real largestView = 280.0, border = 8.0, caption = 18.0;
constexpr std::size_t cellPixels = 2;

constexpr std::array<std::string_view, shadesOfSurface> greys{
    "#4d535b", "#626870", "#767c85", "#8a9099", "#9ea4ac", "#b2b7be", "#c5c9cf", "#d8dbdf"};

/// The rectangle of a view, along right and up.
struct ViewFrame {
  std::array<Real, 2> low, high;
};

ViewFrame frameOf(const Box& box, const ViewSide& side) {
  ViewFrame frame;
  std::size_t i = 0;
  for (const Vec3& axis : {side.right, side.up}) {
    frame.low[i] = glm::dot(box.low, axis);
    frame.high[i++] = glm::dot(box.high, axis);
  }
  return frame;
}

/// An SVG path of rectangles for runs of cells with property `is`.
std::string runsOf(const SurfaceView& view, const auto& is) {
  std::string path;
  for (std::size_t y = 0; y < view.height(); ++y)
    for (std::size_t x = 0; x < view.width();) {
      const std::size_t begin = x;
      while (x < view.width() && is(view.at(x, y))) ++x;
      const auto length = cellPixels * (x - begin);
      if (x > begin)
        fmt::format_to(std::back_inserter(path), "M{} {}h{}v{}h-{}z", cellPixels * begin,
                       cellPixels * y, length, cellPixels, length);
      else
        ++x;
    }
  return path;
}

/// One view; its origin is the upper left corner.
std::string viewSvg(const PicturedLink& link, const ViewSide& side, const ViewFrame& frame,
                    Real scale) {
  const SurfaceView view(link.mesh, link.spheres, side, frame.low, frame.high,
                         static_cast<Real>(cellPixels) / scale);
  std::string text;
  for (std::size_t shade = 0; shade < shadesOfSurface; ++shade)
    if (const std::string path =
            runsOf(view, [shade](const SurfaceCell& c) { return c.shown && c.shade == shade; });
        !path.empty())
      text += fmt::format("<path fill=\"{}\" d=\"{}\"/>\n", greys[shade], path);
  if (const std::string path = runsOf(view, [](const SurfaceCell& c) { return c.outside; });
      !path.empty())
    text += fmt::format("<path class=\"uncovered\" fill=\"url(#uncovered)\" d=\"{}\"/>\n", path);
  const auto place = [&](const Vec3& point) {
    return std::array{scale * (glm::dot(point, side.right) - frame.low[0]),
                      static_cast<Real>(cellPixels * view.height()) -
                          scale * (glm::dot(point, side.up) - frame.low[1])};
  };
  for (const Sphere& sphere : link.spheres) {
    const auto [x, y] = place(sphere.centre);
    text += fmt::format("<circle class=\"sphere\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\"/>\n", x,
                        y, scale * std::max(sphere.radius, 0.0));
  }
  if (link.farthest) {
    const auto [x, y] = place(*link.farthest);
    text += fmt::format("<use href=\"#farthest\" x=\"{:.2f}\" y=\"{:.2f}\"/>\n", x, y);
  }
  return text;
}

/// A box around the link and its spheres, limited for spheres that extend far beyond the link.
Box pictured(const PicturedLink& link) {
  const Box own = boundingBox(link.mesh);
  const Vec3 extent = own.extent();
  const Real room = 0.6 * std::max({extent.x, extent.y, extent.z});
  Box box = own;
  for (const Sphere& sphere : link.spheres)
    if (sphere.radius >= 0.0)
      box.include(Box{sphere.centre - sphere.radius, sphere.centre + sphere.radius});
  return {glm::max(box.low, own.low - room), glm::min(box.high, own.high + room)};
}

}  // namespace

std::string pictureSvg(const PicturedLink& link, std::string_view name) {
  const Box box = pictured(link);
  const Vec3 extent = box.extent();
  const Real scale =
      largestView / std::max({extent.x, extent.y, extent.z, std::numeric_limits<Real>::min()});
  std::string views;
  Real x = border, tallest = 0.0;
  for (const ViewSide& side : sides) {
    const ViewFrame frame = frameOf(box, side);
    const Real width = scale * (frame.high[0] - frame.low[0]);
    const Real height = scale * (frame.high[1] - frame.low[1]) + static_cast<Real>(cellPixels);
    views += fmt::format(
        "<svg class=\"view\" x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{:.2f}\">\n{}</svg>\n",
        x, border + caption, width + static_cast<Real>(cellPixels), height,
        viewSvg(link, side, frame, scale));
    views += fmt::format("<text x=\"{:.2f}\" y=\"13\">{}</text>\n", x, side.name);
    // Leave space for the captions of narrow views
    x += std::max(width, 140.0) + 3.0 * border;
    tallest = std::max(tallest, height);
  }
  return fmt::format(
      "<svg class=\"link\" role=\"img\" aria-label=\"{} from three sides\" "
      "viewBox=\"0 0 {:.0f} {:.0f}\" width=\"{:.0f}\" shape-rendering=\"crispEdges\">\n{}</svg>\n",
      report::svgText(name), x, tallest + 2.0 * border + caption, x, views);
}

std::string pictureDefinitions() {
  return "<style>svg.link{max-width:100%;height:auto;display:block;font-size:12px}"
         "svg.link text{fill:var(--soft)}"
         ".sphere{fill:none;stroke:#0072b2;stroke-width:1;shape-rendering:auto}"
         ".uncovered{stroke:#b00020;stroke-width:.4}"
         ".legend svg{vertical-align:middle}</style>\n"
         "<svg width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\"><defs>"
         "<pattern id=\"uncovered\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
         "<rect width=\"6\" height=\"6\" fill=\"#ffd9de\"/>"
         "<path d=\"M0 6L6 0M-1 1L1 -1M5 7L7 5\" stroke=\"#b00020\" "
         "stroke-width=\"1.6\"/></pattern>"
         "<g id=\"farthest\" fill=\"none\" stroke=\"#000\" stroke-width=\"1.6\">"
         "<circle r=\"6\" stroke=\"#fff\" stroke-width=\"4\"/><circle r=\"6\"/>"
         "<path d=\"M-10 0H-3M3 0H10M0 -10V-3M0 3V10\"/></g></defs></svg>\n";
}

std::string pictureLegend() {
  const auto mark = [](std::string_view drawing, std::string_view words) {
    return fmt::format("<li><svg width=\"26\" height=\"24\" aria-hidden=\"true\">{}</svg>{}</li>\n",
                       drawing, words);
  };
  return "<ul class=\"legend\">\n" +
         mark("<rect x=\"2\" y=\"3\" width=\"22\" height=\"18\" fill=\"#9ea4ac\"/>",
              "surface of the link") +
         mark("<circle class=\"sphere\" cx=\"13\" cy=\"12\" r=\"9\"/>", "sphere") +
         mark(
             "<rect class=\"uncovered\" x=\"2\" y=\"3\" width=\"22\" height=\"18\" "
             "fill=\"url(#uncovered)\"/>",
             "hatched: outside of all spheres") +
         mark("<use href=\"#farthest\" x=\"13\" y=\"12\"/>", "farthest point outside") + "</ul>\n";
}

}  // namespace nearmiss::app::robot
