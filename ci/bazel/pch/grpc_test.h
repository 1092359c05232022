// Precompiled for tests that use gRPC (ci/bazel/pch.bzl).
#ifndef ASSAY_CI_BAZEL_PCH_GRPC_TEST_H_
#define ASSAY_CI_BAZEL_PCH_GRPC_TEST_H_

#include "ci/bazel/pch/common.h"
#include "grpcpp/grpcpp.h"
#include "gtest/gtest.h"

#endif  // ASSAY_CI_BAZEL_PCH_GRPC_TEST_H_
