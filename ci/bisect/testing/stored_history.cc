#include "ci/bisect/testing/stored_history.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "ci/bisect/search/search.h"
#include "runtime/base/check.h"

namespace assay::ci {
namespace {

// This fraction of the commits that leave the code of the cell alone touches
// the compiler, so that in all about a third of the commits can change machine
// code, as in this repository.
constexpr double kTouchesCompiler = 0.2;

}  // namespace

StoredHistory::StoredHistory(const HistoryShape& shape,
                             const std::map<StoredVariant, Build>& pool,
                             uint64_t seed)
    : pool_(pool) {
  std::mt19937_64 random(seed);
  const auto draw = [&](double probability) {
    return std::uniform_real_distribution<>()(random) < probability;
  };
  std::vector<int> order;
  for (int i = 1; i <= shape.commits; ++i) order.push_back(i);
  std::shuffle(order.begin(), order.end(), random);
  culprits_.assign(order.begin(), order.begin() + shape.culprits);
  absl::c_sort(culprits_);

  StoredCommit now;
  commits_.push_back(now);
  int inputs = 0;
  for (int i = 1; i <= shape.commits; ++i) {
    now.touches_compiler = false;
    // A broken commit has inputs of its own, and so has the one that mends it.
    const bool was_broken = commits_.back().broken;
    now.broken = false;
    if (absl::c_linear_search(culprits_, i)) {
      ++now.variant.culprits;
      now.touches_compiler = true;
    } else if (i < shape.commits && draw(shape.broken)) {
      now.broken = true;
      now.touches_compiler = true;
    } else if (draw(shape.idle)) {
      now.inputs = was_broken ? ++inputs : commits_.back().inputs;
      commits_.push_back(now);
      continue;
    } else if (draw(shape.changes_code)) {
      now.variant.placement =
          std::uniform_int_distribution<>(0, shape.placements - 1)(random);
      now.touches_compiler = true;
    } else {
      now.touches_compiler = draw(kTouchesCompiler);
    }
    now.inputs = ++inputs;
    commits_.push_back(now);
  }
  std::vector<std::string> keys;
  for (size_t i = 0; i < commits_.size(); ++i) {
    names_.push_back(absl::StrCat(i));
    keys.push_back(absl::StrCat(commits_[i].inputs));
  }
  candidates_ = Collapse(keys);
}

std::vector<Candidate> StoredHistory::CandidatesOfLedger() const {
  std::vector<std::string> keys;
  for (const StoredCommit& commit : commits_) {
    keys.push_back(commit.broken ? ""
                                 : absl::StrCat(commit.variant.culprits, " ",
                                                commit.variant.placement));
  }
  return NarrowByKey(JoinByKey(candidates_, keys), keys);
}

std::vector<double> StoredHistory::WeightsOf(
    const std::vector<Candidate>& candidates) const {
  std::vector<double> weights;
  for (size_t i = 1; i < candidates.size(); ++i) {
    const auto first = static_cast<size_t>(candidates[i].first);
    weights.push_back(commits_[first].touches_compiler ? 1
                                                       : kWeightOfOtherChange);
  }
  return weights;
}

absl::StatusOr<const Build*> StoredHistory::Get(const std::string& commit) {
  const auto known = built_.find(commit);
  if (known != built_.end()) return &known->second;
  size_t index = 0;
  CHECK(absl::SimpleAtoi(commit, &index)) << commit;
  Build build;
  if (commits_[index].broken) {
    build.problem = "it is broken";
  } else {
    build = pool_.at(commits_[index].variant);
  }
  build.commit = commit;
  return &built_.emplace(commit, std::move(build)).first->second;
}

}  // namespace assay::ci
