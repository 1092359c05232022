#include "runtime/base/hash_file.h"

#include <cstdio>
#include <memory>
#include <vector>

#include "absl/strings/string_view.h"
#include "runtime/base/file.h"

namespace assay {

absl::StatusOr<int64_t> HashFile(const std::string& path, Sha256& sha) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      std::fopen(path.c_str(), "rbe"), std::fclose);
  if (file == nullptr) return ErrnoError("open", path);
  std::vector<char> buffer(size_t{1} << 20);
  int64_t bytes = 0;
  while (const size_t count =
             std::fread(buffer.data(), 1, buffer.size(), file.get())) {
    sha.Update({buffer.data(), count});
    bytes += static_cast<int64_t>(count);
  }
  if (std::ferror(file.get()) != 0) return ErrnoError("read", path);
  return bytes;
}

}  // namespace assay
