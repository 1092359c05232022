// Writes and reads the variant of a row as members of its JSON object: one for
// each dimension that has several values. Members of dimensions with the values
// `off` and `on` are booleans.
#ifndef ASSAY_REPORTS_RESULT_VARIANT_JSON_H_
#define ASSAY_REPORTS_RESULT_VARIANT_JSON_H_

#include <nlohmann/json.hpp>

#include "reports/result/json_reader.h"
#include "reports/result/variant.h"

namespace assay::reports {

void AddVariant(const Variant& variant, nlohmann::ordered_json& json);

// Older files lack the members of newer dimensions. The values of these
// dimensions in `*variant` are then not changed.
void ReadVariant(JsonReader& reader, const nlohmann::ordered_json& json,
                 Variant* variant);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_VARIANT_JSON_H_
