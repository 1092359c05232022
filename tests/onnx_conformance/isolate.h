// RunIsolated: functions that may crash or hang, each in a process of its own.
#ifndef ASSAY_TESTS_ONNX_CONFORMANCE_ISOLATE_H_
#define ASSAY_TESTS_ONNX_CONFORMANCE_ISOLATE_H_

#include <functional>
#include <vector>

#include "absl/status/status.h"

namespace assay::conformance {

// A function that takes longer has failed.
constexpr int kMaxSeconds = 60;

// Calls `body` with 0 to count - 1, each call in a child process and `jobs` of
// them at a time, and returns their results. Of a child that crashes or hangs,
// the result is an Internal error with the first line that it wrote to its
// standard error. The calling process has no other threads and children.
std::vector<absl::Status> RunIsolated(
    int count, int jobs, const std::function<absl::Status(int)>& body);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_ISOLATE_H_
