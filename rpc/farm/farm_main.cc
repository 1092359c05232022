// `//rpc:farm`: a whole farm on this machine, to try it out.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "devices/device.h"
#include "devices/emulator.h"
#include "rpc/farm/device_counts.h"
#include "rpc/farm/local_farm.h"
#include "rpc/program/stop_signal.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/runfiles.h"

namespace assay::rpc {
namespace {

constexpr int64_t kCheckNanos = 200'000'000;

struct Flags {
  std::string devices = "host,rpi3b";
  std::string folder;
  int port = 9190;
};

// Returns a device of the kind that a device file describes.
absl::StatusOr<LocalDevice> MakeDevice(const devices::Device& file,
                                       const std::string& name,
                                       const std::string& program) {
  LocalDevice device;
  device.name = name;
  device.key = file.tracker_key();
  std::string worker = "assay/runtime/tools/bench_artifact";
  if (devices::IsEmulated(file)) {
    absl::StrAppend(&worker, "_static_",
                    devices::EmulatedMachine(file.emulator()));
    ASSAY_ASSIGN_OR_RETURN(device.worker,
                           devices::EmulatorCommand(file.emulator(), program));
    device.facts = devices::EmulatedFacts(file);
  } else if (!file.has_in_process()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the device `", file.name(),
                     "` has no emulator, so it cannot be in this farm"));
  }
  ASSAY_ASSIGN_OR_RETURN(worker, runtime::FindRunfile(program, worker));
  device.worker.push_back(std::move(worker));
  return device;
}

absl::StatusOr<LocalFarmOptions> MakeOptions(const Flags& flags,
                                             const std::string& program) {
  LocalFarmOptions options;
  ASSAY_ASSIGN_OR_RETURN(const std::vector<DeviceCount> counts,
                         ParseDeviceCounts(flags.devices));
  ASSAY_ASSIGN_OR_RETURN(const std::string files,
                         runtime::FindRunfile(program, "assay/devices"));
  for (const DeviceCount& count : counts) {
    ASSAY_ASSIGN_OR_RETURN(const devices::Device file,
                           devices::LoadDevice(count.key, files));
    for (int i = 1; i <= count.count; ++i) {
      ASSAY_ASSIGN_OR_RETURN(
          LocalDevice device,
          MakeDevice(file, absl::StrCat(count.key, "-", i), program));
      options.devices.push_back(std::move(device));
    }
  }
  options.folder = FromCallersFolder(flags.folder);
  if (options.folder.empty()) {
    ASSAY_ASSIGN_OR_RETURN(const std::string cache, UserCacheDir());
    options.folder = JoinPath(cache, "farm");
  }
  options.port = flags.port;
  ASSAY_ASSIGN_OR_RETURN(
      options.tracker_program,
      runtime::FindRunfile(program, "assay/rpc/tracker/service/tracker"));
  ASSAY_ASSIGN_OR_RETURN(
      options.server_program,
      runtime::FindRunfile(program, "assay/rpc/server/program/server"));
  return options;
}

absl::StatusOr<ExitCode> RunFarm(const Flags& flags, const std::string& program,
                                 StopSignal& stop) {
  ASSAY_ASSIGN_OR_RETURN(const LocalFarmOptions options,
                         MakeOptions(flags, program));
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<LocalFarm> farm,
                         LocalFarm::Start(options));
  std::cout << "A farm with " << options.devices.size()
            << (options.devices.size() == 1 ? " device" : " devices")
            << " is running. In another terminal:\n\n  . "
            << JoinPath(options.folder, "env.sh")
            << "\n  ./bazelw run //rpc:query\n"
            << "  ./bazelw run //suites:resnet18 -- --device="
            << options.devices.back().key << "\n\nThe logs are in "
            << JoinPath(options.folder, "logs") << ". Ctrl-C ends the farm."
            << std::endl;
  while (stop.Wait(kCheckNanos) == 0) {
    ASSAY_RETURN_IF_ERROR(farm->Check());
  }
  farm->Stop();
  return ExitCode::kPass;
}

int Main(int argc, char** argv) {
  StopSignal stop;
  CLI::App app{
      "Starts a tracker and the servers of some devices on this machine, with "
      "new certificates and tokens, until Ctrl-C. They listen on 127.0.0.1 "
      "only.\n\n"
      "  ./bazelw run //rpc:farm -- --devices=host,rpi3b:2\n"};
  Flags flags;
  app.add_option("--devices", flags.devices,
                 "the devices: `KEY[:COUNT],…`, where KEY names a file in "
                 "`devices`; boards are emulated")
      ->capture_default_str();
  app.add_option("--folder", flags.folder,
                 "the folder of certificates, tokens, state and logs; by "
                 "default `farm` in the user's cache");
  app.add_option("--port", flags.port, "the tracker's port; 0 for a free one")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  return RunCommand(app, argc, argv,
                    [&] { return RunFarm(flags, argv[0], stop); });
}

}  // namespace
}  // namespace assay::rpc

int main(int argc, char** argv) { return assay::rpc::Main(argc, argv); }
