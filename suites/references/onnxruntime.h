// LoadOnnxRuntime: loads ONNX Runtime as a ModelReference. All graph
// optimizations are enabled. ByteProducts::kExact sets the options with which
// products of 8-bit integers do not saturate and float operands are not rounded
// to 8 bits.
#ifndef ASSAY_SUITES_REFERENCES_ONNXRUNTIME_H_
#define ASSAY_SUITES_REFERENCES_ONNXRUNTIME_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "suites/references/model_reference.h"

namespace assay::suites {

// Opens the library in the runfiles of `program`, which is argv[0]. Returns
// NotFound if it could not be downloaded when the program was built.
absl::StatusOr<std::unique_ptr<ModelReference>> LoadOnnxRuntime(
    absl::string_view program);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_ONNXRUNTIME_H_
