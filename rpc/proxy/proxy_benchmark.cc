// Measures what the proxy costs: the bandwidth of uploads and the latency of
// calls through it, and of the same calls to the device itself.
//
//   bazel run //rpc/proxy:proxy_benchmark
//
// Client, proxy, agent and device are in this process and talk over loopback.
// The rounds of both ways alternate, and the medians are printed.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "grpcpp/client_context.h"
#include "rpc/proto/device.grpc.pb.h"
#include "rpc/proto/device.pb.h"
#include "rpc/proxy/testing/test_proxy.h"
#include "rpc/transport/channel.h"
#include "rpc/transport/credentials.h"
#include "rpc/transport/status.h"
#include "runtime/base/clock.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr int64_t kMiB = 1 << 20;

struct Flags {
  int rounds = 9;
  int calls = 200;
  int mebibytes = 128;
};

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

class Benchmark {
 public:
  explicit Benchmark(const Flags& flags)
      : flags_(flags), board_(proxy_.AddBoard("a")) {
    const Transport transport = {"", /*plain_text=*/true};
    direct_ = *OpenChannel(
        transport, {absl::StrCat("127.0.0.1:", board_.listener->port()), ""});
  }

  absl::Status Run() {
    if (!proxy_.WaitUntilAttached(board_)) {
      return absl::UnavailableError("the device does not attach itself");
    }
    std::vector<double> upload[2];
    std::vector<double> download[2];
    std::vector<double> latency[2];
    for (int round = 0; round < flags_.rounds; ++round) {
      for (const int way : {0, 1}) {
        const auto stub =
            Device::NewStub(way == 0 ? direct_ : proxy_.channel());
        ASSAY_ASSIGN_OR_RETURN(const double up, Upload(*stub));
        ASSAY_ASSIGN_OR_RETURN(const double down, Download(*stub));
        ASSAY_ASSIGN_OR_RETURN(const double call, CallOften(*stub));
        upload[way].push_back(up);
        download[way].push_back(down);
        latency[way].push_back(call);
      }
    }
    Print("upload, 1 MiB chunks", "MiB/s", upload[0], upload[1]);
    Print("download, 64 KiB messages", "MiB/s", download[0], download[1]);
    Print("unary call, median", "us", latency[0], latency[1]);
    return absl::OkStatus();
  }

 private:
  static void Print(const std::string& what, const std::string& unit,
                    const std::vector<double>& direct,
                    const std::vector<double>& proxied) {
    const double a = Median(direct);
    const double b = Median(proxied);
    std::cout << absl::StrFormat(
        "%-26s direct %8.1f %s, proxied %8.1f %s: %+.1f %s, %.2f times\n", what,
        a, unit, b, unit, b - a, unit, b / a);
  }

  absl::StatusOr<double> Upload(Device::Stub& stub) {
    grpc::ClientContext context;
    proxy_.Prepare("a", std::chrono::seconds(60), &context);
    PutBlobRequest request;
    request.set_bytes(std::string(kMiB, 'x'));
    PutBlobAnswer answer;
    const int64_t start = MonotonicNanos();
    const auto writer = stub.PutBlob(&context, &answer);
    for (int i = 0; i < flags_.mebibytes; ++i) writer->Write(request);
    writer->WritesDone();
    ASSAY_RETURN_IF_ERROR(FromGrpc(writer->Finish()));
    return flags_.mebibytes * 1e9 /
           static_cast<double>(MonotonicNanos() - start);
  }

  absl::StatusOr<double> Download(Device::Stub& stub) {
    grpc::ClientContext context;
    proxy_.Prepare("a", std::chrono::seconds(60), &context);
    RunBlockRequest request;
    request.set_min_sample_nanos(flags_.mebibytes * 16);
    request.set_flush_cache_bytes(kMiB / 16);
    const int64_t start = MonotonicNanos();
    const auto reader = stub.RunBlock(&context, request);
    RunBlockAnswer answer;
    while (reader->Read(&answer)) {
    }
    ASSAY_RETURN_IF_ERROR(FromGrpc(reader->Finish()));
    return flags_.mebibytes * 1e9 /
           static_cast<double>(MonotonicNanos() - start);
  }

  absl::StatusOr<double> CallOften(Device::Stub& stub) {
    std::vector<double> micros;
    for (int i = 0; i < flags_.calls; ++i) {
      grpc::ClientContext context;
      proxy_.Prepare("a", std::chrono::seconds(10), &context);
      FindBlobsRequest request;
      request.add_digests("x");
      FindBlobsAnswer answer;
      const int64_t start = MonotonicNanos();
      ASSAY_RETURN_IF_ERROR(
          FromGrpc(stub.FindBlobs(&context, request, &answer)));
      micros.push_back(static_cast<double>(MonotonicNanos() - start) * 1e-3);
    }
    return Median(micros);
  }

  const Flags flags_;
  TestProxy proxy_;
  TestProxy::Board& board_;
  std::shared_ptr<grpc::Channel> direct_;
};

int Main(int argc, char** argv) {
  CLI::App app{"Measures what calls through a proxy cost."};
  Flags flags;
  app.add_option("--rounds", flags.rounds, "how often everything is measured")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--calls", flags.calls, "unary calls in each round")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  app.add_option("--mebibytes", flags.mebibytes, "of each upload and download")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  return RunCommand(app, argc, argv, [&]() -> absl::StatusOr<ExitCode> {
    ASSAY_RETURN_IF_ERROR(Benchmark(flags).Run());
    return ExitCode::kPass;
  });
}

}  // namespace
}  // namespace assay::rpc

int main(int argc, char** argv) { return assay::rpc::Main(argc, argv); }
