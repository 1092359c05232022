#include "rpc/transport/certificates.h"

#include <memory>
#include <string>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "grpcpp/grpcpp.h"
#include "gtest/gtest.h"
#include "rpc/proto/tracker.grpc.pb.h"
#include "rpc/proto/tracker.pb.h"
#include "rpc/transport/credentials.h"
#include "runtime/base/file.h"

namespace assay::rpc {
namespace {

// Calls a tracker that implements nothing, with the authority of `folder`, and
// returns the code of the answer.
grpc::StatusCode Call(int port, const std::string& folder) {
  const std::string address = "localhost:" + std::to_string(port);
  const auto credentials = MakeChannelCredentials({folder}, address);
  EXPECT_TRUE(credentials.ok()) << credentials.status();
  const auto stub =
      Tracker::NewStub(grpc::CreateChannel(address, *credentials));
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(absl::Now() + absl::Seconds(10)));
  ListAnswer answer;
  return stub->List(&context, ListRequest(), &answer).error_code();
}

TEST(CertificatesTest, OnlyTheAuthorityOfTheServerIsTrusted) {
  const TempDir ours = *TempDir::Create(), theirs = *TempDir::Create();
  for (const TempDir* dir : {&ours, &theirs}) {
    const absl::Status written =
        WriteCertificates(dir->path(), {"localhost", "127.0.0.1", "::1"});
    ASSERT_TRUE(written.ok()) << written;
  }
  const auto credentials = MakeServerCredentials({ours.path()}, "localhost:0");
  ASSERT_TRUE(credentials.ok()) << credentials.status();
  Tracker::Service service;
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("localhost:0", *credentials, &port);
  builder.RegisterService(&service);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  ASSERT_NE(server, nullptr);
  EXPECT_EQ(Call(port, ours.path()), grpc::StatusCode::UNIMPLEMENTED);
  EXPECT_EQ(Call(port, theirs.path()), grpc::StatusCode::UNAVAILABLE);
}

TEST(CertificatesTest, AKeptAuthoritySignsForManyHosts) {
  const TempDir farm = *TempDir::Create();
  const absl::Status written = WriteAuthority(farm.path());
  ASSERT_TRUE(written.ok()) << written;
  // A second authority would make the certificates of the first one useless.
  EXPECT_TRUE(absl::IsAlreadyExists(WriteAuthority(farm.path())));
  const std::string tls = JoinPath(farm.path(), "board");
  for (const char* host : {"localhost", "elsewhere.lab"}) {
    const absl::Status issued = IssueCertificate(farm.path(), tls, {host});
    ASSERT_TRUE(issued.ok()) << issued;
    const auto credentials = MakeServerCredentials({tls}, "localhost:0");
    ASSERT_TRUE(credentials.ok()) << credentials.status();
    Tracker::Service service;
    int port = 0;
    grpc::ServerBuilder builder;
    builder.AddListeningPort("localhost:0", *credentials, &port);
    builder.RegisterService(&service);
    const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
    ASSERT_NE(server, nullptr);
    // A client knows only the certificate of the authority.
    EXPECT_EQ(Call(port, farm.path()), std::string(host) == "localhost"
                                           ? grpc::StatusCode::UNIMPLEMENTED
                                           : grpc::StatusCode::UNAVAILABLE);
  }
  ASSERT_TRUE(WriteFileAtomic(JoinPath(farm.path(), "ca.pem"), "nothing").ok());
  const absl::Status damaged =
      IssueCertificate(farm.path(), tls, {"localhost"});
  EXPECT_TRUE(absl::IsInvalidArgument(damaged)) << damaged;
}

TEST(CertificatesTest, RejectsWhatIsNoHost) {
  const TempDir dir = *TempDir::Create();
  EXPECT_EQ(WriteCertificates(dir.path(), {}).message(),
            "a certificate needs a host");
  EXPECT_EQ(WriteCertificates(dir.path(), {"a,DNS:b"}).message(),
            "`a,DNS:b` is neither the name nor the IP address of a host");
  EXPECT_FALSE(FileExists(JoinPath(dir.path(), "ca.pem")));
}

}  // namespace
}  // namespace assay::rpc
