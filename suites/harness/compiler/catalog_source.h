// Converts models of the catalog (suites/models/catalog.h) to ModelSources,
// from which the harness loads models.
#ifndef ASSAY_SUITES_HARNESS_COMPILER_CATALOG_SOURCE_H_
#define ASSAY_SUITES_HARNESS_COMPILER_CATALOG_SOURCE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "suites/harness/compiler/compiler.h"
#include "suites/harness/flags/options.h"
#include "suites/models/catalog.h"

namespace assay::suites {

// Returns a source whose `load` builds the model, serializes it, and imports it
// like an ONNX file of a user. If the options change the image size or the
// width multiplier, these values are appended to the name of the model, for
// example `mobilenet_v1_s128_x0.25`.
ModelSource FromCatalog(const CatalogEntry& entry, const Options& options);

// Returns the values that the flag --variant of `suite` accepts. The list is
// empty if the suite has only one model.
std::vector<std::string> VariantsOf(absl::string_view suite);

// Returns the models of `suite` that --variant selects, in the order of
// --variant.
std::vector<ModelSource> ModelsOf(absl::string_view suite,
                                  const Options& options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_COMPILER_CATALOG_SOURCE_H_
