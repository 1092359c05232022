// The flags that determine where results are written.
#ifndef ASSAY_SUITES_HARNESS_FLAGS_OUTPUT_FLAGS_H_
#define ASSAY_SUITES_HARNESS_FLAGS_OUTPUT_FLAGS_H_

#include <string>

#include "reports/render/format.h"
#include "suites/harness/flags/flag_group.h"

namespace assay::suites {

// Paths are absolute or empty.
struct OutputOptions {
  // Folder for the reports, and whether the artifacts are kept there, too.
  std::string out;
  bool keep_artifacts = false;
  // Folder of a store (reports/store) that each row is appended to when it is
  // finished, and whether the latest run of this command is continued if it was
  // interrupted.
  std::string store;
  bool resume = false;
  // Format of the report on standard output.
  reports::Format format = reports::Format::kTable;
};

// `options` outlives the result.
FinishFlags AddOutputFlags(CLI::App& app, OutputOptions* options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_FLAGS_OUTPUT_FLAGS_H_
