// Loads models for the harness from ONNX files or serialized ONNX models.
#ifndef ASSAY_SUITES_CORRECTNESS_ONNX_MODEL_H_
#define ASSAY_SUITES_CORRECTNESS_ONNX_MODEL_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/base/memory_limit.h"
#include "suites/correctness/model.h"

namespace assay::suites {

// The name is that of the file, without folders and `.onnx`. The digest covers
// the file, its files of external data, and `dims`, but not the imported graph:
// a change of the importer is a change of the compiler, whose effect on times
// is to be measured. A model that needs more than `max_memory` is rejected
// (compiler/frontend/onnx/import.h).
absl::StatusOr<Model> LoadOnnxFile(const std::string& path,
                                   const std::map<std::string, int64_t>& dims,
                                   int64_t max_memory = kDefaultMaxMemory);

// `bytes` is the content of an ONNX file, including the weights.
absl::StatusOr<Model> LoadOnnxBytes(absl::string_view name,
                                    absl::string_view bytes,
                                    const std::map<std::string, int64_t>& dims,
                                    int64_t max_memory = kDefaultMaxMemory);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_ONNX_MODEL_H_
