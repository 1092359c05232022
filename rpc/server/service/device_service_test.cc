#include "rpc/server/service/device_service.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rpc/names/metadata.h"
#include "rpc/server/testing/device_fixture.h"
#include "rpc/server/testing/test_tracker.h"
#include "rpc/transport/status.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"
#include "runtime/device/testdata/test_kernels.h"
#include "runtime/executor/seeded_inputs.h"
#include "runtime/measure/in_process.h"

namespace assay::rpc {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int64_t kSecond = 1'000'000'000;

RunBlockRequest Block(const std::string& session, int samples = 1) {
  RunBlockRequest request;
  request.set_session(session);
  for (int i = 0; i < samples; ++i) request.add_samples()->set_number(1);
  return request;
}

// The bytes of a file that `write` writes.
template <typename Write>
std::string BytesOf(Write write) {
  const TempDir folder = TempDir::Create().value();
  const std::string path = JoinPath(folder.path(), "file");
  EXPECT_TRUE(write(path).ok());
  return ReadFile(path).value();
}

// A device with the real worker.
class DeviceServiceTest : public testing::Test {
 protected:
  static TestDeviceOptions Options() {
    TestDeviceOptions options;
    options.worker = {"runtime/tools/bench_artifact"};
    // With a sanitizer, the worker reserves terabytes.
    options.sandbox.max_memory_bytes = 0;
    options.facts.set_fingerprint("board-fingerprint");
    return options;
  }
  ~DeviceServiceTest() override {
    device_.service->Stop();
    EXPECT_TRUE(device_.IsClean());
  }

  std::string Lease(int64_t token, int64_t renewals = 0, double seconds = 60) {
    return device_.tracker.Sign({"board", "ann", token, renewals, seconds});
  }
  std::string OpenSession(TestClient& client) {
    OpenAnswer answer;
    const absl::Status status =
        client.Open({client.Upload(artifact_bytes_)}, &answer);
    EXPECT_TRUE(status.ok()) << status;
    return answer.session();
  }

