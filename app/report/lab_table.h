// SPDX-License-Identifier: MIT
/// Converts the JSON of an experiment's table, which `nearmiss lab` writes next to the CSV.
#pragma once

#include <nearmiss/result.h>

#include <string>
#include <string_view>

namespace nearmiss::app::report {

/// Returns the same table as a record: `# key: value` lines and rows. Errors: Unsupported for other
/// JSON; an unmerged part is named as such. The message continues a sentence that starts with the
/// file's name.
[[nodiscard]] Result<std::string> recordOfLabTable(std::string_view json);

}  // namespace nearmiss::app::report
