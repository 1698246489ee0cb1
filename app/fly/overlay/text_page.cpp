// SPDX-License-Identifier: MIT
#include <engine/flight/depth.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "console/gap_text.h"
#include "fly/host/input.h"
#include "fly/host/key_bindings.h"
#include "fly/host/key_map.h"
#include "fly/overlay/ink.h"
#include "fly/overlay/panels.h"
#include "fly/overlay/text_page.h"

namespace nearmiss::app {
namespace {

constexpr float lineHeight = 1.35f, keyWidth = 6.6f, columnGap = 1.8f, margin = 1.0f;
constexpr float titleHeight = 2.4f, apart = 1.2f;  // all in units of the type
constexpr float smallerType = 0.8f, smallestType = 8.0f;

/// Groups [first, last) of one column.
struct Column {
  std::size_t first = 0, last = 0;
};

std::size_t linesOf(std::span<const PageGroup> groups) {
  std::size_t lines = 0;
  for (const PageGroup& group : groups) lines += group.rows.size() + 2;
  return lines > 0 ? lines - 1 : 0;
}

/// At most `count` columns, in order, the longest as short as it can be.
std::vector<Column> columnsOf(std::span<const PageGroup> groups, std::size_t count) {
  for (std::size_t limit = 1;; ++limit) {
    std::vector<Column> columns(1);
    bool tooLong = false;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (linesOf(groups.subspan(g, 1)) > limit) tooLong = true;
      const std::size_t first = columns.back().first;
      if (linesOf(groups.subspan(first, g + 1 - first)) > limit) columns.push_back({g, g});
      columns.back().last = g + 1;
    }
    if (!tooLong && columns.size() <= count) return columns;
  }
}

float naturalWidth(std::span<const PageGroup> groups, PageStyle style, float type,
                   const TextWidth& widthOf) {
  float width = style == PageStyle::Figures ? 15.0f * type : 0.0f;
  for (const PageGroup& group : groups) {
    width = std::max(width, widthOf(group.heading, type));
    for (const PageRow& row : group.rows) {
      const float left = widthOf(row.left, type), right = widthOf(row.right, type);
      const float begin = style == PageStyle::Keys ? std::max(keyWidth * type, left + apart * type)
                                                   : left + apart * type;
      width = std::max(width, begin + right);
    }
  }
  return width;
}

/// Writes rows below each other into a column.
class Writer {
 public:
  Writer(PageLayout& page, PageStyle style, float x, float width, const TextWidth& widthOf)
      : page_(page), widthOf_(widthOf), style_(style), x_(x), width_(width) {}

  void write(const PageGroup& group) {
    if (y_ > 0.0f) y_ += page_.line;
    put(PageText::Role::Heading, group.heading, x_);
    y_ += page_.line;
    for (const PageRow& row : group.rows) write(row);
  }
  [[nodiscard]] float end() const noexcept { return y_; }

 private:
  void put(PageText::Role role, std::string text, float x) {
    const float width = widthOf_(text, page_.type);
    page_.texts.push_back({role, std::move(text), {x, y_ + 0.5f * page_.line}, width});
  }

  void write(const PageRow& row) {
    const float left = widthOf_(row.left, page_.type), right = widthOf_(row.right, page_.type);
    const float space = apart * page_.type;
    put(PageText::Role::Left, row.left, x_);
    if (style_ == PageStyle::Figures) {
      // A figure that does not fit beside its name stands below it
      if (left + space + right > width_) y_ += page_.line;
      put(PageText::Role::Right, row.right, x_ + width_ - right);
      y_ += page_.line;
      return;
    }
    float begin = keyWidth * page_.type;
    if (begin > 0.5f * width_) begin = 2.0f * page_.type;
    if (left + space > begin) {
      // A long name of a key pushes its text aside, or down if there is no room for any of it
      if (left + space + right <= width_)
        begin = left + space;
      else
        y_ += page_.line;
    }
    wrap(row.right, begin);
  }

  void wrap(std::string_view text, float begin) {
    std::string line;
    while (!text.empty()) {
      const std::size_t space = std::min(text.find(' '), text.size());
      const std::string longer =
          line + (line.empty() ? "" : " ") + std::string(text.substr(0, space));
      if (!line.empty() && begin + widthOf_(longer, page_.type) > width_) {
        put(PageText::Role::Right, std::exchange(line, std::string()), x_ + begin);
        y_ += page_.line;
        continue;
      }
      line = longer;
      text.remove_prefix(std::min(space + 1, text.size()));
    }
    put(PageText::Role::Right, line, x_ + begin);
    y_ += page_.line;
  }

