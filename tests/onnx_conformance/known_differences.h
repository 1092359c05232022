// Reads the list of known differences between the interpreter and
// `onnx.reference`, the file tests/onnx_conformance/reference_differences. It
// consists of lines
//
//   <operator> | <error> | <decision>
//
// sorted by operator. Lines that begin with # are comments. `<error>` is a
// pattern for the error of a test case, in which `*` stands for any text.
// `<decision>` says who is right and why: it has the sentence of the
// specification that decides.
#ifndef ASSAY_TESTS_ONNX_CONFORMANCE_KNOWN_DIFFERENCES_H_
#define ASSAY_TESTS_ONNX_CONFORMANCE_KNOWN_DIFFERENCES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::conformance {

struct KnownDifference {
  std::string op_type;
  std::string error;
  std::string decision;
};

// Returns InvalidArgument, with the line, if a line is malformed or not sorted.
absl::StatusOr<std::vector<KnownDifference>> ParseKnownDifferences(
    absl::string_view text);

// Returns true if `text` is `pattern` with any texts in place of each `*`.
bool MatchesPattern(absl::string_view text, absl::string_view pattern);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_KNOWN_DIFFERENCES_H_
