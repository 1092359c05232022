// The flags that determine where results are written.
#ifndef ASSAY_SUITES_HARNESS_FLAGS_OUTPUT_FLAGS_H_
#define ASSAY_SUITES_HARNESS_FLAGS_OUTPUT_FLAGS_H_

#include <string>

#include "reports/render/format.h"
#include "suites/harness/flags/flag_group.h"

namespace assay::suites {

// Values of the flags. Paths are absolute or empty.
struct OutputOptions {
  // Folder to which the reports are written.
  std::string out;
  // True if the compiled artifacts are stored in a subfolder of `out`.
  bool keep_artifacts = false;
  // A .npz file or a folder for .pb files (suites/tensors/tensor_files.h). The
  // first row whose program runs writes the outputs of its program there.
  std::string outputs;
  // File to which a trace of one run of each row is written (suites/trace).
  // Only rows of this machine have a trace.
  std::string trace;
  // A store (reports/store): a folder, or the address of a PostgreSQL database.
  // Each row is appended to the store when it is finished.
  std::string store;
  // If true, and if the latest run of this command in `store` was interrupted,
  // that run is continued. Otherwise a new run is started.
  bool resume = false;
  // If true, the artifacts of rows with times are kept in the folder of
  // `store`, too, and a program that is not that of the newest row of its cell
  // in the store is measured side by side with it.
  bool follow = false;
  // Format of the report on standard output.
  reports::Format format = reports::Format::kTable;
};

// Adds the flags to `app`. `options` must outlive `app` and the returned
// function.
FinishFlags AddOutputFlags(CLI::App& app, OutputOptions* options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_FLAGS_OUTPUT_FLAGS_H_
