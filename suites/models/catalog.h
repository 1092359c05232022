// The catalog: the table of all models that this project builds, with the suite
// that measures each model (suites/docs/adding_a_suite.md). The suite
// //suites:full measures the models of all suites in the catalog that are whole
// networks, not single operators or layers.
#ifndef ASSAY_SUITES_MODELS_CATALOG_H_
#define ASSAY_SUITES_MODELS_CATALOG_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "onnx/onnx.pb.h"
#include "suites/models/layers.h"

namespace assay::suites {

// Which options a model supports besides the batch, the seed and the style.
enum class ModelKind {
  kClassifier,   // image size and multiplier
  kDetector,     // multiplier (see ssd.h); opset at least 10
  kOneOperator,  // none
};

struct CatalogEntry {
  const char* name;     // for example `mobilenet_v1`
  const char* suite;    // suite that measures the model; empty if there is none
  const char* variant;  // value of --variant; empty if the suite has one model
  onnx::ModelProto (*build)(const CatalogOptions& options);
  ModelKind kind = ModelKind::kClassifier;
};

// Returns all models. By default, suites measure their models in this order.
absl::Span<const CatalogEntry> Catalog();

std::vector<std::string> CatalogNames();

// Builds the model `name`. Returns InvalidArgument if there is no model of this
// name, if the multiplier is not positive, or if the model does not support the
// options:
//   - Detectors have a fixed image size and need opset 10 or later.
//   - Models of single operators have a fixed size and no multiplier.
absl::StatusOr<onnx::ModelProto> BuildFromCatalog(
    const std::string& name, const CatalogOptions& options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_CATALOG_H_
