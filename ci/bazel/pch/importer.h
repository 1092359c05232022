// Precompiled for sources of the importer (ci/bazel/pch.bzl).
#ifndef ASSAY_CI_BAZEL_PCH_IMPORTER_H_
#define ASSAY_CI_BAZEL_PCH_IMPORTER_H_

#include "ci/bazel/pch/common.h"
#include "compiler/graph/graph.h"
#include "onnx/onnx.pb.h"

#endif  // ASSAY_CI_BAZEL_PCH_IMPORTER_H_
