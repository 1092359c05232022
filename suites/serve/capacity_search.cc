#include "suites/serve/capacity_search.h"

#include <cmath>

#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

class Search {
 public:
  Search(const ProbeRate& probe, const CapacityOptions& options)
      : probe_(probe), options_(options) {}

  absl::StatusOr<Capacity> Run() {
    ASSAY_ASSIGN_OR_RETURN(const bool found, FindBracket());
    if (!found) return std::move(capacity_);
    while (high_ > low_ * (1 + options_.resolution)) {
      const double middle = std::sqrt(low_ * high_);
      ASSAY_ASSIGN_OR_RETURN(const bool met, Try(middle, false));
      (met ? low_ : high_) = middle;
    }
    for (double rate = low_; rate >= options_.smallest_rate;
         rate /= 1 + options_.resolution) {
      ASSAY_ASSIGN_OR_RETURN(const bool met, Confirm(rate));
      if (!met) continue;
      capacity_.rate = rate;
      break;
    }
    return std::move(capacity_);
  }

 private:
  absl::StatusOr<bool> Try(double rate, bool confirms) {
    const auto run = static_cast<int64_t>(capacity_.probes.size());
    ASSAY_ASSIGN_OR_RETURN(const bool met, probe_(rate, run, confirms));
    capacity_.probes.push_back({rate, met, confirms});
    return met;
  }

  // Sets low_ to a rate that met the bound and high_ to one that did not.
  // Returns false if there is no such low_.
  absl::StatusOr<bool> FindBracket() {
    double rate = options_.first_rate;
    ASSAY_ASSIGN_OR_RETURN(bool met, Try(rate, false));
    const bool rises = met;
    while (met == rises) {
      (met ? low_ : high_) = rate;
      rate *= rises ? 1.5 : 0.5;
      if (rate < options_.smallest_rate) return false;
      ASSAY_ASSIGN_OR_RETURN(met, Try(rate, false));
    }
    (met ? low_ : high_) = rate;
    return true;
  }

  absl::StatusOr<bool> Confirm(double rate) {
    for (int i = 0; i < options_.confirmations; ++i) {
      ASSAY_ASSIGN_OR_RETURN(const bool met, Try(rate, true));
      if (!met) return false;
    }
    return true;
  }

  const ProbeRate& probe_;
  const CapacityOptions& options_;
  double low_ = 0, high_ = 0;
  Capacity capacity_;
};

}  // namespace

absl::StatusOr<Capacity> FindCapacity(const ProbeRate& probe,
                                      const CapacityOptions& options) {
  CHECK(options.smallest_rate > 0 &&
        options.first_rate >= options.smallest_rate);
  CHECK(options.resolution > 0);
  return Search(probe, options).Run();
}

}  // namespace assay::suites
