#include "runtime/measure/device_facts.h"

#include <cstdint>
#include <cstdlib>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"

namespace assay::runtime {
namespace {

constexpr char kUnknown[] = "unknown";

// Returns the text of a file in /proc or /sys.
std::string Fact(const std::string& root, absl::string_view path) {
  const absl::StatusOr<std::string> text =
      ReadFile(absl::StrCat(root, path), int64_t{16} << 20);
  if (!text.ok()) return kUnknown;
  return std::string(absl::StripAsciiWhitespace(*text));
}

// Returns the value of the first line `key : value`, or an empty string.
std::string Entry(absl::string_view text, absl::string_view key) {
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(line, absl::MaxSplits(':', 1));
    if (absl::StripAsciiWhitespace(parts.first) == key) {
      return std::string(absl::StripAsciiWhitespace(parts.second));
    }
  }
  return "";
}

// The extensions that code generation depends on, sorted. The other flags grow
// with the version of the kernel.
std::string InstructionSet(const std::string& cpuinfo) {
  static constexpr const char* kPrefixes[] = {
      "amx",  "asimd", "avx", "bf16", "bmi",  "f16c", "fma", "fphp",
      "i8mm", "neon",  "sme", "sse",  "ssse", "sve",  "vfp", "aes"};
  std::string flags = Entry(cpuinfo, "flags");
  if (flags.empty()) flags = Entry(cpuinfo, "Features");
  std::set<absl::string_view> known;
  for (const absl::string_view flag :
       absl::StrSplit(flags, ' ', absl::SkipEmpty())) {
    for (const char* prefix : kPrefixes) {
      if (absl::StartsWith(flag, prefix)) known.insert(flag);
    }
  }
  return known.empty() ? kUnknown : absl::StrJoin(known, " ");
}

// Caches of the first processor: `L1d 32K, L1i 32K, L2 512K, L3 32768K`.
std::string Caches(const std::string& root) {
  std::vector<std::string> caches;
  for (int i = 0;; ++i) {
    const std::string cache =
        absl::StrCat("/sys/devices/system/cpu/cpu0/cache/index", i, "/");
    const std::string level = Fact(root, cache + "level");
    if (level == kUnknown) break;
    const std::string type = Fact(root, cache + "type");
    caches.push_back(absl::StrCat("L", level,
                                  type == "Data"          ? "d"
                                  : type == "Instruction" ? "i"
                                                          : "",
                                  " ", Fact(root, cache + "size")));
  }
  return caches.empty() ? kUnknown : absl::StrJoin(caches, ", ");
}

// Steal time as a percentage of the time of all processors since boot.
std::string StealPercent(const std::string& root) {
  const std::string stat = Fact(root, "/proc/stat");
  const std::vector<std::string> fields =
      absl::StrSplit(stat.substr(0, stat.find('\n')), ' ', absl::SkipEmpty());
  // `cpu`, user, nice, system, idle, iowait, irq, softirq, steal. The time of
  // guests is included in user and nice.
  constexpr size_t kSteal = 8;
  double all = 0, steal = 0;
  for (size_t i = 1; i < fields.size() && i <= kSteal; ++i) {
    double ticks = 0;
    if (!absl::SimpleAtod(fields[i], &ticks)) return kUnknown;
    all += ticks;
    if (i == kSteal) steal = ticks;
  }
  return all > 0 ? absl::StrFormat("%.2f", 100 * steal / all) : kUnknown;
}

// Temperature of the first sensor in degrees Celsius.
std::string Temperature(const std::string& root) {
  double millidegrees = 0;
  return absl::SimpleAtod(Fact(root, "/sys/class/thermal/thermal_zone0/temp"),
                          &millidegrees)
             ? absl::StrFormat("%.0f", millidegrees / 1000)
             : kUnknown;
}

// Rounds to the nearest of 1, 1.5, 2, 3, 4, 6, 8 ... GiB, because firmware and
// kernel reserve a varying part of the memory.
std::string RoundedMemory(int64_t bytes) {
  if (bytes <= 0) return kUnknown;
  const double gib = static_cast<double>(bytes) / (1 << 30);
  double best = 0.25;
  for (double power = 0.25; power <= 1 << 20; power *= 2) {
    for (const double size : {power, 1.5 * power}) {
      if (std::abs(size - gib) < std::abs(best - gib)) best = size;
    }
  }
  return absl::StrCat(best, " GiB");
}

// Lower-case words joined by dashes, without words that most names contain.
std::string Slug(absl::string_view text) {
  static const auto* const kNoise = new std::set<std::string>{
      "r", "tm", "cpu", "processor", "core", "with", "the"};
  std::string spaced;
  for (const char c : text.substr(0, text.find('@'))) {
    spaced += absl::ascii_isalnum(c) ? absl::ascii_tolower(c) : ' ';
  }
  std::vector<std::string> words;
  for (const absl::string_view word :
       absl::StrSplit(spaced, ' ', absl::SkipEmpty())) {
    if (kNoise->count(std::string(word)) == 0) words.emplace_back(word);
  }
  std::string slug = absl::StrJoin(words, "-").substr(0, 40);
  return slug.empty() ? kUnknown : slug;
}

std::string Value(const std::map<std::string, std::string>& map,
                  const std::string& key) {
  const auto it = map.find(key);
  return it == map.end() ? kUnknown : it->second;
}

std::string OrUnknown(std::string text) {
  return text.empty() ? kUnknown : text;
}

std::string Fingerprint(const std::map<std::string, std::string>& identity) {
  std::string all;
  for (const auto& [key, value] : identity) {
    absl::StrAppend(&all, key, "=", value, "\n");
  }
  return absl::StrCat(
      Value(identity, "arch"), "-", Slug(Value(identity, "cpu")), "-",
      Value(identity, "processors"), "c-", Sha256Hex(all).substr(0, 8));
}

}  // namespace

DeviceFacts DescribeHost(const HostFacts& facts, const std::string& root) {
  const std::string cpu = "/sys/devices/system/cpu/";
  DeviceFacts e;
  e.identity["arch"] = OrUnknown(facts.machine);
  e.identity["cpu"] = OrUnknown(facts.cpu_model);
  if (!facts.board.empty()) e.identity["board"] = facts.board;
  const std::string cpuinfo = Fact(root, "/proc/cpuinfo");
  e.identity["features"] = InstructionSet(cpuinfo);
  e.identity["caches"] = Caches(root);
  e.identity["processors"] = absl::StrCat(facts.online_cpus);
  e.identity["memory"] = RoundedMemory(facts.memory_bytes);
  e.fingerprint = Fingerprint(e.identity);

  e.state["kernel"] = OrUnknown(facts.kernel);
  e.state["governor"] = OrUnknown(facts.governor);
  e.state["boost"] = Fact(root, cpu + "cpufreq/boost");
  e.state["smt"] = Fact(root, cpu + "smt/active");
  e.state["microcode"] = OrUnknown(Entry(cpuinfo, "microcode"));
  e.state["mhz"] = OrUnknown(Entry(cpuinfo, "cpu MHz"));
  e.state["temperature"] = Temperature(root);
  e.state["steal_percent"] = StealPercent(root);
  e.state[kStateUsableProcessors] = absl::StrCat(facts.usable_cpus);
  const std::string load = Fact(root, "/proc/loadavg");
  e.state["load"] = load.substr(0, load.find(' '));
  return e;
}

}  // namespace assay::runtime
