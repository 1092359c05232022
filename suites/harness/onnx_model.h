// Models for the harness from ONNX: a file, or a message a suite has built.
#ifndef ASSAY_SUITES_HARNESS_ONNX_MODEL_H_
#define ASSAY_SUITES_HARNESS_ONNX_MODEL_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/base/memory_limit.h"
#include "suites/harness/services.h"

namespace assay::suites {

// Named after the file, without folders and `.onnx`. The digest covers the
// file, the files of external data it refers to, and `dims`; not the graph it
// is imported as, since a change of the importer is a change of the compiler,
// whose effect on the times is wanted. A model that needs more than
// `max_memory` is refused (compiler/frontend/onnx/import.h).
absl::StatusOr<Model> LoadOnnxFile(const std::string& path,
                                   const std::map<std::string, int64_t>& dims,
                                   int64_t max_memory = kDefaultMaxMemory);

// The content of a file, weights included.
absl::StatusOr<Model> LoadOnnxBytes(absl::string_view name,
                                    absl::string_view bytes,
                                    const std::map<std::string, int64_t>& dims,
                                    int64_t max_memory = kDefaultMaxMemory);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_ONNX_MODEL_H_
