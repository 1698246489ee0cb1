// SPDX-License-Identifier: MIT
/// Models that are written in some format and loaded again.
#pragma once

#include <engine/model/model_loader.h>
#include <gtest/gtest.h>

#include <string>

#include "support/files.h"

namespace nearmiss::engine {

struct Format {
  const char* extension;
  std::string (*write)(const TriangleMesh&);
};

class Loading : public testing::Test {
 protected:
  Result<LoadedModel> load(const std::string& name, const std::string& text,
                           const LoadOptions& options = {}) const {
    return loadModel(nearmiss::test::writeText(folder_ / name, text), options);
  }
  nearmiss::test::TemporaryFolder folder_;
};

}  // namespace nearmiss::engine
