#include "compiler/target/target.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::target {
namespace {

constexpr char kHint[] =
    "; an example of a target is `llvm -mtriple=aarch64-linux-gnu "
    "-mcpu=cortex-a53`, to which `-mattr=+f,-g` and `-num-cores=n` may be "
    "added";

absl::Status BadTarget(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(what, kHint));
}

// Matches the system and ABI that follow the architecture, with an optional
// vendor.
bool IsLinux(absl::string_view rest, absl::string_view abi) {
  absl::ConsumePrefix(&rest, "unknown-");
  absl::ConsumePrefix(&rest, "pc-");
  return rest == absl::StrCat("linux-", abi);
}

absl::StatusOr<Arch> ArchOf(absl::string_view triple) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(triple, absl::MaxSplits('-', 1));
  const absl::string_view arch = parts.first, rest = parts.second;
  if (arch == "x86_64" && IsLinux(rest, "gnu")) return Arch::kX86_64;
  if (arch == "aarch64" && IsLinux(rest, "gnu")) return Arch::kAArch64;
  if ((arch == "arm" || absl::StartsWith(arch, "armv7")) &&
      IsLinux(rest, "gnueabihf")) {
    return Arch::kArm;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "`-mtriple=", triple,
      "` is not supported; there are x86_64-linux-gnu, aarch64-linux-gnu and "
      "arm-linux-gnueabihf"));
}

bool IsName(absl::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return absl::ascii_isalnum(c) || c == '-' || c == '_' || c == '.';
  });
}

absl::Status CheckFeature(absl::string_view feature) {
  const bool signed_name =
      feature.size() > 1 && (feature[0] == '+' || feature[0] == '-');
  if (signed_name && IsName(feature.substr(1))) return absl::OkStatus();
  return BadTarget(
      absl::StrCat("`", feature, "` in `-mattr` is not `+` or `-` and a name"));
}

absl::Status ParseOption(absl::string_view option, TargetSpec* spec) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(option, absl::MaxSplits('=', 1));
  const absl::string_view key = parts.first, value = parts.second;
  if (value.empty()) {
    return BadTarget(absl::StrCat("`", option, "` is not an option with `=`"));
  }
  std::string* text = key == "-mtriple" ? &spec->triple
                      : key == "-mcpu"  ? &spec->cpu
                                        : nullptr;
  if (text != nullptr) {
    if (!text->empty()) {
      return BadTarget(absl::StrCat("`", key, "` is given twice"));
    }
    *text = std::string(value);
    return absl::OkStatus();
  }
  if (key == "-mattr") {
    for (absl::string_view f : absl::StrSplit(value, ',')) {
      spec->features.emplace_back(f);
    }
    return absl::OkStatus();
  }
  if (key == "-num-cores") {
    if (absl::SimpleAtoi(value, &spec->num_cores) && spec->num_cores > 0) {
      return absl::OkStatus();
    }
    return BadTarget(absl::StrCat("`", option, "` is not a positive number"));
  }
  return BadTarget(absl::StrCat("`", key, "` is not an option of a target"));
}

}  // namespace

absl::StatusOr<Target> Target::Parse(absl::string_view text) {
  const std::vector<absl::string_view> words =
      absl::StrSplit(text, ' ', absl::SkipEmpty());
  if (words.empty()) return BadTarget("the target is empty");
  TargetSpec spec;
  ASSAY_ASSIGN_OR_RETURN(spec.kind, ParseTargetKind(words[0]));
  for (size_t i = 1; i < words.size(); ++i) {
    ASSAY_RETURN_IF_ERROR(ParseOption(words[i], &spec));
  }
  return Make(spec);
}

