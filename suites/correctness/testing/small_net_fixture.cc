#include "suites/correctness/testing/small_net_fixture.h"

#include <sstream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/graph/testing/random_graph.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"
#include "suites/devices/local_devices.h"
#include "suites/harness/compiler/driver_compiler.h"
#include "suites/harness/host.h"
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
  absl::StatusOr<CompiledModel> Compile(const Model& model, const Place& place,
                                        const reports::Variant& variant,
                                        const std::string& dump_dir) override {
    if (!artifact_->has_value()) {
      ASSAY_ASSIGN_OR_RETURN(
          CompiledModel compiled,
          compiler_.Compile(model, place, variant, dump_dir));
      *artifact_ = std::move(compiled.artifact);
    }
    CompiledModel compiled;
    compiled.artifact = **artifact_;
    if (change_) change_(compiled.artifact);
    return compiled;
  }
  absl::Status CanTune(const Place& place) const override {
    return compiler_.CanTune(place);
  }

 private:
  DriverCompiler compiler_{driver::CompileOptions()};
  std::optional<Artifact>* const artifact_;
  const ArtifactChange& change_;
};

class OneDevice : public DeviceSource {
 public:
  explicit OneDevice(const RunnerFactory& make_runner)
      : make_runner_(make_runner) {}
  absl::StatusOr<std::unique_ptr<runtime::Runner>> Open(
      const devices::Device& /*device*/, BlockLog* /*blocks*/) override {
    return make_runner_();
  }

 private:
  const RunnerFactory& make_runner_;
};

class QuietHost : public ThisMachine {
 public:
  QuietHost() : ThisMachine("", LocalDevices("")) {}
  std::vector<std::string> StopObserving() override { return {}; }
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
  OneDevice devices(make_runner);
  QuietHost host;
  FakeClock clock;
  Progress progress(nullptr, &clock);
  std::ostringstream out;
  SuiteRig rig = {compiler,
                  oracle_,
                  devices,
                  host,
                  progress,
                  out,
                  absl::NotFoundError("there is none")};
  rig.folders.devices = dir_.path();
  const ModelSource net = {"net", "net", {}, [] {
                             Model model;
                             model.name = "net";
                             model.digest = "net";
                             model.graph = graph::ResNet18(32, 8, 7);
                             return model;
                           }};
  Options options;
  options.matrix.devices = {"host"};
  options.matrix.fusion = {true};
  const absl::StatusOr<Outcome> outcome = RunSuite(options, {net}, rig);
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
