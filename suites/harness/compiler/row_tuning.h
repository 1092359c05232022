// RowTuning: sets the options with which the models of tuned rows are compiled,
// from a log of the tuner (compiler/docs/tuning.md).
#ifndef ASSAY_SUITES_HARNESS_COMPILER_ROW_TUNING_H_
#define ASSAY_SUITES_HARNESS_COMPILER_ROW_TUNING_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compiler/driver/compile_options.h"
#include "compiler/graph/graph.h"
#include "suites/devices/place.h"
#include "suites/tune/log/log_file.h"

namespace assay::suites {

// The records with which a model was compiled.
struct AppliedTuning {
  std::string digest;  // of all records for the place
  std::string remark;  // see CompiledModel::tuning_remark
};

class RowTuning {
 public:
  // Reads the log `path`. If it is a folder, reads all files `*.jsonl` in it as
  // one log; there may be none. `name` is the name of the log in messages.
  static absl::StatusOr<RowTuning> Read(const std::string& path,
                                        const std::string& name);

  // Returns NotFound, with a sentence that names the log, the device and the
  // command that makes records, if there are none for this place.
  absl::Status Check(const Place& place) const;

  // Sets the fields of `options` that make Compile() use the records for this
  // place. The other fields must already have the values with which `model`
  // will be compiled. Returns the error of Check().
  absl::StatusOr<AppliedTuning> Apply(const graph::Graph& model,
                                      const Place& place,
                                      driver::CompileOptions* options) const;

 private:
  explicit RowTuning(Log log) : log_(std::move(log)) {}

  // Returns the part of the log for this place.
  Log RecordsFor(const Place& place) const;

  Log log_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_COMPILER_ROW_TUNING_H_
