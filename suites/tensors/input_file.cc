#include "suites/tensors/input_file.h"

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

using frontend::Malformed;
using frontend::Quote;
using frontend::QuoteList;

std::vector<std::string> NamesIn(const InputFile& file) {
  std::vector<std::string> names;
  for (const UnreadTensor& tensor : file.tensors) names.push_back(tensor.name);
  return names;
}

absl::Status CheckPositions(const InputFile& file,
                            absl::Span<const std::string> names) {
  if (file.tensors.size() != names.size()) {
    return Malformed(
        file.label, " has ", file.tensors.size(),
        file.tensors.size() == 1 ? " tensor" : " tensors",
        ", but the model has ", names.size(),
        names.size() == 1 ? " input: " : " inputs: ", QuoteList(names));
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
                       Quote(name), " of the model; it has ",
                       QuoteList(present));
    }
    matched.push_back(
        &file.tensors[static_cast<size_t>(found - present.begin())]);
  }
  for (const UnreadTensor& tensor : file.tensors) {
    if (absl::c_linear_search(names, tensor.name)) continue;
    return Malformed(tensor.label, " belongs to no input of the model, whose ",
                     "inputs are ", QuoteList(names));
  }
  return matched;
}

}  // namespace assay::suites
