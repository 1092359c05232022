#include "runtime/device/cpu/kernel_counters.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace assay::runtime {

std::string ReadStart(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return "";
  char bytes[512];
  const ssize_t size = read(fd, bytes, sizeof(bytes));
  close(fd);
  if (size <= 0) return "";
  return std::string(absl::StripAsciiWhitespace(
      absl::string_view(bytes, static_cast<size_t>(size))));
}

std::vector<std::string> NumberedEntries(const std::string& folder,
                                         absl::string_view prefix,
                                         size_t limit) {
  std::vector<std::string> paths;
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  const std::filesystem::directory_iterator end;
  while (!error && entry != end && paths.size() < limit) {
    const std::string name = entry->path().filename().string();
    absl::string_view number = name;
    if (absl::ConsumePrefix(&number, prefix) && !number.empty() &&
        std::all_of(number.begin(), number.end(), absl::ascii_isdigit)) {
      paths.push_back(entry->path().string());
    }
    entry.increment(error);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::optional<CpuTicks> ParseCpuTicks(absl::string_view stat) {
  const std::vector<absl::string_view> fields =
      absl::StrSplit(stat.substr(0, stat.find('\n')), ' ', absl::SkipEmpty());
  // `cpu`, user, nice, system, idle, iowait, irq, softirq, steal. The time of
  // guests is included in user and nice.
  constexpr size_t kIdle = 4, kWait = 5, kSteal = 8;
  if (fields.size() <= kSteal || fields[0] != "cpu") return std::nullopt;
  CpuTicks ticks;
  for (size_t i = 1; i <= kSteal; ++i) {
    uint64_t value = 0;
    if (!absl::SimpleAtoi(fields[i], &value)) return std::nullopt;
    const auto count = static_cast<double>(value);
    ticks.all += count;
    if (i == kSteal) {
      ticks.steal = count;
    } else if (i != kIdle && i != kWait) {
      ticks.busy += count;
    }
  }
  return ticks;
}

std::vector<std::string> ThrottleCounters(const std::string& root,
                                          size_t limit) {
  std::vector<std::string> paths;
  for (const std::string& cpu : NumberedEntries(
           absl::StrCat(root, "/sys/devices/system/cpu"), "cpu", limit)) {
    for (const char* name : {"core_throttle_count", "package_throttle_count"}) {
      paths.push_back(absl::StrCat(cpu, "/thermal_throttle/", name));
    }
  }
  return paths;
}

}  // namespace assay::runtime
