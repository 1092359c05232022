#include "suites/tensors/zip_archive.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "minizip/unzip.h"
#include "minizip/zip.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

using frontend::Malformed;
using frontend::Quote;
using frontend::Unsupported;

// Methods of compression.
constexpr int kStored = 0;
constexpr int kDeflated = 8;
// Bits of the flags of a member.
constexpr unsigned kEncrypted = 1;
constexpr unsigned kUtf8Name = 1 << 11;

// Larger sizes are stored in ZIP64 fields, which minizip does not read.
constexpr uint64_t kMaxMemberBytes = (uint64_t{1} << 31) - 1;
constexpr uint64_t kMaxArchiveBytes = (uint64_t{1} << 32) - 2;
// Upper bound of the bytes that an archive needs for itself and for a member,
// other than names and contents.
constexpr uint64_t kOverheadBytes = 128;
// One call of minizip inflates at most this number of bytes.
constexpr size_t kMaxChunkBytes = size_t{1} << 30;

// 1 January 1980, the first date that the format can express: archives with the
// same members are equal whenever they are written.
constexpr unsigned kDosDate = (1 << 5 | 1) << 16;

// The functions by which minizip opens a file: `open` instead of fopen(), which
// gets `opaque`, and those of <cstdio>.
zlib_filefunc64_def FileFunctions(open64_file_func open, void* opaque) {
  zlib_filefunc64_def functions = {};
  fill_fopen64_filefunc(&functions);
  functions.zopen64_file = open;
  functions.opaque = opaque;
  return functions;
}

// Opens a std::string for reading.
voidpf OpenBytes(voidpf opaque, const void* /*name*/, int /*mode*/) {
  auto& bytes = *static_cast<std::string*>(opaque);
  return fmemopen(bytes.data(), bytes.size(), "rb");
}

// Memory that grows as it is written. It is complete when the file is closed.
struct Buffer {
  char* data = nullptr;
  size_t size = 0;
};

// Opens a Buffer for writing.
voidpf OpenBuffer(voidpf opaque, const void* /*name*/, int /*mode*/) {
  auto& buffer = *static_cast<Buffer*>(opaque);
  return open_memstream(&buffer.data, &buffer.size);
}

absl::Status DamagedDirectory() {
  return Malformed("is a ZIP archive with a damaged directory");
}

absl::Status CheckName(absl::string_view name) {
  if (!name.empty() && name.size() <= kMaxZipNameBytes &&
      name.find('\0') == absl::string_view::npos) {
    return absl::OkStatus();
  }
  return Malformed("cannot have a member called ", Quote(name));
}

bool IsAscii(absl::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 128;
  });
}

// Returns an error code of minizip.
int Append(zipFile zip, const ZipContent& member) {
  zip_fileinfo info = {};
  info.dosDate = kDosDate;
  // The settings of compression have no effect.
  const int opened = zipOpenNewFileInZip4_64(
      zip, member.name.c_str(), &info, /*extrafield_local=*/nullptr, 0,
      /*extrafield_global=*/nullptr, 0, /*comment=*/nullptr, kStored,
      /*level=*/0, /*raw=*/0, /*windowBits=*/-15, /*memLevel=*/8,
      /*strategy=*/0, /*password=*/nullptr, /*crcForCrypting=*/0,
      /*versionMadeBy=*/0, IsAscii(member.name) ? 0 : kUtf8Name, /*zip64=*/0);
  if (opened != ZIP_OK) return opened;
  const int written = zipWriteInFileInZip(
      zip, member.content.data(), static_cast<unsigned>(member.content.size()));
  return written != ZIP_OK ? written : zipCloseFileInZip(zip);
}

}  // namespace

struct ZipArchive::Reader {
  Reader() = default;
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() {
    if (handle != nullptr) unzClose(handle);
  }

  std::string bytes;
  unzFile handle = nullptr;
  std::vector<unz64_file_pos> positions;  // of the members
};

namespace {

// Returns true if the record at the end of the archive is whole: 22 bytes, of
// which the last two are the length of the comment that follows. minizip reads
// the missing bytes of a record as zeros.
bool HasWholeEnd(const std::string& bytes) {
  constexpr char kSignature[] = "PK\x05\x06";
  constexpr size_t kRecordBytes = 22;
  const size_t at = bytes.rfind(kSignature);
  if (at == std::string::npos || bytes.size() - at < kRecordBytes) return false;
  const size_t low = static_cast<unsigned char>(bytes[at + 20]);
  const size_t high = static_cast<unsigned char>(bytes[at + 21]);
  return bytes.size() - at - kRecordBytes >= low + high * 256;
}

}  // namespace

ZipArchive::ZipArchive(std::unique_ptr<Reader> reader)
    : reader_(std::move(reader)) {}
ZipArchive::ZipArchive(ZipArchive&&) noexcept = default;
ZipArchive& ZipArchive::operator=(ZipArchive&&) noexcept = default;
ZipArchive::~ZipArchive() = default;

