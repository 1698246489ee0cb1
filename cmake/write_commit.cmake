# cmake -D SOURCE=DIR -D OUTPUT=FILE -P write_commit.cmake: a header with the commit that is built.
# Written only where it changes, so that nothing else is rebuilt.
execute_process(COMMAND git -C ${SOURCE} describe --always --abbrev=12 --exclude=* --dirty
  OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT commit)
  set(commit "unknown")
endif()
file(CONFIGURE OUTPUT ${OUTPUT}
  CONTENT "// SPDX-License-Identifier: MIT\n#pragma once\n#define NEARMISS_COMMIT \"${commit}\"\n")
