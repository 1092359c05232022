// Reads test cases that Python programs have written to one file
// (generate/packed_cases.py): the test cases of the nodes of the newest package
// `onnx`, and random test cases with the outputs of its reference
// implementation.
#ifndef ASSAY_TESTS_ONNX_CONFORMANCE_PACKED_CASES_H_
#define ASSAY_TESTS_ONNX_CONFORMANCE_PACKED_CASES_H_

#include <string>

#include "absl/status/statusor.h"
#include "tests/onnx_conformance/case.h"
#include "tests/onnx_conformance/packed_cases.pb.h"

namespace assay::conformance {

// Returns the cases in the file `path`, or InvalidArgument if it is no such
// file.
absl::StatusOr<PackedCases> ReadPackedCases(const std::string& path);

// Returns the model and the values of a case. The errors are those of
// ReadCase().
absl::StatusOr<Case> Unpack(const PackedCase& packed);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_PACKED_CASES_H_
