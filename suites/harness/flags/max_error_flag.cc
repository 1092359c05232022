#include "suites/harness/flags/max_error_flag.h"

#include <CLI/CLI.hpp>

#include "absl/strings/str_cat.h"

namespace assay::suites {

void AddMaxErrorFlag(CLI::App& app, double* max_error) {
  app.add_option(
         "--max_error", *max_error,
         "use no algorithm whose error may be larger, relative to the largest "
         "output;\n0: only exact ones, neither Winograd's nor Strassen's, nor "
         "products of numbers\nthat are split in bfloat16 parts; default 1e-4")
      ->type_name("BOUND");
}

absl::Status CheckMaxError(double max_error) {
  if (max_error >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("`--max_error` is ", max_error, "; it must be at least 0"));
}

}  // namespace assay::suites
