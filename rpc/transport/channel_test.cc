#include "rpc/transport/channel.h"

#include <string>

#include "gtest/gtest.h"

namespace assay::rpc {
namespace {

TEST(ChannelTest, ParsesAddresses) {
  for (const char* endpoint :
       {"localhost:9190", "10.0.0.1:1", "[::1]:65535", "rack-1.lab:80"}) {
    const auto address = ParseAddress(endpoint);
    ASSERT_TRUE(address.ok()) << address.status();
    EXPECT_EQ(address->endpoint, endpoint);
    EXPECT_EQ(address->device, "");
  }
  const auto proxied = ParseAddress("proxy.lab:9191/rack1-03");
  ASSERT_TRUE(proxied.ok()) << proxied.status();
  EXPECT_EQ(proxied->endpoint, "proxy.lab:9191");
  EXPECT_EQ(proxied->device, "rack1-03");
}

TEST(ChannelTest, RejectsOtherTexts) {
  for (const char* text : {"",
                           ":",
                           "localhost",
                           "localhost:",
                           ":80",
                           "localhost:0",
                           "a:65536",
                           "a:-1",
                           "a:+1",
                           "a: 1",
                           "a:1 ",
                           "a b:1",
                           "unix:/tmp/x",
                           "a:1/",
                           "a:1/b/c",
                           "a:1/..\n",
                           "[::1:1",
                           "[]:1",
                           "dns:///a:1",
                           "a:123456",
                           "é:1"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseAddress(text).status())) << text;
  }
  const std::string name(65, 'x');
  EXPECT_FALSE(ParseAddress("a:1/" + name).ok());
  EXPECT_FALSE(ParseAddress(std::string(256, 'a') + ":1").ok());
}

// A device tells its address to the tracker, and the tracker to clients.
TEST(ChannelTest, ErrorsOfAddressesAreOneLine) {
  EXPECT_EQ(ParseAddress("a\nb\x1b[2J").status().message(),
            "`a\\nb\\x1b[2J` is not an address like `HOST:PORT` or "
            "`HOST:PORT/DEVICE`");
}

TEST(ChannelTest, PlainTextNeedsLoopback) {
  const Transport plain = {"", /*plain_text=*/true};
  EXPECT_TRUE(OpenChannel(plain, {"127.0.0.1:1"}).ok());
  EXPECT_TRUE(
      absl::IsInvalidArgument(OpenChannel(plain, {"10.0.0.1:1"}).status()));
}

TEST(ChannelTest, ContextsHaveADeadlineAndTheDevice) {
  grpc::ClientContext context;
  PrepareContext({"a:1", "board"}, std::chrono::seconds(5), &context);
  // It does not change if the wall clock is set.
  EXPECT_EQ(context.raw_deadline().clock_type, GPR_CLOCK_MONOTONIC);
  const auto left = context.deadline() - std::chrono::system_clock::now();
  EXPECT_GT(left, std::chrono::seconds(4));
  EXPECT_LE(left, std::chrono::seconds(5));
}

}  // namespace
}  // namespace assay::rpc
