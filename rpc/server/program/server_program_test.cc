// The program //rpc:server, with the program of the tracker and real workers.
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rpc/farm/farm_folder.h"
#include "rpc/farm/local_farm.h"
#include "rpc/names/metadata.h"
#include "rpc/proto/device.grpc.pb.h"
#include "rpc/proto/device.pb.h"
#include "rpc/proto/facts.pb.h"
#include "rpc/proto/tracker.grpc.pb.h"
#include "rpc/proto/tracker.pb.h"
#include "rpc/security/signature.h"
#include "rpc/transport/authorization.h"
#include "rpc/transport/channel.h"
#include "rpc/transport/client_options.h"
#include "rpc/transport/status.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/testdata/test_kernels.h"
#include "runtime/process/subprocess.h"

namespace assay::rpc {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kSecond = 1'000'000'000;
constexpr char kServer[] = "rpc/server/program/server";
constexpr char kTracker[] = "rpc/tracker/service/tracker";
constexpr char kBench[] = "runtime/tools/bench_artifact";
constexpr char kHostile[] = "rpc/server/testing/hostile_worker";
constexpr char kDevice[] = "board-1";

double SecondsSince(int64_t start) {
  return static_cast<double>(MonotonicNanos() - start) * 1e-9;
}

std::vector<std::string> Entries(const std::string& path) {
  std::vector<std::string> names;
  DIR* const folder = opendir(path.c_str());
  if (folder == nullptr) return names;
  while (const dirent* entry = readdir(folder)) {
    if (entry->d_name[0] != '.') names.push_back(entry->d_name);
  }
  closedir(folder);
  return names;
}

class ServerProgramTest : public testing::Test {
 protected:
  void Start(const std::vector<std::string>& worker) {
    LocalFarmOptions options;
    options.folder = folder_.path();
    options.tracker_program = kTracker;
    options.server_program = kServer;
    options.devices = {{kDevice, "host", worker}};
    auto farm = LocalFarm::Start(options);
    ASSERT_TRUE(farm.ok()) << farm.status();
    farm_ = *std::move(farm);
    ClientFlags flags;
    flags.tracker = farm_->tracker();
    flags.tls = PathOf("tls");
    flags.token_file = PathOf("user.token");
    auto client = ReadClientOptions(flags);
    ASSERT_TRUE(client.ok()) << client.status();
    client_ = *std::move(client);
    tracker_ = Tracker::NewStub(
        OpenChannel(client_.transport, client_.tracker).value());
  }

  std::string PathOf(const std::string& name) const {
    return JoinPath(folder_.path(), name);
  }
  std::vector<std::string> WorkerFolders() const {
    return Entries(
        JoinPath(DeviceFolder(folder_.path(), kDevice), "state/workers"));
  }
  // Processes of workers, by a word of their command line.
  static int Workers(const std::string& word) {
    int count = 0;
    for (const std::string& name : Entries("/proc")) {
      pid_t pid = 0;
      if (!absl::SimpleAtoi(name, &pid) || pid == getpid()) continue;
      const auto line = ReadFile(absl::StrCat("/proc/", pid, "/cmdline"));
      // The flag of workers, but not that of the server.
      if (line.ok() && absl::StrContains(*line, "--steps") &&
          absl::StrContains(*line, word)) {
        ++count;
      }
    }
    return count;
  }