  PageLayout& page_;
  const TextWidth& widthOf_;
  PageStyle style_;
  float x_, width_, y_ = 0.0f;
};

/// The page in those columns and that type, the panel in the middle of the window.
PageLayout laidOut(float width, float height, float type, std::span<const PageGroup> groups,
                   PageStyle style, std::span<const Column> columns, const TextWidth& widthOf) {
  PageLayout page;
  page.type = type;
  page.line = lineHeight * type;
  const float room = width - 2.0f * margin * type;
  float x = 0.0f;
  for (const Column& column : columns) {
    const auto own = groups.subspan(column.first, column.last - column.first);
    const float wide = std::min(naturalWidth(own, style, type, widthOf), room);
    if (x > 0.0f) x += columnGap * type;
    Writer writer(page, style, x, wide, widthOf);
    for (const PageGroup& group : own) writer.write(group);
    page.height = std::max(page.height, writer.end());
    x += wide;
  }
  const float tall = std::min(page.height + (titleHeight + margin) * type, height);
  page.box = {std::round(0.5f * (width - x) - margin * type), std::round(0.5f * (height - tall)),
              x + 2.0f * margin * type, tall};
  page.view = {page.box.x + margin * type, page.box.y + titleHeight * type, x,
               tall - (titleHeight + margin) * type};
  return page;
}

bool fitsAcross(const PageLayout& page, float width) {
  return page.box.x >= -0.5f && page.box.right() <= width + 0.5f &&
         std::ranges::all_of(page.texts, [&](const PageText& text) {
           return text.at.x >= -0.5f && text.at.x + text.width <= page.view.width + 0.5f;
         });
}

}  // namespace

PageLayout layOutPage(float width, float height, float em, std::span<const PageGroup> groups,
                      PageStyle style, const TextWidth& widthOf) {
  // Whole, in the largest type and the most columns
  PageLayout page;
  for (const float type : {em, smallerType * em})
    for (const std::size_t count : {3u, 2u, 1u}) {
      page = laidOut(width, height, type, groups, style, columnsOf(groups, count), widthOf);
      if (fitsAcross(page, width) && !page.scrolls()) return page;
    }
  // Scrolling, in type so small that every word fits
  for (float type = smallerType * em;; type *= 0.9f)
    for (const std::size_t count : {3u, 2u, 1u}) {
      page = laidOut(width, height, type, groups, style, columnsOf(groups, count), widthOf);
      if (fitsAcross(page, width) || type < smallestType) return page;
    }
}

void drawPage(const Ink& ink, float width, float height, std::span<const PageGroup> groups,
              PageStyle style, std::string_view title, std::string_view hint, float& scroll) {
  const auto widthOf = [&ink](std::string_view text, float type) {
    return ink.textWidth(text) * type / ink.em();
  };
  const PageLayout page = layOutPage(width, height, ink.em(), groups, style, widthOf);
  scroll = std::clamp(scroll, 0.0f, page.mostScroll());
  ink.panel(page.box, 0.97f);

  // The title, and how to get away
  const float middle = page.box.y + 0.5f * titleHeight * page.type;
  const Line wayOut("{}{}", page.scrolls() ? "PageDown: more; " : "", hint);
  const float hintWidth = widthOf(wayOut, page.type), titleWidth = widthOf(title, page.type);
  if (titleWidth + hintWidth + apart * page.type < page.view.width)
    ink.sized({page.view.x, middle}, title, palette::text, page.type, ink.bold());
  const float size = std::min(page.type, page.type * page.view.width / std::max(hintWidth, 1.0f));
  ink.sized({page.view.right() - widthOf(wayOut, size), middle}, wayOut, palette::dim, size);

  const float up = scroll * page.line;
  const Rect& view = page.view;
  ink.list()->PushClipRect({view.x - page.type, view.y}, {view.right() + page.type, view.bottom()},
                           true);
  for (const PageText& text : page.texts) {
    const float y = view.y + text.at.y - up;
    if (y < view.y - page.line || y > view.bottom() + page.line) continue;
    const bool heading = text.role == PageText::Role::Heading;
    if (style == PageStyle::Figures && text.role == PageText::Role::Left)
      ink.spot({view.x + text.at.x, y - 0.5f * page.line, text.width, page.line}, text.text);
    const bool strong = (text.role == PageText::Role::Left) == (style == PageStyle::Keys);
    ink.sized({view.x + text.at.x, y}, text.text,
              heading  ? palette::narrow
              : strong ? palette::text
                       : palette::dim,
              page.type, heading ? ink.bold() : nullptr);
  }
  ink.list()->PopClipRect();
  if (!page.scrolls()) return;
  const float part = view.height / page.height;
  const float top = view.y + (up / page.height) * view.height;
  const float bar = std::max(2.0f, 0.25f * page.type);
  ink.fill({page.box.right() - 2.0f * bar, view.y, bar, view.height}, palette::black, 0.5f);
  ink.fill({page.box.right() - 2.0f * bar, top, bar, part * view.height}, palette::slack);
}

