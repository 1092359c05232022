#include "suites/harness/flags/model_flags.h"

#include <memory>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

absl::StatusOr<std::map<std::string, int64_t>> ParseDims(
    const std::vector<std::string>& texts) {
  std::map<std::string, int64_t> dims;
  for (const std::string& text : texts) {
    // The name comes from a file and may itself contain an equals sign.
    const size_t equals = text.rfind('=');
    int64_t extent = 0;
    if (equals == std::string::npos || equals == 0 ||
        !absl::SimpleAtoi(text.substr(equals + 1), &extent) || extent < 1) {
      return absl::InvalidArgumentError(absl::StrCat(
          "`--dim` is `", text,
          "`; it must be the name of a dimension, `=`, and an extent of at "
          "least 1"));
    }
    const std::string name = text.substr(0, equals);
    if (!dims.emplace(name, extent).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("`--dim` is given twice for `", name, "`"));
    }
  }
  return dims;
}

absl::Status Check(const SuiteFlags& suite, const ModelOptions& options) {
  for (const std::string& variant : options.variants) {
    if (absl::c_linear_search(suite.variants, variant)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("`--variant` is `", variant, "`; there are ",
                     absl::StrJoin(suite.variants, ", ")));
  }
  if (HasDuplicate(options.variants)) {
    return absl::InvalidArgumentError("`--variant` has a variant twice");
  }
  if (options.size < 0 || options.size > 4096) {
    return absl::InvalidArgumentError(absl::StrCat(
        "`--size` is ", options.size, "; it must be from 1 to 4096"));
  }
  if (!(options.multiplier >= 0.01 && options.multiplier <= 4)) {
    return absl::InvalidArgumentError(
        absl::StrCat("`--multiplier` is ", options.multiplier,
                     "; it must be from 0.01 to 4"));
  }
  if (suite.takes_model && options.file.empty()) {
    return absl::InvalidArgumentError(
        "`--model` is missing; give the path of an ONNX file");
  }
  return absl::OkStatus();
}

}  // namespace

FinishFlags AddModelFlags(CLI::App& app, const SuiteFlags& suite,
                          ModelOptions* options) {
  auto dims = std::make_shared<std::vector<std::string>>();
  if (suite.takes_model) {
    app.add_option("--model", options->file, "ONNX file to measure")
        ->type_name("FILE");
    app.add_option(
           "--dim", *dims,
           "extent of a symbolic dimension; may be repeated; by default "
           "that of --inputs")
        ->type_name("NAME=EXTENT")
        ->allow_extra_args(false);
  }
  app.add_option(
         "--inputs", options->inputs,
         "check and measure with these inputs, a .npz file whose arrays "
         "are named like the\nmodel's inputs, .pb files in their order, "
         "or a folder with input_0.pb and so on;\ndefault made from "
         "--seed")
      ->type_name("FILE,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  if (!suite.variants.empty()) {
    app.add_option("--variant", options->variants,
                   "variants of the model; default all")
        ->type_name(absl::StrJoin(suite.variants, "|"))
        ->delimiter(',')
        ->allow_extra_args(false);
  }
  if (suite.takes_size) {
    app.add_option("--size", options->size,
                   "height and width of images; default the model's own")
        ->type_name("N");
    app.add_option("--multiplier", options->multiplier,
                   "factor for the numbers of channels; default 1")
        ->type_name("FACTOR");
  }
  return [&suite, options, dims](const std::string& working_directory) {
    ASSAY_ASSIGN_OR_RETURN(options->dims, ParseDims(*dims));
    ASSAY_RETURN_IF_ERROR(Check(suite, *options));
    if (options->variants.empty()) options->variants = suite.variants;
    MakeAbsolute(working_directory, &options->file);
    for (std::string& path : options->inputs) {
      MakeAbsolute(working_directory, &path);
    }
    return absl::OkStatus();
  };
}

}  // namespace assay::suites
