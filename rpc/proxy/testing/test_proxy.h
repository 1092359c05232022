// TestProxy: a proxy with devices behind it, in this process and on loopback,
// for tests.
//
//   TestProxy proxy;
//   TestProxy::Board& board = proxy.AddBoard("rack1-03");
//   ASSERT_TRUE(proxy.WaitUntilAttached(board));
//   const auto stub = Device::NewStub(proxy.channel());
//   grpc::ClientContext context;
//   proxy.Prepare("rack1-03", std::chrono::seconds(5), &context);
//   stub->FindBlobs(&context, request, &answer);
#ifndef ASSAY_RPC_PROXY_TESTING_TEST_PROXY_H_
#define ASSAY_RPC_PROXY_TESTING_TEST_PROXY_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "grpcpp/channel.h"
#include "grpcpp/client_context.h"
#include "rpc/program/event_log.h"
#include "rpc/program/listener.h"
#include "rpc/proxy/device_table.h"
#include "rpc/proxy/proxy_agent.h"
#include "rpc/proxy/proxy_service.h"
#include "rpc/proxy/testing/fake_device.h"
#include "rpc/security/token_file.h"
#include "rpc/server/testing/test_tracker.h"
#include "rpc/transport/credentials.h"
#include "runtime/base/file.h"

namespace assay::rpc {

// Waits until the condition is true, and returns false if it does not become
// true within ten seconds.
bool WaitFor(const std::function<bool()>& condition);

class TestProxy {
 public:
  // A device with its server and its agent.
  struct Board {
    std::string name = {};
    ProxiedDevice device = {};
    std::unique_ptr<Listener> listener = {};
    std::unique_ptr<ProxyAgent> agent = {};
  };

  // The file of tokens knows the devices `a` and `b` and the user `ann`.
  explicit TestProxy(const ProxyLimits& limits = ProxyLimits());
  ~TestProxy();

  Board& AddBoard(const std::string& name);
  // Starts another agent of the board, which replaces the one that it has.
  std::unique_ptr<ProxyAgent> StartAgent(Board& board);
  bool WaitUntilAttached(const Board& board);

  // Makes the token of a device invalid, and lets the proxy look at those that
  // are attached.
  void Revoke(const std::string& name);

  // Stops the proxy, and starts it on the same port.
  void Stop();
  void Start();

  // The address `HOST:PORT`, and a channel to it.
  std::string address() const;
  std::shared_ptr<grpc::Channel> channel() const { return channel_; }
  std::shared_ptr<grpc::Channel> NewChannel() const;

  // Prepares a call to a device, with its lease.
  void Prepare(const std::string& device, std::chrono::nanoseconds timeout,
               grpc::ClientContext* context) const;
  // Calls FindBlobs with a digest.
  grpc::Status Find(
      const std::string& device, const std::string& digest,
      std::chrono::nanoseconds timeout = std::chrono::seconds(5)) const;

  const std::string& token(const std::string& name) const {
    return tokens_.at(name);
  }
  const SigningTracker& tracker() const { return tracker_; }
  const Switchboard& board() const { return service_->board(); }

 private:
  const Transport transport_ = {"", /*plain_text=*/true};
  const ProxyLimits limits_;
  const TempDir folder_;
  const SigningTracker tracker_;
  EventLog log_;
  std::map<std::string, std::string> tokens_;  // by name
  std::unique_ptr<TokenFile> token_file_;
  int port_ = 0;
  std::unique_ptr<ProxyService> service_;
  std::unique_ptr<Listener> listener_;
  std::shared_ptr<grpc::Channel> channel_;
  std::map<std::string, std::unique_ptr<Board>> boards_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_PROXY_TESTING_TEST_PROXY_H_
