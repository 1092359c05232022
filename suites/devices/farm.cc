#include "suites/devices/farm.h"

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "devices/device.h"
#include "rpc/client/block/block_reader.h"
#include "rpc/client/block/thermal_guard.h"
#include "rpc/security/signature.h"
#include "rpc/transport/client_options.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

constexpr double kMinCallSeconds = 120;

// Reads what the user has named.
absl::StatusOr<rpc::RemoteOptions> ReadOptions(const FarmOptions& farm) {
  rpc::ClientFlags flags;
  flags.tracker = farm.tracker;
  flags.tls = farm.tls;
  flags.plain_text = farm.plain_text;
  flags.token_file = farm.token_file;
  rpc::RemoteOptions options;
  absl::StatusOr<rpc::ClientOptions> client = rpc::ReadClientOptions(flags);
  if (!client.ok()) {
    // The suites have longer names for two of the flags.
    return absl::Status(
        client.status().code(),
        absl::StrReplaceAll(client.status().message(),
                            {{"`--tls", "`--tracker_tls"},
                             {"`--plain_text", "`--tracker_plain_text"}}));
  }
  options.tracker = *std::move(client);
  if (!farm.signing_key.empty()) {
    ASSAY_ASSIGN_OR_RETURN(options.signing_key,
                           rpc::SigningKey::Read(farm.signing_key));
  }
  options.wish.priority = farm.priority;
  options.wish.wait_seconds = farm.wait_s;
  return options;
}

rpc::ThermalLimits LimitsOf(const devices::ThermalPolicy& policy) {
  rpc::ThermalLimits limits;
  limits.max_celsius = policy.max_celsius();
  limits.max_wait_seconds = policy.max_wait_s();
  limits.reject_throttled = policy.reject_throttled();
  return limits;
}

reports::DeviceState StateOf(const decltype(rpc::BlockResult::before)& state) {
  reports::DeviceState report;
  if (state.has_frequency_mhz()) report.frequency_mhz = state.frequency_mhz();
  if (state.has_temperature_celsius()) {
    report.temperature_celsius = state.temperature_celsius();
  }
  if (state.has_load()) report.load = state.load();
  if (state.has_steal_percent()) report.steal_percent = state.steal_percent();
  if (state.has_throttled()) report.throttled = state.throttled();
  return report;
}

std::string WaitingFor(const std::string& key, int place, double wait_seconds) {
  std::string text = absl::StrCat("waiting for ", key, ": place ", place);
  if (wait_seconds >= 0) {
    absl::StrAppendFormat(&text, ", about %.0f s", wait_seconds);
  }
  return text;
}

// An error of the farm is not an error in the user's input, except if the user
// may not use the farm.
absl::Status FarmError(const absl::Status& status) {
  if (ExitCodeOf(status) != ExitCode::kUsage ||
      absl::IsPermissionDenied(status)) {
    return status;
  }
  return absl::UnavailableError(status.message());
}

