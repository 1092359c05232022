#include "suites/sampling/profile.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

int64_t Total(const std::vector<int64_t>& nanos) {
  return std::accumulate(nanos.begin(), nanos.end(), int64_t{0});
}

}  // namespace

absl::StatusOr<Profile> ProfileCalls(runtime::Session& session, int rounds) {
  std::vector<double> whole_ns;
  std::vector<std::vector<int64_t>> calls;
  for (int round = 0; round < rounds; ++round) {
    ASSAY_ASSIGN_OR_RETURN(const runtime::Sample whole,
                           runtime::RunOnce(session));
    whole_ns.push_back(whole.NanosPerRun());
    ASSAY_ASSIGN_OR_RETURN(std::vector<int64_t> nanos,
                           runtime::TimeCalls(session));
    calls.push_back(std::move(nanos));
  }
  std::sort(whole_ns.begin(), whole_ns.end());
  whole_ns.resize((whole_ns.size() + 1) / 2);
  std::sort(calls.begin(), calls.end(), [&](const auto& a, const auto& b) {
    return std::pair(Total(a), a) < std::pair(Total(b), b);
  });
  calls.resize((calls.size() + 1) / 2);
  Profile profile;
  profile.whole_ns = std::accumulate(whole_ns.begin(), whole_ns.end(), 0.0) /
                     static_cast<double>(whole_ns.size());
  profile.call_ns.assign(calls[0].size(), 0);
  for (const std::vector<int64_t>& nanos : calls) {
    for (size_t call = 0; call < nanos.size(); ++call) {
      profile.call_ns[call] +=
          static_cast<double>(nanos[call]) / static_cast<double>(calls.size());
    }
  }
  return profile;
}

}  // namespace assay::suites
