// Loads the libraries that are used as references. Each function opens one
// library in the runfiles of `program`, which is argv[0], and returns NotFound
// if it could not be downloaded when the program was built. Each is implemented
// in a source file of its own.
#ifndef ASSAY_SUITES_REFERENCES_LIBRARIES_H_
#define ASSAY_SUITES_REFERENCES_LIBRARIES_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "suites/references/reference.h"

namespace assay::suites {

// OpenBLAS: a build with pthreads and 32-bit integer arguments. It computes
// float32 matrix products with `cblas_sgemm` and supports no other problems.
absl::StatusOr<std::unique_ptr<Reference>> LoadOpenBlas(
    absl::string_view program);

// oneDNN computes matrix products of float32 and of 8-bit integers with the
// matmul primitive, and convolutions with the convolution primitive.
//
// The operands and the result of a matrix product have the plain layout. A
// convolution runs in the layouts that oneDNN prefers: operands are reordered
// before the measurement, and the result is reordered after it, so the time
// includes no reordering. Bias and ReLU are part of the primitive: the bias is
// an operand, and ReLU is a post-operation.
absl::StatusOr<std::unique_ptr<Reference>> LoadOneDnn(
    absl::string_view program);

// ONNX Runtime, which runs models. All graph optimizations are enabled.
// With ByteProducts::kExact, sums of products of 8-bit integers do not
// saturate, and float operands are not rounded to 8 bits.
absl::StatusOr<std::unique_ptr<Reference>> LoadOnnxRuntime(
    absl::string_view program);

// OpenVINO, with its plugin for processors, which runs models.
//
// Models are compiled for the lowest latency of a single inference, with
// float32 forced: by default, OpenVINO computes in bfloat16 on processors with
// instructions for it. Matrix products of 8-bit integers are not supported,
// because OpenVINO imports MatMulInteger as a product of int32, which it
// computes in float32, and float32 rounds large sums. ByteProducts::kExact is
// the same as ByteProducts::kDefault.
//
// Outputs stay in memory of OpenVINO and are copied after the measurement, as
// those of ONNX Runtime are.
absl::StatusOr<std::unique_ptr<Reference>> LoadOpenVino(
    absl::string_view program);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_LIBRARIES_H_
