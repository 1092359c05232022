// Writing ONNX models to disk.
//
// With external data, every tensor of at least kExternalBytes is written to
// `<path>.data` next to the model, aligned to kExternalAlignment, as exporters
// do for models that exceed Protobuf's limit of 2 GiB.
#ifndef ASSAY_SUITES_MODELS_MODEL_FILE_H_
#define ASSAY_SUITES_MODELS_MODEL_FILE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "onnx/onnx.pb.h"

namespace assay::suites {

constexpr int64_t kExternalBytes = 1024;
constexpr int64_t kExternalAlignment = 64;

// Returns the same bytes on every machine.
std::string SerializeModel(const onnx::ModelProto& model);

// Moves the raw data of large initializers out of `model` and returns it.
// `location` is the name by which the model refers to the data.
std::string MoveToExternalData(onnx::ModelProto* model,
                               absl::string_view location);

// Errors name the path.
absl::Status WriteModel(onnx::ModelProto model, const std::string& path,
                        bool external_data);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_MODEL_FILE_H_
