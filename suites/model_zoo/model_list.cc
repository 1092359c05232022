#include "suites/model_zoo/model_list.h"

#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "reports/render/csv_field.h"
#include "runtime/text/pattern.h"

namespace assay::suites {
namespace {

constexpr char kHeader[] = "name,sha256,dims,input_values,origin,description";
constexpr size_t kColumns = 6;

absl::Status ErrorAt(size_t line, absl::string_view problem) {
  return absl::InvalidArgumentError(absl::StrCat("line ", line, ": ", problem));
}

}  // namespace

absl::StatusOr<std::vector<ZooModel>> ParseModelList(absl::string_view text) {
  const std::vector<absl::string_view> lines = absl::StrSplit(text, '\n');
  if (lines[0] != kHeader) {
    return ErrorAt(1, absl::StrCat("the columns must be `", kHeader, "`"));
  }
  std::vector<ZooModel> models;
  std::set<std::string> names;
  for (size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].empty()) continue;
    const std::vector<std::string> fields = reports::SplitCsvLine(lines[i]);
    if (fields.size() != kColumns) {
      return ErrorAt(i + 1,
                     absl::StrCat("there are ", fields.size(), " fields for ",
                                  kColumns, " columns: `", lines[i], "`"));
    }
    ZooModel model;
    model.name = fields[0];
    model.sha256 = fields[1];
    model.dims = absl::StrSplit(fields[2], ' ', absl::SkipEmpty());
    model.input_values = absl::StrSplit(fields[3], ' ', absl::SkipEmpty());
    model.origin = fields[4];
    model.description = fields[5];
    if (model.name.empty()) return ErrorAt(i + 1, "the model has no name");
    if (!names.insert(model.name).second) {
      return ErrorAt(i + 1,
                     absl::StrCat("`", model.name, "` is in the list twice"));
    }
    models.push_back(std::move(model));
  }
  return models;
}

absl::StatusOr<std::vector<ZooModel>> SelectModels(
    const std::vector<ZooModel>& models, const std::string& pattern) {
  if (pattern.empty()) return models;
  const auto regex = runtime::Pattern::Parse(pattern);
  if (!regex.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`--models`: ", regex.status().message()));
  }
  std::vector<ZooModel> selected;
  for (const ZooModel& model : models) {
    if (regex->Matches(model.name)) selected.push_back(model);
  }
  if (selected.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`--models` is `", pattern,
                     "`, which matches no model; `--list` prints all"));
  }
  return selected;
}

}  // namespace assay::suites
