#include "tests/farm/attack/attacked_farm.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "rpc/farm/farm_folder.h"
#include "rpc/security/token_file.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "tests/farm/attack/attack_mix.h"
#include "tests/farm/attack/process_usage.h"

namespace assay {
namespace {

// Returns a program that starts `program` with the limit of files.
absl::StatusOr<std::string> Limited(const std::string& name,
                                    const std::string& program,
                                    const HostileOptions& options) {
  if (options.file_limit == 0) return program;
  const std::string path = JoinPath(options.folder, name);
  ASSAY_RETURN_IF_ERROR(WriteFileAtomic(
      path, absl::StrCat("#!/bin/sh\nulimit -n ", options.file_limit,
                         "\nexec '", program, "' \"$@\"\n")));
  if (chmod(path.c_str(), 0700) != 0) return ErrnoError("change", path);
  return path;
}

}  // namespace

AttackedFarm::AttackedFarm(std::string folder)
    : folder_(std::move(folder)),
      cookie_(absl::StrCat("hostile-", getpid(), "-", MonotonicNanos())) {}

absl::StatusOr<std::unique_ptr<AttackedFarm>> AttackedFarm::Start(
    const HostileOptions& options) {
  std::unique_ptr<AttackedFarm> farm(
      new AttackedFarm(JoinPath(options.folder, "farm")));
  ASSAY_RETURN_IF_ERROR(farm->StartPrograms(options));
  return farm;
}

absl::Status AttackedFarm::StartPrograms(const HostileOptions& options) {
  // The programs inherit it; workers do not.
  setenv("ASSAY_TEST_COOKIE", cookie_.c_str(), 1);
  rpc::LocalFarmOptions farm;
  farm.folder = folder_;
  ASSAY_ASSIGN_OR_RETURN(farm.tracker_program,
                         Limited(kTracker, options.tracker_program, options));
  ASSAY_ASSIGN_OR_RETURN(farm.server_program,
                         Limited(kServer, options.server_program, options));
  ASSAY_ASSIGN_OR_RETURN(farm.proxy_program,
                         Limited(kProxy, options.proxy_program, options));
  for (const char* key : {kDirect, kProxied}) {
    rpc::LocalDevice device;
    device.name = absl::StrCat(key, "-1");
    device.key = key;
    device.worker = {options.worker_program};
    device.server_flags = {
        absl::StrCat("--upload_seconds=", options.upload_seconds)};
    device.behind_proxy = key == std::string(kProxied);
    farm.devices.push_back(std::move(device));
  }
  ASSAY_ASSIGN_OR_RETURN(farm_, rpc::LocalFarm::Start(farm));
  rpc::ClientFlags flags;
  flags.tracker = farm_->tracker();
  flags.tls = JoinPath(folder_, "tls");
  flags.token_file = JoinPath(folder_, "user.token");
  ASSAY_ASSIGN_OR_RETURN(client_, rpc::ReadClientOptions(flags));
  ASSAY_ASSIGN_OR_RETURN(const std::string port,
                         ReadFile(JoinPath(folder_, "logs/direct-1.port")));
  server_ = absl::StrCat("127.0.0.1:", absl::StripAsciiWhitespace(port));
  return absl::OkStatus();
}

std::vector<std::pair<std::string, rpc::Child*>> AttackedFarm::Programs() {
  return {{kTracker, farm_->tracker_program()},
          {kServer, farm_->server_program("direct-1")},
          {"server behind proxy", farm_->server_program("proxied-1")},
          {kProxy, farm_->proxy_program()}};
}

rpc::Address AttackedFarm::AddressOf(const std::string& program) const {
  if (program == kTracker) return {farm_->tracker(), ""};
  if (program == kProxy) return {farm_->proxy(), "proxied-1"};
  return {server_, ""};
}

std::string AttackedFarm::signing_key() const {
  return JoinPath(folder_, "client.key");
}

absl::Status AttackedFarm::AddCallers(const std::string& user_token,
                                      const std::string& device_token) {
  const std::string path = JoinPath(folder_, "tokens");
  ASSAY_ASSIGN_OR_RETURN(std::string lines, ReadFile(path));
  ASSAY_ASSIGN_OR_RETURN(const std::string user,
                         rpc::TokenLine(rpc::Role::kUser, "eve", user_token));
  ASSAY_ASSIGN_OR_RETURN(
      const std::string device,
      rpc::TokenLine(rpc::Role::kDevice, "hostile", device_token));
  return WriteFileAtomic(path, absl::StrCat(lines, user, device));
}

std::string AttackedFarm::StateOf(const std::string& device,
                                  const std::string& name) const {
  return JoinPath(rpc::DeviceFolder(folder_, device),
                  absl::StrCat("state/", name));
}

// The path of the artifact is an argument of each worker.
int64_t AttackedFarm::CountWorkers() const {
  return CountCommandsWith(absl::StrCat("--artifact=", folder_, "/"));
}

int64_t AttackedFarm::Stop() {
  farm_->Stop();
  return CountProcessesWith(cookie_) + CountWorkers();
}

}  // namespace assay
