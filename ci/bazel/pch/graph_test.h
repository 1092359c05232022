// Precompiled for tests that use the graph IR (ci/bazel/pch.bzl).
#ifndef ASSAY_CI_BAZEL_PCH_GRAPH_TEST_H_
#define ASSAY_CI_BAZEL_PCH_GRAPH_TEST_H_

#include "ci/bazel/pch/common.h"
#include "compiler/graph/graph.h"
#include "gtest/gtest.h"

#endif  // ASSAY_CI_BAZEL_PCH_GRAPH_TEST_H_
