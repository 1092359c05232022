// Precompiled for sources that use gRPC (ci/bazel/pch.bzl).
#ifndef ASSAY_CI_BAZEL_PCH_GRPC_H_
#define ASSAY_CI_BAZEL_PCH_GRPC_H_

#include "ci/bazel/pch/common.h"
#include "grpcpp/grpcpp.h"

#endif  // ASSAY_CI_BAZEL_PCH_GRPC_H_
