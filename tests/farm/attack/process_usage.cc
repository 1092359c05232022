#include "tests/farm/attack/process_usage.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay {
namespace {

std::vector<std::string> NamesIn(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  while (!error && entry != std::filesystem::directory_iterator()) {
    names.push_back(entry->path().filename().string());
    entry.increment(error);
  }
  return names;
}

// Returns the number of other processes with `text` in their `file` in /proc.
int64_t CountOthers(const char* file, absl::string_view text) {
  int64_t count = 0;
  for (const std::string& name : NamesIn("/proc")) {
    pid_t pid = 0;
    if (!absl::SimpleAtoi(name, &pid) || pid == getpid()) continue;
    const absl::StatusOr<std::string> contents =
        ReadFile(absl::StrCat("/proc/", pid, "/", file));
    if (contents.ok() && absl::StrContains(*contents, text)) ++count;
  }
  return count;
}

absl::StatusOr<int64_t> PeakOf(const std::string& folder) {
  ASSAY_ASSIGN_OR_RETURN(const std::string status,
                         ReadFile(folder + "/status"));
  for (absl::string_view line : absl::StrSplit(status, '\n')) {
    int64_t kib = 0;
    if (absl::ConsumePrefix(&line, "VmHWM:") &&
        absl::ConsumeSuffix(&line, " kB") && absl::SimpleAtoi(line, &kib)) {
      return kib << 10;
    }
  }
  return absl::InternalError(
      absl::StrCat("`", folder, "/status` has no peak of memory"));
}

}  // namespace

absl::StatusOr<ProcessUsage> ReadProcessUsage(pid_t pid) {
  const std::string folder = absl::StrCat("/proc/", pid);
  const absl::StatusOr<std::string> memory = ReadFile(folder + "/statm");
  if (!memory.ok()) {
    return absl::NotFoundError(absl::StrCat("there is no process ", pid));
  }
  ProcessUsage usage;
  const std::vector<std::string> pages = absl::StrSplit(*memory, ' ');
  int64_t resident = 0;
  if (pages.size() < 2 || !absl::SimpleAtoi(pages[1], &resident)) {
    return absl::InternalError(
        absl::StrCat("`", folder, "/statm` is `", *memory, "`"));
  }
  usage.memory_bytes = resident * sysconf(_SC_PAGESIZE);
  ASSAY_ASSIGN_OR_RETURN(usage.peak_bytes, PeakOf(folder));
  usage.files = static_cast<int64_t>(NamesIn(folder + "/fd").size());
  for (const std::string& thread : NamesIn(folder + "/task")) {
    ++usage.threads;
    const absl::StatusOr<std::string> children =
        ReadFile(absl::StrCat(folder, "/task/", thread, "/children"));
    if (!children.ok()) continue;
    const std::vector<std::string> pids =
        absl::StrSplit(*children, ' ', absl::SkipWhitespace());
    usage.children += static_cast<int64_t>(pids.size());
  }
  return usage;
}

int64_t CountProcessesWith(absl::string_view text) {
  return CountOthers("environ", text);
}

int64_t CountCommandsWith(absl::string_view text) {
  return CountOthers("cmdline", text);
}

int64_t CountFiles(const std::string& folder, absl::string_view ending) {
  int64_t count = 0;
  for (const std::string& name : NamesIn(folder)) {
    if (absl::EndsWith(name, ending)) ++count;
  }
  return count;
}

}  // namespace assay