  // Waits for a lease of the server that runs now, and connects to it. The
  // server listens before it has registered; and the tracker may lend a device
  // whose server was killed for some seconds, at the port of that server.
  void Acquire() {
    const auto port = ReadFile(PathOf("logs/board-1.port"));
    ASSERT_TRUE(port.ok()) << port.status();
    const std::string address =
        absl::StrCat("127.0.0.1:", absl::StripAsciiWhitespace(*port));
    const int64_t start = MonotonicNanos();
    absl::Status status;
    while (SecondsSince(start) < 15) {
      status = TryAcquire();
      if (status.ok() && address_.endpoint == address) {
        stub_ =
            Device::NewStub(OpenChannel(client_.transport, address_).value());
        return;
      }
      if (status.ok()) ASSERT_NO_FATAL_FAILURE(Release());
      Clock::Monotonic()->SleepNanos(20'000'000);
    }
    FAIL() << "no lease of " << address << ": " << status;
  }
  absl::Status TryAcquire() {
    AcquireRequest request;
    request.set_key("host");
    request.set_wait_seconds(10);
    grpc::ClientContext context;
    PrepareContext(client_.tracker, std::chrono::seconds(12), &context);
    AddToken(client_.token, &context);
    const auto stream = tracker_->Acquire(&context, request);
    AcquireAnswer answer;
    while (stream->Read(&answer)) {
    }
    ASSAY_RETURN_IF_ERROR(FromGrpc(stream->Finish()));
    Lease shown;
    shown.set_terms(answer.lease().terms());
    shown.set_signature(answer.lease().signature());
    lease_ = shown.SerializeAsString();
    facts_ = answer.lease().facts();
    ASSAY_ASSIGN_OR_RETURN(address_, ParseAddress(answer.lease().address()));
    return absl::OkStatus();
  }
  // Gives the lease back, so that the next one need not wait for its end.
  void Release() {
    Lease lease;
    LeaseTerms terms;
    ASSERT_TRUE(lease.ParseFromString(lease_));
    ASSERT_TRUE(terms.ParseFromString(lease.terms()));
    LeaseName name;
    name.set_device(terms.device());
    name.set_token(terms.token());
    grpc::ClientContext context;
    PrepareContext(client_.tracker, std::chrono::seconds(20), &context);
    AddToken(client_.token, &context);
    ReleaseAnswer answer;
    const absl::Status status =
        FromGrpc(tracker_->Release(&context, name, &answer));
    EXPECT_TRUE(status.ok()) << status;
  }
  void Prepare(grpc::ClientContext* context) const {
    PrepareContext(address_, std::chrono::seconds(20), context);
    context->AddMetadata(kLeaseMetadata, lease_);
  }
  // Uploads the bytes and opens a session.
  std::string Open(const std::string& bytes) {
    const std::string digest = Sha256Hex(bytes);
    {
      grpc::ClientContext context;
      Prepare(&context);
      PutBlobAnswer answer;
      const auto stream = stub_->PutBlob(&context, &answer);
      PutBlobRequest request;
      request.set_digest(digest);
      request.set_size(static_cast<int64_t>(bytes.size()));
      request.set_bytes(bytes);
      stream->Write(request);
      stream->WritesDone();
      const absl::Status status = FromGrpc(stream->Finish());
      EXPECT_TRUE(status.ok()) << status;
    }
    grpc::ClientContext context;
    Prepare(&context);
    const auto key = SigningKey::Read(PathOf("client.key"));
    EXPECT_TRUE(key.ok()) << key.status();
    OpenRequest request;
    OpenRequest::Artifact* artifact = request.add_artifacts();
    artifact->set_digest(digest);
    artifact->set_signature(
        key->Sign(SignaturePurpose::kArtifact, digest).value());
    request.set_threads(1);
    OpenAnswer answer;
    const absl::Status status =
        FromGrpc(stub_->Open(&context, request, &answer));
    EXPECT_TRUE(status.ok()) << status;
    return answer.session();
  }
  absl::Status RunBlock(const std::string& session, int* samples) {
    grpc::ClientContext context;
    Prepare(&context);
    RunBlockRequest request;
    request.set_session(session);
    request.add_samples()->set_number(1);
    const auto stream = stub_->RunBlock(&context, request);
    RunBlockAnswer answer;
    while (stream->Read(&answer)) *samples += answer.has_sample() ? 1 : 0;
    return FromGrpc(stream->Finish());
  }

