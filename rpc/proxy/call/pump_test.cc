#include "rpc/proxy/call/pump.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rpc/proxy/call/testing/fake_streams.h"

namespace assay::rpc {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class PumpTest : public ::testing::Test {
 protected:
  std::vector<std::string> TakeLog() { return std::exchange(log_, {}); }

  std::vector<std::string> log_;
  Pump pump_{[this] { log_.push_back("read"); },
             [this](grpc::ByteBuffer message) {
               log_.push_back("write " + ToString(message));
             },
             [this] { log_.push_back("end"); }};
};

TEST_F(PumpTest, ReadsTheNextMessageWhileOneIsWritten) {
  pump_.OnRead(ToBuffer("a"));
  EXPECT_THAT(TakeLog(), ElementsAre("write a", "read"));
  EXPECT_TRUE(pump_.writing());
  pump_.OnRead(ToBuffer("b"));
  EXPECT_THAT(TakeLog(), IsEmpty());  // nothing more is read
  pump_.OnWritten();
  EXPECT_THAT(TakeLog(), ElementsAre("write b", "read"));
  pump_.OnWritten();
  EXPECT_THAT(TakeLog(), IsEmpty());
  EXPECT_FALSE(pump_.writing());
  pump_.OnRead(ToBuffer("c"));
  EXPECT_THAT(TakeLog(), ElementsAre("write c", "read"));
}

TEST_F(PumpTest, EndsAfterAllMessages) {
  pump_.OnRead(ToBuffer("a"));
  pump_.OnRead(ToBuffer("b"));
  pump_.OnEnd();
  EXPECT_THAT(TakeLog(), ElementsAre("write a", "read"));
  pump_.OnWritten();
  EXPECT_THAT(TakeLog(), ElementsAre("write b"));
  pump_.OnWritten();
  EXPECT_THAT(TakeLog(), ElementsAre("end"));
  pump_.OnWritten();
  EXPECT_THAT(TakeLog(), IsEmpty());
}

TEST_F(PumpTest, EndsWithoutMessages) {
  pump_.OnWritten();
  EXPECT_THAT(TakeLog(), IsEmpty());
  pump_.OnEnd();
  EXPECT_THAT(TakeLog(), ElementsAre("end"));
}

}  // namespace
}  // namespace assay::rpc
