// Models of suites/models as the harness takes them.
#ifndef ASSAY_SUITES_HARNESS_CATALOG_SOURCE_H_
#define ASSAY_SUITES_HARNESS_CATALOG_SOURCE_H_

#include <string>
#include <vector>

#include "suites/harness/options.h"
#include "suites/harness/services.h"

namespace assay::suites {

// The model `name` of the catalog, which `suite` measures as its `variant`
// (empty if it has but one). By way of the bytes of an ONNX file, as it would
// be for anybody's model. One of another size or width than its own says so in
// its name: `mobilenet_v1_s128_x0.25`.
ModelSource FromCatalog(const std::string& suite, const std::string& variant,
                        const std::string& name, const Options& options);

// The variants of `suite` that the options ask for; the catalog's names of them
// begin with `prefix`.
std::vector<ModelSource> VariantsFromCatalog(const std::string& suite,
                                             const std::string& prefix,
                                             const Options& options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_CATALOG_SOURCE_H_
