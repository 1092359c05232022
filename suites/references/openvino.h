// LoadOpenVino: loads OpenVINO, with its plugin for processors, as a
// ModelReference.
//
// Models are compiled for the lowest latency of a single inference, with
// float32 forced: by default, OpenVINO computes in bfloat16 on processors with
// instructions for it. Matrix products of 8-bit integers are not supported,
// because OpenVINO imports MatMulInteger as a product of int32, which it
// computes in float32, and float32 rounds large sums.
//
// ByteProducts::kExact is the same as ByteProducts::kDefault.
//
// Outputs are written to memory of the session. The exception is an output
// whose extents depend on the data, such as that of NonMaxSuppression: it stays
// in memory of OpenVINO and is copied after the measurement, as all outputs of
// ONNX Runtime are.
#ifndef ASSAY_SUITES_REFERENCES_OPENVINO_H_
#define ASSAY_SUITES_REFERENCES_OPENVINO_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "suites/references/model_reference.h"

namespace assay::suites {

// Opens the library in the runfiles of `program`, which is argv[0]. Returns
// NotFound if it could not be downloaded when the program was built.
absl::StatusOr<std::unique_ptr<ModelReference>> LoadOpenVino(
    absl::string_view program);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_OPENVINO_H_
