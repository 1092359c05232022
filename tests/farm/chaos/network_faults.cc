#include "tests/farm/chaos/network_faults.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"

namespace assay {
namespace {

constexpr int64_t kDelayNanos = 25'000'000;  // in each direction
// A call and its answer are about five pieces.
constexpr double kResetProbability = 0.002;

}  // namespace

absl::StatusOr<FaultRow> SlowNetwork(ChaosFarm& farm, ChaosUsers& users,
                                     double seconds) {
  const int failed = users.failed();
  const int64_t start = MonotonicNanos();
  int64_t resets = 0;
  for (TcpRelay* relay : farm.UserRelays()) {
    resets -= relay->resets();
    relay->SetDelay(kDelayNanos);
    relay->SetResetProbability(kResetProbability);
  }
  while (MonotonicNanos() < start + static_cast<int64_t>(seconds * 1e9)) {
    SleepSeconds(std::min(seconds, 1.0));
    ASSAY_RETURN_IF_ERROR(users.Check());
  }
  const std::vector<UserLog> during = users.Logs();
  for (TcpRelay* relay : farm.UserRelays()) {
    resets += relay->resets();
    relay->SetDelay(0);
    relay->SetResetProbability(0);
  }
  const int64_t end = MonotonicNanos();
  const int stuck = users.CountStuck(30);
  const Tally tally = TallyOf(during, start);
  const Tally after = TallyOf(users.Logs(), end);
  int64_t broke = 0;
  for (const UserLog& log : during) {
    for (const UserEvent& event : log.events) {
      broke += event.kind == UserEvent::Kind::kBroke && event.at > start;
    }
  }
  FaultRow row;
  row.fault = "50 ms delay, 1 % connection resets";
  row.times = absl::StrFormat("%.0f s, %d resets", seconds, resets);
  row.counted = absl::StrFormat(
      "false verdicts 0 = %d of %d and 0 = %d of %d afterwards; measurements "
      "that began again: %d; stuck users 0 = %d; users that gave up 0 = %d%s",
      tally.wrong, tally.verdicts, after.wrong, after.verdicts, broke, stuck,
      users.failed() - failed,
      users.failed() == failed
          ? ""
          : absl::StrCat(" (", users.first_failure(), ")"));
  row.holds = resets > 0 && tally.verdicts > 0 && tally.wrong == 0 &&
              after.wrong == 0 && after.verdicts > 0 && stuck == 0 &&
              users.failed() == failed;
  return row;
}

}  // namespace assay
