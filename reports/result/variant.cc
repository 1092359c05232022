#include "reports/result/variant.h"

#include "absl/strings/str_cat.h"

namespace assay::reports {
namespace {

std::string Join(const Variant& variant, absl::string_view separator,
                 absl::string_view after_prefix) {
  std::string text;
  for (const Dimension& dimension : kDimensions) {
    if (!dimension.IsStated(variant)) continue;
    absl::StrAppend(&text, text.empty() ? "" : separator, dimension.prefix,
                    *dimension.prefix == 0 ? "" : after_prefix,
                    dimension.NameOf(variant));
  }
  return text;
}

}  // namespace

std::string VariantText(const Variant& variant) {
  return Join(variant, ", ", " ");
}

std::string VariantName(const Variant& variant, char separator) {
  return Join(variant, absl::string_view(&separator, 1), "_");
}

std::string VariantTags(const Variant& variant, absl::string_view before,
                        absl::string_view between) {
  std::string text;
  for (const Dimension& dimension : kDimensions) {
    if (!dimension.IsStated(variant)) continue;
    absl::StrAppend(&text, before, dimension.name, between,
                    dimension.NameOf(variant));
  }
  return text;
}

}  // namespace assay::reports
