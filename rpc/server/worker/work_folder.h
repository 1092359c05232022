// WorkRoot and WorkFolder: the folders in which workers write.
//
//   ASSAY_ASSIGN_OR_RETURN(const auto root, WorkRoot::Open("/run/assay/work"));
//   ASSAY_ASSIGN_OR_RETURN(WorkFolder folder, root->Create());
//   … start a worker with the folder …
//   ASSAY_RETURN_IF_ERROR(folder.CopyIn(blob, "inputs"));
//   ASSAY_ASSIGN_OR_RETURN(WorkFile file, folder.Open("outputs-0", max_bytes));
//
// A worker is hostile. It may replace every file in its folder at any time by a
// link, a pipe or a folder, make files large, or make many of them. Therefore
// files are opened without following links and without waiting, checked to be
// regular, and limited before they are read. CheckUsage() is to be called while
// a worker runs.
//
// A folder is removed with its object, and folders that an earlier process has
// left behind are removed by WorkRoot::Open().
#ifndef ASSAY_RPC_SERVER_WORKER_WORK_FOLDER_H_
#define ASSAY_RPC_SERVER_WORKER_WORK_FOLDER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/base/descriptor.h"

namespace assay::rpc {

// A file that is open for reading. Its size was checked, but it can change.
class WorkFile {
 public:
  WorkFile(Descriptor fd, int64_t size) : fd_(std::move(fd)), size_(size) {}

  int64_t size() const { return size_; }
  // Reads the next `bytes` bytes. Returns DataLoss if there are fewer.
  absl::StatusOr<std::string> Read(size_t bytes);

 private:
  Descriptor fd_;
  int64_t size_;
};

class WorkFolder {
 public:
  WorkFolder(WorkFolder&& other) noexcept;
  WorkFolder& operator=(WorkFolder&&) = delete;
  // Removes the folder. No process may use it any more.
  ~WorkFolder();

  const std::string& path() const { return path_; }

  // Replaces the file `name` by a copy of the file `from`. `name` must not come
  // from the network.
  absl::Status CopyIn(const std::string& from, const std::string& name);

  // Opens a file that the worker has written. Returns NotFound if there is
  // none, Internal if it is not a regular file, and ResourceExhausted if it is
  // larger than `max_bytes`.
  absl::StatusOr<WorkFile> Open(const std::string& name, int64_t max_bytes);

  void Remove(const std::string& name);

 private:
  friend class WorkRoot;
  WorkFolder(std::string path, Descriptor fd)
      : path_(std::move(path)), fd_(std::move(fd)) {}

  std::string path_;  // empty after a move
  Descriptor fd_;
};

// Returns ResourceExhausted if the files in the folder have more than
// `max_bytes` bytes on the disk, if there are more than `max_files`, or if
// there is a folder among them, which no worker needs.
absl::Status CheckUsage(const std::string& folder, int64_t max_bytes,
                        int64_t max_files);

class WorkRoot {
 public:
  // Creates the folder, readable for its owner only, or removes everything that
  // is in it. Nothing else may be in it, and no other process may use it.
  static absl::StatusOr<std::unique_ptr<WorkRoot>> Open(
      const std::string& path);
  WorkRoot(const WorkRoot&) = delete;
  WorkRoot& operator=(const WorkRoot&) = delete;

  const std::string& path() const { return path_; }

  absl::StatusOr<WorkFolder> Create();

 private:
  explicit WorkRoot(std::string path) : path_(std::move(path)) {}

  const std::string path_;
  int64_t created_ = 0;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_WORKER_WORK_FOLDER_H_
