#include "runtime/device/cpu/cpu_count.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/file.h"
#include "runtime/device/cpu/cpu_affinity.h"

namespace assay::runtime {
namespace {

constexpr int64_t kMaxControlFile = 1 << 16;

std::optional<double> Smaller(std::optional<double> a,
                              std::optional<double> b) {
  if (!a.has_value()) return b;
  if (!b.has_value()) return a;
  return std::min(*a, *b);
}

std::optional<double> Ratio(absl::string_view quota, absl::string_view period) {
  double q = 0;
  double p = 0;
  if (!absl::SimpleAtod(quota, &q) || !absl::SimpleAtod(period, &p) || q <= 0 ||
      p <= 0) {
    return std::nullopt;  // "max" in version 2, -1 in version 1
  }
  return q / p;
}

std::string Contents(const std::string& path) {
  absl::StatusOr<std::string> text = ReadFile(path, kMaxControlFile);
  return text.ok() ? std::string(absl::StripAsciiWhitespace(*text)) : "";
}

// The quota set in one directory of a cgroup hierarchy.
std::optional<double> QuotaInFolder(const std::string& folder, bool version2) {
  if (!version2) {
    return Ratio(Contents(absl::StrCat(folder, "/cpu.cfs_quota_us")),
                 Contents(absl::StrCat(folder, "/cpu.cfs_period_us")));
  }
  const std::vector<std::string> fields =
      absl::StrSplit(Contents(absl::StrCat(folder, "/cpu.max")), ' ');
  if (fields.size() != 2) return std::nullopt;
  return Ratio(fields[0], fields[1]);
}

// The smallest quota from `group` up to the root of the hierarchy at `mount`.
// In a container, `group` may be a path of the host that does not exist below
// the mount; the container's own limit is then in the root.
std::optional<double> QuotaOfGroup(const std::string& mount, std::string group,
                                   bool version2) {
  std::optional<double> least;
  while (true) {
    least = Smaller(least, QuotaInFolder(absl::StrCat(mount, group), version2));
    const size_t slash = group.rfind('/');
    if (slash == std::string::npos) return least;
    group.resize(slash);
  }
}

// Returns true if a comma-separated list of controllers contains `cpu`.
bool HasCpu(absl::string_view controllers) {
  const std::vector<absl::string_view> all = absl::StrSplit(controllers, ',');
  return std::find(all.begin(), all.end(), "cpu") != all.end();
}

}  // namespace

// Each line of /proc/self/cgroup is `hierarchy:controllers:path`. For cgroup v2
// the list of controllers is empty. The cpu hierarchy of v1 is mounted under
// its list of controllers (`cpu,cpuacct`) or under `cpu`, a link to it.
std::optional<double> CgroupCpuQuota(const std::string& root) {
  std::optional<double> least;
  const std::string groups = Contents(absl::StrCat(root, "/proc/self/cgroup"));
  const std::string sys = absl::StrCat(root, "/sys/fs/cgroup");
  for (absl::string_view line : absl::StrSplit(groups, '\n')) {
    const std::vector<std::string> fields =
        absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (fields.size() != 3) continue;
    std::string group = fields[2];
    while (!group.empty() && group.back() == '/') group.pop_back();
    if (fields[1].empty()) {
      least = Smaller(least, QuotaOfGroup(sys, group, /*version2=*/true));
    } else if (HasCpu(fields[1])) {
      for (const std::string& name : {fields[1], std::string("cpu")}) {
        least = Smaller(least, QuotaOfGroup(absl::StrCat(sys, "/", name), group,
                                            /*version2=*/false));
      }
    }
  }
  return least;
}

int UsableCpuCount() {
  int count = static_cast<int>(std::thread::hardware_concurrency());
  const int affinity = static_cast<int>(AllowedCpus().size());
  if (affinity > 0 && (count <= 0 || affinity < count)) count = affinity;
  if (const std::optional<double> quota = CgroupCpuQuota()) {
    const double rounded = std::ceil(*quota);
    if (count <= 0 || rounded < count) count = static_cast<int>(rounded);
  }
  return std::max(count, 1);
}

}  // namespace assay::runtime
