#include "suites/references/parity.h"

#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/text/text_table.h"

namespace assay::suites {
namespace {

constexpr char kOptimization[] = "optimization";

// Returns for example `1 run, 5 ms`.
std::string WarmUp(const Parity& parity) {
  std::string text = absl::StrCat(parity.warmup_runs,
                                  parity.warmup_runs == 1 ? " run" : " runs");
  if (parity.warmup_nanos > 0) {
    absl::StrAppendFormat(&text, ", %.15g ms",
                          static_cast<double>(parity.warmup_nanos) * 1e-6);
  }
  return text;
}

std::string ReducedPrecision(const Parity& parity) {
  if (!parity.splits_floats) return parity.reduced_precision ? "allowed" : "no";
  return absl::StrCat(parity.reduced_precision ? "allowed, " : "",
                      "split in bfloat16 parts");
}

}  // namespace

Parity OurParity(int threads) {
  Parity parity;
  parity.threads = threads;
  parity.affinity = Affinity::kPinned;
  parity.optimization = "as in the row";
  return parity;
}

Parity OurParity(int threads, const runtime::Artifact& artifact) {
  Parity parity = OurParity(threads);
  parity.splits_floats =
      absl::StrContains(AlgorithmOf(artifact), runtime::kSplitAlgorithm);
  return parity;
}

std::vector<std::pair<std::string, std::string>> ParityFields(
    const Parity& parity) {
  return {
      {"threads", absl::StrCat(parity.threads)},
      {"affinity", parity.affinity == Affinity::kPinned ? "pinned" : "free"},
      {"precision", parity.precision},
      {kReducedPrecision, ReducedPrecision(parity)},
      {"layout", parity.layout == TensorLayout::kPlain ? "plain" : "own"},
      {"warm-up", WarmUp(parity)},
      {"inputs",
       parity.inputs == InputChange::kNever ? "same" : "new every round"},
      {"input copies", absl::StrCat(parity.input_copies)},
      {"output copies", absl::StrCat(parity.output_copies)},
      {kOptimization, parity.optimization},
  };
}

bool PrecisionDiffers(const Parity& a, const Parity& b) {
  return a.splits_floats != b.splits_floats;
}

absl::Status CheckParity(absl::Span<const NamedParity> manifest) {
  if (manifest.empty()) return absl::OkStatus();
  const auto compared = [](Parity parity) {
    parity.splits_floats = false;
    return ParityFields(parity);
  };
  const auto wanted = compared(manifest[0].parity);
  for (const NamedParity& contender : manifest.subspan(1)) {
    const auto fields = compared(contender.parity);
    for (size_t i = 0; i < fields.size(); ++i) {
      const auto& [name, value] = fields[i];
      if (name == kOptimization || value == wanted[i].second) continue;
      return absl::FailedPreconditionError(
          absl::StrCat("the conditions differ: ", name, " of `",
                       contender.contender, "` is `", value, "`, but that of `",
                       manifest[0].contender, "` is `", wanted[i].second, "`"));
    }
  }
  return absl::OkStatus();
}

std::map<std::string, std::map<std::string, std::string>> ParityRecord(
    absl::Span<const NamedParity> manifest) {
  std::map<std::string, std::map<std::string, std::string>> record;
  for (const auto& [contender, parity] : manifest) {
    for (const auto& [name, value] : ParityFields(parity)) {
      record[contender][name] = value;
    }
  }
  return record;
}

std::string ParityTable(absl::Span<const NamedParity> manifest) {
  if (manifest.empty()) return "";
  std::vector<runtime::TextTable::Column> columns = {{"contender"}};
  for (const auto& [name, value] : ParityFields(Parity())) {
    columns.push_back({name});
  }
  runtime::TextTable table(std::move(columns));
  std::set<std::vector<std::string>> lines;
  bool differs = false;
  for (const auto& [contender, parity] : manifest) {
    differs |= PrecisionDiffers(parity, manifest[0].parity);
    std::vector<std::string> line = {contender};
    for (const auto& [name, value] : ParityFields(parity)) {
      line.push_back(value);
    }
    if (lines.insert(line).second) table.AddRow(std::move(line));
  }
  std::string text =
      "conditions of the comparison; optimization is not compared\n" +
      table.ToString();
  if (differs) {
    absl::StrAppend(&text, kPrecisionMark,
                    " contenders differ in precision: one splits float32 in "
                    "bfloat16 parts, which keep about "
                    "18 of 24 significant bits, and the other does not\n");
  }
  return text;
}

}  // namespace assay::suites
