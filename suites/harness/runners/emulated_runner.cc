#include "suites/harness/runners/emulated_runner.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/runfiles.h"
#include "runtime/process/subprocess.h"

namespace assay::suites {
namespace {

// What is taken from the program's report.
struct BenchResult {
  int threads = 0;
  Measurement measurement;
};

absl::StatusOr<BenchResult> ParseReport(const std::string& text,
                                        const std::string& digest) {
  const nlohmann::json json =
      nlohmann::json::parse(text, /*cb=*/nullptr, /*allow_exceptions=*/false);
  const auto bad = [](absl::string_view what) {
    return absl::InternalError(
        absl::StrCat("the report of bench_artifact ", what));
  };
  if (!json.is_object()) return bad("is not JSON");
  if (!json.contains("artifact") || !json["artifact"].is_object() ||
      json["artifact"].value("digest", "") != digest) {
    return bad("is of another artifact");
  }
  if (!json.contains("threads") || !json["threads"].is_number_integer()) {
    return bad("has no `threads`");
  }
  if (!json.contains("samples_ms") || !json["samples_ms"].is_array()) {
    return bad("has no `samples_ms`");
  }
  BenchResult result;
  result.threads = json["threads"].get<int>();
  for (const nlohmann::json& sample : json["samples_ms"]) {
    if (!sample.is_number() || !(sample.get<double>() > 0)) {
      return bad("has a sample that is not a positive number");
    }
    result.measurement.samples_ms.push_back(sample.get<double>());
  }
  return result;
}

class EmulatedSession : public Session {
 public:
  EmulatedSession(std::vector<std::string> command, double timeout_s,
                  TempDir folder, std::string digest, int threads)
      : command_(std::move(command)),
        timeout_s_(timeout_s),
        folder_(std::move(folder)),
        digest_(std::move(digest)),
        threads_(threads) {}

  int threads() const override { return threads_; }

  absl::StatusOr<runtime::NamedTensors> Evaluate() override {
    ASSAY_ASSIGN_OR_RETURN(first_, Run(Once()));
    return first_->outputs;
  }

  absl::StatusOr<Measurement> Measure(
      const devices::TimingPolicy& timing) override {
    // A run under emulation takes so long that none is thrown away.
    if (first_.has_value() &&
        timing.SerializeAsString() == Once().SerializeAsString()) {
      return *first_;
    }
    return Run(timing);
  }

 private:
  static devices::TimingPolicy Once() {
    devices::TimingPolicy once;
    once.set_number(1);
    once.set_repeat(1);
    return once;
  }

  std::string File(absl::string_view name) const {
    return JoinPath(folder_.path(), name);
  }

  absl::StatusOr<Measurement> Run(const devices::TimingPolicy& timing) {
    std::vector<std::string> arguments = command_;
    const auto flag = [&arguments](absl::string_view name, const auto& value) {
      arguments.push_back(absl::StrCat("--", name, "=", value));
    };
    flag("artifact", File("model.assay"));
    flag("inputs", File("inputs"));
    flag("outputs", File("outputs"));
    flag("json", File("report.json"));
    flag("threads", threads_);
    flag("warmup", timing.warmup());
    flag("number", timing.number());
    flag("repeat", timing.repeat());
    flag("min_repeat_ms", timing.min_repeat_ms());
    flag("cooldown_ms", timing.cooldown_ms());
    runtime::ProcessOptions options;
    options.timeout_s = timeout_s_;
    ASSAY_ASSIGN_OR_RETURN(const runtime::ProcessResult process,
                           runtime::RunProcess(arguments, options));
    if (!process.ok()) {
      return absl::InternalError(absl::StrCat(
          "`", arguments[0], "` ",
          process.signal != 0 ? absl::StrCat("died of signal ", process.signal)
                              : absl::StrCat("exited with ", process.exit_code),
          "; it wrote: ", runtime::LastLines(process.err)));
    }
    ASSAY_ASSIGN_OR_RETURN(const std::string report,
                           ReadFile(File("report.json")));
    ASSAY_ASSIGN_OR_RETURN(BenchResult result, ParseReport(report, digest_));
    ASSAY_ASSIGN_OR_RETURN(result.measurement.outputs,
                           runtime::ReadTensors(File("outputs")));
    threads_ = result.threads;
    return std::move(result.measurement);
  }

  const std::vector<std::string> command_;
  const double timeout_s_;
  const TempDir folder_;
  const std::string digest_;
  int threads_;
  std::optional<Measurement> first_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Session>> EmulatedRunner::Load(
    const runtime::Artifact& artifact, const runtime::NamedTensors& inputs,
    int threads) {
  ASSAY_ASSIGN_OR_RETURN(TempDir folder, TempDir::Create("assay_emulated"));
  ASSAY_RETURN_IF_ERROR(
      runtime::WriteArtifact(JoinPath(folder.path(), "model.assay"), artifact));
  ASSAY_RETURN_IF_ERROR(
      runtime::WriteTensors(JoinPath(folder.path(), "inputs"), inputs));
  return std::make_unique<EmulatedSession>(command_, timeout_s_,
                                           std::move(folder),
                                           runtime::Digest(artifact), threads);
}

absl::StatusOr<std::vector<std::string>> EmulatorCommand(
    const devices::Emulator& emulator, absl::string_view program) {
  const bool is_arm = emulator.program() == "qemu-arm";
  CHECK(is_arm || emulator.program() == "qemu-aarch64") << emulator.program();
  const std::string machine = is_arm ? "armhf" : "aarch64";
  ASSAY_ASSIGN_OR_RETURN(
      const std::string qemu,
      runtime::FindRunfile(
          program,
          absl::StrCat("debian_qemu/usr/bin/", emulator.program(), "-static")));
  ASSAY_ASSIGN_OR_RETURN(
      const std::string sysroot,
      runtime::FindRunfile(program, absl::StrCat("sysroot_", machine)));
  ASSAY_ASSIGN_OR_RETURN(
      const std::string bench,
      runtime::FindRunfile(
          program, absl::StrCat("assay/suites/harness/runners/bench_artifact_",
                                machine)));
  return std::vector<std::string>{qemu, "-cpu",  emulator.cpu(),
                                  "-L", sysroot, bench};
}

}  // namespace assay::suites
