// The flags that select the cells of the matrix: devices, fusion and threads.
#ifndef ASSAY_SUITES_HARNESS_FLAGS_MATRIX_FLAGS_H_
#define ASSAY_SUITES_HARNESS_FLAGS_MATRIX_FLAGS_H_

#include <string>
#include <vector>

#include "suites/harness/flags/flag_group.h"

namespace assay::suites {

struct MatrixOptions {
  // Names in devices/ or absolute paths of device files.
  std::vector<std::string> devices = {"host"};
  // true (on) and false (off), each at most once, in the order measured.
  std::vector<bool> fusion = {true, false};
  // Empty selects the default of the device; 0 stands for all processors.
  std::vector<int> threads;
  // Patterns of the cells that are measured (cell_filter.h); all if empty.
  std::vector<std::string> cells;
};

// `options` outlives the result.
FinishFlags AddMatrixFlags(CLI::App& app, MatrixOptions* options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_FLAGS_MATRIX_FLAGS_H_