namespace {

PageGroup groupOf(KeyGroup group) {
  PageGroup page{std::string(groupName(group)), {}};
  for (const KeyBinding& binding : keyBindings())
    if (binding.group == group)
      page.rows.push_back({localKeyName(binding.action), std::string(binding.text)});
  if (group == KeyGroup::View) {
    page.rows.push_back({"Wheel", "nearer, farther"});
    page.rows.push_back({"Middle drag", "look around"});
  }
  return page;
}

}  // namespace

std::vector<PageGroup> helpGroups() {
  using enum KeyGroup;
  std::vector<PageGroup> groups;
  for (const KeyGroup group : {Flight, Time, Detection, View, Program})
    groups.push_back(groupOf(group));
  PageGroup& pad = groups.emplace_back(PageGroup{"Controller", {}});
  for (const PadBinding& binding : padBindings())
    pad.rows.push_back({std::string(binding.name), std::string(binding.text)});
  groups.push_back(introduction());
  return groups;
}

PageGroup introduction() {
  return {"How to read the screen",
          {{"L1 to exact", "spheres, finer by level; at last triangles"},
           {"gap", "they may touch, and are no farther apart"},
           {"budget", "time for detection; then it must answer"},
           {"mouse", "rest it on anything: it says what that is"}}};
}

void drawIntroduction(const Ink& ink, float width, float height, float& scroll) {
  const Line hint("{} closes, {} shows it again", localKeyName(Action::Back),
                  localKeyName(Action::Help));
  const std::vector<PageGroup> groups{introduction()};
  drawPage(ink, width, height, groups, PageStyle::Keys, "Nearmiss", hint, scroll);
}

void drawHelp(const Ink& ink, float width, float height, float& scroll) {
  ink.fill({0.0f, 0.0f, width, height}, palette::black, 0.55f);
  const Line hint("{} or {} closes", localKeyName(Action::Help), localKeyName(Action::Back));
  drawPage(ink, width, height, helpGroups(), PageStyle::Keys, "Keys", hint, scroll);
}

void drawStick(const Ink& ink, float width, float height, const UiState& ui) {
  const float radius = 0.18f * std::min(width, height);
  const ImVec2 middle(0.5f * width, 0.5f * height);
  const ImVec2 end(middle.x + ui.stick.x * radius, middle.y + ui.stick.y * radius);
  ink.list()->AddCircle(middle, radius, Ink::colour(palette::text, 0.45f), 64, 1.5f);
  ink.list()->AddCircle(middle, 0.1f * radius, Ink::colour(palette::text, 0.45f), 24, 1.0f);
  ink.list()->AddLine(middle, end, Ink::colour(palette::own, 0.8f), 2.0f);
  ink.list()->AddCircleFilled(end, 0.35f * ink.em(), Ink::colour(palette::own), 24);
}

