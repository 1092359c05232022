#include "rpc/transport/client_options.h"

#include <stdlib.h>
#include <sys/stat.h>

#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "rpc/security/private_file.h"
#include "runtime/base/file.h"

namespace assay::rpc {
namespace {

class ClientOptionsTest : public testing::Test {
 protected:
  ClientOptionsTest() {
    for (const char* variable :
         {"ASSAY_TRACKER", "ASSAY_TLS", "ASSAY_TOKEN_FILE"}) {
      unsetenv(variable);
    }
    EXPECT_TRUE(WritePrivateFile(file_, token_ + "\n").ok());
    flags_.tracker = "localhost:9190";
    flags_.plain_text = true;
    flags_.token_file = file_;
  }
  ~ClientOptionsTest() override {
    for (const char* variable :
         {"ASSAY_TRACKER", "ASSAY_TLS", "ASSAY_TOKEN_FILE"}) {
      unsetenv(variable);
    }
  }

  // Expects that the flags are refused with a message that contains `text`.
  void ExpectInvalid(const std::string& text) const {
    const absl::Status status = ReadClientOptions(flags_).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    EXPECT_NE(status.message().find(text), std::string::npos) << status;
  }

  const TempDir dir_ = *TempDir::Create();
  const std::string token_ = std::string(40, 't');
  const std::string file_ = JoinPath(dir_.path(), "token");
  ClientFlags flags_;
};

TEST_F(ClientOptionsTest, ReadsFlags) {
  const auto options = ReadClientOptions(flags_);
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->tracker.endpoint, "localhost:9190");
  EXPECT_TRUE(options->transport.plain_text);
  EXPECT_EQ(options->transport.tls_folder, "");
  EXPECT_EQ(options->token, token_);
  EXPECT_EQ(options->token_file, file_);
}

TEST_F(ClientOptionsTest, EnvironmentReplacesFlags) {
  EXPECT_FALSE(HasTracker({}));
  setenv("ASSAY_TRACKER", "tracker.lab:1", 1);
  setenv("ASSAY_TLS", "/certificates", 1);
  setenv("ASSAY_TOKEN_FILE", file_.c_str(), 1);
  EXPECT_TRUE(HasTracker({}));
  const auto options = ReadClientOptions({});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->tracker.endpoint, "tracker.lab:1");
  EXPECT_FALSE(options->transport.plain_text);
  EXPECT_EQ(options->transport.tls_folder, "/certificates");
  EXPECT_EQ(options->token, token_);
}

TEST_F(ClientOptionsTest, FlagsHavePrecedenceOverTheEnvironment) {
  setenv("ASSAY_TRACKER", "tracker.lab:1", 1);
  setenv("ASSAY_TLS", "/certificates", 1);
  setenv("ASSAY_TOKEN_FILE", "/missing", 1);
  const auto plain = ReadClientOptions(flags_);
  ASSERT_TRUE(plain.ok()) << plain.status();
  EXPECT_EQ(plain->tracker.endpoint, "localhost:9190");
  EXPECT_TRUE(plain->transport.plain_text);
  EXPECT_EQ(plain->transport.tls_folder, "");

  flags_.plain_text = false;
  flags_.tls = "/others";
  const auto tls = ReadClientOptions(flags_);
  ASSERT_TRUE(tls.ok()) << tls.status();
  EXPECT_EQ(tls->transport.tls_folder, "/others");
}

TEST_F(ClientOptionsTest, MissingFlagsAreNamed) {
  flags_.tracker = "";
  ExpectInvalid("--tracker");
  flags_.tracker = "localhost:9190";
  flags_.plain_text = false;
  ExpectInvalid("--tls");
  flags_.plain_text = true;
  flags_.token_file = "";
  ExpectInvalid("--token_file");
}

TEST_F(ClientOptionsTest, RejectsWrongFlags) {
  for (const char* tracker : {"tracker", "localhost:0", "localhost:1/board"}) {
    flags_.tracker = tracker;
    ExpectInvalid(tracker);
  }
  flags_.tracker = "localhost:9190";
  flags_.tls = "/certificates";
  ExpectInvalid("both");
  flags_.tls = "";
  flags_.tracker = "tracker.lab:9190";
  ExpectInvalid("not on this machine");
}

TEST_F(ClientOptionsTest, ReadsOneTokenPerFile) {
  ASSERT_TRUE(WritePrivateFile(file_, token_).ok());
  EXPECT_EQ(*ReadToken(file_), token_);
  ASSERT_TRUE(WritePrivateFile(file_, token_ + "\r\n\n").ok());
  EXPECT_EQ(*ReadToken(file_), token_);
}

TEST_F(ClientOptionsTest, RejectsOtherTokenFiles) {
  for (const std::string& contents :
       {std::string(), std::string("\n"), std::string(31, 't'),
        std::string(257, 't'), token_ + "\n" + token_, "token " + token_,
        token_ + '\0', token_ + "\xc3\xa9"}) {
    ASSERT_TRUE(WritePrivateFile(file_, contents).ok());
    const absl::Status status = ReadToken(file_).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << contents << status;
    EXPECT_NE(status.message().find(file_), std::string::npos) << status;
    EXPECT_EQ(status.message().find("ttt"), std::string::npos) << status;
  }
  ASSERT_TRUE(WritePrivateFile(file_, std::string(5000, 't')).ok());
  EXPECT_TRUE(absl::IsResourceExhausted(ReadToken(file_).status()));
}

TEST_F(ClientOptionsTest, TokensThatOthersCanReadAreRefused) {
  ASSERT_EQ(chmod(file_.c_str(), 0644), 0);
  EXPECT_TRUE(absl::IsPermissionDenied(ReadClientOptions(flags_).status()));
  EXPECT_TRUE(absl::IsNotFound(ReadToken(file_ + "2").status()));
}

}  // namespace
}  // namespace assay::rpc
