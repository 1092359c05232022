// RemoteSession: a session on a device of the farm (remote_runner.h).
#ifndef ASSAY_RPC_CLIENT_REMOTE_SESSION_H_
#define ASSAY_RPC_CLIENT_REMOTE_SESSION_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "rpc/client/block/block_reader.h"
#include "rpc/client/block/thermal_guard.h"
#include "rpc/client/lease_connection.h"
#include "rpc/proto/device.pb.h"
#include "runtime/measure/session.h"

namespace assay::rpc {

class RemoteSession : public runtime::Session {
 public:
  struct Options {
    // The artifacts were uploaded.
    OpenRequest request = {};
    std::vector<ProgramLimits> programs = {};
    // The limit of a call that runs a program once.
    int64_t call_nanos = 0;
    // Protects the blocks from heat. May be null; otherwise it must outlive the
    // session.
    ThermalGuard* thermal = nullptr;
    // Receives the states of the device around each block. May be null.
    std::function<void(const BlockResult& result)> observe = nullptr;
  };

  RemoteSession(std::shared_ptr<LeaseConnection> connection, Options options);
  ~RemoteSession() override;

  // Starts the session on the device, unless it runs there.
  //   Aborted  the lease is lost, or the device has discarded an artifact.
  absl::Status Open();

  runtime::DeviceFacts facts() const override { return connection_->facts(); }
  // Returns the requested number until the session is open.
  int threads() const override { return threads_; }
  absl::Status SetInputs(const runtime::NamedTensors& inputs) override;
  absl::StatusOr<std::vector<runtime::Sample>> RunBlock(
      const runtime::Block& block) override;
  // Opens the session if it never was. Older servers do not say the time.
  absl::StatusOr<int64_t> LoadNanos() override;
  // The largest peak of all processes that ran the session's blocks.
  absl::StatusOr<int64_t> PeakResidentBytes() override;

 private:
  // Opens the session and sets its inputs, if another one was used meanwhile.
  absl::Status Prepare();
  absl::Status SendInputs();
  absl::StatusOr<BlockResult> TakeBlock(const runtime::Block& block);
  absl::StatusOr<BlockResult> TakeCoolBlock(const runtime::Block& block);
  // Reports a lost lease, and remembers an error after which there is no
  // session. Returns the error for the caller. A lost lease explains all other
  // errors.
  absl::Status Note(const absl::Status& status);

  const std::shared_ptr<LeaseConnection> connection_;
  const Options options_;
  int threads_;
  std::string session_;              // the last one on the device
  std::string inputs_;               // the tensor file of the inputs, if set
  std::string inputs_digest_;        // its SHA-256; empty if they are not set
  std::string sent_digest_;          // that of the inputs on the device
  std::vector<int64_t> run_nanos_;   // longest run of each program
  std::vector<int64_t> load_nanos_;  // of each time that it was opened
  std::optional<int64_t> peak_bytes_;
  absl::Status broken_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_CLIENT_REMOTE_SESSION_H_
