// Reads and writes a list of failing test cases, such as the file
// tests/onnx_conformance/exceptions. It consists of lines `<case>: <reason>`,
// sorted by case. Lines that begin with # are comments. The reason of a case is
// the first line of the error with which the case fails; a case that crashes
// cannot be listed.
#ifndef ASSAY_TESTS_ONNX_CONFORMANCE_EXCEPTION_LIST_H_
#define ASSAY_TESTS_ONNX_CONFORMANCE_EXCEPTION_LIST_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::conformance {

// Maps the name of a case to a non-empty reason.
using Exceptions = std::map<std::string, std::string>;

// Returns InvalidArgument, with the line or the case, if a line is malformed or
// a case is listed twice.
absl::StatusOr<Exceptions> ParseExceptions(absl::string_view text);

// Returns the first line of an error message, which is what the file contains.
std::string ReasonOf(absl::string_view message);

// Returns the content of the file. Only the first line of each reason is
// included. `command` is the command that regenerates the file.
std::string PrintExceptions(const Exceptions& exceptions,
                            absl::string_view command);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_EXCEPTION_LIST_H_
