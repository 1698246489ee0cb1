// SPDX-License-Identifier: MIT
#include "lab/profile_tables.h"

namespace nearmiss::app::lab {
namespace {

/// A statistic of frame times [ms] or detection times [µs].
auto ofFrames(double engine::SeriesSummary::*figure) {
  return [=](const Flown& row) { return fixed(row.summary.frameMs().*figure, 4); };
}
auto ofDetections(double engine::SeriesSummary::*figure) {
  return [=](const Flown& row) { return fixed(1e3 * (row.summary.detectionMs().*figure), 3); };
}
/// A sum as a mean per frame.
auto perFrame(double Flown::*sum) {
  return [=](const Flown& row) { return fixed(row.perFrame(row.*sum), 3); };
}
auto published(std::optional<double> PaperProfile::*number) {
  return [=](const Flown& row) { return shortest(row.run.paper.*number); };
}

}  // namespace

const TableOf<Flown>& profilesTable() {
  using Row = Flown;
  using Series = engine::SeriesSummary;
  using Paper = PaperProfile;
  const auto nothing = [](const Row&) { return Cell(); };
  static const TableOf<Row> table{
      .name = "profiles",
      .title = "frame and detection times of flights against a target",
      .columns =
          {{"run", "", "the figure of the paper, or shipped",
            [](const Row& row) { return Cell(row.run.name); }, onTerminal},
           {"detector", "", "narrow phase and trees",
            [](const Row& row) { return Cell(row.run.detector); }},
           {"frames", "", "of the flight",
            [](const Row& row) { return Cell(row.summary.frames().all); }},
           {"target_ms", "ms", "what a frame may last",
            [](const Row& row) { return shortest(row.targetMs); }},
           {"scale", "", "the paper's target to this one",
            [](const Row& row) {
              return significant(1e3 * paperTarget * row.run.target / row.targetMs, 4);
            },
            onTerminal},
           {"triangles", "", "of the ten ships", &Row::triangles, onTerminal},
           {"drawing_ms", "ms", "mean that drawing took of a frame",
            [](const Row& row) { return fixed(1e-3 * row.perFrame(row.drawUs), 4); }},
           {"drawing_sd_ms", "ms", "its standard deviation",
            [](const Row& row) { return fixed(1e-3 * row.drawingDeviation(), 4); }},
           {"idle_share", "", "of the target, the mean wait for the end of a frame",
            [](const Row& row) {
              return fixed(1e-3 * row.perFrame(row.idleUs) / row.targetMs, 4);
            }},
           {"allowance_us", "us", "mean of what detection may have of a frame; BSP trees: no limit",
            [](const Row& row) {
              return row.limited() ? fixed(row.perFrame(row.allowanceUs), 3) : Cell();
            },
            onTerminal},
           {"frame_mean_ms", "ms", "wall time of a frame", ofFrames(&Series::mean), onTerminal},
           {"frame_sd_ms", "ms", "the same", ofFrames(&Series::sd), onTerminal},
           {"frame_max_ms", "ms", "the same", ofFrames(&Series::max), onTerminal},
           {"detection_mean_us", "us", "wall time of detection in a frame",
            ofDetections(&Series::mean), onTerminal},
           {"narrow_mean_us", "us", "of that, the narrow phase", perFrame(&Row::narrowUs)},
           {"detection_sd_us", "us", "wall time of detection", ofDetections(&Series::sd),
            onTerminal},
           {"detection_max_us", "us", "the same", ofDetections(&Series::max), onTerminal},
           {"share_over_target", "", "of the frames, those more than 1 % over the target",
            [](const Row& row) {
              return fixed(row.perFrame(static_cast<double>(row.summary.frames().missed)), 4);
            },
            onTerminal},
           {"share_cut_short", "",
            "of the frames, those in which detection ran out of its allowance",
            [](const Row& row) {
              return fixed(row.perFrame(static_cast<double>(row.cutShort)), 4);
            }},
           {"collisions", "", "touches that began",
            [](const Row& row) { return Cell(row.collisions()); }, onTerminal},
           {"responses", "", "pairs handed to the response, at every detection while they touch",
            [](const Row& row) { return Cell(row.responses()); }, onTerminal},
           {"bsp_ratio", "", "mean detection time of fig17 to that of this run", nothing},
           {"bsp_narrow_ratio", "", "the same of the narrow phase", nothing, onTerminal},
           {"paper_frame_mean_s", "s", "as published", published(&Paper::frameMean)},
           {"paper_frame_sd_s", "s", "as published", published(&Paper::frameSd)},
           {"paper_frame_max_s", "s", "as published", published(&Paper::frameMax)},
           {"paper_detection_mean_s", "s", "as published", published(&Paper::detectionMean)},
           {"paper_detection_sd_s", "s", "as published", published(&Paper::detectionSd)},
           {"paper_detection_max_s", "s", "as published", published(&Paper::detectionMax)},
           {"paper_collisions", "", "as published: to be compared with responses",
            published(&Paper::collisions)},
           {"paper_bsp_ratio", "", "as published, of two flights",
            [](const Row& row) {
              return row.run.name == boundRun ? significant(paperBspRatio, 3) : Cell();
            }}},
      .notes =
          {"fig19 is the flight of Figs. 18, 19 and 20",
           "detection may have what drawing and the rest leave of the target: as much as lets "
           "it reach level 4 in as many frames with a collision as in the paper",
           "drawing is spent as it was recorded in a window, scaled to the rest of the target; "
           "in fig19steady each frame spends the mean",
           "the paper counts every response as a collision: 780 by BSP trees and 274 by "
           "sphere trees, in two flights; so do responses, whereas collisions begin once",
           "BSP trees cannot be cut short, and have no limit; the profile of each run is "
           "profile_RUN.csv"},
      .figures = {{.title = "Detection time of a frame",
                   .says = "Means: BSP trees take what they need, sphere trees what they may have",
                   .kind = "bars",
                   .x = "run",
                   .y = {"detection_mean_us", "allowance_us"},
                   .log = "y",
                   .xLabel = "run",
                   .yLabel = "microseconds"}}};
  return table;
}

const TableOf<LevelRow>& profileLevelsTable() {
  using Row = LevelRow;
  static const TableOf<Row> table{
      .name = "profiles_levels",
      .title = "collisions and responses by the level that detection reached",
      .columns = {{"run", "", "as in profiles",
                   [](const Row& row) { return Cell(row.flown.run.name); }, onTerminal},
                  {"level", "", "1 to 4: spheres, 5: triangles", &Row::level, onTerminal},
                  {"collisions", "", "touches that began",
                   [](const Row& row) { return Cell(row.collisions()); }, onTerminal},
                  {"share", "", "of all collisions of the run",
                   [](const Row& row) {
                     return significant(static_cast<double>(row.collisions()) /
                                            static_cast<double>(row.flown.collisions()),
                                        4);
                   },
                   onTerminal},
                  {"responses", "", "pairs handed to the response, at every detection",
                   [](const Row& row) { return Cell(row.responses()); }, onTerminal},
                  {"response_share", "", "of all responses of the run",
                   [](const Row& row) {
                     return significant(static_cast<double>(row.responses()) /
                                            static_cast<double>(row.flown.responses()),
                                        4);
                   },
                   onTerminal},
                  {"paper_collisions", "", "as published: responses",
                   [](const Row& row) { return shortest(row.published()); }},
                  {"paper_share", "", "as published",
                   [](const Row& row) {
                     return row.published()
                                ? significant(*row.published() / *row.flown.run.paper.collisions, 3)
                                : Cell();
                   },
                   onTerminal}},
      .figures = {{.title = "Collisions by level",
                   .says = "How deep detection came before its time was over",
                   .kind = "bars",
                   .x = "level",
                   .y = {"share", "response_share", "paper_share"},
                   .by = {"run"},
                   .xLabel = "level",
                   .yLabel = "share of the collisions",
                   .where = {{"run", "fig17oct|fig19|fig19steady|fig21|shipped"}}}}};
  return table;
}

}  // namespace nearmiss::app::lab
