// SPDX-License-Identifier: MIT
#include "report/call_data.h"

namespace nearmiss::app {
namespace {

constexpr std::array<std::string_view, 10> columnNames{
    "bsp_ns",   "st_l1_ns", "st_l2_ns", "st_l3_ns", "st_l4_ns",
    "st_l5_ns", "bound_l1", "bound_l2", "bound_l3", "bound_l4"};

void addCall(const std::array<std::optional<double>, columnNames.size()>& row, CallData& data) {
  ++data.calls;
  for (std::size_t l = 0; l < data.levels.size(); ++l) {
    const auto& time = row[1 + l];
    // A clock may not see the shortest calls
    if (!time || *time <= 0.0 || !row[0]) continue;
    const double speedUp = *row[0] / *time;
    data.levels[l].speedUp.add(speedUp);
    data.levels[l].faster += speedUp > 1.0;
  }
  for (std::size_t l = 0; l < data.bounds.size(); ++l)
    if (row[6 + l]) data.bounds[l].add(*row[6 + l]);
}

}  // namespace

Result<CallData> readCalls(RecordReader reader) {
  const auto places = reader.find(columnNames);
  if (!places) return places.error();
  CallData data;
  data.file = reader.file();
  data.head = reader.head();
  for (;;) {
    const auto more = reader.next();
    if (!more) return more.error();
    if (!*more) break;
    std::array<std::optional<double>, columnNames.size()> row;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto value = reader.numberIfAny((*places)[i]);
      if (!value) return value.error();
      row[i] = *value;
    }
    addCall(row, data);
  }
  data.cutShort = reader.cutShort();
  return data;
}

}  // namespace nearmiss::app