absl::StatusOr<ZipArchive> ZipArchive::Open(std::string bytes) {
  ZipArchive archive(std::make_unique<Reader>());
  Reader& reader = *archive.reader_;
  reader.bytes = std::move(bytes);
  zlib_filefunc64_def functions = FileFunctions(OpenBytes, &reader.bytes);
  reader.handle = unzOpen2_64("", &functions);
  if (reader.handle == nullptr || !HasWholeEnd(reader.bytes)) {
    return Malformed("is no ZIP archive with members, or is cut short");
  }
  unz_global_info64 info = {};
  if (unzGetGlobalInfo64(reader.handle, &info) != UNZ_OK) {
    return DamagedDirectory();
  }
  // minizip refuses an empty archive only if nothing precedes it.
  if (info.number_entry == 0) {
    return Malformed("is no ZIP archive with members, or is cut short");
  }
  if (info.number_entry > kMaxZipMembers) {
    return Unsupported("has ", info.number_entry, " members; at most ",
                       kMaxZipMembers, " are supported");
  }
  for (ZPOS64_T i = 0; i < info.number_entry; ++i) {
    const int moved = i == 0 ? unzGoToFirstFile(reader.handle)
                             : unzGoToNextFile(reader.handle);
    if (moved != UNZ_OK) return DamagedDirectory();
    ASSAY_RETURN_IF_ERROR(archive.AddMember());
  }
  return archive;
}

// Adds the member to which the handle points.
absl::Status ZipArchive::AddMember() {
  unz_file_info64 info = {};
  char name[kMaxZipNameBytes + 1];
  unz64_file_pos position = {};
  if (unzGetCurrentFileInfo64(reader_->handle, &info, name, sizeof(name),
                              /*extraField=*/nullptr, 0, /*szComment=*/nullptr,
                              0) != UNZ_OK ||
      unzGetFilePos64(reader_->handle, &position) != UNZ_OK) {
    return DamagedDirectory();
  }
  if (info.size_filename > kMaxZipNameBytes) {
    return Unsupported("has a member whose name has ", info.size_filename,
                       " bytes; at most ", kMaxZipNameBytes, " are supported");
  }
  Member member;
  member.name = std::string(name, info.size_filename);
  member.size = info.uncompressed_size;
  const std::string label =
      absl::StrCat("has a member ", Quote(member.name), " that ");
  if ((info.flag & kEncrypted) != 0) {
    return Unsupported(label, "is encrypted");
  }
  if (info.compression_method != kStored &&
      info.compression_method != kDeflated) {
    return Unsupported(label, "is compressed by method ",
                       info.compression_method,
                       "; only stored and deflated members are supported");
  }
  if (member.size > kMaxMemberBytes || info.compressed_size > kMaxMemberBytes) {
    return Unsupported(label, "has 2 GiB or more, which is not supported");
  }
  if (info.compressed_size > reader_->bytes.size()) {
    return Malformed(label, "is cut short");
  }
  if (info.compression_method == kStored &&
      info.compressed_size != member.size) {
    return Malformed(label, "is stored, but has two different sizes");
  }
  for (const Member& other : members_) {
    if (other.name == member.name) return Malformed(label, "occurs twice");
  }
  reader_->positions.push_back(position);
  members_.push_back(std::move(member));
  return absl::OkStatus();
}

absl::StatusOr<std::string> ZipArchive::Read(size_t member,
                                             uint64_t max_bytes) const {
  CHECK_LT(member, members_.size());
  const auto damaged = [&] {
    return Malformed("has a damaged member ", Quote(members_[member].name));
  };
  const unzFile handle = reader_->handle;
  if (unzGoToFilePos64(handle, &reader_->positions[member]) != UNZ_OK ||
      unzOpenCurrentFile(handle) != UNZ_OK) {
    return damaged();
  }
  std::string content(
      static_cast<size_t>(std::min(members_[member].size, max_bytes)), '\0');
  size_t done = 0;
  while (done < content.size()) {
    const size_t chunk = std::min(content.size() - done, kMaxChunkBytes);
    const int count = unzReadCurrentFile(handle, &content[done],
                                         static_cast<unsigned>(chunk));
    if (count <= 0) {
      unzCloseCurrentFile(handle);
      return damaged();
    }
    done += static_cast<size_t>(count);
  }
  // Compares the checksum if all was read.
  if (unzCloseCurrentFile(handle) != UNZ_OK) return damaged();
  return content;
}

absl::StatusOr<std::string> WriteZip(const std::vector<ZipContent>& members) {
  uint64_t bytes = kOverheadBytes;
  for (const ZipContent& member : members) {
    ASSAY_RETURN_IF_ERROR(CheckName(member.name));
    bytes += kOverheadBytes + 2 * member.name.size() + member.content.size();
  }
  if (bytes > kMaxArchiveBytes) {
    return Unsupported("would have 4 GiB or more, which is not supported");
  }
  Buffer buffer;
  zlib_filefunc64_def functions = FileFunctions(OpenBuffer, &buffer);
  const zipFile zip = zipOpen2_64("", APPEND_STATUS_CREATE,
                                  /*globalcomment=*/nullptr, &functions);
  CHECK(zip != nullptr) << "out of memory";
  int error = ZIP_OK;
  for (const ZipContent& member : members) {
    if (error == ZIP_OK) error = Append(zip, member);
  }
  const int closed = zipClose(zip, /*global_comment=*/nullptr);
  // Writing to memory does not fail.
  CHECK(error == ZIP_OK && closed == ZIP_OK) << error << " and " << closed;
  const std::unique_ptr<char, void (*)(void*)> owner(buffer.data, std::free);
  return std::string(buffer.data, buffer.size);
}

}  // namespace assay::suites