absl::StatusOr<Target> Target::Make(const TargetSpec& spec) {
  if (spec.cpu == "native") {
    return BadTarget(
        "`-mcpu=native` names no processor; only the machine itself can say "
        "which one it has");
  }
  Target target;
  target.kind_ = spec.kind;
  const TargetKindRow& kind = RowOf(spec.kind);
  if (kind.has_triple && spec.triple.empty()) {
    return BadTarget("`-mtriple` is missing");
  }
  if (!kind.has_triple && !spec.triple.empty()) {
    return BadTarget(
        absl::StrCat("a target of kind `", kind.name, "` has no `-mtriple`"));
  }
  target.arch_ = Arch::kNone;
  if (kind.has_triple) {
    ASSAY_ASSIGN_OR_RETURN(target.arch_, ArchOf(spec.triple));
  }
  target.triple_ = spec.triple;
  target.cpu_ = spec.cpu.empty() ? BaselineCpu(target.arch_).name : spec.cpu;
  if (!IsName(target.cpu_)) {
    return BadTarget(absl::StrCat("`-mcpu=", target.cpu_, "` is not a name"));
  }
  if (spec.num_cores < 0) return BadTarget("`-num-cores` is negative");
  target.num_cores_ = spec.num_cores;
  for (const std::string& feature : spec.features) {
    ASSAY_RETURN_IF_ERROR(CheckFeature(feature));
  }
  std::set<std::string> unique(spec.features.begin(), spec.features.end());
  target.features_.assign(unique.begin(), unique.end());
  target.DeriveFacts();
  return target;
}

// `+` sorts before `-`, so a removed feature stays removed.
void Target::DeriveFacts() {
  const CpuRow* row = FindCpu(arch_, cpu_);
  if (row == nullptr) row = &BaselineCpu(arch_);
  l1_bytes_ = row->l1_bytes;
  l2_bytes_ = row->l2_bytes;
  l3_bytes_ = row->l3_bytes;
  for (absl::string_view f :
       absl::StrSplit(row->features, ',', absl::SkipEmpty())) {
    present_.emplace(f);
  }
  std::set<std::string> absent;
  for (const std::string& f : features_) {
    (f[0] == '+' ? present_ : absent).insert(f.substr(1));
  }
  const absl::Span<const FeatureImplication> rules = FeatureImplications();
  for (const FeatureImplication& rule : rules) {
    if (rule.arch == arch_ && present_.count(rule.feature) > 0) {
      present_.insert(rule.implied);
    }
  }
  for (auto rule = rules.rbegin(); rule != rules.rend(); ++rule) {
    if (rule->arch == arch_ && absent.count(rule->implied) > 0) {
      absent.insert(rule->feature);
    }
  }
  for (const std::string& f : absent) present_.erase(f);
}

Target Target::WithCores(int num_cores) const {
  CHECK(num_cores > 0);
  Target result = *this;
  result.num_cores_ = num_cores;
  return result;
}

std::string Target::ToString() const {
  std::string text = RowOf(kind_).name;
  if (!triple_.empty()) absl::StrAppend(&text, " -mtriple=", triple_);
  absl::StrAppend(&text, " -mcpu=", cpu_);
  if (!features_.empty()) {
    absl::StrAppend(&text, " -mattr=", absl::StrJoin(features_, ","));
  }
  if (num_cores_ > 0) absl::StrAppend(&text, " -num-cores=", num_cores_);
  return text;
}

bool Target::HasFeature(absl::string_view feature) const {
  return present_.count(std::string(feature)) > 0;
}

int Target::vector_bits() const {
  if (HasFeature("avx512f")) return 512;
  return HasFeature("avx") ? 256 : 128;
}

int Target::vector_registers() const {
  switch (arch_) {
    case Arch::kX86_64:
      return HasFeature("avx512f") ? 32 : 16;
    case Arch::kAArch64:
      return 32;
    case Arch::kArm:
    case Arch::kNone:
      return 16;
  }
  return 16;
}

bool Target::fma() const {
  switch (arch_) {
    case Arch::kX86_64:
      return HasFeature("fma");
    case Arch::kAArch64:
      return true;
    case Arch::kArm:
      return HasFeature("vfp4");
    case Arch::kNone:
      return false;
  }
  return false;
}

}  // namespace assay::target
