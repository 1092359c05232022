#include "reports/history/change.h"

#include <map>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace assay::reports {
namespace {

// Returns true for facts that differ in every run and are not reported.
bool IsVolatile(absl::string_view key) {
  return absl::StartsWith(key, "load") || absl::StartsWith(key, "frequency") ||
         absl::StartsWith(key, "temperature") || absl::StartsWith(key, "steal");
}

void Compare(const std::map<std::string, std::string>& before,
             const std::map<std::string, std::string>& after,
             std::vector<std::string>& differences) {
  std::map<std::string, std::string> all = before;
  all.insert(after.begin(), after.end());
  for (const auto& [key, unused] : all) {
    const auto value = [&key = key](const auto& facts) {
      const auto it = facts.find(key);
      return it == facts.end() ? std::string("unknown") : it->second;
    };
    if (!IsVolatile(key) && value(before) != value(after)) {
      differences.push_back(
          absl::StrCat(key, ": ", value(after), ", before ", value(before)));
    }
  }
}

void AddMachine(const Measured& before, const Measured& after, Change& change) {
  std::vector<std::string> differences;
  Compare(before.run.environment.identity, after.run.environment.identity,
          differences);
  Compare(before.run.environment.state, after.run.environment.state,
          differences);
  change.other_machine = MachineOf(before.row) != MachineOf(after.row);
  if (change.other_machine && differences.empty()) {
    differences.push_back(absl::StrCat("fingerprint: ", MachineOf(after.row),
                                       ", before ", MachineOf(before.row)));
  }
  if (differences.empty()) return;
  change.causes.Add(Cause::kMachine);
  change.machine = absl::StrJoin(differences, "; ");
}

// The first digits of a digest, for people.
std::string Short(const std::string& digest) { return digest.substr(0, 12); }

// Returns true if both nights recorded the fact and it differs.
bool Differs(const std::string& before, const std::string& after) {
  return !before.empty() && !after.empty() && before != after;
}

void AddPolicy(const Timing& before, const Timing& after, Change& change,
               std::vector<std::string>& texts) {
  if (!Differs(before.policy, after.policy)) return;
  change.causes.Add(Cause::kMethod);
  texts.push_back(
      absl::StrCat("timing policy ", after.policy, ", before ", before.policy));
}

void AddMethod(const Row& before, const Row& after, Change& change,
               std::vector<std::string>& texts) {
  const std::string& old = before.build.runtime_digest;
  const std::string& now = after.build.runtime_digest;
  if (Differs(old, now)) {
    change.causes.Add(Cause::kMethod);
    texts.push_back(
        absl::StrCat("runtime ", Short(now), ", before ", Short(old)));
  }
  AddPolicy(before.timing, after.timing, change, texts);
}

bool CodeIsKnown(const BuildFacts& build) {
  for (const KernelCode& kernel : build.code) {
    if (kernel.digest.empty()) return false;
  }
  return !build.code.empty();
}

// Returns the symbols of the kernel calls of `after` whose code no call of
// `before` has, without duplicates.
std::vector<std::string> NewKernels(const BuildFacts& before,
                                    const BuildFacts& after) {
  std::map<std::string, int> calls;
  for (const KernelCode& kernel : before.code) ++calls[kernel.digest];
  std::vector<std::string> symbols;
  for (const KernelCode& kernel : after.code) {
    if (--calls[kernel.digest] < 0) symbols.push_back(kernel.symbol);
  }
  return symbols;
}

void AddProgram(const BuildFacts& before, const BuildFacts& after,
                Change& change, std::vector<std::string>& texts) {
  if (before.model_digest != after.model_digest) {
    change.causes.Add(Cause::kCode);
    texts.push_back("another model");
    return;
  }
  if (before.artifact_digest == after.artifact_digest) return;
  if (!CodeIsKnown(before) || !CodeIsKnown(after)) {
    change.causes.Add(Cause::kCode);
    texts.push_back("another artifact, of unknown kernels");
    return;
  }
  const std::vector<std::string> kernels = NewKernels(before, after);
  if (kernels.empty() && before.code.size() == after.code.size()) {
    change.causes.Add(Cause::kLayout);
    texts.push_back("another artifact of the same kernels");
    return;
  }
  change.causes.Add(Cause::kCode);
  constexpr size_t kShown = 3;
  const size_t shown = kernels.size() < kShown ? kernels.size() : kShown;
  texts.push_back(absl::StrCat(
      "code of ", kernels.size(), " of ", after.code.size(), " kernels",
      kernels.empty() ? "" : ": ",
      absl::StrJoin(kernels.begin(),
                    kernels.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
      kernels.size() > shown ? ", ..." : ""));
}

}  // namespace

std::string CausesText(const Causes& causes) {
  constexpr struct {
    Cause cause;
    const char* name;
  } kNames[] = {{Cause::kCode, "code"},
                {Cause::kLayout, "layout"},
                {Cause::kMethod, "method"},
                {Cause::kMachine, "machine"}};
  std::vector<std::string> names;
  for (const auto& [cause, name] : kNames) {
    if (causes.Has(cause)) names.push_back(name);
  }
  return names.empty() ? "none" : absl::StrJoin(names, " and ");
}

Change ChangeOfCell(const Measured& before, const Measured& after) {
  Change change;
  std::vector<std::string> texts;
  AddProgram(before.row.build, after.row.build, change, texts);
  AddMethod(before.row, after.row, change, texts);
  change.program = absl::StrJoin(texts, "; ");
  AddMachine(before, after, change);
  return change;
}

Change ChangeOfKernel(const Measured& before, const std::string& digest_before,
                      const Measured& after, const std::string& digest_after) {
  Change change;
  std::vector<std::string> texts;
  if (before.row.build.artifact_digest != after.row.build.artifact_digest) {
    const bool same = !digest_before.empty() && digest_before == digest_after;
    change.causes.Add(same ? Cause::kLayout : Cause::kCode);
    texts.push_back(same ? "another artifact with this kernel" : "code");
  }
  AddMethod(before.row, after.row, change, texts);
  change.program = absl::StrJoin(texts, "; ");
  AddMachine(before, after, change);
  return change;
}

Change ChangeOfReference(const Measured& before, const Measured& after) {
  Change change;
  std::vector<std::string> texts;
  const auto& old = before.row.comparison.parity;
  const auto& now = after.row.comparison.parity;
  if (!old.empty() && !now.empty() && old != now) {
    change.causes.Add(Cause::kMethod);
    texts.push_back("the conditions of the comparison");
  }
  AddPolicy(before.row.timing, after.row.timing, change, texts);
  change.program = absl::StrJoin(texts, "; ");
  AddMachine(before, after, change);
  return change;
}

std::string MachineOf(const Row& row) {
  return row.board.empty() ? row.fingerprint
                           : absl::StrCat(row.fingerprint, " ", row.board);
}

}  // namespace assay::reports
