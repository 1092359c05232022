// Precompiled for tests of the importer (ci/bazel/pch.bzl).
#ifndef ASSAY_CI_BAZEL_PCH_IMPORTER_TEST_H_
#define ASSAY_CI_BAZEL_PCH_IMPORTER_TEST_H_

#include "ci/bazel/pch/common.h"
#include "compiler/graph/graph.h"
#include "gtest/gtest.h"
#include "onnx/onnx.pb.h"

#endif  // ASSAY_CI_BAZEL_PCH_IMPORTER_TEST_H_
