// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "fly/overlay/panels.h"

namespace nearmiss::app {
namespace {

using engine::FrameProfile;

Line duration(FrameProfile::Duration d) {
  if (d == FrameProfile::Duration::max()) return Line("no limit");
  return Line("{:.3f} ms", std::chrono::duration<double, std::milli>(d).count());
}

constexpr std::array phases{std::pair{"input", &FrameProfile::input},
                            std::pair{"motion", &FrameProfile::motion},
                            std::pair{"broad phase", &FrameProfile::broad},
                            std::pair{"narrow phase", &FrameProfile::narrow},
                            std::pair{"response", &FrameProfile::response},
                            std::pair{"render", &FrameProfile::render},
                            std::pair{"swap", &FrameProfile::swap},
                            std::pair{"slack", &FrameProfile::slack}};

constexpr std::array bodies{std::pair{"ships", &FrameProfile::ships},
                            std::pair{"pairs, broad phase", &FrameProfile::pairsBroad},
                            std::pair{"pairs not separate", &FrameProfile::pairsNarrow},
                            std::pair{"pairs that wait", &FrameProfile::pairsPostponed}};

constexpr std::array work{std::pair{"refinement steps", &FrameProfile::steps},
                          std::pair{"sphere tests", &FrameProfile::sphereTests},
                          std::pair{"triangle tests", &FrameProfile::triangleTests}};

class Table {
 public:
  Table(const Ink& ink, glm::vec2 corner, float width)
      : ink_(ink), corner_(corner), width_(width), y_(corner.y) {}
  void heading(std::string_view text) {
    ink_.text({corner_.x, y_ + 0.5f * ink_.line()}, text, palette::narrow, ink_.bold());
    y_ += ink_.line();
  }
  void row(std::string_view name, std::string_view value) {
    const float middle = y_ + 0.5f * ink_.line();
    ink_.text({corner_.x, middle}, name, palette::dim);
    ink_.textRight({corner_.x + width_, middle}, value);
    y_ += ink_.line();
  }
  void gap() { y_ += 0.5f * ink_.line(); }

 private:
  const Ink& ink_;
  glm::vec2 corner_;
  float width_, y_;
};

}  // namespace

void drawNumbersTable(const Ink& ink, float width, float height, const OverlayView& view,
                      const ShownNumbers& shown) {
  const FrameProfile& f = shown.last;
  const float em = ink.em(), column = 18.0f * em;
  const float tall = 19.5f * ink.line();
  const Rect box{std::max(0.0f, std::round(0.5f * (width - 2.0f * column - 4.5f * em))),
                 std::max(0.0f, std::round(0.5f * (height - tall - 3.0f * em))),
                 2.0f * column + 4.5f * em, tall + 3.0f * em};
  ink.panel(box, 0.97f);
  ink.text({box.x + 1.5f * em, box.y + 1.2f * em}, Line("Frame {}", f.frame), palette::text,
           ink.bold());
  ink.textRight({box.right() - 1.5f * em, box.y + 1.2f * em},
                Line("{}, simulation time {:.2f} s", f.detector, f.simTime), palette::dim);

  Table left(ink, {box.x + 1.5f * em, box.y + 2.2f * em}, column);
  left.heading("Time");
  for (const auto& [name, time] : phases) left.row(name, duration(f.*time));
  left.row("frame", duration(f.frameTime - f.watching));
  left.row("reference, outside the frame", duration(f.watching));
  left.row("target", duration(f.target));
  left.gap();
  left.heading("Budget");
  left.row("rest, predicted", duration(f.predictedRest));
  left.row("rest, measured", duration(f.frameTime - f.watching - f.slack - f.broad - f.narrow));
  left.row("mean error of prediction", Line("{:.3f} ms", shown.predictionError));
  left.row("allowed", duration(f.budget));
  left.row("spent", duration(f.spent));

  Table right(ink, {box.x + 3.0f * em + column, box.y + 2.2f * em}, column);
  right.heading("Work");
  for (const auto& [name, count] : bodies) right.row(name, formatCount(f.*count));
  for (const auto& [name, count] : work) right.row(name, formatCount(f.*count));
  right.row("ran out of budget", f.exhausted ? "yes" : "no");
  right.row("missed the target", f.missed ? "yes" : "no");
  right.row("worst bound", formatLength(f.worstBound));
  right.row("median bound", formatLength(f.medianBound));
  right.gap();
  right.heading("Since reset");
  const FrameStatistics& since = *view.statistics;
  right.row("frame, mean, sd",
            Line("{:.3f}  {:.3f} ms", since.frameTime.mean(), since.frameTime.sd()));
  right.row("detection, mean, sd",
            Line("{:.3f}  {:.3f} ms", since.detection.mean(), since.detection.sd()));
  right.row("detection, max", Line("{:.3f} ms", since.detection.max()));
  right.row("frame p99.9", formatTime(shown.p99_9));
  right.row("detections, skipped", Line("{}, {}", std::string_view(formatCount(since.detections)),
                                        std::string_view(formatCount(since.detectionsSkipped))));
  right.row("missed by the driver", formatCount(since.missedContacts));
}

}  // namespace nearmiss::app
