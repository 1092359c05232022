#include "rpc/server/worker/remove_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};
using Folder = std::unique_ptr<DIR, CloseFolder>;

// Entries that are removed between two readings of a folder.
constexpr size_t kBatch = 1000;

// Gives the owner of a folder all permissions. Changes nothing else, in
// particular not the target of a link.
void MakeAccessible(int parent, const char* name) {
  struct stat info;
  if (fstatat(parent, name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
      S_ISDIR(info.st_mode) && (info.st_mode & S_IRWXU) != S_IRWXU) {
    fchmodat(parent, name, S_IRWXU, 0);
  }
}

// Returns null and sets errno if this is not a folder, also if it is a link to
// one.
Folder OpenFolder(int parent, const char* name) {
  MakeAccessible(parent, name);
  const int fd =
      openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return nullptr;
  Folder folder(fdopendir(fd));
  if (folder == nullptr) close(fd);
  return folder;
}

// Returns the names of some entries.
std::vector<std::string> SomeEntries(DIR* folder) {
  std::vector<std::string> names;
  rewinddir(folder);
  while (names.size() < kBatch) {
    const dirent* entry = readdir(folder);
    if (entry == nullptr) break;
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  return names;
}

class Remover {
 public:
  explicit Remover(std::string path) : path_(std::move(path)) {}

  // Removes everything in the folder.
  void Empty(DIR* folder) {
    // Each round removes something, or is the last one.
    while (true) {
      const std::vector<std::string> names = SomeEntries(folder);
      bool progress = false;
      for (const std::string& name : names) {
        if (RemoveEntry(folder, name)) progress = true;
      }
      if (names.empty() || !progress) return;
    }
  }

  const absl::Status& status() const { return status_; }

 private:
  // Removes a file, or a folder that is empty.
  static bool Unlink(int parent, const std::string& name) {
    return unlinkat(parent, name.c_str(), 0) == 0 ||
           unlinkat(parent, name.c_str(), AT_REMOVEDIR) == 0;
  }

  // Removes an entry of `folder`. If it is a folder, empties it by moving the
  // folders in it to `folder`. Returns false if nothing has changed.
  bool RemoveEntry(DIR* folder, const std::string& name) {
    const int parent = dirfd(folder);
    if (Unlink(parent, name)) return true;
    const Folder child = OpenFolder(parent, name.c_str());
    if (child == nullptr) return Failed();
    bool changed = false;
    while (true) {
      const std::vector<std::string> names = SomeEntries(child.get());
      bool progress = false;
      for (const std::string& inner : names) {
        if (Unlink(dirfd(child.get()), inner) ||
            MoveUp(dirfd(child.get()), inner, parent)) {
          progress = true;
        }
      }
      changed = changed || progress;
      if (names.empty() || !progress) break;
    }
    if (Unlink(parent, name)) return true;
    return changed || Failed();
  }

  bool MoveUp(int from, const std::string& name, int to) {
    // A folder can be moved only if it can be written.
    MakeAccessible(from, name.c_str());
    while (true) {
      const std::string moved = absl::StrCat("moved-", ++moved_);
      struct stat info;
      if (fstatat(to, moved.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0) continue;
      return renameat(from, name.c_str(), to, moved.c_str()) == 0;
    }
  }

  bool Failed() {
    if (status_.ok()) status_ = ErrnoError("remove what is in", path_);
    return false;
  }

  const std::string path_;
  int64_t moved_ = 0;
  absl::Status status_;
};

}  // namespace

absl::Status RemoveContents(const std::string& path) {
  const Folder folder = OpenFolder(AT_FDCWD, path.c_str());
  if (folder == nullptr) return ErrnoError("open", path);
  Remover remover(path);
  remover.Empty(folder.get());
  return remover.status();
}

absl::Status RemoveTree(const std::string& path) {
  if (unlink(path.c_str()) == 0 || errno == ENOENT) return absl::OkStatus();
  if (rmdir(path.c_str()) == 0) return absl::OkStatus();
  ASSAY_RETURN_IF_ERROR(RemoveContents(path));
  return rmdir(path.c_str()) == 0 ? absl::OkStatus()
                                  : ErrnoError("remove", path);
}

}  // namespace assay::rpc
