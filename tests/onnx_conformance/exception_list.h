// The list of cases that do not pass, tests/onnx_conformance/exceptions: one
// line `<case>: <reason>` each, sorted; lines that begin with # are comments.
#ifndef ASSAY_TESTS_ONNX_CONFORMANCE_EXCEPTION_LIST_H_
#define ASSAY_TESTS_ONNX_CONFORMANCE_EXCEPTION_LIST_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::conformance {

// From the name of a case to the reason, which is not empty.
using Exceptions = std::map<std::string, std::string>;

// The error names the line.
absl::StatusOr<Exceptions> ParseExceptions(absl::string_view text);

// Of a reason only the first line is kept.
std::string PrintExceptions(const Exceptions& exceptions);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_EXCEPTION_LIST_H_
