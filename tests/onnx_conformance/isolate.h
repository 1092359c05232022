// RunIsolated: runs functions that may crash or hang in separate processes.
#ifndef ASSAY_TESTS_ONNX_CONFORMANCE_ISOLATE_H_
#define ASSAY_TESTS_ONNX_CONFORMANCE_ISOLATE_H_

#include <functional>
#include <vector>

#include "absl/status/status.h"

namespace assay::conformance {

// Time limit of a function.
constexpr int kMaxSeconds = 60;

// Calls `body` with 0 to count - 1, each in a child process, with at most
// `jobs` of them at a time, and returns the results. For a child that crashes
// or exceeds the time limit, the result is an Internal error; after a crash it
// contains the first line of the child's stderr. The calling process must not
// have other threads or children.
std::vector<absl::Status> RunIsolated(
    int count, int jobs, const std::function<absl::Status(int)>& body);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_ISOLATE_H_
