// //suites:serve measures a model under the load of a scenario.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/file.h"
#include "runtime/base/plain_text.h"
#include "runtime/base/run_command.h"
#include "runtime/base/shape.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/cpu/cpu_count.h"
#include "runtime/measure/device_facts.h"
#include "suites/correctness/onnx_model.h"
#include "suites/correctness/oracle.h"
#include "suites/harness/flags/flag_group.h"
#include "suites/harness/flags/model_flags.h"
#include "suites/harness/progress.h"
#include "suites/machine/disturbance.h"
#include "suites/models/catalog.h"
#include "suites/models/model_file.h"
#include "suites/serve/capacity_search.h"
#include "suites/serve/load_generator.h"
#include "suites/serve/scenario.h"
#include "suites/serve/serve_report.h"
#include "suites/serve/served_model.h"

namespace assay::suites {
namespace {

constexpr char kDescription[] =
    "Measures a model under load, in the scenarios of MLPerf's LoadGen: the "
    "90th percentile\nof the latency of one query after the other "
    "(single_stream), the 99th of queries of\neight samples (multi_stream), "
    "the largest rate of queries that arrive at random at which\nthe 99th "
    "percentile is within a bound (server), and the throughput (offline). The "
    "latency\nof a query counts from its scheduled arrival. Outputs are "
    "checked before the load, and a\npart of them under load.\n\n"
    "  ./bazelw run //suites:serve -- --model=resnet18\n"
    "  ./bazelw run //suites:serve -- --model=resnet18 --scenario=server "
    "--latency_bound_ms=50\n";
constexpr char kFooter[] =
    "\nExit codes: 0 measured, and the bound, if there is one, is met; 1 the "
    "bound is missed;\n2 usage; 3 the latencies do not decide if the bound is "
    "met; 4 wrong output; 5 the machine\nfailed.";

struct Flags {
  std::string model;
  std::vector<std::string> dims;
  std::string scenario = "single_stream";
  std::optional<double> latency_bound_ms;
  std::optional<double> rate;
  int instances = 1;
  int threads = 0;
  int64_t batch = 1;
  std::optional<double> min_duration_s;
  std::optional<int64_t> min_queries;
  bool mlperf = false;
  double check_percent = 2;
  std::string seed = "0";
  std::string format = "table";
};

absl::Status CheckFlags(const Flags& flags, Scenario scenario) {
  if (scenario == Scenario::kServer && !flags.latency_bound_ms.has_value() &&
      !flags.rate.has_value()) {
    return absl::InvalidArgumentError(
        "--scenario=server needs --latency_bound_ms, the bound for which the "
        "largest rate is searched, or --rate");
  }
  if (scenario != Scenario::kServer && flags.rate.has_value()) {
    return absl::InvalidArgumentError(
        "--rate: only --scenario=server has a rate");
  }
  if (scenario == Scenario::kOffline && flags.latency_bound_ms.has_value()) {
    return absl::InvalidArgumentError(
        "--latency_bound_ms: --scenario=offline has no bound");
  }
  return absl::OkStatus();
}

// A program with another batch would not serve as many samples as it counts.
absl::Status CheckBatch(const Model& model, int64_t batch) {
  if (batch == 1) return absl::OkStatus();
  for (const runtime::NamedTensor& input : SeededInputs(*model.graph, 0)) {
    const Shape& shape = input.value.shape();
    if (!shape.empty() && shape[0] == batch) return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--batch: no input of `", model.name, "` has ", batch,
                   " as its first extent, see --dim"));
}

absl::StatusOr<Model> LoadModel(const Flags& flags) {
  ASSAY_ASSIGN_OR_RETURN(const auto dims, ParseDims(flags.dims));
  const std::vector<std::string> names = CatalogNames();
  if (std::find(names.begin(), names.end(), flags.model) != names.end()) {
    if (!dims.empty()) {
      return absl::InvalidArgumentError(
          "--dim: the models of the catalog have no dimensions to choose; "
          "--batch selects the batch");
    }
    CatalogOptions options;
    options.batch = flags.batch;
    ASSAY_ASSIGN_OR_RETURN(const onnx::ModelProto onnx,
                           BuildFromCatalog(flags.model, options));
    return LoadOnnxBytes(flags.model, SerializeModel(onnx), /*dims=*/{});
  }
  const std::string path = FromCallersFolder(flags.model);
  if (!FileExists(path)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--model: `", flags.model,
                     "` is neither a file nor a model of the catalog, which "
                     "has ",
                     absl::StrJoin(names, ", ")));
  }
  ASSAY_ASSIGN_OR_RETURN(Model model, LoadOnnxFile(path, dims));
  ASSAY_RETURN_IF_ERROR(CheckBatch(model, flags.batch));
  return model;
}

