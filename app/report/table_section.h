// SPDX-License-Identifier: MIT
/// The table of an experiment: its figures as its head tells them, its notes, the table itself.
#pragma once

#include <string>

#include "report/record_table.h"

namespace nearmiss::app {

/// Errors: BadFormat for a figure that cannot be drawn from the table.
[[nodiscard]] Result<std::string> tableSectionHtml(const RecordTable& table);

}  // namespace nearmiss::app
