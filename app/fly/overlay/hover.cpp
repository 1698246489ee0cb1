// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "fly/overlay/hover.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app {

const HoverSpot* HoverSpots::at(const glm::vec2& pixel) const noexcept {
  for (auto spot = spots_.rbegin(); spot != spots_.rend(); ++spot)
    if (meets(spot->rect, {pixel.x, pixel.y, 0.01f, 0.01f})) return &*spot;
  return nullptr;
}

void drawHoverWords(const Ink& ink, const Rect& spot, std::string_view words, float width,
                    float height) {
  const float em = ink.em(), pad = 0.6f * em, gap = 0.3f * em;
  const float wrap = std::min(26.0f * em, width - 2.0f * (pad + gap));
  const ImVec2 size =
      ink.regular()->CalcTextSizeA(em, 1e9f, wrap, words.data(), words.data() + words.size());
  // Beside a row, below or above anything shorter, so that its neighbours can still be read
  Rect box{spot.x, spot.bottom() + gap, size.x + 2.0f * pad, size.y + 2.0f * pad};
  const bool row = spot.width > 12.0f * em;
  const bool right = spot.right() + 2.0f * gap + box.width <= width;
  if (row && (right || spot.x - 2.0f * gap - box.width >= 0.0f)) {
    box.x = right ? spot.right() + 2.0f * gap : spot.x - 2.0f * gap - box.width;
    box.y = spot.y;
  } else if (box.bottom() > height && spot.y - gap - box.height >= 0.0f) {
    box.y = spot.y - gap - box.height;
  }
  // Never over the window's edge
  box.x = std::round(std::clamp(box.x, 0.0f, std::max(0.0f, width - box.width)));
  box.y = std::round(std::clamp(box.y, 0.0f, std::max(0.0f, height - box.height)));
  ink.fill(box, palette::plot, 1.0f, 0.3f * em);
  ink.frame(box, palette::dim, 1.0f, 0.3f * em);
  ink.list()->AddText(ink.regular(), em, {box.x + pad, box.y + pad}, Ink::colour(palette::text),
                      words.data(), words.data() + words.size(), wrap);
}

