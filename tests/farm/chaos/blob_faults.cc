#include "tests/farm/chaos/blob_faults.h"

#include <signal.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/random.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"
#include "tests/farm/chaos/probe_session.h"
#include "tests/farm/chaos/tools/raw_client.h"
#include "tests/farm/chaos/tools/sleeper_artifact.h"

namespace assay {
namespace {

constexpr int64_t kChunk = 1 << 20;
// If nothing was continued, a blob would be sent again by half on average, and
// what is on its way is always lost.
constexpr double kMaxSentAgain = 0.75;

std::string RandomBytes(int64_t size, Rng& rng) {
  std::string bytes(static_cast<size_t>(size), '\0');
  for (char& c : bytes) c = static_cast<char>(rng.NextU64());
  return bytes;
}

// Counts refusals, and notes what was not refused as it should be.
struct Refusals {
  int expected = 0;
  int wrong = 0;
  std::string first_wrong = {};

  void Add(const std::string& what, const absl::Status& status,
           absl::StatusCode code) {
    ++expected;
    if (status.code() == code) return;
    if (++wrong == 1) {
      first_wrong = absl::StrCat(" (", what, ": ", status.ToString(), ")");
    }
  }
};

}  // namespace

absl::StatusOr<FaultRow> CutUploads(ChaosFarm& farm, int mebibytes) {
  ASSAY_ASSIGN_OR_RETURN(const auto session, ProbeSession::Open(&farm));
  TcpRelay& relay = *farm.device_relay(kProbe);
  const int64_t size = mebibytes * kChunk + 12'345;
  Rng rng(7);
  int64_t uploads = 0, different = 0;
  int64_t sent = 0;
  const auto upload = [&]() -> absl::Status {
    const std::string bytes = RandomBytes(size, rng);
    const std::string digest = Sha256Hex(bytes);
    const int64_t before = relay.forwarded();
    ASSAY_RETURN_IF_ERROR(session->Upload(digest, bytes));
    ++uploads;
    sent += relay.forwarded() - before;
    ASSAY_ASSIGN_OR_RETURN(const std::string stored,
                           ReadFile(session->FileOf(digest)));
    different += stored != bytes;
    return absl::OkStatus();
  };
  int64_t connections = relay.connections();
  for (int64_t cut = 1; cut < size; cut += kChunk / 4) {
    relay.ResetAfter(cut);
    ASSAY_RETURN_IF_ERROR(upload());
    relay.ResetAfter(-1);
  }
  // Parts of a blob that are sent again.
  const double resent =
      static_cast<double>(sent) / static_cast<double>(uploads * size) - 1;
  // Another thread cuts the last upload in each chunk.
  std::atomic<bool> done{false};
  absl::Status last;
  std::thread uploader([&] {
    last = upload();
    done = true;
  });
  int in_chunks = 0;
  int64_t next = relay.forwarded() + kChunk / 2;
  while (!done) {
    if (relay.forwarded() >= next && in_chunks < 2 * mebibytes) {
      relay.Reset();
      ++in_chunks;
      next = relay.forwarded() + kChunk / 2;
    }
    SleepSeconds(0.0005);
  }
  uploader.join();
  ASSAY_RETURN_IF_ERROR(last);
  connections = relay.connections() - connections;
  const int64_t cuts = connections;
  FaultRow row;
  row.fault = "upload cut at each chunk, and within chunks";
  row.times = absl::StrCat(uploads, " uploads of ", mebibytes, " MiB");
  row.counted = absl::StrFormat(
      "cuts %d, %d of them in one upload; files that differ 0 = %d; on "
      "average, "
      "%.0f %% of a blob was sent again after a cut",
      cuts, in_chunks, different, 100 * resent);
  row.holds = different == 0 && cuts >= uploads / 2 && in_chunks > 0 &&
              resent < kMaxSentAgain;
  return row;
}

absl::StatusOr<FaultRow> DamageArtifacts(ChaosFarm& farm) {
  ASSAY_ASSIGN_OR_RETURN(const auto session, ProbeSession::Open(&farm));
  const pid_t pid = farm.ServerPid(kProbe);
  Rng rng(8);
  Refusals refusals;
  const std::string good = runtime::Serialize(SleeperArtifact(400'000));
  const std::string digest = Sha256Hex(good);
  ASSAY_RETURN_IF_ERROR(session->Upload(digest, good));
  ASSAY_RETURN_IF_ERROR(session->Run(digest));
  int served = 0;
  const auto serve = [&]() -> absl::Status {
    ASSAY_RETURN_IF_ERROR(session->Upload(digest, good));
    ASSAY_RETURN_IF_ERROR(session->Run(digest));
    ++served;
    return absl::OkStatus();
  };

  const std::string other = RandomBytes(3 * kChunk, rng);
  refusals.Add("another digest",
               session->Upload(Sha256Hex("something else"), other),
               absl::StatusCode::kDataLoss);
  ASSAY_RETURN_IF_ERROR(serve());
  refusals.Add("no signature", session->Run(digest, /*sign=*/false),
               absl::StatusCode::kPermissionDenied);
  ASSAY_RETURN_IF_ERROR(serve());
  refusals.Add("no blob", session->Run(Sha256Hex("nothing")),
               absl::StatusCode::kNotFound);
  for (int i = 0; i < 20; ++i) {
    std::string bad = good;
    if (i < 10) {
      bad.resize(static_cast<size_t>(
          rng.UniformInt(0, static_cast<int64_t>(good.size()) - 1)));
    } else {
      bad = RandomBytes(rng.UniformInt(1, 5000), rng);
    }
    const std::string name = Sha256Hex(bad);
    ASSAY_RETURN_IF_ERROR(session->Upload(name, bad));
    refusals.Add("no artifact", session->Run(name),
                 absl::StatusCode::kInvalidArgument);
  }
  ASSAY_RETURN_IF_ERROR(serve());
  // Damaged on the disk of the device.
  runtime::Artifact artifact = SleeperArtifact(400'000);
  artifact.metadata["model"] = "damaged later";
  const std::string later = runtime::Serialize(artifact);
  const std::string name = Sha256Hex(later);
  ASSAY_RETURN_IF_ERROR(session->Upload(name, later));
  std::string damaged = later;
  damaged[damaged.size() / 2] ^= 1;
  ASSAY_RETURN_IF_ERROR(WriteFileAtomic(session->FileOf(name), damaged));
  refusals.Add("damaged on the disk", session->Run(name),
               absl::StatusCode::kInvalidArgument);
  ASSAY_RETURN_IF_ERROR(serve());
  const bool lives = farm.ServerPid(kProbe) == pid && kill(pid, 0) == 0;
  FaultRow row;
  row.fault = "damaged artifact";
  row.times = absl::StrCat(refusals.expected);
  row.counted = absl::StrFormat(
      "not refused as documented 0 = %d%s; good ones served in between: %d; "
      "server %s",
      refusals.wrong, refusals.first_wrong, served,
      lives ? "lives" : "is dead");
  row.holds = refusals.wrong == 0 && served > 0 && lives;
  return row;
}

namespace {

// Returns what is wrong, or an empty text.
absl::StatusOr<std::string> FillProbe(ChaosFarm& farm, std::string* answers) {
  ASSAY_ASSIGN_OR_RETURN(const auto session, ProbeSession::Open(&farm));
  Rng rng(9);
  const std::string good = runtime::Serialize(SleeperArtifact(400'000));
  const std::string digest = Sha256Hex(good);
  ASSAY_RETURN_IF_ERROR(session->Upload(digest, good));
  const std::string blob = RandomBytes(2 * kChunk, rng);
  ASSAY_RETURN_IF_ERROR(farm.probe_disk()->Fill());
  const absl::Status full = session->Upload(Sha256Hex(blob), blob);
  const absl::Status run = session->Run(digest);
  farm.probe_disk()->Free();
  *answers = absl::StrCat("upload ", absl::StatusCodeToString(full.code()),
                          ", session ", absl::StatusCodeToString(run.code()));
  if (!absl::IsResourceExhausted(full)) {
    return absl::StrCat("an upload: ", full.ToString());
  }
  if (!run.ok() && !absl::IsResourceExhausted(run) && !absl::IsInternal(run)) {
    return absl::StrCat("a session: ", run.ToString());
  }
  ASSAY_RETURN_IF_ERROR(session->Upload(Sha256Hex(blob), blob));
  ASSAY_RETURN_IF_ERROR(session->Run(digest));
  return std::string();
}

absl::StatusOr<std::string> FillTracker(ChaosFarm& farm, std::string* answers) {
  ASSAY_ASSIGN_OR_RETURN(auto options, farm.ClientOf("me"));
  ASSAY_ASSIGN_OR_RETURN(const auto client,
                         RawClient::Open(std::move(options)));
  ASSAY_ASSIGN_OR_RETURN(const RawLease before,
                         client->Acquire(kProbeKey, "", 30));
  ASSAY_RETURN_IF_ERROR(client->Release(before.name));
  ASSAY_RETURN_IF_ERROR(farm.tracker_disk()->Fill());
  // The log of the database has some space left.
  absl::Status refused;
  std::vector<std::thread> threads;
  const int64_t end = MonotonicNanos() + 8'000'000'000;
  while (!absl::StrContains(refused.message(), "cannot store its state") &&
         MonotonicNanos() < end) {
    // The call of the round that is not stored has no answer.
    threads.emplace_back([&client] {
      const auto lease = client->Acquire(kProbeKey, "", 1);
      if (lease.ok()) client->Release(lease->name).IgnoreError();
    });
    SleepSeconds(0.02);
    refused = farm.List().status();
  }
  farm.tracker_disk()->Free();
  absl::StrAppend(answers, ", tracker ",
                  absl::StatusCodeToString(refused.code()));
  for (std::thread& thread : threads) thread.join();
  if (!absl::IsUnavailable(refused) ||
      !absl::StrContains(refused.message(), "cannot store its state")) {
    return absl::StrCat("the tracker answered ", refused.ToString());
  }
  ASSAY_ASSIGN_OR_RETURN(const RawLease after,
                         client->Acquire(kProbeKey, "", 30));
  ASSAY_RETURN_IF_ERROR(client->Release(after.name));
  return after.name.token() > before.name.token()
             ? std::string()
             : std::string("a token was granted twice");
}

}  // namespace

absl::StatusOr<FaultRow> FillDisks(ChaosFarm& farm) {
  if (farm.probe_disk() == nullptr) {
    return absl::UnimplementedError(
        "this machine does not permit a mount namespace");
  }
  const pid_t server = farm.ServerPid(kProbe), tracker = farm.TrackerPid();
  std::string answers;
  ASSAY_ASSIGN_OR_RETURN(std::string problem, FillProbe(farm, &answers));
  if (problem.empty()) {
    ASSAY_ASSIGN_OR_RETURN(problem, FillTracker(farm, &answers));
  }
  const bool live = farm.Check().ok() && farm.ServerPid(kProbe) == server &&
                    farm.TrackerPid() == tracker;
  FaultRow row;
  row.fault = "disk full, of a device and of the tracker";
  row.times = "1 + 1";
  row.counted =
      absl::StrCat("while full: ", answers,
                   "; OK afterwards: ", problem.empty() ? "yes" : problem,
                   "; both processes ", live ? "live" : "do not live");
  row.holds = problem.empty() && live;
  return row;
}

}  // namespace assay
