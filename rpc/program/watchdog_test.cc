#include "rpc/program/watchdog.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "absl/synchronization/notification.h"
#include "gtest/gtest.h"
#include "rpc/program/connection_table.h"
#include "rpc/program/listener.h"
#include "rpc/proto/tracker.grpc.pb.h"
#include "rpc/transport/certificates.h"
#include "rpc/transport/credentials.h"
#include "runtime/base/file.h"

namespace assay::rpc {
namespace {

constexpr int64_t kMilli = 1'000'000;

sockaddr_storage Loopback(int port) {
  sockaddr_storage address = {};
  auto& ipv4 = reinterpret_cast<sockaddr_in&>(address);
  ipv4.sin_family = AF_INET;
  ipv4.sin_port = htons(static_cast<uint16_t>(port));
  ipv4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// Calls the port of a program that answers until the third attempt, and then
// one that does not.
void ExpectFindsOut(const Transport& transport) {
  ListenOptions options;
  options.address = "127.0.0.1:0";
  options.transport = transport;
  Tracker::CallbackService service;
  auto listener = Listener::Start(options, {&service});
  ASSERT_TRUE(listener.ok()) << listener.status();
  WatchdogOptions watch;
  watch.address = Loopback((*listener)->port());
  watch.tls = !transport.plain_text;
  watch.interval_nanos = kMilli;
  watch.attempts = 3;
  absl::Notification unreachable;
  watch.on_unreachable = [&](const absl::Status& status) {
    EXPECT_FALSE(status.ok());
    unreachable.Notify();
  };
  const Watchdog watchdog(watch);
  EXPECT_FALSE(
      unreachable.WaitForNotificationWithTimeout(absl::Milliseconds(500)));
  listener = absl::CancelledError("ended");
  unreachable.WaitForNotification();
}

TEST(WatchdogTest, FindsOutThatNobodyListens) {
  ExpectFindsOut({"", /*plain_text=*/true});
}

TEST(WatchdogTest, FindsOutThatNobodyListensWithTls) {
  const TempDir dir = TempDir::Create().value();
  // Not with the address that the watchdog calls.
  ASSERT_TRUE(WriteCertificates(dir.path(), {"tracker.lab"}).ok());
  ExpectFindsOut({dir.path(), /*plain_text=*/false});
}

// As gRPC after accept() has failed once.
TEST(WatchdogTest, FindsOutThatNobodyAccepts) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_storage address = Loopback(0);
  ASSERT_EQ(
      bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof(sockaddr_in)), 0);
  ASSERT_EQ(listen(fd, 10), 0);
  WatchdogOptions watch;
  socklen_t size = sizeof(watch.address);
  getsockname(fd, reinterpret_cast<sockaddr*>(&watch.address), &size);
  watch.interval_nanos = kMilli;
  watch.limit_nanos = 20 * kMilli;
  watch.attempts = 2;
  absl::Notification unreachable;
  watch.on_unreachable = [&](const absl::Status&) { unreachable.Notify(); };
  const Watchdog watchdog(watch);
  unreachable.WaitForNotification();
  close(fd);
}

TEST(WatchdogTest, StopsDuringAnAttempt) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_storage address = Loopback(0);
  ASSERT_EQ(
      bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof(sockaddr_in)), 0);
  ASSERT_EQ(listen(fd, 10), 0);
  WatchdogOptions watch;
  socklen_t size = sizeof(watch.address);
  getsockname(fd, reinterpret_cast<sockaddr*>(&watch.address), &size);
  watch.interval_nanos = kMilli;
  watch.limit_nanos = int64_t{3600} * 1000 * kMilli;
  watch.on_unreachable = [](const absl::Status&) { ADD_FAILURE(); };
  {
    const Watchdog watchdog(watch);
    const int attempt = accept(fd, nullptr, nullptr);
    EXPECT_GE(attempt, 0);
  }
  close(fd);
}

// The connection of the watchdog is admitted if all places are taken.
TEST(WatchdogTest, AnnouncesItsConnection) {
  ConnectionLimits limits;
  limits.max_open = 0;
  ConnectionTable table(limits);
  ListenOptions options;
  options.address = "127.0.0.1:0";
  options.transport.plain_text = true;
  options.connections = &table;
  Tracker::CallbackService service;
  const auto listener = Listener::Start(options, {&service});
  ASSERT_TRUE(listener.ok()) << listener.status();
  absl::Notification unreachable;
  WatchdogOptions watch;
  watch.address = Loopback((*listener)->port());
  watch.connections = &table;
  watch.interval_nanos = kMilli;
  watch.attempts = 1;
  watch.on_unreachable = [&](const absl::Status& status) {
    ADD_FAILURE() << status;
    unreachable.Notify();
  };
  const Watchdog watchdog(watch);
  EXPECT_FALSE(
      unreachable.WaitForNotificationWithTimeout(absl::Milliseconds(300)));
}

}  // namespace
}  // namespace assay::rpc
