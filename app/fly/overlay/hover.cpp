// SPDX-License-Identifier: MIT
#include "fly/overlay/hover.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "fly/overlay/ink.h"

namespace nearmiss::app::fly {

const HoverSpot* HoverSpots::at(const glm::vec2& pixel) const noexcept {
  for (auto spot = spots_.rbegin(); spot != spots_.rend(); ++spot)
    if (meets(spot->rect, {pixel.x, pixel.y, 0.01f, 0.01f})) return &*spot;
  return nullptr;
}

const HoverSpot* HoverChoice::shown(const HoverSpots& spots,
                                    const std::optional<glm::vec2>& pointer) const noexcept {
  if (!pinned_) return pointer ? spots.at(*pointer) : nullptr;
  // Several panels may show that name
  const HoverSpot* found = nullptr;
  for (const HoverSpot& spot : spots.all())
    if (spot.name == pinned_->name && (!found || meets(spot.rect, pinned_->rect))) found = &spot;
  return found;
}

void HoverChoice::toggle(const HoverSpots& spots, const std::optional<glm::vec2>& pointer) {
  const HoverSpot* at = pointer ? spots.at(*pointer) : nullptr;
  if (at && at != shown(spots, std::nullopt))
    pinned_ = *at;
  else
    pinned_.reset();
}

void drawHoverWords(const Ink& ink, const Rect& spot, std::string_view text, float width,
                    float height, std::string_view release) {
  ink.fill(spot, palette::white, 0.1f, 0.2f * ink.em());
  ink.frame(spot, palette::own, 1.0f, 0.2f * ink.em());
  std::string words(text);
  if (!release.empty()) words.append("\n").append(release);
  const float em = ink.em(), pad = 0.6f * em, gap = 0.3f * em;
  const float wrap = std::min(26.0f * em, width - 2.0f * (pad + gap));
  const glm::vec2 size = ink.paragraphSize(words, wrap);
  // Next to a row; above or below anything shorter, so that its neighbours stay readable
  Rect box{spot.x, spot.bottom() + gap, size.x + 2.0f * pad, size.y + 2.0f * pad};
  const bool row = spot.width > 12.0f * em;
  const bool right = spot.right() + 2.0f * gap + box.width <= width;
  if (row && (right || spot.x - 2.0f * gap - box.width >= 0.0f)) {
    box.x = right ? spot.right() + 2.0f * gap : spot.x - 2.0f * gap - box.width;
    box.y = spot.y;
  } else if (box.bottom() > height && spot.y - gap - box.height >= 0.0f) {
    box.y = spot.y - gap - box.height;
  }
  // Keep the box inside the window
  box.x = std::round(std::clamp(box.x, 0.0f, std::max(0.0f, width - box.width)));
  box.y = std::round(std::clamp(box.y, 0.0f, std::max(0.0f, height - box.height)));
  ink.fill(box, palette::plot, 1.0f, 0.3f * em);
  ink.frame(box, palette::dim, 1.0f, 0.3f * em);
  ink.paragraph({box.x + pad, box.y + pad}, words, wrap);
}

namespace {

struct Entry {
  std::string_view name, words;
};

/// By the name next to the number.
constexpr std::array table{
    // The frame and its parts
    Entry{"Frame", "Frame time / target."},
    Entry{"frame", "Frame time without the reference, which only watches."},
    Entry{"frame bar",
          "Phases of the last frame, from left to right; the white line is the target."},
    Entry{"detection bar", "Detection and response; the white line is the time allowed."},
    Entry{"last frames", "The last 400 frames on a logarithmic scale, the newest at the right."},
    Entry{"target", "Time per frame for an even picture."},
    Entry{"input", "Time to read keyboard, mouse and controller."},
    Entry{"motion", "Time to move the ships."},
    Entry{"broad", "Time to find the candidate pairs."},
    Entry{"narrow", "Time to compare the ships of the candidate pairs, level by level."},
    Entry{"render", "Time to draw the picture."},
    Entry{"swap", "Time to hand the picture to the display."},
    Entry{"other", "Time of the frame outside these phases."},
    Entry{"slack", "Time left before the target, spent waiting."},
    Entry{"detect", "Time to find contacts: broad and narrow phase."},
    Entry{"reference", "Time of the reference method, as a multiple of the flying one's."},
    Entry{"reference, not in the frame",
          "Time of the reference method, which frame times leave out."},
    Entry{"missed", "Share of the frames that missed their target."},
    Entry{"missed the target", "Whether this frame missed its target."},

    // Statistics of frames
    Entry{"frames since reset", "Frames counted; resets when the method changes."},
    Entry{"frames measured", "Frames counted; resets when the method changes."},
    Entry{"mean", "Mean frame time."},
    Entry{"sd", "Standard deviation of the frame times."},
    Entry{"max", "Longest frame time."},
    Entry{"detection", "Mean detection time per frame."},
    Entry{"p50", "Half of the frames took at most this long."},
    Entry{"p95", "95 % of the frames took at most this long."},
    Entry{"p99", "99 % of the frames took at most this long."},
    Entry{"p99.9", "99.9 % of the frames took at most this long."},
    Entry{"frame p99.9", "99.9 % of the frames took at most this long."},
    Entry{"frame, mean ± sd", "Frame time: mean and standard deviation."},
    Entry{"detection, mean ± sd", "Detection time per frame: mean and standard deviation."},
    Entry{"detection, max", "Longest detection time in a frame."},

    // Collisions and how sure they are
    Entry{"collisions of a level",
          "Contacts by the level that detection reached: in the last frames, then since the reset. "
          "Later "
          "levels are finer; the last one compares triangles."},
    Entry{
        "Collisions by level",
        "Contacts by the level that detection reached: of the last frames, then since the reset."},
    Entry{"Last frames", "The frames of the plot, at most 400, since the method last changed."},
    Entry{"This frame", "Figures of the last frame alone."},
    Entry{"contacts begun, worst bound",
          "Contacts that began in this frame, and the largest bound on their gaps."},
    Entry{"worst bound",
          "Largest gap bound of a reported contact in the last frames, also in % of a ship's "
          "radius."},
    Entry{"median bound",
          "Median gap bound of the reported contacts, also in % of a ship's radius."},
    Entry{"touching now", "Pairs of ships in contact."},
    Entry{"contacts begun", "Contacts that began since the reset."},
    Entry{"contacts ended", "Contacts that ended since the reset."},
    Entry{"bounces", "Collision responses since the reset."},
    Entry{"contacts missed",
          "Contacts that the reference found and the flying method did not; must be 0."},

    // Budget
    Entry{"budget used", "Time spent on detection, as a share of the time allowed."},
    Entry{"budget exhausted", "Frames in which detection ran out of time and answered coarsely."},
    Entry{"ran out of budget",
          "Whether detection ran out of time in this frame and answered coarsely."},
    Entry{"rest, predicted", "Expected time of the frame without detection."},
    Entry{"rest, measured", "Measured time of the frame without detection."},
    Entry{"mean prediction error", "Mean error of the expected time."},
    Entry{"allowed", "Time that detection could take in this frame."},
    Entry{"spent", "Time that detection took in this frame."},

    // Work
    Entry{"detector calls",
          "Detections since the reset, and the share skipped because nothing could touch yet."},
    Entry{"detector calls skipped",
          "Detections that were not needed because nothing could touch yet."},
    Entry{"earliest possible contact",
          "Simulated time before which no two ships can touch, however they steer."},
    Entry{"next detection at", "The earliest simulated time of the next detection."},
    Entry{"pairs tested", "Candidate pairs of the broad phase that were compared in this frame."},
    Entry{"pairs waiting", "Candidate pairs that were not compared yet for want of time."},
    Entry{"longest wait", "Detections for which a pair has been waiting, at most."},
    Entry{"ships", "Ships in flight, yours included."},
    Entry{"pairs not separate", "Candidate pairs that may be in contact."},
    Entry{"refinement steps", "Levels that were completed, over all pairs."},
    Entry{"BV tests", "Pairs of bounding volumes compared by the broad and the narrow phase."},
    Entry{"triangle tests", "Pairs of triangles that were compared."},

    // The picked pair
    Entry{"Pair", "The two ships under inspection, with their numbers."},
    Entry{"picked pair", "The two ships under inspection, with their numbers."},
    Entry{"centres apart", "Distance between the ships' centres."},
    Entry{"can meet",
          "Earliest time at which their space-time bounds meet; they cannot touch before."},
    Entry{"contact", "Points of the contact manifold, and the depth of the deepest."},
    Entry{"verdict", "Detection's answer for this pair, and the level that it reached."},
    Entry{"solids apart at most",
          "Upper bound on the distance between the solids; they may be touching."},
    Entry{"surfaces apart at most",
          "Upper bound on the distance between the surfaces; they may be touching."},
    Entry{"estimate", "Estimated gap, from how far the spheres overlap."},
    Entry{"sphere pairs", "Pairs of overlapping spheres, one of each ship."},
    Entry{"tightest bound",
          "Least upper bound over all overlapping spheres of this level, computed while paused."},
    Entry{"true distance",
          "Exact distance, computed while paused; time to contact if neither ship turns nor "
          "thrusts."},
    Entry{"time to level",
          "Time that this pair needs to the finest level that it reaches. Detection ends earlier "
          "if a coarser level decides."},
    Entry{"time by BSP trees",
          "Time that BSP trees need for this pair, as a multiple of the spheres'."},
    Entry{"reference says", "Answer of the reference method."},

    // The flight
    Entry{"seed", "The number that determines the positions and paths of all ships."},
    Entry{"simulated time", "Simulated seconds since the start."},
    Entry{"pace", "Simulated time / real time, and frames per second."},
    Entry{"recording", "The flight is being recorded to a file."},
    Entry{"building", "Progress of the trees that are being built while you fly."},
    Entry{"software rendering",
          "The picture is drawn without a graphics card, which takes more time."},
    Entry{"fly backwards",
          "How far the flight was flown back; let the key go to fly on from here."},
    Entry{"replay", "Position in the recorded flight; tall strokes mark many collisions."},
    Entry{"points", "Points of this run: closer and faster passes earn more."},
    Entry{"speed", "Speed of your ship, metres per second."},
    Entry{"threat", "Distance of the nearest ship, and the time to contact if nobody steers."},
    Entry{"score", "Points of this run or mission, or of the flight since its start."},
    Entry{"time left", "Simulated seconds left in this run."},
    Entry{"streak", "Passes in a row without touching, and how often the next one counts."},
};

}  // namespace

std::string_view hoverWords(std::string_view name) noexcept {
  // Rows of levels have the level's name
  if (name.ends_with(" and since reset")) name = "collisions of a level";
  const auto* found = std::ranges::find(table, name, &Entry::name);
  return found == table.end() ? std::string_view() : found->words;
}

}  // namespace nearmiss::app::fly
