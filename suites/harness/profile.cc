#include "suites/harness/profile.h"

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

absl::StatusOr<Profile> ProfileCalls(Session* session, int rounds) {
  devices::TimingPolicy once;
  once.set_number(1);
  once.set_repeat(1);
  std::vector<double> whole_ms;
  std::vector<std::vector<int64_t>> calls;
  for (int round = 0; round < rounds; ++round) {
    ASSAY_ASSIGN_OR_RETURN(const Measurement whole, session->Measure(once));
    whole_ms.insert(whole_ms.end(), whole.samples_ms.begin(),
                    whole.samples_ms.end());
    ASSAY_ASSIGN_OR_RETURN(std::vector<int64_t> nanos, session->TimeCalls());
    calls.push_back(std::move(nanos));
  }
  std::sort(whole_ms.begin(), whole_ms.end());
  whole_ms.resize((whole_ms.size() + 1) / 2);
  std::sort(calls.begin(), calls.end(), [&](const auto& a, const auto& b) {
    return std::pair(Total(a), a) < std::pair(Total(b), b);
  });
  calls.resize((calls.size() + 1) / 2);
  Profile profile;
  profile.whole_ms = std::accumulate(whole_ms.begin(), whole_ms.end(), 0.0) /
                     static_cast<double>(whole_ms.size());
  profile.call_ms.assign(calls[0].size(), 0);
  for (const std::vector<int64_t>& nanos : calls) {
    for (size_t call = 0; call < nanos.size(); ++call) {
      profile.call_ms[call] += static_cast<double>(nanos[call]) * 1e-6 /
                               static_cast<double>(calls.size());
    }
  }
  return profile;
}

}  // namespace assay::suites
