// OnnxRuntimeSession: a model in ONNX Runtime, measured as ours is.
#ifndef ASSAY_SUITES_HARNESS_RUNNERS_ONNXRUNTIME_SESSION_H_
#define ASSAY_SUITES_HARNESS_RUNNERS_ONNXRUNTIME_SESSION_H_

#include <memory>

#include "absl/status/statusor.h"
#include "suites/harness/services.h"
#include "suites/references/onnxruntime.h"

namespace assay::suites {

// `onnxruntime` outlives the session. Unimplemented if part of the model lies
// in files beside it.
absl::StatusOr<std::unique_ptr<Session>> LoadOnnxRuntimeSession(
    OnnxRuntime* onnxruntime, const Model& model,
    const runtime::NamedTensors& inputs, int threads);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_RUNNERS_ONNXRUNTIME_SESSION_H_
