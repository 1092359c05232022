#include "rpc/security/token_file.h"

#include <openssl/err.h>
#include <openssl/rand.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "rpc/names/names.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr int64_t kCheckNanos = 1000000000;
// After an error of the file, its last good version is used for this time.
constexpr int64_t kGraceNanos = 60 * kCheckNanos;
constexpr int64_t kMaxFileBytes = int64_t{32} << 20;
constexpr size_t kMaxEntries = 100'000;

absl::StatusOr<Role> ParseRole(absl::string_view text) {
  for (const Role role : {Role::kAdmin, Role::kDevice, Role::kUser}) {
    if (text == RoleName(role)) return role;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("the role `", absl::CHexEscape(text),
                   "` is none of `admin`, `device` and `user`"));
}

}  // namespace

const char* RoleName(Role role) {
  switch (role) {
    case Role::kAdmin:
      return "admin";
    case Role::kDevice:
      return "device";
    case Role::kUser:
      return "user";
  }
  return "unknown";
}

absl::StatusOr<std::string> NewToken() {
  unsigned char random[32];
  if (RAND_bytes(random, sizeof(random)) != 1) {
    ERR_clear_error();
    return absl::InternalError("cannot create a token: RAND_bytes() failed");
  }
  return absl::BytesToHexString(
      absl::string_view(reinterpret_cast<const char*>(random), sizeof(random)));
}

absl::StatusOr<std::string> TokenLine(Role role, absl::string_view name,
                                      absl::string_view token) {
  ASSAY_RETURN_IF_ERROR(CheckName(RoleName(role), name));
  // The messages do not contain the token, because it is a secret.
  if (token.size() < kMinTokenLength || token.size() > kMaxTokenLength) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the token of `", name, "` has ", token.size(), " characters, and not ",
        kMinTokenLength, " to ", kMaxTokenLength));
  }
  if (!std::all_of(token.begin(), token.end(), [](char c) {
        return absl::ascii_isgraph(static_cast<unsigned char>(c));
      })) {
    return absl::InvalidArgumentError(
        absl::StrCat("the token of `", name,
                     "` contains a character that is not printable ASCII"));
  }
  return absl::StrCat(RoleName(role), " ", name, " ", Sha256Hex(token), "\n");
}

absl::StatusOr<std::unique_ptr<TokenFile>> TokenFile::Open(
    const std::string& path, Clock* clock) {
  std::unique_ptr<TokenFile> file(new TokenFile(path, clock));
  const std::lock_guard<std::mutex> lock(file->mutex_);
  ASSAY_ASSIGN_OR_RETURN(const Version version, VersionOf(path));
  ASSAY_RETURN_IF_ERROR(file->Load(version));
  return file;
}

TokenFile::TokenFile(std::string path, Clock* clock)
    : path_(std::move(path)),
      clock_(clock),
      checked_nanos_(clock->NowNanos()),
      good_nanos_(checked_nanos_) {}

absl::StatusOr<Identity> TokenFile::Identify(absl::string_view token) {
  const absl::Status unknown =
      absl::UnauthenticatedError("the token is not known");
  if (token.size() < kMinTokenLength || token.size() > kMaxTokenLength) {
    return unknown;
  }
  std::shared_ptr<const Entries> entries;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    Refresh();
    if (!IsUsable()) {
      return absl::UnauthenticatedError(
          "the file of tokens has not been valid for a minute, so no token is");
    }
    entries = entries_;
  }
  const auto found = entries->find(Sha256Hex(token));
  if (found == entries->end()) return unknown;
  return found->second;
}

bool TokenFile::IsUsable() const {
  return last_error_.ok() || clock_->NowNanos() - good_nanos_ < kGraceNanos;
}

TokenFile::Health TokenFile::Check() {
  const std::lock_guard<std::mutex> lock(mutex_);
  Refresh();
  return {last_error_, IsUsable()};
}

absl::StatusOr<TokenFile::Entries> TokenFile::Parse(absl::string_view text,
                                                    const std::string& path) {
  Entries entries;
  int line_number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++line_number;
    line = absl::StripAsciiWhitespace(line);
    if (line.empty() || line[0] == '#') continue;
    absl::StatusOr<Entry> entry = ParseLine(line);
    if (entry.ok() && entries.contains(entry->digest)) {
      entry = absl::InvalidArgumentError("an earlier line has the same token");
    }
    if (!entry.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", line_number, " of `", path,
                       "` is not valid: ", entry.status().message()));
    }
    if (entries.size() >= kMaxEntries) {
      return absl::ResourceExhaustedError(
          absl::StrCat("`", path, "` has more than ", kMaxEntries, " entries"));
    }
    entries[entry->digest] = std::move(entry->identity);
  }
  return entries;
}

absl::StatusOr<TokenFile::Entry> TokenFile::ParseLine(absl::string_view line) {
  const std::vector<absl::string_view> fields =
      absl::StrSplit(line, absl::ByAnyChar(" \t"), absl::SkipEmpty());
  if (fields.size() != 3) {
    return absl::InvalidArgumentError(
        absl::StrCat("it has ", fields.size(),
                     " fields instead of a role, a name and a "
                     "digest"));
  }
  Entry entry;
  ASSAY_ASSIGN_OR_RETURN(entry.identity.role, ParseRole(fields[0]));
  ASSAY_RETURN_IF_ERROR(CheckName(fields[0], fields[1]));
  entry.identity.name = std::string(fields[1]);
  // The field is not repeated: somebody may have written the token itself.
  if (!IsSha256Hex(fields[2])) {
    return absl::InvalidArgumentError(
        absl::StrCat("the third field of `", fields[1],
                     "` is not 64 lower-case hexadecimal digits"));
  }
  entry.digest = std::string(fields[2]);
  return entry;
}

absl::StatusOr<TokenFile::Version> TokenFile::VersionOf(
    const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return ErrnoError("inspect", path);
  Version version;
  version.inode = static_cast<int64_t>(info.st_ino);
  version.size = info.st_size;
  version.seconds = info.st_mtim.tv_sec;
  version.nanos = info.st_mtim.tv_nsec;
  return version;
}

bool TokenFile::Same(const Version& a, const Version& b) {
  return a.inode == b.inode && a.size == b.size && a.seconds == b.seconds &&
         a.nanos == b.nanos;
}

// Reads the file, which had this version before. If it changes meanwhile, the
// next check sees another version.
absl::Status TokenFile::Load(const Version& version) {
  version_ = {};
  ASSAY_ASSIGN_OR_RETURN(const std::string text,
                         ReadFile(path_, kMaxFileBytes));
  version_ = version;
  ASSAY_ASSIGN_OR_RETURN(Entries entries, Parse(text, path_));
  entries_ = std::make_shared<const Entries>(std::move(entries));
  return absl::OkStatus();
}

void TokenFile::Refresh() {
  const int64_t now = clock_->NowNanos();
  if (now - checked_nanos_ < kCheckNanos) return;
  checked_nanos_ = now;
  const absl::StatusOr<Version> version = VersionOf(path_);
  if (!version.ok()) {
    version_ = {};
    last_error_ = version.status();
  } else if (!Same(*version, version_)) {
    last_error_ = Load(*version);
  }
  if (last_error_.ok()) good_nanos_ = now;
}

}  // namespace assay::rpc
