#include "rpc/transport/credentials.h"

#include <sys/stat.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "rpc/transport/certificates.h"
#include "runtime/base/file.h"

namespace assay::rpc {
namespace {

TEST(CredentialsTest, KnowsLoopbackAddresses) {
  for (const char* address :
       {"localhost:1", "127.0.0.1:9190", "127.8.9.1:0", "[::1]:80",
        "dns:///localhost:1", "ipv4:127.0.0.1:5", "unix:/tmp/socket"}) {
    EXPECT_TRUE(IsLoopback(address)) << address;
  }
  for (const char* address :
       {"0.0.0.0:1", "[::]:1", "10.0.0.1:1", "127.0.0.1.example.com:1",
        "localhost.example.com:1", "127.0.0:1", "127.0.0.256:1", "12.127.0.0:1",
        "board:1", "", ":1"}) {
    EXPECT_FALSE(IsLoopback(address)) << address;
  }
}

TEST(CredentialsTest, PlainTextStaysOnThisMachine) {
  const Transport plain = {"", /*plain_text=*/true};
  EXPECT_TRUE(MakeServerCredentials(plain, "127.0.0.1:0").ok());
  EXPECT_TRUE(MakeChannelCredentials(plain, "localhost:1").ok());
  EXPECT_EQ(MakeServerCredentials(plain, "0.0.0.0:9190").status().message(),
            "`0.0.0.0:9190` is not on this machine, and connections to other "
            "machines need TLS");
  EXPECT_TRUE(absl::IsInvalidArgument(
      MakeChannelCredentials(plain, "board:9190").status()));
}

TEST(CredentialsTest, OneKindMustBeChosen) {
  EXPECT_EQ(MakeServerCredentials({}, "localhost:1").status().message(),
            "give a folder of TLS files, or choose plain text");
  EXPECT_EQ(MakeChannelCredentials({"folder", true}, "localhost:1")
                .status()
                .message(),
            "TLS and plain text are both chosen; choose one of them");
}

TEST(CredentialsTest, ErrorsNameTheFile) {
  const TempDir dir = *TempDir::Create();
  const Transport transport = {dir.path()};
  const auto error = [&] {
    return MakeServerCredentials(transport, "board:1").status();
  };
  EXPECT_TRUE(absl::IsNotFound(error())) << error();
  ASSERT_TRUE(WriteCertificates(dir.path(), {"localhost"}).ok());
  EXPECT_TRUE(error().ok()) << error();

  const std::string key = JoinPath(dir.path(), "server.key");
  ASSERT_EQ(chmod(key.c_str(), 0644), 0);
  EXPECT_EQ(error().message(),
            absl::StrCat("`", key,
                         "` is accessible to other users; make it private with "
                         "`chmod 600`"));
  ASSERT_EQ(chmod(key.c_str(), 0600), 0);
  const std::string certificate = JoinPath(dir.path(), "server.pem");
  ASSERT_TRUE(WriteFileAtomic(certificate, "nothing").ok());
  EXPECT_EQ(error().message(),
            absl::StrCat("`", certificate, "` has no CERTIFICATE in PEM form"));
}

}  // namespace
}  // namespace assay::rpc
