// DumpFolder: where the dumps of a run are (--dump_dir).
#ifndef ASSAY_SUITES_HARNESS_COMPILER_DUMP_FOLDER_H_
#define ASSAY_SUITES_HARNESS_COMPILER_DUMP_FOLDER_H_

#include <string>

#include "reports/result/run_result.h"

namespace assay::suites {

struct DumpFolder {
  std::string path;  // empty if there are none
  // True if the run has several models. The dumps of each model are then in a
  // subfolder with its name.
  bool several_models = false;

  // Returns the subfolder for the dumps of one compilation; an empty string if
  // there are no dumps. Cells that differ only in the number of threads have
  // the same subfolder, so the last compilation overwrites the other dumps.
  std::string For(const reports::CellKey& cell) const;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_COMPILER_DUMP_FOLDER_H_
