// The flags that all suites take. `--help` prints the list with defaults.
#ifndef ASSAY_SUITES_HARNESS_OPTIONS_H_
#define ASSAY_SUITES_HARNESS_OPTIONS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/graph/passes/pass_selection.h"
#include "devices/device.pb.h"
#include "reports/render/format.h"
#include "runtime/base/memory_limit.h"

namespace assay::suites {

// What the flags of a suite depend on.
struct SuiteFlags {
  std::string name;         // `resnet18`: the target is `//suites:resnet18`
  std::string description;  // a sentence for --help
  // Whether there are --model and --dim.
  bool takes_model = false;
  // What --variant chooses from; without any there is no such flag.
  std::vector<std::string> variants = {};
  // Whether the models come in other sizes: --size and --multiplier.
  bool takes_size = false;
};

struct Options {
  std::vector<std::string> devices;
  // Each of true (on) and false (off) once at most, in the order measured.
  std::vector<bool> fusion;
  // The largest tile of Winograd's algorithm; 0 forbids it.
  int64_t max_winograd = 4;
  bool exact = false;
  // Of SuiteFlags::variants, in the order measured; all unless chosen.
  std::vector<std::string> variants;
  // Height and width of images, 0 for the model's own, and what the numbers of
  // channels are multiplied by.
  int64_t size = 0;
  double multiplier = 1.0;
  // What a model may need, in bytes (runtime/base/memory_limit.h).
  int64_t max_memory = kDefaultMaxMemory;
  // Which graph passes are run.
  graph::PassSelection passes;
  // By node of the model: as those of driver::CompileOptions.
  std::map<std::string, std::string> schedules;
  // Empty for the device's own default; 0 stands for all there are.
  std::vector<int> threads;
  // Patterns of the cells that are measured (cell_filter.h); all if empty.
  std::vector<std::string> cells;

  // What is not given is the device's timing policy.
  std::optional<int> warmup;
  std::optional<int> number;
  std::optional<int> repeat;
  std::optional<int> min_repeat_ms;
  std::optional<int> cooldown_ms;

  // Time every kernel, too.
  bool per_op = false;
  // `onnxruntime` or empty: what to compare times with.
  std::string reference;

  // Absolute paths or empty.
  std::string out;
  std::string baseline;
  std::string dump_dir;
  std::string model;
  // Extents for the symbolic dimensions of the model's inputs.
  std::map<std::string, int64_t> dims;

  // A folder that a run with --out and --keep_artifacts wrote, whose artifacts
  // are measured side by side with this run's; or empty.
  std::string against;
  // The bench_artifact of that run's commit, if its runtime is to be measured,
  // too; or empty.
  std::string against_runtime;
  // Of such a comparison: how long it may measure one row, and the largest
  // change that does not matter.
  double budget_s = 20;
  double margin = 0.01;
  bool keep_artifacts = false;

  // The folder of a store (reports/store) that each row is appended to as it is
  // finished, absolute or empty; and whether the latest run of this command, if
  // it did not come to its end, is continued.
  std::string store;
  bool resume = false;

  // What goes to standard output.
  reports::Format format = reports::Format::kTable;

  // Why this run's times shall be the baseline; empty if they shall not.
  std::string bless;
  bool require_baseline = false;
  uint64_t seed = 0;

  bool blessing() const { return !bless.empty(); }

  // Set if --help was given; then nothing else is.
  std::optional<std::string> help;
};

// `arguments` without the program's name. Relative paths are taken from
// `working_directory`, where the user typed the command. The error names the
// flag at fault.
absl::StatusOr<Options> ParseOptions(const SuiteFlags& suite,
                                     absl::Span<const std::string> arguments,
                                     const std::string& working_directory);

// The device's timing policy with the flags put over it.
devices::TimingPolicy TimingFor(const Options& options,
                                const devices::Device& device);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_OPTIONS_H_
