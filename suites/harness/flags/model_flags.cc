#include "suites/harness/flags/model_flags.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

// Splits `NAME=VALUE`. Returns false if the name or the equals sign is missing.
bool SplitNameAndValue(const std::string& text, std::string* name,
                       std::string* value) {
  // The name comes from a file and may itself contain an equals sign.
  const size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) return false;
  *name = text.substr(0, equals);
  *value = text.substr(equals + 1);
  return true;
}

absl::StatusOr<std::map<std::string, std::string>> ParseInputValues(
    const std::vector<std::string>& texts) {
  std::map<std::string, std::string> values;
  for (const std::string& text : texts) {
    std::string name, value;
    double number = 0;
    if (!SplitNameAndValue(text, &name, &value) ||
        !absl::SimpleAtod(value, &number) || !std::isfinite(number)) {
      return absl::InvalidArgumentError(
          absl::StrCat("`--input_value` is `", text,
                       "`; it must be the name of an input, `=`, and a finite "
                       "number"));
    }
    if (!values.emplace(name, value).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("`--input_value` is given twice for `", name, "`"));
    }
  }
  return values;
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
  if (!options.input_values.empty() && !options.inputs.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "`--input_value` for `", options.input_values.begin()->first,
        "` does not go with `--inputs`, which has the values of all inputs"));
  }
  if (!options.varying.empty() && options.inputs.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`--vary` for `", options.varying[0],
                     "` needs `--inputs`, whose elements it reorders"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::map<std::string, int64_t>> ParseDims(
    const std::vector<std::string>& texts) {
  std::map<std::string, int64_t> dims;
  for (const std::string& text : texts) {
    std::string name, value;
    int64_t extent = 0;
    if (!SplitNameAndValue(text, &name, &value) ||
        !absl::SimpleAtoi(value, &extent) || extent < 1) {
      return absl::InvalidArgumentError(absl::StrCat(
          "`--dim` is `", text,
          "`; it must be the name of a dimension, `=`, and an extent of at "
          "least 1"));
    }
    if (!dims.emplace(name, extent).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("`--dim` is given twice for `", name, "`"));
    }
  }
  return dims;
}

FinishFlags AddModelFlags(CLI::App& app, const SuiteFlags& suite,
                          ModelOptions* options) {
  auto dims = std::make_shared<std::vector<std::string>>();
  auto input_values = std::make_shared<std::vector<std::string>>();
  if (suite.takes_model) {
    app.add_option("--model", options->file, "ONNX file to measure")
        ->type_name("FILE");
    app.add_option(
           "--dim", *dims,
           "extent of a symbolic dimension; may be repeated; by default "
           "that of --inputs")
        ->type_name("NAME=EXTENT")
        ->allow_extra_args(false);
    app.add_option("--input_value", *input_values,
                   "number that all elements of an input have, for a setting "
                   "such as a sampling rate;\nmay be repeated; by default "
                   "made from --seed")
        ->type_name("NAME=NUMBER")
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
  app.add_option("--vary", options->varying,
                 "an input of integers in --inputs whose elements may be put "
                 "in another order, such\nas tokens, to check programs on "
                 "more than one input; may be repeated; inputs of\nfloats "
                 "vary without it")
      ->type_name("NAME")
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
  return [&suite, options, dims,
          input_values](const std::string& working_directory) {
    ASSAY_ASSIGN_OR_RETURN(options->dims, ParseDims(*dims));
    ASSAY_ASSIGN_OR_RETURN(options->input_values,
                           ParseInputValues(*input_values));
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
