// RunIsolated: calls a function that may crash or hang. Each call runs in a
// separate process.
#ifndef ASSAY_TESTS_ONNX_CONFORMANCE_ISOLATE_H_
#define ASSAY_TESTS_ONNX_CONFORMANCE_ISOLATE_H_

#include <functional>
#include <vector>

#include "absl/status/status.h"

namespace assay::conformance {

// Time limit of each function call, in seconds.
constexpr int kMaxSeconds = 60;

// Calls `body` with each integer in [0, count) and returns the results in the
// order of the integers. Each call runs in a child process; at most `jobs`
// child processes run at a time. If a child crashes, which includes that a
// check fails, or exceeds the time limit, the result is an error for which
// IsCrash() is true. The error for a crash contains the first line of the
// child's standard error. The calling process must not have other threads or
// children.
std::vector<absl::Status> RunIsolated(
    int count, int jobs, const std::function<absl::Status(int)>& body);

// Returns true if `status`, a result of RunIsolated(), says that the child
// crashed (Aborted) or exceeded the time limit (DeadlineExceeded).
bool IsCrash(const absl::Status& status);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_ISOLATE_H_
