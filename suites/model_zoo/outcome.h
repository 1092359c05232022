// ZooOutcome: the result of measuring a model of the zoo, and the report of
// outcomes: a table with a line for each model, a summary, and the exit code.
#ifndef ASSAY_SUITES_MODEL_ZOO_OUTCOME_H_
#define ASSAY_SUITES_MODEL_ZOO_OUTCOME_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "reports/stats/ratio.h"
#include "runtime/base/exit_code.h"

namespace assay::suites {

enum class ZooResult {
  // The answer is that of the oracle.
  kCorrect,
  // The answer is another one.
  kWrong,
  // The importer or the compiler declined the model with a sentence.
  kRefused,
  // A signal or a failed check ended the program.
  kCrashed,
  // The time limit ended the program.
  kLate,
  // A program ended with another error: the error was not about the model, or
  // the compiler accepted the model but checking or measuring it failed.
  kFailed,
  // The file could not be fetched or exported.
  kMissing,
};

// The result of measuring one model. Times are in milliseconds.
struct ZooOutcome {
  std::string model;
  // The outcome depends on these: the SHA-256 of the model, its dimensions and
  // input values (see ZooModel), the number of threads, the reference runtime
  // (empty for none) and the digest of the programs.
  std::string sha256;
  std::string dims;
  std::string input_values;
  int threads = 0;
  std::string reference;
  std::string program;

  ZooResult result = ZooResult::kFailed;
  // How many times as fast we are as the reference runtime.
  std::optional<stats::Ratio> ratio;
  // Median latency.
  std::optional<double> median_ms;
  // Time and peak memory of a process that imports and compiles the model.
  std::optional<double> compile_ms;
  std::optional<int64_t> peak_bytes;
  // Why there is no answer or no ratio; may be empty.
  std::string sentence;

  // The line of a RecordFile (suites/trials/record_file.h).
  static constexpr char kKind[] = "an outcome";
  static constexpr char kColumns[] =
      "model,sha256,dims,input_values,threads,reference,program,result,ratio,"
      "lower,upper,median_ms,compile_ms,peak_bytes,sentence";
  template <typename Self>
  static auto Fields(Self& o) {
    return std::tie(o.model, o.sha256, o.dims, o.input_values, o.threads,
                    o.reference, o.program, o.result, o.ratio, o.median_ms,
                    o.compile_ms, o.peak_bytes, o.sentence);
  }
};

// Returns `correct`, `wrong`, `refused`, `crashed`, `late`, `failed` or
// `missing`, as in tables and in a RecordFile.
std::string ToField(ZooResult result);
// The inverse of ToField(). Returns false if there is no such result.
bool FromField(const std::string& field, ZooResult* result);

// Returns true if both outcomes depend on the same model, dimensions, input
// values, number of threads, reference runtime and programs.
bool SameParameters(const ZooOutcome& a, const ZooOutcome& b);

// A model whose ratio is below this one is listed in the summary.
constexpr double kSlowRatio = 0.95;

// Return a line of the table, which is printed as soon as the model is
// measured. `width` is the length of the longest name of a model.
std::string ZooTableHeader(size_t width);
std::string ZooTableLine(const ZooOutcome& outcome, size_t width);

// Returns the number of each result, the geometric mean of the ratios to
// `reference`, and the models with a ratio below kSlowRatio.
std::string ZooSummary(const std::vector<ZooOutcome>& outcomes,
                       const std::string& reference);

// Returns the most severe of these codes:
//   kWrongResult     a model is wrong;
//   kInfrastructure  a model crashed, is late, failed or is missing;
//   kRegression      fewer than `at_least` models are correct;
//   kInconclusive    no model is correct.
// Otherwise returns kPass: a model that is refused with a sentence is no
// failure.
ExitCode ZooExitCode(const std::vector<ZooOutcome>& outcomes, int at_least);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODEL_ZOO_OUTCOME_H_
