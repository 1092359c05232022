// UserLog: what the users of a farm have recorded (chaos_client.cc), and what
// it says about the farm.
#ifndef ASSAY_TESTS_FARM_CHAOS_TOOLS_USER_LOG_H_
#define ASSAY_TESTS_FARM_CHAOS_TOOLS_USER_LOG_H_

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace assay {

struct UserEvent {
  enum class Kind { kMeasuring, kBroke, kVerdict };
  Kind kind = Kind::kMeasuring;
  int64_t at = 0;
  std::string device = {};
  std::string truth = {};
  std::string verdict = {};
  int64_t restarts = 0;
  std::string why = {};
};

struct UserLog {
  std::vector<UserEvent> events = {};
  int64_t broken_lines = 0;
  // Verdicts that the user has reported as recorded, and that are not there.
  int64_t lost = 0;
  int64_t last_verdict_at = 0;
};

// Reads the lines of a user, and what it wrote to standard output. Files that
// do not exist are empty. The line that is just being written is left out.
UserLog ReadUserLog(const std::string& path, const std::string& output);

// Verdicts of some time, which ends before `to`.
struct Tally {
  int64_t verdicts = 0;
  int64_t wrong = 0;
  int64_t inconclusive = 0;
  int64_t restarted = 0;  // verdicts of comparisons that began again
  std::map<std::string, int64_t> kinds = {};  // `equal -> equivalent`
};

// With a device, only its verdicts count.
Tally TallyOf(const std::vector<UserLog>& logs, int64_t from,
              int64_t to = std::numeric_limits<int64_t>::max(),
              const std::string& device = "");

// Something was done to a device.
struct DeviceFault {
  std::string device = {};
  int64_t at = 0;
  // Until then, the user may go on as if nothing had happened.
  int64_t until = 0;
};

// How users got over faults.
struct Recoveries {
  int64_t count = 0;
  double longest_s = 0;  // from the fault until its user measured again
  std::string slowest = {};
  // Measurements that broke although nothing was done to their device.
  int64_t unexplained = 0;
  std::string first_unexplained = {};
};

// A measurement broke because of the earliest fault of its device that happened
// since the user wrote its last line, or lasts until then. Events after `from`
// count.
Recoveries RecoveriesFrom(const std::vector<UserLog>& logs,
                          const std::vector<DeviceFault>& faults, int64_t from);

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_CHAOS_TOOLS_USER_LOG_H_
