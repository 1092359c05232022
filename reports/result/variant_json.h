// Writes and reads the variant of a row as members of its JSON object, one for
// each dimension. Those with the values `off` and `on` are booleans.
#ifndef ASSAY_REPORTS_RESULT_VARIANT_JSON_H_
#define ASSAY_REPORTS_RESULT_VARIANT_JSON_H_

#include <nlohmann/json.hpp>

#include "reports/result/json_reader.h"
#include "reports/result/variant.h"

namespace assay::reports {

void AddVariant(const Variant& variant, nlohmann::ordered_json& json);

// Older files lack the members of newer dimensions, which keep their values.
void ReadVariant(JsonReader& reader, const nlohmann::ordered_json& json,
                 Variant* variant);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_VARIANT_JSON_H_
