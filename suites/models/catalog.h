// The catalog: the table of all models that this project builds and of the
// suites that measure them. A model that is added here is measured by its suite
// and by //suites:full (suites/docs/adding_a_suite.md).
#ifndef ASSAY_SUITES_MODELS_CATALOG_H_
#define ASSAY_SUITES_MODELS_CATALOG_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "onnx/onnx.pb.h"
#include "suites/models/multibox.h"
#include "suites/models/onnx_builder.h"

namespace assay::suites {

struct CatalogOptions {
  int64_t batch = 1;
  // Height and width of the image; 0 selects the default of the model.
  int64_t size = 0;
  // Width multiplier: scales the channels of all layers.
  double multiplier = 1.0;
  uint64_t seed = 0;
  ExportStyle style;
};

struct CatalogEntry {
  const char* name;     // `mobilenet_v1`
  const char* suite;    // suite that measures it; empty for models of tests
  const char* variant;  // --variant in the suite; empty if it has only one
  absl::StatusOr<onnx::ModelProto> (*build)(const std::string& name,
                                            const CatalogOptions& options);
  // Returns the parameters of a detector's NMS; null for other models.
  Suppression (*suppression)() = nullptr;
};

// Returns all models in the order in which suites measure them.
absl::Span<const CatalogEntry> Catalog();

std::vector<std::string> CatalogNames();

// Returns InvalidArgument if there is no model of this name or it does not
// support the options: detectors have a fixed image size and need opset 10,
// single operators have a fixed size.
absl::StatusOr<onnx::ModelProto> BuildFromCatalog(
    const std::string& name, const CatalogOptions& options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_CATALOG_H_