// The oracle of a suite, with its cache.
absl::StatusOr<std::unique_ptr<InterpreterOracle>> MakeOracle(
    Progress& progress) {
  ASSAY_ASSIGN_OR_RETURN(const std::string version, ProgramDigest());
  const absl::StatusOr<std::string> cache = UserCacheDir();
  return std::make_unique<InterpreterOracle>(
      cache.ok() ? JoinPath(*cache, "oracle") : "", version,
      [&progress](int percent) {
        progress.Step(absl::StrCat("interpreting, for the right answer (",
                                   percent, " %)"));
      });
}

// The exit code of a report without a failure.
ExitCode CodeOf(const ServeReport& report) {
  const std::optional<BoundVerdict> verdict = VerdictOf(report);
  if (!verdict.has_value()) return ExitCode::kPass;
  switch (*verdict) {
    case BoundVerdict::kMet:
      return ExitCode::kPass;
    case BoundVerdict::kMissed:
      return ExitCode::kRegression;
    case BoundVerdict::kUndecided:
      return ExitCode::kInconclusive;
  }
  return ExitCode::kInfrastructure;
}

// Searches the largest rate that meets the bound. The report then has the runs
// that confirm it, or, if no rate meets the bound, the last run.
absl::Status Search(Servers& servers, LoadOptions load, double batch_s,
                    Progress& progress, ServeReport* report) {
  const double capacity = static_cast<double>(servers.instances()) *
                          static_cast<double>(servers.batch()) / batch_s;
  CapacityOptions options;
  options.first_rate = 0.6 * capacity;
  // With so few queries, nearly none waits for another one.
  options.smallest_rate = 0.02 * capacity;
  const uint64_t seed = load.seed;
  double confirmed = 0;
  const auto probe = [&](double rate, int64_t run,
                         bool confirms) -> absl::StatusOr<bool> {
    progress.Step(absl::StrFormat("trying %.1f queries/s", rate));
    load.rate = rate;
    load.seed = seed + static_cast<uint64_t>(run);
    ASSAY_ASSIGN_OR_RETURN(const LoadResult result, RunLoad(servers, load));
    // The runs of the search are left out, because their luck has chosen the
    // rate.
    if (!confirms || rate != confirmed) report->load = LoadResult();
    if (confirms) confirmed = rate;
    Append(result, &report->load);
    return result.Latency(PercentileOf(load.scenario)).value <= *load.bound_s;
  };
  ASSAY_ASSIGN_OR_RETURN(report->search, FindCapacity(probe, options));
  return absl::OkStatus();
}

absl::Status Measure(ServedModel& model, const LoadOptions& load,
                     bool is_search, Progress& progress, ServeReport* report) {
  if (is_search) {
    return Search(model.servers(), load, model.batch_s(), progress, report);
  }
  progress.Step("measuring");
  ASSAY_ASSIGN_OR_RETURN(report->load, RunLoad(model.servers(), load));
  return absl::OkStatus();
}

RunRules RulesOf(const Flags& flags, Scenario scenario) {
  RunRules rules = flags.mlperf ? MlperfRules(scenario) : ShortRules(scenario);
  if (flags.min_duration_s.has_value()) {
    rules.min_duration_s = *flags.min_duration_s;
  }
  if (flags.min_queries.has_value()) rules.min_queries = *flags.min_queries;
  return rules;
}

