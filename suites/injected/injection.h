// Injection: a comparison with a known answer. It is made with the command line
// of a suite, as a user would make it.
//
// A run of the suite with --keep_artifacts is the base. Another run of the same
// suite is compared with it (--against):
//   - A *try* has the flags of a slow-down (slowdown.h). It is good if the
//     suite exits with 1 and the verdict is `regressed`. If the slow-down has
//     nodes, the kernel with the largest change must also compute one of them,
//     and the changes of all kernels must add up to that of whole inferences
//     within kSumTolerance. The comparison must also find the stage of the
//     compiler at which this kernel changed.
//   - A *control* has another --layout_seed, which makes nothing slower. It is
//     good if both builds were measured and the suite exits with 0. Nearly all
//     kernels of a control have another code digest than in the base, because
//     the digest covers the space before the functions of a kernel, which is
//     empty in only one of sixteen draws. The constants are equal, and both
//     programs share them, as programs of two commits do.
#ifndef ASSAY_SUITES_INJECTED_INJECTION_H_
#define ASSAY_SUITES_INJECTED_INJECTION_H_

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/string_view.h"
#include "reports/stats/paired_verdict.h"

namespace assay::suites {

// Maximum relative difference between the sum of the changes of all kernels and
// the change of a whole inference.
constexpr double kSumTolerance = 0.1;
// Fraction of the tries and of the controls that must be good.
constexpr double kGoodEnough = 0.95;
// Kind of a control.
constexpr char kControl[] = "control";

struct Injection {
  // The parameters. `suite`, `flags`, `nodes` and `stage` are as in Slowdown; a
  // control has no nodes and no stage.
  std::string kind;  // Slowdown::kind, or kControl
  std::string suite;
  int threads = 1;
  uint64_t seed = 0;  // --seed of the suite
  std::string flags;
  std::string nodes;
  std::string stage;

  // Where the results come from.
  std::string date;    // in UTC, 2026-01-31T12:00:00Z
  std::string commit;  // SourceCommit()
  std::string method;  // MethodDigest() of the verdicts
  double budget_s = 0;

  // The results. If nothing was measured side by side, `loads` is 0. If the
  // change was not attributed to kernels, `named` is empty.
  int exit_code = 0;
  stats::Verdict verdict = stats::Verdict::kInfrastructure;
  // As in stats::PairedVerdict.
  double change = 0;
  double lower = 0, upper = 0;
  int64_t loads = 0;
  // A node that the kernel with the largest change computes: one of `nodes` if
  // possible.
  std::string named;
  // Why this kernel changed (reports::KernelChange::cause).
  std::string cause;
  // The sum of the changes of all kernels, and the change of a whole inference.
  double kernels_ms = 0, whole_ms = 0;
  double seconds = 0;  // time of the run, including compilation and checks
  bool good = false;

  bool is_control() const { return kind == kControl; }

  // The line of a RecordFile (suites/trials/record_file.h).
  static constexpr char kKind[] = "an injection";
  static constexpr char kColumns[] =
      "date,commit,method,budget_s,kind,suite,threads,seed,flags,nodes,"
      "stage,exit_code,verdict,change,lower,upper,loads,named,cause,kernels_ms,"
      "whole_ms,seconds,good";
  template <typename Self>
  static auto Fields(Self& i) {
    return std::tie(i.date, i.commit, i.method, i.budget_s, i.kind, i.suite,
                    i.threads, i.seed, i.flags, i.nodes, i.stage, i.exit_code,
                    i.verdict, i.change, i.lower, i.upper, i.loads, i.named,
                    i.cause, i.kernels_ms, i.whole_ms, i.seconds, i.good);
  }
};

struct InjectionOptions {
  int64_t tries = 20;
  int64_t controls = 20;
  std::vector<int> threads = {1, 2};
  // If not empty, the tries of other kinds and their controls are left out, so
  // there are fewer than `tries` and `controls`.
  std::vector<std::string> kinds;
  double budget_s = 30;
};

// Returns the parameters of all tries and controls in the order in which they
// must be run. Try k has the k-th combination of a slow-down and a number of
// threads, in rotation; control k has the same network and number of threads.
// Tries and controls alternate, so that changes of the machine affect both. The
// plan of more tries contains that of fewer.
std::vector<Injection> PlanInjections(const InjectionOptions& options);

// Returns true if both have equal parameters.
bool SameParameters(const Injection& a, const Injection& b);

// Returns true if `node` is one of `injection.nodes`.
bool ConcernsNode(const Injection& injection, absl::string_view node);
// Returns true if the cause is at the stage of the slow-down.
bool IsAtStage(const Injection& injection);
// Returns the relative difference between `kernels_ms` and `whole_ms`, or
// infinity if `whole_ms` is 0.
double SumError(const Injection& injection);
// Returns the value that `injection.good` must have.
bool IsGood(const Injection& injection);
// Returns true if the fraction of good tries and the fraction of good controls
// are both at least kGoodEnough.
bool AreGoodEnough(const std::vector<Injection>& injections);

// Returns one line on parameters and results, without a line break.
std::string Describe(const Injection& injection);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_INJECTED_INJECTION_H_
