// //suites:count_work: compares what the kernels of two artifacts execute. See
// --help.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/text/text_table.h"
#include "runtime/tools/count/count_kernels.h"
#include "runtime/tools/count/region_counts.h"
#include "suites/comparison/work_change.h"

namespace assay::suites {
namespace {

using runtime::Artifact;
using runtime::KernelCounts;
using runtime::RegionCounts;
using runtime::TextTable;

constexpr char kDescription[] =
    R"(Compares the instructions and memory accesses of two artifacts of one model, part by part
of the model, exactly and without a clock. Both run under qemu, for whatever machine they are:
  count_work --base=$PWD/old.artifact --run=$PWD/new.artifact
Suites write artifacts with --out=FOLDER --keep_artifacts.)";

constexpr char kFooter[] =
    R"(A part is one or more kernels that compute the same nodes of the model. Its work is
  same_code   the same machine code
  same_work   other code, but equal instructions and bytes (within 0.1 %): another layout
  more_work   more instructions or bytes; less_work: fewer; other_work: one more, one fewer
Counts are not times: more work may take less time, and the same work more.

Exit codes: 0 no part does more work; 1 a part does; 2 usage, or an artifact that is damaged
or that qemu cannot run; 5 a kernel or qemu failed.)";

struct Flags {
  std::string base;
  std::string run;
  bool all = false;
  runtime::CountOptions options;
};

struct Counted {
  Artifact artifact;
  KernelCounts counts;

  CountedCalls calls() const { return {artifact.calls, counts.calls}; }
};

absl::StatusOr<Artifact> ReadFlag(const std::string& flag,
                                  const std::string& path) {
  absl::StatusOr<Artifact> artifact =
      runtime::ReadArtifact(FromCallersFolder(path));
  if (artifact.ok()) return artifact;
  return absl::InvalidArgumentError(
      absl::StrCat("--", flag, ": ", artifact.status().message()));
}

std::string Metadata(const Artifact& artifact, const char* key) {
  const auto entry = artifact.metadata.find(key);
  return entry == artifact.metadata.end() ? "" : entry->second;
}

// Counts of different models or machines cannot be compared.
absl::Status CheckComparable(const Artifact& base, const Artifact& run) {
  for (const char* key : {runtime::kMetaModel, runtime::kMetaTargetTriple}) {
    const std::string b = Metadata(base, key), r = Metadata(run, key);
    if (b != r) {
      return absl::InvalidArgumentError(
          absl::StrCat("--base and --run are not comparable: `", key, "` is `",
                       b, "` and `", r, "`"));
    }
  }
  return absl::OkStatus();
}

absl::Status Count(const std::string& program, const std::string& flag,
                   const runtime::CountOptions& options, Counted* counted) {
  absl::StatusOr<KernelCounts> counts =
      runtime::CountKernels(program, counted->artifact, options);
  if (!counts.ok()) {
    return absl::Status(
        counts.status().code(),
        absl::StrCat("--", flag, ": ", counts.status().message()));
  }
  counted->counts = *std::move(counts);
  return absl::OkStatus();
}

std::string SymbolsOf(const std::vector<int64_t>& calls,
                      const Artifact& artifact) {
  return absl::StrJoin(calls, " ", [&](std::string* out, int64_t call) {
    absl::StrAppend(out, artifact.calls[static_cast<size_t>(call)].symbol);
  });
}

// Returns the names of at most three nodes.
std::string Nodes(const std::vector<std::string>& sources) {
  constexpr size_t kMost = 3;
  const size_t count = std::min(sources.size(), kMost);
  std::string text = absl::StrJoin(
      sources.begin(), sources.begin() + static_cast<ptrdiff_t>(count), " ");
  if (sources.size() > kMost) text += " ...";
  return text;
}

std::string Percent(int64_t base, int64_t run) {
  if (base == 0) return "-";
  return absl::StrFormat("%+.2f%%", 100.0 * static_cast<double>(run - base) /
                                        static_cast<double>(base));
}

void AddRow(const std::vector<std::string>& names, const RegionCounts& base,
            const RegionCounts& run, const std::string& work,
            TextTable* table) {
  std::vector<std::string> cells = names;
  for (const auto& [b, r] : {std::pair(base.Total(), run.Total()),
                             std::pair(base.Bytes(), run.Bytes())}) {
    cells.insert(cells.end(),
                 {absl::StrCat(b), absl::StrCat(r), Percent(b, r)});
  }
  cells.push_back(work);
  table->AddRow(cells);
}

// Prints the comparison and returns true if a part does more work.
bool Print(const Counted& base, const Counted& run, bool all) {
  constexpr TextTable::Side kRight = TextTable::kRight;
  TextTable table({{"base"},
                   {"run"},
                   {"nodes"},
                   {"instructions", kRight},
                   {"run", kRight},
                   {"change", kRight},
                   {"bytes", kRight},
                   {"run", kRight},
                   {"change", kRight},
                   {"work"}});
  std::map<Work, int64_t> parts;
  RegionCounts base_sum, run_sum;
  for (const WorkChange& change : CompareWork(base.calls(), run.calls())) {
    ++parts[change.work];
    base_sum += change.base_counts;
    run_sum += change.run_counts;
    if (change.work == Work::kSameCode && !all) continue;
    AddRow({SymbolsOf(change.base, base.artifact),
            SymbolsOf(change.run, run.artifact), Nodes(change.sources)},
           change.base_counts, change.run_counts, ToString(change.work),
           &table);
  }
  AddRow({"all", "", ""}, base_sum, run_sum, "", &table);
  std::cout << table.ToString() << "\n"
            << absl::StrJoin(parts, ", ",
                             [](std::string* out, const auto& entry) {
                               absl::StrAppend(out, entry.second, " ",
                                               ToString(entry.first));
                             })
            << (parts[Work::kSameCode] > 0 && !all
                    ? "; --all also lists parts with the same code\n"
                    : "\n");
  return parts[Work::kMoreWork] > 0;
}

absl::StatusOr<ExitCode> Run(const std::string& program, const Flags& flags) {
  Counted base, run;
  ASSAY_ASSIGN_OR_RETURN(base.artifact, ReadFlag("base", flags.base));
  ASSAY_ASSIGN_OR_RETURN(run.artifact, ReadFlag("run", flags.run));
  ASSAY_RETURN_IF_ERROR(CheckComparable(base.artifact, run.artifact));
  ASSAY_RETURN_IF_ERROR(Count(program, "base", flags.options, &base));
  ASSAY_RETURN_IF_ERROR(Count(program, "run", flags.options, &run));
  return Print(base, run, flags.all) ? ExitCode::kRegression : ExitCode::kPass;
}

int Main(int argc, char** argv) {
  CLI::App app(kDescription, "count_work");
  app.footer(kFooter);
  Flags flags;
  app.add_option("--base", flags.base, "the artifact to compare with")
      ->required()
      ->type_name("FILE");
  app.add_option("--run", flags.run, "the other artifact of the same model")
      ->required()
      ->type_name("FILE");
  app.add_flag("--all", flags.all, "also list parts with the same code");
  app.add_option("--cpu", flags.options.cpu,
                 "processor that qemu emulates; by default, that of the "
                 "artifact's target if\nqemu has it, else `max`")
      ->type_name("NAME");
  app.add_option("--seed", flags.options.seed, "seed of the inputs")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--time_limit_s", flags.options.time_limit_s,
                 "the longest time of a run under qemu")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->type_name("S");
  return RunCommand(app, argc, argv, [&] { return Run(argv[0], flags); });
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) { return assay::suites::Main(argc, argv); }
