// BlobStore: keeps blobs (artifacts and tensor files) in a folder of the device
// server. A blob is identified by the SHA-256 of its contents, so clients that
// need the same blob share one file.
//
//   const auto store = *BlobStore::Open("/var/lib/assay/blobs", limits);
//   BlobState state = *store->Find(digest);
//   while (state.kind != BlobState::Kind::kComplete) {
//     state = *store->Append(digest, size, state.bytes, next_chunk);
//   }
//   const BlobPin pin = *store->Pin(digest);
//   Load(pin.path());
//
// All arguments may come from hostile clients. The folder contains
//   <digest>               a complete blob
//   <digest>.<size>.part   an unfinished upload of a blob of `size` bytes
// A digest is exactly 64 lower-case hexadecimal digits, so no other text of a
// client can become a part of a path. Files with other names are ignored.
//
// Crashes: Append() writes to the `.part` file, and renames it when all bytes
// are there, their digest is right and they are on the disk. Therefore a blob
// is visible only if it is right, and there are no other temporary files. An
// unfinished upload continues after a crash at the size of its file. Bytes that
// a power failure has damaged are detected at the end, because the digest is
// computed from the file.
//
// Time: ages are counted by the monotonic clock given to Open(), from the last
// use or from Open(), whichever is later. The order of use survives in the
// modification times of the files. These are wall-clock times, but each is
// later than all earlier ones even if the wall clock was set back, and only
// their order is used. Hence a jump of the wall clock changes nothing.
//
// All functions are thread-safe, and return InvalidArgument for a malformed
// digest. Writing chunks and computing digests do not block other calls.
#ifndef ASSAY_RPC_SERVER_BLOB_STORE_H_
#define ASSAY_RPC_SERVER_BLOB_STORE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "runtime/base/clock.h"

namespace assay::rpc {

// All are positive. Unfinished uploads count as blobs of their full size.
struct BlobLimits {
  int64_t max_blob_bytes = int64_t{1} << 30;
  int64_t max_total_bytes = int64_t{8} << 30;
  int64_t max_blobs = 4096;
  int64_t max_uploads = 64;
  // An unfinished upload expires if nothing was appended for this time.
  int64_t max_upload_age_nanos = int64_t{15} * 60 * 1000000000;
  // A complete blob expires if it was not used for this time.
  int64_t max_unused_age_nanos = int64_t{30} * 24 * 3600 * 1000000000;
};

// The part of a blob that the store has.
struct BlobState {
  enum class Kind { kAbsent, kPartial, kComplete };
  Kind kind = Kind::kAbsent;
  int64_t bytes = 0;  // bytes that are there; the offset of the next chunk
  int64_t size = 0;   // size of the whole blob; 0 if it is absent
};

struct BlobUsage {
  int64_t blobs = 0;    // complete ones
  int64_t uploads = 0;  // unfinished ones
  int64_t bytes = 0;    // of both, with the full sizes of uploads
};

// Numbers of what Collect() has removed.
struct Collected {
  int64_t blobs = 0;
  int64_t uploads = 0;
  int64_t failures = 0;  // files that could not be removed
};

class BlobStore;

// A BlobPin prevents the removal of a complete blob until it is destroyed. The
// store must outlive it.
class BlobPin {
 public:
  BlobPin(BlobPin&& other) noexcept;
  BlobPin& operator=(BlobPin other) noexcept;
  ~BlobPin();

  // The file of the blob, which must not be changed.
  const std::string& path() const { return path_; }

 private:
  friend class BlobStore;
  BlobPin(BlobStore* store, std::string digest, std::string path);

  BlobStore* store_;  // null after a move
  std::string digest_;
  std::string path_;
};

class BlobStore {
 public:
  // Creates the folder if it is missing. Completes or removes uploads whose
  // bytes are all there, and removes uploads that cannot be continued. Removes
  // no complete blobs, even if the limits are lower than before. Returns
  // Unavailable if another process or BlobStore has opened the folder.
  static absl::StatusOr<std::unique_ptr<BlobStore>> Open(
      const std::string& folder, const BlobLimits& limits,
      Clock* clock = Clock::Monotonic());
  BlobStore(const BlobStore&) = delete;
  ~BlobStore();  // CHECK-fails if there are pins

  // Counts as a use of a complete blob. Without a pin, the blob may be removed
  // as soon as another upload needs its place.
  absl::StatusOr<BlobState> Find(absl::string_view digest);

  // Appends a chunk, which may be empty, to the upload of the blob of `size`
  // bytes, and completes the blob with its last byte. If there is no upload
  // yet, one is started. To make room for it, the least recently used blobs
  // without pins are removed and, if that is not enough, the least recently
  // written uploads: claims must not keep others from uploading. If the blob is
  // complete already, the chunk is ignored. Returns the new state. Errors leave
  // the upload as it was unless they say that it is removed:
  //   InvalidArgument     the chunk is not within the size
  //   FailedPrecondition  the upload continues at another offset, which the
  //                       message says; or was started with another size
  //   Unavailable         another call is writing this upload; ask Find() for
  //                       the offset later
  //   ResourceExhausted   a limit, checked before anything is written; or the
  //                       disk is full: ask Find() for the offset later
  //   DataLoss            the digest is wrong; the upload is removed
  //   Internal            the disk failed, or another program has changed the
  //                       file; the upload is removed if it is damaged
  // The call for the last chunk reads the whole file and may take seconds.
  absl::StatusOr<BlobState> Append(absl::string_view digest, int64_t size,
                                   int64_t offset, absl::string_view bytes);

  // Removes an unfinished upload, for example because an earlier client started
  // it with a wrong size. Returns NotFound if there is none, and Unavailable
  // while another call is writing it.
  absl::Status Discard(absl::string_view digest);

  // Returns NotFound if the blob is absent or unfinished.
  absl::StatusOr<BlobPin> Pin(absl::string_view digest);

  // Removes expired uploads and blobs and, if there are too many, the least
  // recently used blobs; none with a pin, and no upload that is being written.
  Collected Collect();
  BlobUsage usage() const;

 private:
  friend class BlobPin;
  struct Blob {
    int64_t size = 0;
    int64_t used_nanos = 0;  // by the monotonic clock
    int64_t mark = 0;        // the modification time; ascends with each use
    int pins = 0;
  };
  struct Upload {
    int64_t size = 0;
    int64_t bytes = 0;
    int64_t written_nanos = 0;  // by the monotonic clock
    bool busy = false;          // a call is writing the file
  };
  using Blobs = std::map<std::string, Blob>;
  using Uploads = std::map<std::string, Upload>;

  BlobStore(std::string folder, int folder_fd, const BlobLimits& limits,
            Clock* clock);
  absl::Status Load();
  void LoadFile(const std::string& name);
  void Unpin(const std::string& digest);

  // These require the mutex.
  void MarkUsed(const std::string& digest, Blob* blob);
  Blob* Existing(const std::string& digest);
  absl::Status Reserve(const std::string& digest, int64_t size, int64_t offset);
  absl::Status MakeRoom(const std::string& digest, int64_t size);
  void Shrink(int64_t max_bytes, int64_t max_blobs, Collected* collected);
  std::vector<Blobs::iterator> UnpinnedByUse();
  BlobUsage Count() const;

  const std::string folder_;
  const int folder_fd_;  // holds the lock
  const BlobLimits limits_;
  Clock* const clock_;
  mutable absl::Mutex mutex_;
  Blobs blobs_;
  Uploads uploads_;
  int64_t last_mark_ = 0;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_BLOB_STORE_H_