namespace {

using engine::FrameProfile;

std::string words(std::string_view line) { return std::string(line); }

std::string duration(FrameProfile::Duration d) {
  if (d == FrameProfile::Duration::max()) return "no limit";
  return fmt::format("{:.3f} ms", std::chrono::duration<double, std::milli>(d).count());
}

constexpr std::array phases{std::pair{"input", &FrameProfile::input},
                            std::pair{"motion", &FrameProfile::motion},
                            std::pair{"broad phase", &FrameProfile::broad},
                            std::pair{"narrow phase", &FrameProfile::narrow},
                            std::pair{"response", &FrameProfile::response},
                            std::pair{"render", &FrameProfile::render},
                            std::pair{"swap", &FrameProfile::swap},
                            std::pair{"other", &FrameProfile::other},
                            std::pair{"slack", &FrameProfile::slack}};

constexpr std::array bodies{std::pair{"ships", &FrameProfile::ships},
                            std::pair{"pairs, broad phase", &FrameProfile::pairsBroad},
                            std::pair{"pairs not separate", &FrameProfile::pairsNarrow},
                            std::pair{"pairs that wait", &FrameProfile::pairsPostponed}};

constexpr std::array work{std::pair{"refinement steps", &FrameProfile::steps},
                          std::pair{"sphere tests", &FrameProfile::sphereTests},
                          std::pair{"triangle tests", &FrameProfile::triangleTests}};

PageGroup timeGroup(const FrameProfile& f) {
  PageGroup group{"Time of the frame", {}};
  for (const auto& [name, time] : phases) group.rows.push_back({name, duration(f.*time)});
  group.rows.push_back({"frame", duration(f.frameTime - f.watching)});
  group.rows.push_back({"reference, outside the frame", duration(f.watching)});
  group.rows.push_back({"target", duration(f.target)});
  return group;
}

PageGroup budgetGroup(const FrameProfile& f, const ShownNumbers& shown) {
  const auto rest = f.frameTime - f.watching - f.slack - f.broad - f.narrow;
  return {"Budget",
          {{"rest, predicted", duration(f.predictedRest)},
           {"rest, measured", duration(rest)},
           {"mean error of prediction", fmt::format("{:.3f} ms", shown.predictionError)},
           {"allowed", duration(f.budget)},
           {"spent", duration(f.spent)}}};
}

PageGroup workGroup(const FrameProfile& f) {
  PageGroup group{"Work", {}};
  for (const auto& [name, count] : bodies)
    group.rows.push_back({name, words(formatCount(f.*count))});
  for (const auto& [name, count] : work) group.rows.push_back({name, words(formatCount(f.*count))});
  group.rows.push_back({"ran out of budget", f.exhausted ? "yes" : "no"});
  group.rows.push_back({"missed the target", f.missed ? "yes" : "no"});
  group.rows.push_back({"worst bound", gapText(f.worstBound)});
  group.rows.push_back({"median bound", gapText(f.medianBound)});
  return group;
}

PageGroup sinceGroup(const FrameStatistics& since, const ShownNumbers& shown) {
  return {"Since reset",
          {{"frames measured", words(formatCount(since.frames))},
           {"frame, mean, sd",
            fmt::format("{:.3f}  {:.3f} ms", since.frameTime.mean(), since.frameTime.sd())},
           {"detection, mean, sd",
            fmt::format("{:.3f}  {:.3f} ms", since.detection.mean(), since.detection.sd())},
           {"detection, max", fmt::format("{:.3f} ms", since.detection.max())},
           {"frame p99.9", words(formatTime(shown.p99_9))},
           {"calls of the detector", words(formatCount(since.detections))},
           {"silences, calls spared", words(formatCount(since.detectionsSkipped))},
           {"missed by the driver", words(formatCount(since.missedContacts))}}};
}

PageGroup collisionGroup(const FrameStatistics& since, const ShownNumbers& shown) {
  const auto begun = std::accumulate(shown.total.begin(), shown.total.end(), std::uint64_t{0});
  PageGroup group{"Collisions",
                  {{"touching now", words(formatCount(shown.last.touching))},
                   {"begun since reset", words(formatCount(begun))},
                   {"ended since reset", words(formatCount(since.touchesEnded))},
                   {"responses since reset", words(formatCount(since.responses))}}};
  for (std::size_t level = 1; level < shown.total.size(); ++level)
    group.rows.push_back(
        {fmt::format("{}, {} frames, total", engine::nameOfDepth(static_cast<int>(level)),
                     shown.runningFrames),
         fmt::format("{}  {}", shown.running[level], words(formatCount(shown.total[level])))});
  return group;
}

PageGroup settingGroup(const OverlayView& view, const ShownNumbers& shown) {
  PageGroup group{"Flight",
                  {{"narrow phase", words(view.method)},
                   {"trees", words(view.tree)},
                   {"broad phase", words(view.broad)},
                   {"scene", words(view.sceneName)},
                   {"seed", fmt::format("{}", view.seed)},
                   {"simulated time", fmt::format("{:.2f} s", shown.last.simTime)},
                   {"pace", fmt::format("x{:.2f}, {:.0f} Hz", shown.pace.rate, shown.pace.hertz)},
                   {"next detection at", fmt::format("{:.2f} s", shown.last.nextDetection)},
                   {"camera", words(view.camera)}}};
  if (view.pair)
    group.rows.push_back(
        {"picked pair", fmt::format("{} {}, {} {}", view.pair->shapeA, view.pair->keyA,
                                    view.pair->shapeB, view.pair->keyB)});
  return group;
}

}  // namespace

std::vector<PageGroup> numberGroups(const OverlayView& view, const ShownNumbers& shown) {
  const FrameProfile& f = shown.last;
  return {timeGroup(f),
          budgetGroup(f, shown),
          workGroup(f),
          collisionGroup(*view.statistics, shown),
          sinceGroup(*view.statistics, shown),
          settingGroup(view, shown)};
}

void drawNumbersTable(const Ink& ink, float width, float height, const OverlayView& view,
                      const ShownNumbers& shown, float& scroll) {
  const Line title("Frame {}", shown.last.frame);
  const Line hint("{} or {} closes", localKeyName(Action::Numbers), localKeyName(Action::Back));
  drawPage(ink, width, height, numberGroups(view, shown), PageStyle::Figures, title, hint, scroll);
}

}  // namespace nearmiss::app
