#include "reports/result/kernel_code_json.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {

Json FromKernelCode(const std::vector<KernelCode>& code) {
  Json array = Json::array();
  for (const KernelCode& kernel : code) {
    Json json;
    json["symbol"] = kernel.symbol;
    json["sources"] = kernel.sources;
    json["digest"] = kernel.digest;
    array.push_back(std::move(json));
  }
  return array;
}

absl::StatusOr<std::vector<KernelCode>> ToKernelCode(const Json& array,
                                                     const std::string& path) {
  std::vector<KernelCode> code;
  if (array.is_null()) return code;
  if (!array.is_array()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", path, "` is not an array"));
  }
  for (const Json& json : array) {
    KernelCode kernel;
    JsonReader r(json, absl::StrCat(path, "[", code.size(), "]"));
    r.Read("symbol", &kernel.symbol);
    r.Read("sources", &kernel.sources);
    r.Read("digest", &kernel.digest);
    ASSAY_RETURN_IF_ERROR(r.status());
    code.push_back(std::move(kernel));
  }
  return code;
}

}  // namespace assay::reports
