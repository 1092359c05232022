// Precompiled for sources that define flags (ci/bazel/pch.bzl).
#ifndef ASSAY_CI_BAZEL_PCH_CLI_H_
#define ASSAY_CI_BAZEL_PCH_CLI_H_

#include <CLI/CLI.hpp>

#include "ci/bazel/pch/common.h"

#endif  // ASSAY_CI_BAZEL_PCH_CLI_H_
