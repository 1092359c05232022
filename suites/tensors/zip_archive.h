// ZipArchive: reads ZIP files; WriteZip(): writes them. Both work in memory,
// with minizip.
//
// The reader supports archives in one part whose members are stored or
// deflated, which is what all libraries write for NumPy. It rejects encrypted
// members, other methods of compression, members of 2 GiB and more, several
// members with the same name, and archives without members. The name of a
// member is only text for the caller to compare; it is never used as a path.
//
// The file is not trusted: a member is inflated only as far as the caller
// requests, so a small archive cannot make the program use much memory. The
// checksum of a member is verified when it is read to its end.
//
// Errors describe the problem without a subject, as in "is no ZIP archive";
// callers add the name of the file.
//
//   ASSAY_ASSIGN_OR_RETURN(ZipArchive archive, ZipArchive::Open(bytes));
//   for (size_t i = 0; i < archive.members().size(); ++i) {
//     if (archive.members()[i].size > kMaxBytes) return TooLarge();
//     ASSAY_ASSIGN_OR_RETURN(std::string content, archive.Read(i, kMaxBytes));
//   }
//
// Source: APPNOTE.TXT, the ZIP file format specification of PKWARE.
#ifndef ASSAY_SUITES_TENSORS_ZIP_ARCHIVE_H_
#define ASSAY_SUITES_TENSORS_ZIP_ARCHIVE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace assay::suites {

// Archives with more members, or with a longer name of a member, are rejected.
constexpr uint64_t kMaxZipMembers = 4096;
constexpr size_t kMaxZipNameBytes = 1024;

class ZipArchive {
 public:
  struct Member {
    std::string name;   // not validated; may be a path or contain any byte
    uint64_t size = 0;  // in bytes, of the content, as the archive states it
  };

  // Reads the directory of the archive in `bytes`, the content of a file.
  // Returns InvalidArgument if it is malformed, and Unimplemented if it uses a
  // feature that is not supported.
  static absl::StatusOr<ZipArchive> Open(std::string bytes);

  ZipArchive(ZipArchive&&) noexcept;
  ZipArchive& operator=(ZipArchive&&) noexcept;
  ~ZipArchive();

  const std::vector<Member>& members() const { return members_; }

  // Returns the first `max_bytes` bytes of a member, or all if it has fewer.
  // Returns InvalidArgument if the data is damaged. Not thread-safe.
  absl::StatusOr<std::string> Read(size_t member, uint64_t max_bytes) const;

 private:
  struct Reader;
  explicit ZipArchive(std::unique_ptr<Reader> reader);

  absl::Status AddMember();

  std::unique_ptr<Reader> reader_;
  std::vector<Member> members_;
};

// A member to write.
struct ZipContent {
  std::string name;
  std::string content;
};

// Returns an archive of `members`, which are stored without compression. Equal
// members give equal bytes. Returns InvalidArgument if a name is empty, has
// more than kMaxZipNameBytes bytes or contains a zero byte, and Unimplemented
// if the archive would have 4 GiB or more.
absl::StatusOr<std::string> WriteZip(const std::vector<ZipContent>& members);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TENSORS_ZIP_ARCHIVE_H_
