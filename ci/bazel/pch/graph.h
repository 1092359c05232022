// Precompiled for sources that use the graph IR (ci/bazel/pch.bzl).
#ifndef ASSAY_CI_BAZEL_PCH_GRAPH_H_
#define ASSAY_CI_BAZEL_PCH_GRAPH_H_

#include "ci/bazel/pch/common.h"
#include "compiler/graph/graph.h"

#endif  // ASSAY_CI_BAZEL_PCH_GRAPH_H_
