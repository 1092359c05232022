#include "suites/tensors/input_file.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

using frontend::Malformed;
using frontend::Quote;

// More names are not listed in an error.
constexpr size_t kMaxListed = 16;

// Returns the names, quoted, after a text that says how many there are.
std::string List(absl::Span<const std::string> names) {
  if (names.empty()) return "none";
  return absl::StrCat(
      absl::StrJoin(names.first(std::min(names.size(), kMaxListed)), ", ",
                    [](std::string* out, const std::string& name) {
                      absl::StrAppend(out, Quote(name));
                    }),
      names.size() > kMaxListed ? ", …" : "");
}

std::vector<std::string> NamesIn(const InputFile& file) {
  std::vector<std::string> names;
  for (const UnreadTensor& tensor : file.tensors) names.push_back(tensor.name);
  return names;
}

absl::Status CheckPositions(const InputFile& file,
                            absl::Span<const std::string> names) {
  if (file.tensors.size() != names.size()) {
    return Malformed(file.label, " has ", file.tensors.size(),
                     file.tensors.size() == 1 ? " tensor" : " tensors",
                     ", but the model has ", names.size(),
                     names.size() == 1 ? " input: " : " inputs: ", List(names));
  }
  for (size_t i = 0; i < names.size(); ++i) {
    // Exporters may rename inputs, so a name that is none of the model's inputs
    // is no error.
    const UnreadTensor& tensor = file.tensors[i];
    if (tensor.name != names[i] && absl::c_linear_search(names, tensor.name)) {
      return Malformed(tensor.label, " is called ", Quote(tensor.name),
                       ", but input ", i, " of the model is ", Quote(names[i]),
                       "; give the tensors in the order of the model's inputs");
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<const UnreadTensor*>> MatchInputs(
    const InputFile& file, absl::Span<const std::string> names) {
  std::vector<const UnreadTensor*> matched;
  if (file.by_position) {
    ASSAY_RETURN_IF_ERROR(CheckPositions(file, names));
    for (const UnreadTensor& tensor : file.tensors) matched.push_back(&tensor);
    return matched;
  }
  const std::vector<std::string> present = NamesIn(file);
  for (const std::string& name : names) {
    const auto found = absl::c_find(present, name);
    if (found == present.end()) {
      return Malformed(file.label, " has no ", file.noun, " for the input ",
                       Quote(name), " of the model; it has ", List(present));
    }
    matched.push_back(
        &file.tensors[static_cast<size_t>(found - present.begin())]);
  }
  for (const UnreadTensor& tensor : file.tensors) {
    if (absl::c_linear_search(names, tensor.name)) continue;
    return Malformed(tensor.label, " belongs to no input of the model, whose ",
                     "inputs are ", List(names));
  }
  return matched;
}

}  // namespace assay::suites
