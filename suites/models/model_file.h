// Serializes ONNX models and writes them to files.
//
// With external data, every initializer of at least kExternalBytes bytes is
// stored in the file `<path>.data` instead of the model file, at a multiple of
// kExternalAlignment bytes. Exporters use this format for models that exceed
// Protobuf's limit of 2 GiB.
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

// Serializes `model`. The result is the same on every machine.
std::string SerializeModel(const onnx::ModelProto& model);

// Removes the raw data of large initializers from `model` and returns the
// content of the external data file. `location` is the name by which the model
// will refer to this file.
std::string MoveToExternalData(onnx::ModelProto* model,
                               absl::string_view location);

// Writes `model` to the file `path` and, if `external_data`, to `<path>.data`.
// Error messages contain the path.
absl::Status WriteModel(onnx::ModelProto model, const std::string& path,
                        bool external_data);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_MODEL_FILE_H_
