// SPDX-License-Identifier: MIT
/// Readers of text that describes scenes, and of records.
#include <engine/interference/still_scene.h>
#include <engine/model/articulated_model.h>
#include <engine/scene/scene.h>

#include "fuzz/target.h"
#include "report/record.h"

namespace nearmiss::fuzz {
namespace {

void readSceneText(Bytes bytes) {
  const auto read = engine::parseScene(textOf(bytes), "x.toml");
  if (!read) return demandSentence(read.error().message);
  const std::string text = engine::writeScene(*read);
  const auto again = engine::parseScene(text, "again.toml");
  demand(bool(again), "a scene that was read is written as a scene");
  demand(engine::writeScene(*again) == text, "a scene reads back to the same");
}

void readModelText(Bytes bytes) {
  const auto read = engine::parseArticulatedModel(textOf(bytes), "x.toml");
  if (!read) return demandSentence(read.error().message);
  for (std::size_t i = 0; i < read->links.size(); ++i)
    demand(i == 0 || read->links[i].parent < i, "a link comes after the one that carries it");
}

void readLayout(Bytes bytes) {
  const auto file = asFile("layout.toml", bytes);
  const auto read = engine::readStillScene(file, scratch() / "store", "octree");
  if (!read) return demandSentence(read.error().message);
  for (const engine::StillObject& object : read->objects)
    demand(object.shape < read->shapes.size(), "an object has a shape that there is");
}

void readRecord(Bytes bytes) {
  auto reader = app::report::RecordReader::open(asFile("x.csv", bytes));
  if (!reader) return demandSentence(reader.error().message);
  const auto table = app::report::readTable(*std::move(reader));
  if (!table) return demandSentence(table.error().message);
  demand(table->cells.size() == table->rows() * table->columns.size(),
         "every row has every column");
}

}  // namespace

std::vector<Target> textTargets() {
  using Seeds = std::vector<std::string>;
  return {
      {"scene", readSceneText,
       [] {
         return Seeds{engine::writeScene({}),
                      "as_published = true\n[[drones]]\ncount = 3\nmass = \"infinite\"\n"
                      "retarget_s = [0.5, 1.0]\n[detector]\nbudget = { us = 500 }\n"};
       }},
      {"model", readModelText,
       [] {
         return Seeds{
             "version = 1\n[[links]]\nname = \"a\"\nmodel = \"a.glb\"\n[[links]]\nname = \"b\"\n"
             "model = \"b.glb\"\nparent = \"a\"\npivot = [0.0, 0.1, 0.6]\naxis = [0.0, 1.0, 0.0]\n"
             "range = [-75.0, 75.0]\nperiod = 6.0\n"};
       }},
      {"layout", readLayout,
       [] {
         return Seeds{
             "version = 1\n[[objects]]\nname = \"pump\"\nmodel = \"no.stl\"\nposition = [1.0, 0.0, "
             "0.2]\nrotation = [1.0, 0.0, 0.0, 0.0]\n"};
       }},
      {"record", readRecord,
       [] {
         return Seeds{
             "# format: nearmiss record 3\n# build: x\n# columns: a [ms]: b; c: d\na,c\n"
             "1.5,2\n-3e5,\n",
             "# commit: 672df34\n# values: value\nquantity,value,unit\npairs,3,pairs\n"};
       }},
  };
}

}  // namespace nearmiss::fuzz