  const TempDir folder_ = TempDir::Create().value();
  std::unique_ptr<LocalFarm> farm_;
  ClientOptions client_;
  std::unique_ptr<Tracker::Stub> tracker_;
  std::string lease_;
  DeviceFacts facts_;
  Address address_;
  std::unique_ptr<Device::Stub> stub_;
};

std::string ArtifactBytes() {
  const TempDir folder = TempDir::Create().value();
  const std::string path = JoinPath(folder.path(), "artifact");
  EXPECT_TRUE(runtime::WriteArtifact(path, runtime::TestArtifact()).ok());
  return ReadFile(path).value();
}

TEST_F(ServerProgramTest, ServesTheHolderOfALease) {
  ASSERT_NO_FATAL_FAILURE(Start({kBench}));
  ASSERT_NO_FATAL_FAILURE(Acquire());
  EXPECT_EQ(facts_.board(), kDevice);
  EXPECT_EQ(facts_.state().count("confinement"), 1u);
  const std::string session = Open(ArtifactBytes());
  int samples = 0;
  const absl::Status status = RunBlock(session, &samples);
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(samples, 1);
  // Whoever has no lease gets nothing.
  lease_ = "nonsense";
  EXPECT_TRUE(absl::IsUnauthenticated(RunBlock(session, &samples)));
}

TEST_F(ServerProgramTest, StopsInTheMiddleOfABlock) {
  ASSERT_NO_FATAL_FAILURE(Start({kHostile, "hang"}));
  ASSERT_NO_FATAL_FAILURE(Acquire());
  const std::string session = Open("artifact");
  EXPECT_EQ(Workers(folder_.path()), 1);
  absl::Status status;
  std::thread block([&] {
    int samples = 0;
    status = RunBlock(session, &samples);
  });
  Clock::Monotonic()->SleepNanos(kSecond / 5);
  const int64_t start = MonotonicNanos();
  // False if it had to be killed.
  EXPECT_TRUE(farm_->server_program(kDevice)->Stop(3 * kSecond));
  EXPECT_LT(SecondsSince(start), 3);
  block.join();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_EQ(Workers(folder_.path()), 0);
  EXPECT_THAT(WorkerFolders(), testing::IsEmpty());
  // It gave the address back, and starts again with its state.
  const absl::Status again = farm_->StartServer(kDevice);
  EXPECT_TRUE(again.ok()) << again;
}

TEST_F(ServerProgramTest, AKilledServerLeavesNoWorkerAndCleansUp) {
  ASSERT_NO_FATAL_FAILURE(Start({kBench}));
  ASSERT_NO_FATAL_FAILURE(Acquire());
  const std::string artifact = ArtifactBytes();
  Open(artifact);
  EXPECT_EQ(Workers(folder_.path()), 1);
  EXPECT_EQ(WorkerFolders().size(), 1u);
  farm_->KillServer(kDevice);
  const int64_t start = MonotonicNanos();
  while (Workers(folder_.path()) > 0 && SecondsSince(start) < 2) {
    Clock::Monotonic()->SleepNanos(5'000'000);
  }
  EXPECT_EQ(Workers(folder_.path()), 0);
  EXPECT_EQ(WorkerFolders().size(), 1u);
  const absl::Status again = farm_->StartServer(kDevice);
  ASSERT_TRUE(again.ok()) << again;
  EXPECT_THAT(WorkerFolders(), testing::IsEmpty());
  // The next lease works.
  ASSERT_NO_FATAL_FAILURE(Release());
  ASSERT_NO_FATAL_FAILURE(Acquire());
  int samples = 0;
  const absl::Status status = RunBlock(Open(artifact), &samples);
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(samples, 1);
}

TEST_F(ServerProgramTest, WrongFlagsAreExplained) {
  const auto run = [&](const std::vector<std::string>& flags) {
    std::vector<std::string> command = {kServer};
    command.insert(command.end(), flags.begin(), flags.end());
    auto result = runtime::RunProcess(command, {});
    EXPECT_TRUE(result.ok()) << result.status();
    return *std::move(result);
  };
  const auto help = run({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.out, HasSubstr("Example:"));
  EXPECT_EQ(run({}).exit_code, 2);
  const std::string token = PathOf("token");
  ASSERT_TRUE(WriteFileAtomic(token, std::string(64, 'a')).ok());
  ASSERT_EQ(chmod(token.c_str(), 0600), 0);
  const std::vector<std::string> good = {"--name=board-1",
                                         "--key=host",
                                         "--tracker=127.0.0.1:1",
                                         "--plain_text",
                                         "--token_file=" + token,
                                         "--state=" + PathOf("state"),
                                         "--trusted_keys=" + PathOf("keys"),
                                         "--worker=/bin/cat"};
  const auto with = [&](const std::string& flag) {
    std::vector<std::string> flags = good;
    flags.push_back(flag);
    return run(flags);
  };
  const auto keys = run(good);
  EXPECT_EQ(keys.exit_code, 2);
  EXPECT_THAT(keys.err, HasSubstr(PathOf("keys")));
  const auto any = with("--listen=0.0.0.0:9191");
  EXPECT_EQ(any.exit_code, 2);
  EXPECT_THAT(any.err, HasSubstr("--advertise"));
  EXPECT_EQ(with("--worker_memory=much").exit_code, 2);
  EXPECT_EQ(with("--worker_open_files=-1").exit_code, 2);
  // A copy that finds no runfiles, and then has a worker beside it.
  const std::string copy = PathOf("copy");
  ASSERT_TRUE(MakeDirs(copy).ok());
  ASSERT_EQ(runtime::RunProcess({"/bin/cp", kServer, copy + "/server"}, {})
                ->exit_code,
            0);
  std::vector<std::string> command = {
      "/bin/sh", "-c", "cd \"$0\" && exec env -i ./server \"$@\"", copy};
  command.insert(command.end(), good.begin(), good.end() - 1);
  const auto none = runtime::RunProcess(command, {});
  ASSERT_TRUE(none.ok()) << none.status();
  EXPECT_EQ(none->exit_code, 2);
  EXPECT_THAT(none->err, HasSubstr("give --worker"));
  ASSERT_TRUE(WriteFileAtomic(copy + "/bench_artifact", "").ok());
  const auto found = runtime::RunProcess(command, {});
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_THAT(found->err, HasSubstr(PathOf("keys")));  // the next problem
}

}  // namespace
}  // namespace assay::rpc
