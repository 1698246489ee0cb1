// SPDX-License-Identifier: MIT
/// The JSON form of an experiment's table, as `nearmiss lab` writes it beside the CSV.
#pragma once

#include <nearmiss/result.h>

#include <string>
#include <string_view>

namespace nearmiss::app::report {

/// The same table as the record that lies beside it, `# key: value` lines and rows. Errors:
/// Unsupported for other JSON, of which an unmerged part is named as such; the message is a clause
/// that goes on from the file's name.
[[nodiscard]] Result<std::string> recordOfLabTable(std::string_view json);

}  // namespace nearmiss::app::report