namespace {

struct Entry {
  std::string_view name, words;
};

/// By what stands on the screen beside the number.
constexpr std::array table{
    // The frame and its parts
    Entry{"Frame", "What a frame took, of what it may take: its target."},
    Entry{"frame", "What the frame took in all, without the reference that only watches."},
    Entry{"frame bar",
          "Where the last frame's time went, from left to right; the white line is its target."},
    Entry{"detection bar",
          "Detection and response of the frame; the white line is what they were allowed."},
    Entry{"last frames", "The last 400 frames, the newest at the right, on a logarithmic scale."},
    Entry{"target", "How long a frame may take, so that the picture moves evenly."},
    Entry{"input", "Time for reading keys and mouse."},
    Entry{"motion", "Time for moving the ships."},
    Entry{"broad", "Time for finding the pairs of ships that may touch at all."},
    Entry{"broad phase",
          "Finds the pairs of ships that may touch at all; the others cost nothing."},
    Entry{"narrow", "Time for comparing the ships of those pairs, finer and finer."},
    Entry{"narrow phase", "Compares the ships of each pair that may touch, finer and finer."},
    Entry{"response", "Time for throwing ships back that touch."},
    Entry{"render", "Time for drawing the picture."},
    Entry{"swap", "Time for handing the picture to the display."},
    Entry{"other", "Time of the frame that belongs to nothing named here."},
    Entry{"slack", "Time that was left, and was waited out."},
    Entry{"detect", "Time for finding contacts: broad and narrow phase together."},
    Entry{"reference", "Time of the method that only watches, and how many times the other's."},
    Entry{"reference, outside the frame",
          "Time of the method that only watches; it is not counted."},
    Entry{"missed", "Of all frames, those that took longer than their target."},
    Entry{"missed the target", "Whether this frame took longer than it may."},

    // Statistics of frames
    Entry{"frames since reset", "So many frames are counted here; another method begins anew."},
    Entry{"frames measured", "So many frames are counted here; another method begins anew."},
    Entry{"mean", "The mean of the frames' times."},
    Entry{"sd", "The standard deviation: how far frames' times lie from their mean."},
    Entry{"max", "The longest frame."},
    Entry{"detection", "The mean of what detection took in a frame."},
    Entry{"p50", "Half of the frames took no longer."},
    Entry{"p95", "Ninety-five of a hundred frames took no longer."},
    Entry{"p99", "Ninety-nine of a hundred frames took no longer."},
    Entry{"p99.9", "All but one of a thousand frames took no longer."},
    Entry{"frame p99.9", "All but one of a thousand frames took no longer."},
    Entry{"frame, mean, sd", "The mean of the frames' times, and how far they lie from it."},
    Entry{"detection, mean, sd", "The mean of detection's times, and how far they lie from it."},
    Entry{"detection, max", "The longest that detection took in a frame."},

    // Collisions and how sure they are
    Entry{"collisions of a level",
          "Contacts that were last seen at this level: in the last frames, then in all. A later "
          "level is finer, and the last compares triangles."},
    Entry{"Collisions by level", "Over how many of the last frames the left column counts."},
    Entry{"worst bound",
          "Ships that were said to touch were never farther apart than this, in the last frames."},
    Entry{"median bound", "Half of the contacts were between ships no farther apart than this."},
    Entry{"touching; ended, responses",
          "Pairs that touch now; how many no longer do, and how often ships were thrown back."},
    Entry{"touching now", "Pairs of ships that touch now."},
    Entry{"begun since reset", "Contacts that began while these numbers were counted."},
    Entry{"ended since reset", "Contacts that ended while these numbers were counted."},
    Entry{"responses since reset", "How often ships were thrown back while these were counted."},
    Entry{"missed by the driver",
          "Contacts that the reference saw and the method that flies did not: it should be none."},

    // Budget
    Entry{"budget used", "What detection used of the time that it was allowed."},
    Entry{"budget exhausted", "Frames in which detection ran out of time and answered coarsely."},
    Entry{"ran out of budget", "Whether detection ran out of time and answered coarsely."},
    Entry{"rest, predicted", "What everything but detection was expected to take."},
    Entry{"rest, measured", "What everything but detection did take."},
    Entry{"mean error of prediction", "How far that expectation is wrong on average."},
    Entry{"allowed", "How long detection could take in this frame."},
    Entry{"spent", "How long detection did take in this frame."},

    // Work
    Entry{"detector's calls",
          "How often contacts were looked for, and how often that could be spared."},
    Entry{"calls of the detector", "How often contacts were looked for."},
    Entry{"silences, calls spared",
          "How often no look was needed, because nothing new could touch yet."},
    Entry{"next meeting", "When two ships can touch at the earliest, if they do their best to."},
    Entry{"next detection at", "The simulated time until which nothing new can touch."},
    Entry{"pairs; tests", "Pairs that may touch; spheres, and triangles, that were compared."},
    Entry{
        "pairs; waiting, skipped",
        "Pairs that may touch; those that wait for want of time, and for how many looks at most."},
    Entry{"ships", "Ships that fly, yours among them."},
    Entry{"pairs, broad phase", "Pairs of ships that may touch at all."},
    Entry{"pairs not separate", "Pairs of ships that could not be told apart."},
    Entry{"pairs that wait", "Pairs that nobody looked at yet, for want of time."},
    Entry{"refinement steps", "How often a pair was looked at one level more closely."},
    Entry{"sphere tests", "Pairs of spheres that were compared."},
    Entry{"triangle tests", "Pairs of triangles that were compared."},

    // The picked pair
    Entry{"Pair", "The two ships that are looked at, each with its number."},
    Entry{"picked pair", "The two ships that are looked at, each with its number."},
    Entry{"centres apart", "From the middle of one ship to that of the other."},
    Entry{"can meet", "When their bounds meet at the earliest: before that they cannot touch."},
    Entry{"verdict", "What detection says of the two, and at which level it stopped."},
    Entry{"solids apart at most", "They may not touch, but are no farther apart than this."},
    Entry{"surfaces apart at most",
          "They may not touch, but their surfaces are no farther apart than this."},
    Entry{"estimate; sphere pairs",
          "A guess of how far apart they are, from how spheres overlap; how many pairs of spheres "
          "do."},
    Entry{"estimate, less overlap", "A guess of how far apart they are, from how spheres overlap."},
    Entry{"colliding sphere pairs", "Pairs of spheres that overlap, one of each ship."},
    Entry{"true distance", "How far apart they are in truth, worked out while nothing moves."},
    Entry{"reference says", "What the method says that only watches."},

    // The flight
    Entry{"trees", "How the spheres of each model were made."},
    Entry{"scene", "Which ships fly, how many and where."},
    Entry{"seed", "The number that places and paths of all ships follow from."},
    Entry{"simulated time", "Seconds that have passed for the ships."},
    Entry{"pace", "Simulated seconds a second, and frames a second."},
    Entry{"camera", "Where you look from."},
    Entry{"recording", "What flies is being written to a file."},
    Entry{"building", "How far the trees are that are being built while you fly."},
    Entry{"software rendering",
          "The picture is drawn without a graphics card, and costs more time."},
    Entry{"replay", "Where the recorded flight stands; a high stroke is many collisions."},
    Entry{"points", "What your passes have earned so far: the closer and faster, the more."},
    Entry{"time left", "Simulated seconds until the run for points is over."},
    Entry{"streak", "Passes in a row without touching; the next one counts so many times."},
};

}  // namespace

std::string_view hoverWords(std::string_view name) noexcept {
  // Rows of levels are named after the level
  if (name.ends_with(" frames, total")) name = "collisions of a level";
  const auto* found = std::ranges::find(table, name, &Entry::name);
  return found == table.end() ? std::string_view() : found->words;
}

}  // namespace nearmiss::app