// A tracker that does not answer delays each of them.
void CancelTogether(const std::set<rpc::RemoteRunner*>& runners) {
  std::vector<std::thread> threads;
  for (rpc::RemoteRunner* runner : runners) {
    threads.emplace_back([runner] { runner->Cancel(); });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

class Farm::LeasedRunner : public runtime::Runner {
 public:
  LeasedRunner(Farm* farm, std::unique_ptr<rpc::RemoteRunner> runner)
      : farm_(farm), runner_(std::move(runner)) {
    const absl::MutexLock lock(&farm_->mutex_);
    farm_->runners_.insert(runner_.get());
    farm_->waiting_.insert(runner_.get());
  }
  ~LeasedRunner() override {
    const absl::MutexLock lock(&farm_->mutex_);
    farm_->runners_.erase(runner_.get());
    farm_->waiting_.erase(runner_.get());
  }

  absl::Status Connect() {
    const absl::Status connected = runner_->Connect();
    const absl::MutexLock lock(&farm_->mutex_);
    farm_->waiting_.erase(runner_.get());
    return connected;
  }

  runtime::DeviceFacts facts() const override { return runner_->facts(); }
  absl::StatusOr<std::unique_ptr<runtime::Session>> Load(
      absl::Span<const runtime::Artifact* const> artifacts,
      const runtime::LoadOptions& options) override {
    return runner_->Load(artifacts, options);
  }

 private:
  Farm* const farm_;
  const std::unique_ptr<rpc::RemoteRunner> runner_;
};

Farm::Farm(FarmOptions options, std::function<void(const std::string&)> say)
    : options_(std::move(options)),
      say_(std::move(say)),
      release_([this] { CancelAll(); }) {}

void Farm::CancelAll() {
  // The lock keeps the runners alive. Nobody else waits for it for long: the
  // program is about to end.
  const absl::MutexLock lock(&mutex_);
  stopped_ = true;
  CancelTogether(runners_);
}

void Farm::StopWaiting() {
  const absl::MutexLock lock(&mutex_);
  stopped_ = true;
  CancelTogether(waiting_);
}

void Farm::Note(const std::string& text) {
  say_(text);
  const absl::MutexLock lock(&notes_mutex_);
  absl::StrAppend(&notes_, text, "\n");
}

std::string Farm::notes() const {
  const absl::MutexLock lock(&notes_mutex_);
  return notes_;
}

absl::StatusOr<std::unique_ptr<runtime::Runner>> Farm::Open(
    const devices::Device& device, BlockLog* blocks) {
  ASSAY_ASSIGN_OR_RETURN(rpc::RemoteOptions options, ReadOptions(options_));
  const std::string& key = device.tracker_key();
  options.wish.key = key;
  if (devices::IsEmulated(device)) {
    options.call_seconds = std::max(
        kMinCallSeconds, static_cast<double>(device.emulator().timeout_s()));
  }
  if (device.has_thermal()) options.thermal = LimitsOf(device.thermal());
  if (blocks != nullptr) {
    options.observe = [blocks](const rpc::BlockResult& result) {
      blocks->Add({static_cast<int>(result.samples.size()),
                   StateOf(result.before), StateOf(result.after)});
    };
  }
  options.notify = say_;
  options.remark = [this](const std::string& text) { Note(text); };
  options.place = [this, key](int place, double wait_seconds) {
    say_(WaitingFor(key, place, wait_seconds));
  };
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<rpc::RemoteRunner> remote,
                         rpc::RemoteRunner::Create(std::move(options)));
  auto runner = std::make_unique<LeasedRunner>(this, std::move(remote));
  {
    const absl::MutexLock lock(&mutex_);
    if (stopped_) return absl::CancelledError("no device is needed any more");
  }
  const absl::Status connected = runner->Connect();
  if (!connected.ok()) return FarmError(connected);
  if (absl::StrContains(device.target(), "native")) {
    ASSAY_RETURN_IF_ERROR(
        CheckSameProcessor(runtime::DescribeHost(), runner->facts()));
  }
  return runner;
}

absl::Status CheckSameProcessor(const runtime::DeviceFacts& here,
                                const runtime::DeviceFacts& device) {
  for (const char* key : {"arch", "cpu", "features"}) {
    const auto ours = here.identity.find(key);
    const auto theirs = device.identity.find(key);
    if (!device.emulated && ours != here.identity.end() &&
        theirs != device.identity.end() && ours->second == theirs->second) {
      continue;
    }
    return absl::UnavailableError(absl::StrCat(
        "the tracker lends ", device.board, ", whose processor (",
        device.fingerprint, ") is not that of this machine (", here.fingerprint,
        "), for which `-mcpu=native` compiles; select a device whose file "
        "names its processor"));
  }
  return absl::OkStatus();
}

}  // namespace assay::suites
