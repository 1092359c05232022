#include "suites/machine/environment.h"

#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace assay::suites {
namespace {

std::string Value(const std::map<std::string, std::string>& map,
                  const std::string& key) {
  const auto it = map.find(key);
  return it == map.end() ? "unknown" : it->second;
}

}  // namespace

reports::Environment EnvironmentOf(const runtime::DeviceFacts& facts) {
  return {facts.fingerprint, facts.identity, facts.state};
}

std::string ComparableState(const reports::Environment& environment) {
  std::vector<std::string> parts;
  for (const char* key : {"kernel", "microcode", "governor", "boost", "smt",
                          "usable_processors"}) {
    parts.push_back(absl::StrCat(key, "=", Value(environment.state, key)));
  }
  return absl::StrJoin(parts, " ");
}

std::string ProcessorRemark(const reports::Environment& environment) {
  int all = 0, usable = 0;
  if (!absl::SimpleAtoi(Value(environment.identity, "processors"), &all) ||
      !absl::SimpleAtoi(
          Value(environment.state, runtime::kStateUsableProcessors), &usable) ||
      usable >= all) {
    return "";
  }
  return absl::StrCat("only ", usable, " of the ", all, " processors of ",
                      environment.fingerprint,
                      " may be used (affinity mask or quota); times are not "
                      "those of the whole machine");
}

std::string StateChanges(absl::string_view before, absl::string_view now) {
  std::map<std::string, std::string> was;
  for (const absl::string_view part : absl::StrSplit(before, ' ')) {
    was.insert(absl::StrSplit(part, absl::MaxSplits('=', 1)));
  }
  std::vector<std::string> changes;
  for (const absl::string_view part : absl::StrSplit(now, ' ')) {
    const std::pair<std::string, std::string> entry =
        absl::StrSplit(part, absl::MaxSplits('=', 1));
    const std::string old = Value(was, entry.first);
    if (old != entry.second) {
      changes.push_back(
          absl::StrCat(entry.first, ": ", entry.second, ", was ", old));
    }
  }
  return absl::StrJoin(changes, "; ");
}

}  // namespace assay::suites
