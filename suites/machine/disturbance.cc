#include "suites/machine/disturbance.h"

#include <unistd.h>

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "runtime/base/file.h"
#include "runtime/device/cpu/kernel_counters.h"

namespace assay::suites {
namespace {

constexpr double kTicksPerSecond = 100;  // USER_HZ, the same on all machines

double Number(absl::string_view text) {
  double number = 0;
  return absl::SimpleAtod(text, &number) ? number : 0;
}

// A line of /proc/PID/stat.
struct Process {
  int64_t pid = 0;
  int64_t parent = 0;
  double ticks = 0;  // with those of children that have ended
};

std::vector<Process> ReadProcesses(const std::string& proc) {
  std::vector<Process> processes;
  for (const std::string& folder : runtime::NumberedEntries(proc, "")) {
    const std::string line = runtime::ReadStart(absl::StrCat(folder, "/stat"));
    // The second field is the name of the program, which may hold blanks and
    // brackets.
    const size_t end = line.rfind(')');
    if (end == std::string::npos) continue;
    const std::vector<absl::string_view> fields = absl::StrSplit(
        absl::string_view(line).substr(end + 1), ' ', absl::SkipWhitespace());
    // From field 3 of proc(5): state, ppid, …, utime (14) to cstime (17).
    if (fields.size() < 15) continue;
    Process process;
    process.pid = static_cast<int64_t>(Number(line.substr(0, line.find(' '))));
    process.parent = static_cast<int64_t>(Number(fields[1]));
    for (size_t i = 11; i < 15; ++i) process.ticks += Number(fields[i]);
    processes.push_back(process);
  }
  return processes;
}

// Ticks of a process and its descendants.
double TicksOfTree(const std::vector<Process>& processes, int64_t root) {
  std::set<int64_t> tree = {root};
  for (size_t before = 0; before != tree.size();) {
    before = tree.size();
    for (const Process& process : processes) {
      if (tree.count(process.parent) > 0) tree.insert(process.pid);
    }
  }
  double ticks = 0;
  for (const Process& process : processes) {
    if (tree.count(process.pid) > 0) ticks += process.ticks;
  }
  return ticks;
}

std::string Setting(const std::string& root, const char* name) {
  return runtime::ReadStart(
      absl::StrCat(root, "/sys/devices/system/cpu/cpu0/cpufreq/", name));
}

// Returns the governor if it keeps the clock rate low, and otherwise an empty
// string. `powersave` of the drivers of newer processors does not.
std::string SlowGovernor(const std::string& root) {
  const std::string governor = Setting(root, "scaling_governor");
  const std::string driver = Setting(root, "scaling_driver");
  const bool is_slow =
      governor == "conservative" ||
      (governor == "powersave" && driver != "intel_pstate" &&
       driver != "amd-pstate-epp" && driver != "amd_pstate_epp");
  return is_slow ? governor : "";
}

}  // namespace

DisturbanceMeter::DisturbanceMeter(int threads, int processors,
                                   std::string root, int64_t pid)
    : threads_(threads),
      processors_(processors),
      root_(std::move(root)),
      pid_(pid != 0 ? pid : static_cast<int64_t>(getpid())),
      start_(Read()) {}

DisturbanceMeter::Counters DisturbanceMeter::Read() const {
  Counters counters;
  const std::string proc = absl::StrCat(root_, "/proc");
  counters.own = TicksOfTree(ReadProcesses(proc), pid_);
  for (const std::string& path : runtime::ThrottleCounters(root_)) {
    counters.throttles +=
        static_cast<int64_t>(Number(runtime::ReadStart(path)));
  }
  const std::string stat = ReadFile(absl::StrCat(proc, "/stat")).value_or("");
  counters.ticks = runtime::ParseCpuTicks(stat).value_or(runtime::CpuTicks());
  // One line for all processors and one for each: cpu0, cpu1, …
  const std::vector<absl::string_view> lines = absl::StrSplit(stat, '\n');
  counters.processors = static_cast<int>(std::count_if(
      lines.begin() + 1, lines.end(),
      [](absl::string_view line) { return line.substr(0, 3) == "cpu"; }));
  return counters;
}

std::vector<std::string> DisturbanceMeter::Stop() const {
  std::vector<std::string> disturbances;
  const Counters now = Read();
  const int processors = now.processors;
  const double all = now.ticks.all - start_.ticks.all;
  if (processors > 0 && all >= kMinSeconds * kTicksPerSecond * processors) {
    const double elapsed = all / processors;
    const double others =
        (now.ticks.busy - start_.ticks.busy - (now.own - start_.own)) / elapsed;
    if (others > kMaxOtherProcessors) {
      disturbances.push_back(absl::StrFormat(
          "other programs used %.1f of %d processors", others, processors));
    }
    const double steal = (now.ticks.steal - start_.ticks.steal) / all;
    if (steal > kMaxSteal) {
      disturbances.push_back(absl::StrFormat(
          "the host gave %.0f %% of the time to other machines", 100 * steal));
    }
  }
  const int64_t throttles = now.throttles - start_.throttles;
  if (throttles > 0) {
    disturbances.push_back(
        absl::StrCat("processors were too hot and lowered their clock rate ",
                     throttles, throttles == 1 ? " time" : " times"));
  }
  if (const std::string governor = SlowGovernor(root_); !governor.empty()) {
    disturbances.push_back(
        absl::StrCat("the frequency governor is `", governor, "`"));
  }
  if (threads_ > processors_) {
    disturbances.push_back(
        absl::StrCat(threads_, " threads shared ", processors_,
                     processors_ == 1 ? " processor" : " processors"));
  }
  return disturbances;
}

}  // namespace assay::suites
