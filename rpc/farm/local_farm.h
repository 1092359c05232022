// LocalFarm: a tracker and the servers of several devices, as processes of this
// machine that listen on its loopback interface only.
//
//   LocalFarmOptions options;
//   options.folder = folder;
//   options.tracker_program = …;
//   options.server_program = …;
//   options.devices = {{"host-1", "host", {bench_artifact}}};
//   ASSAY_ASSIGN_OR_RETURN(const auto farm, LocalFarm::Start(options));
//   farm->tracker();  // `127.0.0.1:PORT`
//
// farm_folder.h describes the files. Each program writes its log to
// `logs/NAME.log`. The programs end with this object, or with this process.
//
// `//rpc:farm` is this class with flags. Tests use it, too: they kill programs
// and start them again.
#ifndef ASSAY_RPC_FARM_LOCAL_FARM_H_
#define ASSAY_RPC_FARM_LOCAL_FARM_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "rpc/farm/child.h"
#include "runtime/measure/device_facts.h"

namespace assay::rpc {

struct LocalDevice {
  std::string name = {};
  std::string key = {};
  // The command line of the worker without its flags: bench_artifact, after an
  // emulator with its flags if there is one.
  std::vector<std::string> worker = {};
  // The facts of an emulated device. If there are none, the server describes
  // this machine.
  std::optional<runtime::DeviceFacts> facts = {};
  // More flags of the server.
  std::vector<std::string> server_flags = {};
  // The command line of the server without its flags: an emulator and the
  // program. If it is empty, the server is `server_program`.
  std::vector<std::string> server = {};
  // Where the server finds the tracker; empty stands for its own address.
  std::string tracker = {};
  // Clients reach the device through the proxy only.
  bool behind_proxy = false;
};

struct LocalFarmOptions {
  std::string folder = {};
  std::string user = "me";
  std::string tracker_program = {};
  std::string server_program = {};
  // Needed if a device is behind the proxy.
  std::string proxy_program = {};
  // The port of the tracker; 0 stands for a free one.
  int port = 0;
  std::vector<LocalDevice> devices = {};
};

class LocalFarm {
 public:
  // Writes the folder, and starts all programs. Returns when all listen.
  // Returns InvalidArgument if the folder has a farm that is running.
  static absl::StatusOr<std::unique_ptr<LocalFarm>> Start(
      const LocalFarmOptions& options);
  LocalFarm(const LocalFarm&) = delete;
  LocalFarm& operator=(const LocalFarm&) = delete;
  ~LocalFarm();

  // The address of the tracker.
  const std::string& tracker() const { return tracker_; }
  // The address of the proxy; empty if there is none.
  const std::string& proxy() const { return proxy_; }

  // Returns an Unavailable error if a program has ended by itself.
  absl::Status Check();

  // Starts the tracker, which was stopped, again on the same port.
  absl::Status StartTracker();
  // Starts the server of a device, which was stopped, again.
  absl::Status StartServer(const std::string& device);

  // The programs, for tests. Null if the program was stopped.
  Child* tracker_program() { return programs_["tracker"].get(); }
  Child* proxy_program() { return programs_["proxy"].get(); }
  Child* server_program(const std::string& device) {
    return programs_[device].get();
  }
  // Kills a program with SIGKILL.
  void KillTracker() { programs_["tracker"].reset(); }
  void KillServer(const std::string& device) { programs_[device].reset(); }

  // Stops all programs: the servers, and then the proxy and the tracker.
  void Stop();

 private:
  explicit LocalFarm(LocalFarmOptions options) : options_(std::move(options)) {}

  std::string PathOf(const std::string& name) const;
  absl::StatusOr<int> StartProgram(const std::string& name,
                                   std::vector<std::string> arguments);
  absl::Status StartProxy();

  const LocalFarmOptions options_;
  int lock_ = -1;  // see LockFolder()
  std::string tracker_;
  std::string proxy_;
  // By the name of the device. The tracker is `tracker`, and the proxy `proxy`,
  // which are no devices.
  std::map<std::string, std::unique_ptr<Child>> programs_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_FARM_LOCAL_FARM_H_
