// Precompiled for tests that define flags (ci/bazel/pch.bzl).
#ifndef ASSAY_CI_BAZEL_PCH_CLI_TEST_H_
#define ASSAY_CI_BAZEL_PCH_CLI_TEST_H_

#include <CLI/CLI.hpp>

#include "ci/bazel/pch/common.h"
#include "gtest/gtest.h"

#endif  // ASSAY_CI_BAZEL_PCH_CLI_TEST_H_
