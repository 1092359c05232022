// The list of failing cases, tests/onnx_conformance/exceptions: sorted lines
// `<case>: <reason>`; lines that begin with # are comments.
#ifndef ASSAY_TESTS_ONNX_CONFORMANCE_EXCEPTION_LIST_H_
#define ASSAY_TESTS_ONNX_CONFORMANCE_EXCEPTION_LIST_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::conformance {

// Maps the name of a case to a non-empty reason.
using Exceptions = std::map<std::string, std::string>;

// The error names the line.
absl::StatusOr<Exceptions> ParseExceptions(absl::string_view text);

// Prints only the first line of each reason.
std::string PrintExceptions(const Exceptions& exceptions);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_EXCEPTION_LIST_H_
