// ProblemOf, Tally: judge and count how a program ends with broken files.
#ifndef ASSAY_TESTS_FUZZ_MUTATION_TALLY_H_
#define ASSAY_TESTS_FUZZ_MUTATION_TALLY_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/process/subprocess.h"

namespace assay::fuzz {

// Returns what is wrong with the end of a program that was given a broken model
// by another person, in one line, or an empty string. These ends are right
// (runtime/base/exit_code.h):
//   - kPass, and kInconclusive or kWrongResult with a report on standard
//     output: the model still has a meaning;
//   - kUsage, if standard error ends in one line `error: SENTENCE`, and has no
//     other such line: the model was refused.
// Everything else is a problem: a signal, another exit code, too much output,
// or the time limit.
std::string ProblemOf(const absl::StatusOr<runtime::ProcessResult>& ended);

// How often a program ended in which way with mutations of one file.
struct Tally {
  std::string name;
  int runs = 0;
  // Number of runs without a problem, by exit code.
  std::map<int, int> codes;
  int failures = 0;
};

// Returns a table with a line for each file and a line of sums.
std::string TallyTable(const std::vector<Tally>& tallies);

}  // namespace assay::fuzz

#endif  // ASSAY_TESTS_FUZZ_MUTATION_TALLY_H_
