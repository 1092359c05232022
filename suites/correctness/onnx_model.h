// Loads models for the harness from ONNX files or from serialized ONNX models.
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

// Imports the model in the file `path`. `dims` are the extents of its symbolic
// dimensions. The name of the model is the file name without the folders and
// without the suffix `.onnx`.
//
// The digest of the model covers the file, its files of external data, and
// `dims`. It does not cover the imported graph, because a change of the
// importer must not change the digest: the importer is part of the compiler
// under test, and times that are measured before and after the change must be
// comparable.
//
// All files of external data must be in the folder of the model, also those of
// tensors that the importer does not read, because other runtimes may read
// them. Returns an error if the import needs more than `max_memory` bytes
// (compiler/frontend/onnx/import.h).
absl::StatusOr<Model> LoadOnnxFile(const std::string& path,
                                   const std::map<std::string, int64_t>& dims,
                                   int64_t max_memory = kDefaultMaxMemory);

// Imports the model in `bytes`, the content of an ONNX file that contains the
// weights.
absl::StatusOr<Model> LoadOnnxBytes(absl::string_view name,
                                    absl::string_view bytes,
                                    const std::map<std::string, int64_t>& dims,
                                    int64_t max_memory = kDefaultMaxMemory);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_ONNX_MODEL_H_
