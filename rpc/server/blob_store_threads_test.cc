// Threads that use one BlobStore at the same time, with the clock of the
// system.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "rpc/server/blob_store.h"
#include "runtime/base/file.h"
#include "runtime/base/random.h"
#include "runtime/base/sha256.h"

namespace assay::rpc {
namespace {

using Kind = BlobState::Kind;

std::string RandomBytes(Rng& rng, size_t size) {
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(rng.NextU64());
  return bytes;
}

void OpenStore(const std::string& folder, const BlobLimits& limits,
               std::unique_ptr<BlobStore>* store) {
  store->reset();
  auto opened = BlobStore::Open(folder, limits);
  ASSERT_TRUE(opened.ok()) << opened.status();
  *store = *std::move(opened);
}

TEST(BlobStoreThreadsTest, WritersOfTheSameBlobCooperate) {
  const TempDir dir = *TempDir::CreateInMemory("blob_store_threads_test");
  std::unique_ptr<BlobStore> store;
  OpenStore(dir.path(), BlobLimits(), &store);
  Rng rng(2);
  const std::string contents = RandomBytes(rng, 300000);
  const std::string digest = Sha256Hex(contents);
  const auto upload = [&] {
    while (true) {
      const BlobState state = *store->Find(digest);
      if (state.kind == Kind::kComplete) break;
      const auto next =
          store->Append(digest, 300000, state.bytes,
                        absl::string_view(contents).substr(
                            static_cast<size_t>(state.bytes), 1000));
      if (next.ok()) continue;
      EXPECT_TRUE(absl::IsUnavailable(next.status()) ||
                  absl::IsFailedPrecondition(next.status()))
          << next.status();
      std::this_thread::yield();
    }
  };
  std::thread first(upload);
  std::thread second(upload);
  first.join();
  second.join();
  EXPECT_TRUE(*ReadFile(JoinPath(dir.path(), digest)) == contents);
}

TEST(BlobStoreThreadsTest, SurvivesRandomUploadsAndCollections) {
  constexpr uint64_t kSeed = 3;
  const TempDir dir = *TempDir::CreateInMemory("blob_store_threads_test");
  BlobLimits limits;
  limits.max_blob_bytes = 20000;
  limits.max_total_bytes = 60000;
  limits.max_blobs = 8;
  limits.max_uploads = 4;
  limits.max_upload_age_nanos = 20 * 1000000;
  limits.max_unused_age_nanos = 50 * 1000000;
  std::unique_ptr<BlobStore> store;
  OpenStore(dir.path(), limits, &store);
  std::vector<std::string> blobs;
  Rng sizes(kSeed);
  for (int i = 0; i < 12; ++i) {
    blobs.push_back(
        RandomBytes(sizes, static_cast<size_t>(sizes.UniformInt(0, 20000))));
  }
  std::atomic<int> verified{0};

  const auto work = [&](uint64_t seed) {
    Rng rng(seed);
    for (int i = 0; i < 200; ++i) {
      const std::string& blob =
          blobs[static_cast<size_t>(rng.UniformInt(0, 11))];
      const std::string digest = Sha256Hex(blob);
      const int64_t size = static_cast<int64_t>(blob.size());
      const int64_t action = rng.UniformInt(0, 15);
      if (action == 0) {
        EXPECT_EQ(store->Collect().failures, 0);
        continue;
      }
      if (action == 1) {
        const absl::Status status = store->Discard(digest);
        EXPECT_TRUE(status.ok() || absl::IsNotFound(status) ||
                    absl::IsUnavailable(status))
            << status;
        continue;
      }
      const BlobState state = *store->Find(digest);
      if (state.kind == Kind::kComplete) {
        const auto pin = store->Pin(digest);
        EXPECT_TRUE(pin.ok() || absl::IsNotFound(pin.status()));
        if (!pin.ok()) continue;
        const auto contents = ReadFile(pin->path());
        EXPECT_TRUE(contents.ok() && *contents == blob) << contents.status();
        ++verified;
        continue;
      }
      const int64_t rest = size - state.bytes;
      const int64_t length =
          action < 10 ? rest : rng.UniformInt(std::min<int64_t>(rest, 1), rest);
      std::string chunk = blob.substr(static_cast<size_t>(state.bytes),
                                      static_cast<size_t>(length));
      if (action == 2 && !chunk.empty()) chunk[0] ^= 1;
      const auto next = store->Append(digest, size, state.bytes, chunk);
      EXPECT_TRUE(next.ok() || absl::IsUnavailable(next.status()) ||
                  absl::IsFailedPrecondition(next.status()) ||
                  absl::IsResourceExhausted(next.status()) ||
                  absl::IsDataLoss(next.status()))
          << next.status();
    }
  };
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < 8; ++i) threads.emplace_back(work, kSeed + 1 + i);
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(verified, 0);

  const BlobUsage usage = store->usage();
  EXPECT_LE(usage.bytes, limits.max_total_bytes);
  EXPECT_LE(usage.blobs + usage.uploads, limits.max_blobs);
  OpenStore(dir.path(), limits, &store);
  EXPECT_EQ(store->usage().blobs, usage.blobs);
  EXPECT_EQ(store->usage().uploads, usage.uploads);
  EXPECT_EQ(store->usage().bytes, usage.bytes);
  for (const std::string& blob : blobs) {
    const std::string path = JoinPath(dir.path(), Sha256Hex(blob));
    if (FileExists(path)) {
      EXPECT_TRUE(*ReadFile(path) == blob);
    }
  }
}

}  // namespace
}  // namespace assay::rpc
