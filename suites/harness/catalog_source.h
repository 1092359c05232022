// The models of the catalog (suites/models/catalog.h) as the harness loads
// them.
#ifndef ASSAY_SUITES_HARNESS_CATALOG_SOURCE_H_
#define ASSAY_SUITES_HARNESS_CATALOG_SOURCE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "suites/harness/flags/options.h"
#include "suites/harness/services.h"
#include "suites/models/catalog.h"

namespace assay::suites {

// The model is built, serialized and imported like an ONNX file of a user. If
// the options change its size or width, its name says so:
// `mobilenet_v1_s128_x0.25`.
ModelSource FromCatalog(const CatalogEntry& entry, const Options& options);

// Returns the values of --variant of a suite; empty if it has only one model.
std::vector<std::string> VariantsOf(absl::string_view suite);

// Returns the models of `suite` that --variant selects, in that order.
std::vector<ModelSource> ModelsOf(absl::string_view suite,
                                  const Options& options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_CATALOG_SOURCE_H_
