// FindCulprits: finds the commits at which a cell became worse.
//
// The candidates are numbered from 0, the good end, to n, the bad end. Culprit
// c is a candidate that is worse than candidate c - 1. The search asks two
// questions: can a candidate be built, and is a built candidate worse than
// another one?
//
// The search keeps a probability for each candidate in an interval, namely that
// it is the first culprit behind the good end of the interval. At first, these
// are proportional to the weights of the caller. Each probe compares the
// candidate that splits the probability best with the good end, and the answer
// divides the odds of the other side by the odds that the answer is right
// (Burnashev and Zigangirov, "An interval estimation problem for controlled
// observations", Problems of Information Transmission 10, 1974). Answers from
// equal code are certain, so that the search is then the usual bisection.
// Answers that cost nothing are used first, then those of candidates that an
// earlier search has built, and only then is another one built.
//
// If one candidate is likely the culprit, it is compared with its predecessor,
// which mostly settles the matter with one measurement instead of more builds:
// if it is worse and no other candidate is as probable as `max_error`, it is a
// culprit, and the search goes on behind it if the bad end is still worse.
// Otherwise, the search goes on with this evidence.
//
// A candidate that cannot be built, or whose comparison is undecided, is not
// asked again. If there are only such candidates between the two that are left,
// the answer is the range of all of them, never the first one that can be
// built.
#ifndef ASSAY_CI_BISECT_SEARCH_SEARCH_H_
#define ASSAY_CI_BISECT_SEARCH_SEARCH_H_

#include <vector>

#include "absl/status/statusor.h"

namespace assay::ci {

enum class Answer {
  kWorse,
  kNotWorse,
  kUndecided,  // the measurement did not suffice
};

struct Decision {
  Answer answer = Answer::kUndecided;
  // Upper bound of the probability that the answer is wrong, below 1/2. It is 0
  // if the answer follows from equal code.
  double error = 0;
};

class Oracle {
 public:
  virtual ~Oracle() = default;

  // Returns whether Build(run) and Compare(base, run) cost nothing: `run` was
  // built, and the answer follows from digests or earlier measurements.
  virtual bool IsKnown(int base, int run) = 0;
  // Returns whether a candidate was built, or is known to be broken, so that
  // Build() costs nothing.
  virtual bool IsBuilt(int candidate) = 0;
  // Builds a candidate. Returns false if it cannot be built, and an error if
  // the search cannot go on.
  virtual absl::StatusOr<bool> Build(int candidate) = 0;
  // Returns whether `run` is worse than `base`. Both were built.
  virtual absl::StatusOr<Decision> Compare(int base, int run) = 0;
  // Like Compare(), for a culprit and its predecessor: always measures, so that
  // the result can be reported.
  virtual absl::StatusOr<Decision> Confirm(int base, int run) = 0;
};

// The culprit is one of the candidates after `after`, up to `until`. If
// `until` is `after` + 1, it is `until`.
struct Culprit {
  int after = 0;
  int until = 0;
  // Upper bound of the probability that the culprit is not in this range.
  double error = 0;
  // True if `until` was found to be worse than `after` when both were measured.
  bool confirmed = false;

  bool is_range() const { return until > after + 1; }
};

// FindCulprits() does not look for more culprits.
constexpr int kMaxCulprits = 8;

// The weight of a commit that changes neither the compiler nor the runtime,
// compared with one that does (SearchOptions::weights). It cannot make a
// program slower, except by passing other options to the compiler.
constexpr double kWeightOfOtherChange = 0.05;

struct SearchOptions {
  // The probability with which the search may name a wrong culprit.
  double max_error = 0.01;
  // How likely each candidate from 1 on is to be a culprit, compared with the
  // others. All weights are positive. If the list is empty, they are equal.
  std::vector<double> weights;
};

// Finds the culprits among the candidates 1 to `last`. The caller knows that
// candidate `last` is worse than candidate 0 and that both can be built.
// Returns the culprits in ascending order. There is none if no change was
// confirmed, for example because the change is too small for the measurements.
absl::StatusOr<std::vector<Culprit>> FindCulprits(int last, Oracle& oracle,
                                                  const SearchOptions& options);

// Returns the number of builds that the search is expected to need if one
// candidate of `last` is the culprit and neither end is built.
int ExpectedBuilds(int last);

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_SEARCH_SEARCH_H_