  const runtime::Artifact artifact_ = runtime::TestArtifact();
  const std::string artifact_bytes_ = BytesOf([this](const std::string& path) {
    return runtime::WriteArtifact(path, artifact_);
  });
  const runtime::NamedTensors inputs_ = runtime::SeededInputs(artifact_, 1);
  const std::string inputs_bytes_ = BytesOf([this](const std::string& path) {
    return runtime::WriteTensors(path, inputs_);
  });
  TestDevice device_{Options()};
  TestClient client_{&device_, Lease(7)};
};

TEST_F(DeviceServiceTest, GivesTheOutputsOfALocalSession) {
  const std::string artifact = client_.Upload(artifact_bytes_);
  const std::string inputs = client_.Upload(inputs_bytes_);
  OpenAnswer session;
  absl::Status status = client_.Open({artifact, artifact}, &session);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(session.threads(), 1);
  EXPECT_EQ(session.facts().fingerprint(), "board-fingerprint");
  EXPECT_GT(session.load_nanos(), 0);
  status = client_.SetInputs(session.session(), inputs);
  ASSERT_TRUE(status.ok()) << status;
  RunBlockRequest request = Block(session.session(), 3);
  request.mutable_samples(1)->set_program(1);
  request.mutable_samples(1)->set_number(4);
  request.mutable_samples(1)->set_warmup_runs(1);
  request.set_read_outputs(true);
  request.set_time_calls(true);
  const TestBlock block = client_.RunBlock(request);
  ASSERT_TRUE(block.status.ok()) << block.status;
  EXPECT_EQ(block.states, 2);
  ASSERT_THAT(block.samples, SizeIs(3));
  EXPECT_EQ(block.samples[1].number(), 4);
  EXPECT_EQ(block.samples[0].call_nanos_size(), 3);

  auto local = runtime::InProcessRunner().Load({&artifact_}, {1});
  ASSERT_TRUE(local.ok()) << local.status();
  ASSERT_TRUE((*local)->SetInputs(inputs_).ok());
  const auto expected = runtime::RunOnce(**local);
  ASSERT_TRUE(expected.ok()) << expected.status();
  const std::string outputs = BytesOf([&](const std::string& path) {
    return runtime::WriteTensors(path, expected->outputs);
  });
  for (int i = 0; i < 3; ++i) {
    EXPECT_GT(block.samples[i].nanos(), 0);
    EXPECT_EQ(block.samples[i].outputs_size(),
              static_cast<int64_t>(outputs.size()));
    EXPECT_TRUE(block.outputs[i] == outputs) << i;
  }
  EXPECT_EQ(device_.Folders(), 1);
  EXPECT_TRUE(client_.Close(session.session()).ok());
  EXPECT_TRUE(client_.Close(session.session()).ok());
  EXPECT_TRUE(device_.IsClean());
  EXPECT_EQ(device_.crashes.count(), 0);
}

TEST_F(DeviceServiceTest, RejectsValuesOutOfRange) {
  const std::string session = OpenSession(client_);
  RunBlockRequest request = Block(session);
  request.mutable_samples(0)->set_program(1);
  EXPECT_TRUE(absl::IsInvalidArgument(client_.RunBlock(request).status));
  request = Block(session);
  request.set_cooldown_nanos(3600 * kSecond);
  EXPECT_TRUE(absl::IsInvalidArgument(client_.RunBlock(request).status));
  for (const int64_t bytes : {int64_t{-1}, int64_t{1} << 40}) {
    request = Block(session);
    request.set_flush_cache_bytes(bytes);
    EXPECT_TRUE(absl::IsInvalidArgument(client_.RunBlock(request).status));
  }
  EXPECT_TRUE(absl::IsInvalidArgument(client_.SetInputs(session, "../etc")));
  EXPECT_TRUE(absl::IsInvalidArgument(
      client_.SetInputs(session, std::string(100000, 'a'))));
  // The session still works after all that.
  EXPECT_TRUE(client_.SetInputs(session, client_.Upload(inputs_bytes_)).ok());
  EXPECT_TRUE(client_.RunBlock(Block(session)).status.ok());
}

TEST_F(DeviceServiceTest, SaysWhatIsNotFound) {
  const auto reason = [](const absl::Status& status) {
    EXPECT_TRUE(absl::IsNotFound(status)) << status;
    return ReasonOf(status);
  };
  const std::string inputs = client_.Upload(inputs_bytes_);
  EXPECT_EQ(reason(client_.SetInputs("7-1", inputs)), ErrorInfo::NO_SESSION);
  const std::string session = OpenSession(client_);
  EXPECT_EQ(reason(client_.SetInputs(session, std::string(64, 'a'))),
            ErrorInfo::NO_BLOB);
  runtime::NamedTensors unknown = inputs_;
  unknown.push_back({"q", unknown[0].value});
  EXPECT_EQ(reason(client_.SetInputs(
                session, client_.Upload(runtime::SerializeTensors(unknown)))),
            ErrorInfo::OTHER);
  EXPECT_TRUE(client_.SetInputs(session, inputs).ok());
}

TEST_F(DeviceServiceTest, ChecksTheSignaturesOfArtifacts) {
  const std::string digest = client_.Upload(artifact_bytes_);
  OpenRequest request;
  OpenRequest::Artifact* artifact = request.add_artifacts();
  artifact->set_digest(digest);
  OpenAnswer answer;
  const auto open = [&] {
    grpc::ClientContext context;
    client_.Prepare(&context);
    return FromGrpc(client_.stub->Open(&context, request, &answer));
  };
  const auto sign = [&](const SigningKey& key, SignaturePurpose purpose,
                        const std::string& text) {
    artifact->set_signature(key.Sign(purpose, text).value());
    return open();
  };
  EXPECT_TRUE(absl::IsPermissionDenied(open()));
  EXPECT_TRUE(absl::IsPermissionDenied(sign(
      SigningKey::Generate().value(), SignaturePurpose::kArtifact, digest)));
  EXPECT_TRUE(absl::IsPermissionDenied(
      sign(device_.client_key, SignaturePurpose::kLease, digest)));
  EXPECT_TRUE(absl::IsPermissionDenied(
      sign(device_.client_key, SignaturePurpose::kArtifact, "other")));
  EXPECT_TRUE(
      sign(device_.client_key, SignaturePurpose::kArtifact, digest).ok());
}

TEST_F(DeviceServiceTest, OpenNeedsOneOrTwoArtifacts) {
  OpenAnswer answer;
  const std::string digest = client_.Upload(artifact_bytes_);
  EXPECT_TRUE(absl::IsInvalidArgument(client_.Open({}, &answer)));
  EXPECT_TRUE(
      absl::IsInvalidArgument(client_.Open({digest, digest, digest}, &answer)));
  EXPECT_TRUE(
      absl::IsInvalidArgument(client_.Open({"../../../etc/passwd"}, &answer)));
  const absl::Status missing = client_.Open({std::string(64, 'a')}, &answer);
  EXPECT_TRUE(absl::IsNotFound(missing)) << missing;
  EXPECT_EQ(ReasonOf(missing), ErrorInfo::NO_BLOB);
  const std::string bad = client_.Upload("this is no artifact");
  const absl::Status rejected = client_.Open({bad}, &answer);
  EXPECT_TRUE(absl::IsInvalidArgument(rejected)) << rejected;
  EXPECT_EQ(device_.crashes.count(), 0);
}

TEST_F(DeviceServiceTest, LeasesAreChecked) {
  const std::string digest = std::string(64, 'a');
  const auto code = [&](const std::string& lease) {
    client_.lease = lease;
    return client_.Find(digest).status().code();
  };
  EXPECT_EQ(code(Lease(7)), absl::StatusCode::kOk);
  EXPECT_EQ(code(""), absl::StatusCode::kUnauthenticated);
  EXPECT_EQ(code("nonsense"), absl::StatusCode::kUnauthenticated);
  EXPECT_EQ(code(std::string(20000, 'x')), absl::StatusCode::kUnauthenticated);
  EXPECT_EQ(code(SigningTracker().Sign({"board", "ann", 7})),
            absl::StatusCode::kUnauthenticated);
  EXPECT_EQ(code(device_.tracker.Sign({"other", "ann", 7})),
            absl::StatusCode::kUnauthenticated);
  EXPECT_EQ(code(Lease(8)), absl::StatusCode::kOk);
  EXPECT_EQ(code(Lease(7)), absl::StatusCode::kAborted);
  grpc::ClientContext context;
  FindBlobsAnswer answer;
  context.AddMetadata(kLeaseMetadata, Lease(8));
  EXPECT_EQ(client_.stub->FindBlobs(&context, {}, &answer).error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);  // no deadline
  grpc::ClientContext none;
  EXPECT_EQ(client_.stub->FindBlobs(&none, {}, &answer).error_code(),
            grpc::StatusCode::UNAUTHENTICATED);
}

TEST_F(DeviceServiceTest, StaleTokensAreRefusedByAllCalls) {
  const std::string session = OpenSession(client_);
  TestClient next(&device_, Lease(8));
  ASSERT_TRUE(next.Find(std::string(64, 'a')).ok());
  OpenAnswer answer;
  const std::string digest = Sha256Hex(artifact_bytes_);
  EXPECT_TRUE(absl::IsAborted(client_.Open({digest}, &answer)));
  EXPECT_TRUE(absl::IsAborted(client_.SetInputs(session, digest)));
  EXPECT_TRUE(absl::IsAborted(client_.RunBlock(Block(session)).status));
  EXPECT_TRUE(absl::IsAborted(client_.Close(session)));
  EXPECT_TRUE(absl::IsAborted(client_.Find(digest).status()));
  EXPECT_TRUE(device_.IsClean());  // the first call ended the session
  // The session does not belong to the new lease.
  EXPECT_TRUE(absl::IsNotFound(next.RunBlock(Block(session)).status));
}

TEST_F(DeviceServiceTest, UnknownSessionsAreNotFound) {
  const std::string session = OpenSession(client_);
  for (const std::string& name :
       {std::string(), std::string("7-999"), std::string(3000, 'x')}) {
    EXPECT_TRUE(absl::IsNotFound(client_.SetInputs(name, "")));
    const absl::Status block = client_.RunBlock(Block(name)).status;
    EXPECT_TRUE(absl::IsNotFound(block)) << block;
    EXPECT_EQ(ReasonOf(block), ErrorInfo::NO_SESSION);
    EXPECT_TRUE(client_.Close(name).ok());
  }
  EXPECT_TRUE(client_.RunBlock(Block(session, 0)).status.ok());
  // A second session replaces the first one.
  const std::string second = OpenSession(client_);
  EXPECT_NE(second, session);
  EXPECT_TRUE(absl::IsNotFound(client_.RunBlock(Block(session)).status));
  EXPECT_EQ(device_.Processes(), 1);
}

TEST_F(DeviceServiceTest, UploadsThatWereCutContinue) {
  const std::string bytes =
      std::string(1000, 'a') + std::string(1000, 'b') + std::string(500, 'c');
  const std::string digest = Sha256Hex(bytes);
  for (const int64_t cut : {0, 300, 600, 1000, 1500, 2499}) {
    EXPECT_FALSE(client_.Put(digest, bytes, cut, /*chunk_bytes=*/300).ok());
    EXPECT_EQ(client_.Find(digest)->offset(), cut);
    EXPECT_FALSE(client_.Find(digest)->complete());
  }
  EXPECT_TRUE(client_.Put(digest, bytes, -1, 300).ok());
  EXPECT_TRUE(client_.Find(digest)->complete());
  EXPECT_TRUE(client_.Put(digest, bytes).ok());
  EXPECT_EQ(client_.Upload(""), Sha256Hex(""));
}

TEST_F(DeviceServiceTest, WrongUploadsAreRefused) {
  const std::string digest = Sha256Hex("abc");
  const auto put = [&](const std::string& name, int64_t size, int64_t offset,
                       const std::string& bytes) {
    grpc::ClientContext context;
    client_.Prepare(&context);
    PutBlobAnswer answer;
    const auto stream = client_.stub->PutBlob(&context, &answer);
    PutBlobRequest request;
    request.set_digest(name);
    request.set_size(size);
    request.set_offset(offset);
    request.set_bytes(bytes);
    stream->Write(request);
    stream->WritesDone();
    return FromGrpc(stream->Finish());
  };
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  for (const std::string& name :
       {std::string(), std::string("../../x"), std::string("/etc/passwd"),
        std::string(100000, 'a'), digest + "0", std::string(64, 'A')}) {
    EXPECT_TRUE(absl::IsInvalidArgument(put(name, 3, 0, "abc"))) << name;
  }
  EXPECT_TRUE(absl::IsResourceExhausted(put(digest, kMax, 0, "abc")));
  EXPECT_TRUE(
      absl::IsResourceExhausted(put(digest, (int64_t{1} << 30) + 1, 0, "a")));
  EXPECT_TRUE(absl::IsInvalidArgument(put(digest, -1, 0, "abc")));
  EXPECT_TRUE(absl::IsInvalidArgument(put(digest, 3, -1, "abc")));
  EXPECT_TRUE(absl::IsInvalidArgument(put(digest, 3, 4, "abc")));
  EXPECT_TRUE(absl::IsInvalidArgument(put(digest, 3, 0, "abcd")));
  EXPECT_TRUE(absl::IsFailedPrecondition(put(digest, 3, 1, "bc")));
  EXPECT_TRUE(absl::IsDataLoss(put(digest, 3, 0, "abx")));
  EXPECT_TRUE(absl::IsInvalidArgument(
      put(digest, 1 << 21, 0, std::string((1 << 20) + 1, 'x'))));
  EXPECT_TRUE(absl::IsInvalidArgument(put(digest, 3, 0, "ab")));  // ends early
  EXPECT_EQ(client_.Find(digest)->offset(), 2);
  // An upload with another size replaces the one that claims 3 bytes.
  EXPECT_TRUE(absl::IsFailedPrecondition(put(digest, 30, 2, "x")));
  EXPECT_TRUE(absl::IsInvalidArgument(put(digest, 30, 0, "x")));
  EXPECT_TRUE(put(digest, 3, 0, "abc").ok());
  EXPECT_TRUE(client_.Find(digest)->complete());
}

// gRPC may need some time to destroy a call after its client knows the end.
TEST_F(DeviceServiceTest, UploadsThatHaveEndedDoNotCount) {
  for (int i = 0; i < 300; ++i) {
    grpc::ClientContext context;
    client_.Prepare(&context);
    PutBlobAnswer answer;
    const auto stream = client_.stub->PutBlob(&context, &answer);
    stream->Write(PutBlobRequest());
    EXPECT_TRUE(absl::IsInvalidArgument(FromGrpc(stream->Finish())));
  }
}

TEST_F(DeviceServiceTest, TooManyDigestsAreRefused) {
  for (const int count : {1000, 1001, 30000}) {
    FindBlobsRequest request;
    for (int i = 0; i < count; ++i) request.add_digests(std::string(64, 'a'));
    grpc::ClientContext context;
    client_.Prepare(&context);
    FindBlobsAnswer answer;
    const absl::Status status =
        FromGrpc(client_.stub->FindBlobs(&context, request, &answer));
    EXPECT_EQ(absl::IsInvalidArgument(status), count > 1000) << status;
  }
}

TEST_F(DeviceServiceTest, ReservesTheIdleDevice) {
  while (!device_.service->TryReserve()) {
  }
  EXPECT_FALSE(device_.service->TryReserve());
  std::thread releaser([this] {
    Clock::Monotonic()->SleepNanos(50'000'000);
    device_.service->Unreserve();
  });
  const std::string session = OpenSession(client_);  // waits
  releaser.join();
  EXPECT_FALSE(device_.service->TryReserve());
  EXPECT_TRUE(client_.Close(session).ok());
  while (!device_.service->TryReserve()) {
  }
  device_.service->Unreserve();
}

TEST_F(DeviceServiceTest, AStoppedServerIsUnavailable) {
  const std::string session = OpenSession(client_);
  device_.service->Stop();
  EXPECT_TRUE(absl::IsUnavailable(client_.Find(session).status()));
  EXPECT_TRUE(absl::IsUnavailable(client_.RunBlock(Block(session)).status));
  OpenAnswer answer;
  EXPECT_TRUE(absl::IsUnavailable(client_.Open({session}, &answer)));
  EXPECT_TRUE(device_.IsClean());
}

}  // namespace
}  // namespace assay::rpc
