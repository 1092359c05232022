#include "runtime/device/cpu/host_facts.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/file.h"
#include "runtime/device/cpu/cpu_count.h"

namespace assay::runtime {
namespace {

// The file's text without surrounding white space and without the NUL at the
// end of device tree strings; empty if the file cannot be read.
std::string Contents(const std::string& path) {
  absl::StatusOr<std::string> text = ReadFile(path, 1 << 20);
  if (!text.ok()) return "";
  while (!text->empty() && text->back() == '\0') text->pop_back();
  return std::string(absl::StripAsciiWhitespace(*text));
}

// The value of the first `key : value` line of /proc/cpuinfo with that key.
std::string Field(absl::string_view cpuinfo, absl::string_view key) {
  for (absl::string_view line : absl::StrSplit(cpuinfo, '\n')) {
    const std::vector<absl::string_view> parts =
        absl::StrSplit(line, absl::MaxSplits(':', 1));
    if (parts.size() == 2 && absl::StripAsciiWhitespace(parts[0]) == key) {
      return std::string(absl::StripAsciiWhitespace(parts[1]));
    }
  }
  return "";
}

std::string CpuModel(absl::string_view cpuinfo) {
  const std::string name = Field(cpuinfo, "model name");
  const std::string part = Field(cpuinfo, "CPU part");
  if (part.empty()) return name;
  const std::string arm = absl::StrCat(
      "implementer ", Field(cpuinfo, "CPU implementer"), " part ", part);
  return name.empty() ? arm : absl::StrCat(name, ", ", arm);
}

// Parses `512K` or `8M`, the format of the cache size files in sysfs.
int64_t CacheSize(absl::string_view text) {
  int64_t unit = 1;
  if (absl::ConsumeSuffix(&text, "K")) {
    unit = 1 << 10;
  } else if (absl::ConsumeSuffix(&text, "M")) {
    unit = 1 << 20;
  }
  int64_t size = 0;
  if (!absl::SimpleAtoi(text, &size) || size < 0 || size > 1 << 24) return 0;
  return size * unit;
}

int64_t LargestCache(const std::string& root) {
  int64_t largest = 0;
  for (int i = 0; i < 8; ++i) {
    const std::string size = Contents(absl::StrCat(
        root, "/sys/devices/system/cpu/cpu0/cache/index", i, "/size"));
    largest = std::max(largest, CacheSize(size));
  }
  return largest;
}

}  // namespace

HostFacts ReadHostFacts(const std::string& root) {
  HostFacts facts;
  utsname names;
  if (uname(&names) == 0) {
    facts.machine = names.machine;
    facts.kernel = names.release;
  }
  const std::string cpuinfo = Contents(absl::StrCat(root, "/proc/cpuinfo"));
  facts.cpu_model = CpuModel(cpuinfo);
  facts.board = Contents(absl::StrCat(root, "/proc/device-tree/model"));
  facts.online_cpus = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  facts.memory_bytes =
      int64_t{sysconf(_SC_PHYS_PAGES)} * int64_t{sysconf(_SC_PAGESIZE)};
  facts.largest_cache_bytes = LargestCache(root);
  facts.governor = Contents(absl::StrCat(
      root, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
  facts.usable_cpus = UsableCpuCount();
  return facts;
}

int64_t CacheFlushBytes(const HostFacts& facts) {
  if (facts.largest_cache_bytes == 0) return int64_t{64} << 20;
  return 2 * facts.largest_cache_bytes;
}

}  // namespace assay::runtime
