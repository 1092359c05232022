#include "rpc/server/program/server_program.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "google/protobuf/text_format.h"
#include "rpc/facts/facts_message.h"
#include "rpc/program/connection_table.h"
#include "rpc/program/event_log.h"
#include "rpc/program/file_limit.h"
#include "rpc/program/grpc_log.h"
#include "rpc/program/listener.h"
#include "rpc/program/stop_signal.h"
#include "rpc/program/watchdog.h"
#include "rpc/proto/facts.pb.h"
#include "rpc/proxy/proxy_agent.h"
#include "rpc/server/blob_store.h"
#include "rpc/server/crash_record.h"
#include "rpc/server/health/canary_judge.h"
#include "rpc/server/health/device_state_reader.h"
#include "rpc/server/health/health_monitor.h"
#include "rpc/server/lease_guard.h"
#include "rpc/server/registration/registration.h"
#include "rpc/server/service/device_service.h"
#include "rpc/server/trusted_keys_file.h"
#include "rpc/server/worker/work_folder.h"
#include "rpc/transport/channel.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/device_facts.h"

namespace assay::rpc {
namespace {

// Calls that have not ended by themselves are cancelled after this time.
constexpr int64_t kSecondNanos = 1'000'000'000;
constexpr int64_t kGraceNanos = 500'000'000;
constexpr int64_t kCheckFilesNanos = 5 * kSecondNanos;

absl::StatusOr<DeviceFacts> ReadFacts(const ServerProgramOptions& options) {
  DeviceFacts facts;
  if (options.facts.empty()) {
    runtime::DeviceFacts host = runtime::DescribeHost();
    host.board = options.name;
    facts = FactsMessage(host);
  } else {
    ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(options.facts));
    if (!google::protobuf::TextFormat::ParseFromString(text, &facts)) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", options.facts, "` is not the text of DeviceFacts"));
    }
    facts.set_board(options.name);
  }
  ASSAY_RETURN_IF_ERROR(CheckFacts(facts));
  return facts;
}

// Creates a folder that only its owner can read.
absl::Status MakePrivateFolder(const std::string& path) {
  ASSAY_RETURN_IF_ERROR(MakeDirs(path));
  return chmod(path.c_str(), 0700) == 0 ? absl::OkStatus()
                                        : ErrnoError("protect", path);
}

// The host of a `HOST:PORT`.
std::string HostOf(const std::string& address) {
  return address.substr(0, address.rfind(':'));
}

class Server {
 public:
  explicit Server(const ServerProgramOptions& options)
      : options_(options), guard_(options.name) {}

  ~Server() {
    // What calls others ends before them.
    registration_ = nullptr;
    if (agent_ != nullptr) agent_->Stop();
    monitor_ = nullptr;
    if (service_ != nullptr) service_->Stop();
    if (listener_ != nullptr) listener_->Stop(kGraceNanos);
    listener_ = nullptr;
    service_ = nullptr;
  }

  absl::Status Start() {
    ASSAY_ASSIGN_OR_RETURN(facts_, ReadFacts(options_));
    ASSAY_ASSIGN_OR_RETURN(trusted_,
                           TrustedKeysFile::Open(options_.trusted_keys));
    ASSAY_RETURN_IF_ERROR(MakePrivateFolder(options_.state));
    BlobLimits limits;
    limits.max_total_bytes = options_.max_blob_bytes;
    limits.max_upload_age_nanos = options_.upload_seconds * kSecondNanos;
    ASSAY_ASSIGN_OR_RETURN(
        blobs_, BlobStore::Open(JoinPath(options_.state, "blobs"), limits));
    ASSAY_ASSIGN_OR_RETURN(root_,
                           WorkRoot::Open(JoinPath(options_.state, "workers")));
    ASSAY_ASSIGN_OR_RETURN(
        WorkerSandbox sandbox,
        WorkerSandbox::Create(options_.sandbox, root_->path()));
    sandbox_ = std::make_unique<WorkerSandbox>(std::move(sandbox));
    (*facts_.mutable_state())["confinement"] = sandbox_->Description();
    ASSAY_RETURN_IF_ERROR(CheckFacts(facts_));
    StartService();
    ListenOptions listen;
    listen.address = options_.listen;
    listen.transport = options_.transport;
    listen.connections = &connections_;
    listen.on_unreachable = EndUnreachableProgram(&log_);
    ASSAY_ASSIGN_OR_RETURN(listener_,
                           Listener::Start(listen, {service_.get()}));
    ASSAY_RETURN_IF_ERROR(StartAgent());
    StartMonitor();
    StartRegistration();
    listener_->SetServing(true);
    log_.Write("serving", {{"device", options_.name},
                           {"address", Address()},
                           {"port", listener_->port()},
                           {"confinement", sandbox_->Description()}});
    if (options_.port_file.empty()) return absl::OkStatus();
    return WriteFileAtomic(options_.port_file,
                           absl::StrCat(listener_->port(), "\n"));
  }

  EventLog& log() { return log_; }

  // Reports errors in the file of trusted keys, and stops serving while no key
  // is trusted because of them.
  void CheckFiles() {
    const TrustedKeysFile::Health health = trusted_->Check();
    listener_->SetServing(health.usable);
    if (health.error == keys_error_) return;
    keys_error_ = health.error;
    log_.Write("trusted_keys_read",
               {{"error", std::string(keys_error_.message())}});
  }

 private:
  void StartService() {
    DeviceServiceOptions options;
    options.host.guard = &guard_;
    options.host.blobs = blobs_.get();
    options.host.crashes = &crashes_;
    options.host.sandbox = sandbox_.get();
    options.host.root = root_.get();
    options.host.log = &log_;
    options.host.collect_nanos = std::min(
        options.host.collect_nanos, options_.upload_seconds * kSecondNanos);
    options.trusted = trusted_.get();
    options.connections = &connections_;
    options.facts = facts_;
    options.read_state = [this] { return block_state_.Read(); };
    service_ = std::make_unique<DeviceService>(std::move(options));
  }

  absl::Status StartAgent() {
    if (options_.proxy.empty()) return absl::OkStatus();
    ProxyAgentOptions options;
    options.proxy = options_.proxy;
    options.transport = options_.tracker.transport;
    options.device = options_.name;
    options.token_file = options_.tracker.token_file;
    options.log = &log_;
    ASSAY_ASSIGN_OR_RETURN(
        agent_, ProxyAgent::Start(options, listener_->InProcessChannel()));
    return absl::OkStatus();
  }

  void StartMonitor() {
    HealthMonitor::Hooks hooks;
    hooks.try_begin = [this] { return service_->TryReserve(); };
    hooks.end = [this] { service_->Unreserve(); };
    hooks.crashes = [this] { return crashes_.count(); };
    hooks.crash_problem = [this] { return crashes_.problem(); };
    hooks.forget_crashes = [this] { crashes_.Clear(); };
    monitor_ = std::make_unique<HealthMonitor>(
        CanaryJudge(JoinPath(options_.state, "canary.json"),
                    facts_.fingerprint()),
        std::move(hooks), &log_);
  }

  void StartRegistration() {
    RegistrationOptions options;
    options.client = options_.tracker;
    options.device = options_.name;
    options.key = options_.key;
    options.address = Address();
    RegistrationHooks hooks;
    hooks.facts = [this] { return facts_; };
    hooks.state = [this] { return heartbeat_state_.Read(); };
    hooks.health = [this] { return monitor_->health(); };
    hooks.on_welcome = [this](const std::string& key, int64_t least_token) {
      ASSAY_RETURN_IF_ERROR(guard_.SetKey(key, least_token));
      if (agent_ != nullptr) agent_->SetLeaseKey(key);
      return absl::OkStatus();
    };
    hooks.on_ended = [this](int64_t token) { guard_.Ended(token); };
    registration_ = std::make_unique<Registration>(std::move(options),
                                                   std::move(hooks), &log_);
  }

  // Where clients call the device.
  std::string Address() const {
    if (!options_.proxy.empty()) {
      return absl::StrCat(options_.proxy, "/", options_.name);
    }
    if (!options_.advertise.empty()) return options_.advertise;
    return absl::StrCat(HostOf(options_.listen), ":", listener_->port());
  }

  const ServerProgramOptions options_;
  EventLog log_{stderr, "server"};
  const GrpcLog grpc_log_{&log_};
  ConnectionTable connections_{LimitsForFiles(RaiseFileLimit())};
  LeaseGuard guard_;
  CrashRecord crashes_;
  DeviceFacts facts_;
  DeviceStateReader block_state_;
  DeviceStateReader heartbeat_state_;
  std::unique_ptr<TrustedKeysFile> trusted_;
  absl::Status keys_error_;
  std::unique_ptr<BlobStore> blobs_;
  std::unique_ptr<WorkRoot> root_;
  std::unique_ptr<WorkerSandbox> sandbox_;
  std::unique_ptr<DeviceService> service_;
  std::unique_ptr<Listener> listener_;
  std::unique_ptr<ProxyAgent> agent_;
  std::unique_ptr<HealthMonitor> monitor_;
  std::unique_ptr<Registration> registration_;
};

}  // namespace

absl::StatusOr<ExitCode> RunServer(const ServerProgramOptions& options) {
  StopSignal stop;
  Server server(options);
  ASSAY_RETURN_IF_ERROR(server.Start());
  int signal = 0;
  while (signal == 0) {
    signal = stop.Wait(kCheckFilesNanos);
    if (signal == 0) server.CheckFiles();
  }
  server.log().Write("stopping", {{"signal", signal}});
  return ExitCode::kPass;
}

}  // namespace assay::rpc
