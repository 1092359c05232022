#include "reports/result/variant_json.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace assay::reports {

void AddVariant(const Variant& variant, nlohmann::ordered_json& json) {
  for (const Dimension& dimension : kDimensions) {
    if (!IsReported(dimension)) continue;
    nlohmann::ordered_json& value = json[dimension.name];
    if (dimension.IsSwitch()) {
      value = dimension.get(variant) != 0;
    } else {
      value = dimension.NameOf(variant);
    }
  }
}

void ReadVariant(JsonReader& reader, const nlohmann::ordered_json& json,
                 Variant* variant) {
  for (const Dimension& dimension : kDimensions) {
    if (!json.contains(dimension.name) && !dimension.states_default) continue;
    std::string value;
    if (dimension.IsSwitch()) {
      bool on = false;
      reader.Read(dimension.name, &on);
      value = on ? "on" : "off";
    } else {
      reader.Read(dimension.name, &value);
    }
    if (!dimension.Set(value, variant)) {
      reader.Fail(dimension.name,
                  absl::StrCat("is none of `",
                               absl::StrJoin(dimension.Names(), "`, `"), "`"));
    }
  }
}

}  // namespace assay::reports
