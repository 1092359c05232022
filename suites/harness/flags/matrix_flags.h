// The flags --device, --fusion, --tuning, --tuning_log, --precision, --threads
// and --cells, which select the cells of the matrix. A cell is a combination of
// a model, a device, a variant (reports/result/variant.h) and a number of
// threads.
#ifndef ASSAY_SUITES_HARNESS_FLAGS_MATRIX_FLAGS_H_
#define ASSAY_SUITES_HARNESS_FLAGS_MATRIX_FLAGS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "reports/result/variant.h"
#include "suites/harness/flags/flag_group.h"

namespace assay::suites {

// The values of --tuning. Tuned rows need records of the tuner for the device
// and the number of threads.
enum class TuningRows : uint8_t {
  kNone,   // untuned rows
  kTuned,  // tuned rows
  kBoth,   // untuned and tuned rows
  kAuto,   // as kBoth, but without tuned rows on devices that have no records
};

struct MatrixOptions {
  // Devices to measure on. A device is the name of a file in devices/, without
  // extension, or the absolute path of a device file.
  std::vector<std::string> devices = {"host"};
  // Values of fusion, in the order in which they are measured. The value true
  // means that fusion is on. Each value may occur at most once.
  std::vector<bool> fusion = {true, false};
  TuningRows tuning = TuningRows::kNone;
  // The types in which programs compute, in the order of measurement. Each
  // value may occur at most once.
  std::vector<reports::Precision> precision = {reports::Precision::kAsInModel};
  // The log of the tuner for tuned rows. If it is empty, the logs of the folder
  // devices/tuning are used.
  std::string tuning_log;
  // Numbers of threads; 0 stands for all processors. If the list is empty, the
  // default of the device is used.
  std::vector<int> threads;
  // Patterns that select the cells to measure (cell_filter.h). If the list is
  // empty, all cells are measured.
  std::vector<std::string> cells;
};

// Adds the flags to `app`. `options` must outlive `app` and the returned
// function.
FinishFlags AddMatrixFlags(CLI::App& app, MatrixOptions* options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_FLAGS_MATRIX_FLAGS_H_
