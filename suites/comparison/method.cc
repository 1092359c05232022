#include "suites/comparison/method.h"

#include "absl/strings/str_cat.h"
#include "reports/stats/block_design.h"
#include "runtime/base/sha256.h"
#include "suites/comparison/paired_loads.h"

namespace assay::suites {
namespace {

// Must be incremented if the observations or the statistics are computed in
// another way, because their error rates must then be measured again.
constexpr int kMethodVersion = 3;

}  // namespace

std::string DescribeMethod(const stats::PairedOptions& options) {
  return absl::StrCat(
      "version: ", kMethodVersion, "\nmargin: ", options.margin,
      "\nlevel: ", options.level, "\nconcentration: ", options.concentration,
      "\nlog_e_alarm: ", options.log_e_alarm,
      "\nrounds_per_block: ", stats::RoundsPerBlock(2),
      "\nmin_run_nanos: ", kMinRunNanos,
      "\nrounds_per_input: ", kRoundsPerInput,
      "\nmax_rounds_per_input: ", kMaxRoundsPerInput,
      "\nmax_load_nanos: ", kMaxLoadNanos, "\nstability: ", kStability, "\n");
}

std::string MethodDigest(const stats::PairedOptions& options) {
  return Sha256Hex(DescribeMethod(options)).substr(0, 12);
}

}  // namespace assay::suites
