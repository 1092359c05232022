#include "suites/correctness/testing/small_net_fixture.h"

#include <sstream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/graph/testing/random_graph.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"
#include "suites/harness/driver_compiler.h"
#include "suites/harness/progress.h"

namespace assay::suites {
namespace {

using runtime::Artifact;

// Compiles unless there is an artifact already, and returns a changed copy of
// the artifact.
class ChangingCompiler : public Compiler {
 public:
  ChangingCompiler(std::optional<Artifact>* artifact,
                   const ArtifactChange& change)
      : artifact_(artifact), change_(change) {}
  absl::StatusOr<CompiledModel> Compile(const Model& model,
                                        const CompileTarget& target,
                                        const reports::Variant& variant,
                                        const std::string& dump_dir) override {
    if (!artifact_->has_value()) {
      ASSAY_ASSIGN_OR_RETURN(
          CompiledModel compiled,
          compiler_.Compile(model, target, variant, dump_dir));
      *artifact_ = std::move(compiled.artifact);
    }
    CompiledModel compiled;
    compiled.artifact = **artifact_;
    if (change_) change_(compiled.artifact);
    return compiled;
  }
  absl::Status CanTune(const CompileTarget& target) const override {
    return compiler_.CanTune(target);
  }

 private:
  DriverCompiler compiler_{driver::CompileOptions()};
  std::optional<Artifact>* const artifact_;
  const ArtifactChange& change_;
};

}  // namespace

SmallNetFixture::SmallNetFixture()
    : dir_(TempDir::Create().value()), oracle_(dir_.path(), "1") {
  EXPECT_TRUE(WriteFileAtomic(JoinPath(dir_.path(), "host.textproto"),
                              R"pb(name: "host"
                                   title: "host"
                                   target: "llvm -mcpu=native"
                                   in_process {}
                                   default_threads: 1
                                   timing { number: 4 repeat: 8 })pb")
                  .ok());
}

Outcome SmallNetFixture::RunNet(const ArtifactChange& change,
                                const RunnerFactory& make_runner) {
  ChangingCompiler compiler(&artifact_, change);
  FakeClock clock;
  Progress progress(nullptr, &clock);
  std::ostringstream out;
  Services services;
  services.models = [](const Options&) {
    return std::vector<ModelSource>{{"net", "net", {}, [] {
                                       Model model;
                                       model.name = "net";
                                       model.digest = "net";
                                       model.graph = graph::ResNet18(32, 8, 7);
                                       return model;
                                     }}};
  };
  services.tools.compiler = &compiler;
  services.tools.oracle = &oracle_;
  services.tools.make_runner = [&](const devices::Device&, const ObserveBlock&)
      -> absl::StatusOr<std::unique_ptr<runtime::Runner>> {
    return make_runner();
  };
  services.folders.devices = dir_.path();
  services.out = &out;
  services.progress = &progress;
  Options options;
  options.matrix.devices = {"host"};
  options.matrix.fusion = {true};
  const absl::StatusOr<Outcome> outcome = RunSuite(options, services);
  CHECK(outcome.ok()) << outcome.status();
  return *outcome;
}

void SmallNetFixture::ExpectAccepted(const Outcome& outcome) {
  EXPECT_EQ(outcome.exit_code, ExitCode::kPass);
  EXPECT_EQ(outcome.result.rows.at(0).timing.samples_ns.size(), 8u);
}

void SmallNetFixture::ExpectRejected(const Outcome& outcome) {
  const reports::Row& row = outcome.result.rows.at(0);
  EXPECT_EQ(outcome.exit_code, ExitCode::kWrongResult);
  EXPECT_EQ(row.verdict, stats::Verdict::kWrongOutput);
  EXPECT_TRUE(row.timing.samples_ns.empty());
  EXPECT_NE(row.reason, "");
}

}  // namespace assay::suites
