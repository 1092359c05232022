#include "suites/harness/flags/matrix_flags.h"

#include <memory>

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

absl::StatusOr<std::vector<bool>> ParseFusion(const std::string& text) {
  if (text == "on") return std::vector<bool>{true};
  if (text == "off") return std::vector<bool>{false};
  if (text == "both") return std::vector<bool>{true, false};
  return absl::InvalidArgumentError(absl::StrCat(
      "`--fusion` is `", text, "`; it must be `on`, `off` or `both`"));
}

}  // namespace

FinishFlags AddMatrixFlags(CLI::App& app, MatrixOptions* options) {
  auto fusion = std::make_shared<std::string>("both");
  app.add_option("--device", options->devices,
                 "a name in devices/ or the path of a .textproto; default host")
      ->type_name("NAME,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--fusion", *fusion, "operator fusion; default both")
      ->type_name("on|off|both");
  app.add_option("--threads", options->threads,
                 "number of threads, 0 for all processors; default *")
      ->type_name("N,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--cells", options->cells,
                 "measure only these cells, such as "
                 "'resnet*/host/fusion_on/*'; default all")
      ->type_name("PATTERN,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  return [options, fusion](const std::string& working_directory) {
    ASSAY_ASSIGN_OR_RETURN(options->fusion, ParseFusion(*fusion));
    for (const int threads : options->threads) {
      ASSAY_RETURN_IF_ERROR(AtLeast("--threads", threads, 0));
    }
    if (HasDuplicate(options->threads)) {
      return absl::InvalidArgumentError("`--threads` has a number twice");
    }
    if (HasDuplicate(options->devices)) {
      return absl::InvalidArgumentError("`--device` has a device twice");
    }
    for (std::string& device : options->devices) {
      if (device.find('/') != std::string::npos) {
        MakeAbsolute(working_directory, &device);
      }
    }
    return absl::OkStatus();
  };
}

}  // namespace assay::suites
