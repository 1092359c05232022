// ZooOutcome: what became of a model of the zoo, and the CSV file of outcomes.
#ifndef ASSAY_SUITES_MODEL_ZOO_OUTCOME_H_
#define ASSAY_SUITES_MODEL_ZOO_OUTCOME_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "reports/stats/ratio.h"

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
  // A program ended with another error: one that is not about the model, or one
  // of checking and measuring what the compiler had accepted.
  kFailed,
  // The file could not be fetched or exported.
  kMissing,
};

// Returns `correct`, `wrong`, `refused`, `crashed`, `late`, `failed` or
// `missing`.
absl::string_view ZooResultName(ZooResult result);

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
};

// Returns true if both outcomes depend on the same model, dimensions, input
// values, number of threads, reference runtime and programs.
bool SameCase(const ZooOutcome& a, const ZooOutcome& b);

// A file of outcomes consists of OutcomeHeader(), followed by OutcomeLine() of
// each outcome. Both strings end in a newline.
std::string OutcomeHeader();
std::string OutcomeLine(const ZooOutcome& outcome);
// Parses the text of a file of outcomes. Returns InvalidArgument with the
// number of the line if a line is malformed.
absl::StatusOr<std::vector<ZooOutcome>> ParseOutcomes(absl::string_view text);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODEL_ZOO_OUTCOME_H_
