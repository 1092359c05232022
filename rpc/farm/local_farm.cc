#include "rpc/farm/local_farm.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "rpc/facts/facts_message.h"
#include "rpc/farm/farm_folder.h"
#include "rpc/proto/facts.pb.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr int64_t kStartNanos = 20'000'000'000;
constexpr int64_t kStopNanos = 5'000'000'000;
constexpr char kTracker[] = "tracker";
constexpr char kProxy[] = "proxy";

// Returns a file descriptor that keeps the folder locked while it is open.
absl::StatusOr<int> LockFolder(const std::string& folder) {
  ASSAY_RETURN_IF_ERROR(MakeDirs(folder));
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return ErrnoError("open", folder);
  while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    const absl::Status status =
        errno == EWOULDBLOCK
            ? absl::InvalidArgumentError(
                  absl::StrCat("a farm is already running in `", folder,
                               "`; stop it, or give another folder and port"))
            : ErrnoError("lock", folder);
    close(fd);
    return status;
  }
  return fd;
}

}  // namespace

absl::StatusOr<std::unique_ptr<LocalFarm>> LocalFarm::Start(
    const LocalFarmOptions& options) {
  std::vector<std::string> names;
  for (const LocalDevice& device : options.devices) {
    if (device.name == kTracker || device.name == kProxy) {
      return absl::InvalidArgumentError(
          absl::StrCat("no device can have the name `", device.name, "`"));
    }
    names.push_back(device.name);
  }
  auto farm = std::unique_ptr<LocalFarm>(new LocalFarm(options));
  ASSAY_ASSIGN_OR_RETURN(farm->lock_, LockFolder(options.folder));
  ASSAY_RETURN_IF_ERROR(WriteFarmFolder(options.folder, options.user, names));
  ASSAY_RETURN_IF_ERROR(MakeDirs(JoinPath(options.folder, "logs")));
  farm->tracker_ = absl::StrCat("127.0.0.1:", options.port);
  ASSAY_RETURN_IF_ERROR(farm->StartTracker());
  if (!options.proxy_program.empty()) {
    ASSAY_RETURN_IF_ERROR(farm->StartProxy());
  }
  for (const std::string& name : names) {
    ASSAY_RETURN_IF_ERROR(farm->StartServer(name));
  }
  ASSAY_RETURN_IF_ERROR(WriteFarmEnvironment(options.folder, farm->tracker_));
  return farm;
}

LocalFarm::~LocalFarm() {
  programs_.clear();
  if (lock_ >= 0) close(lock_);
}

std::string LocalFarm::PathOf(const std::string& name) const {
  return JoinPath(options_.folder, name);
}

absl::StatusOr<int> LocalFarm::StartProgram(
    const std::string& name, std::vector<std::string> arguments) {
  const std::string port_file = PathOf(absl::StrCat("logs/", name, ".port"));
  unlink(port_file.c_str());
  arguments.push_back(absl::StrCat("--tls=", PathOf("tls")));
  arguments.push_back(absl::StrCat("--port_file=", port_file));
  ASSAY_ASSIGN_OR_RETURN(
      programs_[name],
      Child::Start(name, arguments,
                   PathOf(absl::StrCat("logs/", name, ".log"))));
  return programs_[name]->WaitForPort(port_file, kStartNanos);
}

absl::Status LocalFarm::StartTracker() {
  ASSAY_ASSIGN_OR_RETURN(
      const int port,
      StartProgram(kTracker, {options_.tracker_program,
                              absl::StrCat("--listen=", tracker_),
                              absl::StrCat("--state=", PathOf("tracker")),
                              absl::StrCat("--tokens=", PathOf("tokens"))}));
  tracker_ = absl::StrCat("127.0.0.1:", port);
  return absl::OkStatus();
}

absl::Status LocalFarm::StartProxy() {
  ASSAY_ASSIGN_OR_RETURN(
      const int port,
      StartProgram(kProxy, {options_.proxy_program, "--listen=127.0.0.1:0",
                            absl::StrCat("--tokens=", PathOf("tokens"))}));
  proxy_ = absl::StrCat("127.0.0.1:", port);
  return absl::OkStatus();
}

absl::Status LocalFarm::StartServer(const std::string& name) {
  for (const LocalDevice& device : options_.devices) {
    if (device.name != name) continue;
    const std::string folder = DeviceFolder(options_.folder, name);
    std::vector<std::string> arguments = device.server;
    if (arguments.empty()) arguments.push_back(options_.server_program);
    for (const std::string& flag :
         {absl::StrCat("--name=", name), absl::StrCat("--key=", device.key),
          absl::StrCat("--tracker=",
                       device.tracker.empty() ? tracker_ : device.tracker),
          absl::StrCat("--token_file=", JoinPath(folder, "token")),
          std::string("--listen=127.0.0.1:0"),
          absl::StrCat("--state=", JoinPath(folder, "state")),
          absl::StrCat("--trusted_keys=", PathOf("trusted_keys.pem"))}) {
      arguments.push_back(flag);
    }
    for (const std::string& word : device.worker) {
      arguments.push_back(absl::StrCat("--worker=", word));
    }
    if (device.facts.has_value()) {
      const std::string facts = JoinPath(folder, "facts.textproto");
      ASSAY_RETURN_IF_ERROR(
          WriteFileAtomic(facts, FactsMessage(*device.facts).DebugString()));
      arguments.push_back(absl::StrCat("--facts=", facts));
    }
    if (device.behind_proxy) {
      arguments.push_back(absl::StrCat("--proxy=", proxy_));
    }
    arguments.insert(arguments.end(), device.server_flags.begin(),
                     device.server_flags.end());
    return StartProgram(name, arguments).status();
  }
  return absl::NotFoundError(absl::StrCat("there is no device `", name, "`"));
}

absl::Status LocalFarm::Check() {
  for (const auto& [name, program] : programs_) {
    if (program != nullptr) ASSAY_RETURN_IF_ERROR(program->Check());
  }
  return absl::OkStatus();
}

void LocalFarm::Stop() {
  for (const auto& [name, program] : programs_) {
    if (program == nullptr || name == kTracker || name == kProxy) continue;
    program->Stop(kStopNanos);
  }
  if (Child* proxy = proxy_program()) proxy->Stop(kStopNanos);
  if (Child* tracker = tracker_program()) tracker->Stop(kStopNanos);
}

}  // namespace assay::rpc