absl::StatusOr<ExitCode> Run(const Flags& flags) {
  const Scenario scenario = ParseScenario(flags.scenario);
  uint64_t seed = 0;
  ASSAY_RETURN_IF_ERROR(ParseSeed("--seed", flags.seed, &seed));
  ASSAY_RETURN_IF_ERROR(CheckFlags(flags, scenario));
  Progress progress = Progress::OnStandardError();
  progress.Start(1);
  progress.NextRow(absl::StrCat(flags.model, ", ", flags.scenario));
  ASSAY_ASSIGN_OR_RETURN(const Model model, LoadModel(flags));
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<InterpreterOracle> oracle,
                         MakeOracle(progress));
  const int cpus = runtime::UsableCpuCount();
  ServedModelOptions options;
  options.instances = flags.instances;
  options.threads =
      flags.threads > 0 ? flags.threads : std::max(1, cpus / flags.instances);
  options.batch = flags.batch;
  options.seed = seed;
  options.check_share = flags.check_percent / 100;
  absl::StatusOr<std::unique_ptr<ServedModel>> served =
      ServedModel::Create(model, options, *oracle,
                          [&](absl::string_view step) { progress.Step(step); });
  absl::Status status = served.status();
  ServeReport report;
  if (status.ok()) {
    report.model = PlainText(model.name);
    report.model_digest = model.digest;
    report.fingerprint = runtime::DescribeHost().fingerprint;
    report.instances = options.instances;
    report.threads = options.threads;
    report.batch = options.batch;
    report.rules = RulesOf(flags, scenario);
    report.seed = seed;
    report.batch_s = (*served)->batch_s();
    if (flags.latency_bound_ms.has_value()) {
      report.bound_s = *flags.latency_bound_ms * 1e-3;
    }
    LoadOptions load;
    load.scenario = scenario;
    load.rules = report.rules;
    load.rate = flags.rate.value_or(0);
    load.bound_s = report.bound_s;
    load.batch_s = report.batch_s;
    load.seed = seed;
    const DisturbanceMeter meter(options.instances * options.threads, cpus);
    status = Measure(**served, load,
                     scenario == Scenario::kServer && !flags.rate.has_value(),
                     progress, &report);
    report.disturbances = meter.Stop();
    report.checked = (*served)->checked();
  }
  progress.Clear();
  if (absl::IsDataLoss(status)) {
    std::cerr << "wrong output: " << status.message() << "\n";
    return ExitCode::kWrongResult;
  }
  ASSAY_RETURN_IF_ERROR(status);
  std::cout << (flags.format == "json"        ? ServeJson(report)
                : flags.format == "benchmark" ? ServeBenchmarkJson(report)
                                              : ServeTable(report));
  if (report.search.has_value() && report.search->rate == 0) {
    std::cerr << absl::StrFormat(
        "no rate meets the bound of %.3f ms: a batch alone takes %.3f ms\n",
        1e3 * *report.bound_s, 1e3 * report.batch_s);
    return ExitCode::kRegression;
  }
  return CodeOf(report);
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) {
  assay::suites::Flags flags;
  CLI::App app(assay::suites::kDescription, "./bazelw run //suites:serve --");
  app.footer(assay::suites::kFooter);
  app.add_option("--model", flags.model,
                 "a model of the catalog, such as resnet18, or an ONNX file")
      ->required();
  app.add_option("--dim", flags.dims,
                 "extent of a symbolic dimension of the file, such as N=8; "
                 "repeat it for several")
      ->type_name("NAME=N");
  app.add_option("--scenario", flags.scenario, "default single_stream")
      ->check(CLI::IsMember(assay::suites::ScenarioNames()));
  app.add_option("--latency_bound_ms", flags.latency_bound_ms,
                 "bound of the scenario's percentile of the latency")
      ->check(CLI::Range(1e-3, 1e9));
  app.add_option("--rate", flags.rate,
                 "queries per second of --scenario=server; without it, the "
                 "largest rate that meets the bound is searched")
      ->check(CLI::Range(1e-3, 1e7));
  app.add_option("--instances", flags.instances,
                 "programs that serve one queue; default 1")
      ->check(CLI::Range(1, 1024));
  app.add_option("--threads", flags.threads,
                 "threads of each instance; default: the processors divided "
                 "by the instances")
      ->check(CLI::Range(1, 1024));
  app.add_option("--batch", flags.batch,
                 "samples that an instance takes at a time, at most; the "
                 "program always computes so many. A model of the catalog is "
                 "built with this batch; a file must have it (--dim). Default "
                 "1")
      ->check(CLI::Range(int64_t{1}, int64_t{4096}));
  app.add_option("--min_duration", flags.min_duration_s,
                 "seconds of each run, at least; default 10")
      ->check(CLI::Range(1e-3, 1e6));
  app.add_option("--min_queries", flags.min_queries,
                 "queries of each run, at least; default: as many as an "
                 "interval of the percentile needs")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 32));
  app.add_flag("--mlperf", flags.mlperf,
               "the duration and the number of queries of MLPerf: 10 minutes "
               "for each run");
  app.add_option("--check", flags.check_percent,
                 "percent of the runs whose outputs are checked; default 2")
      ->check(CLI::Range(0.0, 100.0));
  app.add_option("--seed", flags.seed,
                 "of inputs, arrivals and checks; default 0");
  app.add_option("--format", flags.format,
                 "table, json or benchmark (google/benchmark); default table")
      ->check(CLI::IsMember({"table", "json", "benchmark"}));
  return assay::RunCommand(app, argc, argv,
                           [&] { return assay::suites::Run(flags); });
}
