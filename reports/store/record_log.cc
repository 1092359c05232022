#include "reports/store/record_log.h"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "reports/store/checked_line.h"
#include "reports/store/store_files.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

constexpr char kSuffix[] = ".jsonl";

void ReadLine(absl::string_view text, size_t begin, size_t end, int64_t line,
              const std::string& segment, LogContents* contents) {
  const absl::string_view bytes = text.substr(begin, end - begin);
  if (bytes.empty()) return;
  absl::StatusOr<Record> record = ParseRecord(bytes);
  if (record.ok()) {
    contents->entries.push_back({*std::move(record), std::string(IdOf(bytes)),
                                 segment, static_cast<int64_t>(begin),
                                 static_cast<int64_t>(bytes.size())});
    return;
  }
  const bool cut = end == text.size() && !absl::IsOutOfRange(record.status());
  contents->corrupt_records.push_back(
      {segment, line, static_cast<int64_t>(bytes.size()),
       cut ? std::string("is truncated")
           : std::string(record.status().message())});
}

}  // namespace

std::string Describe(const CorruptRecord& corrupt) {
  return absl::StrCat("`", corrupt.segment, ":", corrupt.line,
                      "`: the line of ", corrupt.bytes, " bytes ",
                      corrupt.reason);
}

absl::StatusOr<std::vector<std::string>> ListSegments(
    const std::string& folder) {
  return ListStoreFiles(folder, kSuffix);
}

LogContents ParseSegment(absl::string_view text, const std::string& segment) {
  LogContents contents;
  int64_t line = 1;
  for (size_t begin = 0; begin < text.size(); ++line) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    ReadLine(text, begin, end, line, segment, &contents);
    begin = end + 1;
  }
  return contents;
}

absl::StatusOr<LogContents> ReadSegment(const std::string& folder,
                                        const std::string& segment) {
  const absl::StatusOr<std::string> text = ReadFile(JoinPath(folder, segment));
  if (absl::IsNotFound(text.status())) return text.status();
  // The store is damaged; the user's flags are not wrong.
  if (!text.ok()) return absl::InternalError(text.status().message());
  return ParseSegment(*text, segment);
}

absl::StatusOr<LogContents> ReadLog(const std::string& folder) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<std::string> segments,
                         ListSegments(folder));
  LogContents all;
  std::set<std::string> ids;
  for (const std::string& segment : segments) {
    absl::StatusOr<LogContents> contents = ReadSegment(folder, segment);
    // The segment was removed after the folder was listed.
    if (absl::IsNotFound(contents.status())) continue;
    ASSAY_RETURN_IF_ERROR(contents.status());
    for (Entry& entry : contents->entries) {
      if (ids.insert(entry.id).second) all.entries.push_back(std::move(entry));
    }
    std::move(contents->corrupt_records.begin(),
              contents->corrupt_records.end(),
              std::back_inserter(all.corrupt_records));
  }
  return all;
}

absl::StatusOr<std::unique_ptr<LogWriter>> LogWriter::Create(
    const std::string& folder) {
  ASSAY_RETURN_IF_ERROR(MakeDirs(folder));
  ASSAY_ASSIGN_OR_RETURN(std::string name, NewStoreFile(kSuffix));
  ASSAY_ASSIGN_OR_RETURN(LockedFile file,
                         LockedFile::Create(JoinPath(folder, name)));
  SyncFolder(folder);
  return std::unique_ptr<LogWriter>(
      new LogWriter(std::move(name), std::move(file)));
}

LogWriter::~LogWriter() {
  if (empty_) unlink(file_.path().c_str());
}

absl::Status LogWriter::Append(const Record& record) {
  empty_ = false;
  const std::string text = absl::StrCat(std::exchange(torn_, true) ? "\n" : "",
                                        FormatRecord(record));
  ASSAY_RETURN_IF_ERROR(file_.Append(text));
  torn_ = false;
  return absl::OkStatus();
}

}  // namespace assay::reports
