#include "suites/trials/record_file.h"

#include "absl/strings/str_join.h"
#include "runtime/base/file.h"

namespace assay::suites {

std::string ToField(stats::Verdict value) {
  return std::string(stats::VerdictName(value));
}

bool FromField(const std::string& field, stats::Verdict* value) {
  const absl::StatusOr<stats::Verdict> verdict = stats::ParseVerdict(field);
  if (verdict.ok()) *value = *verdict;
  return verdict.ok();
}

void AddFields(const std::optional<stats::Ratio>& ratio,
               std::vector<std::string>* fields) {
  if (ratio.has_value()) {
    for (const double part : {ratio->value, ratio->lower, ratio->upper}) {
      fields->push_back(ToField(part));
    }
  } else {
    fields->insert(fields->end(), 3, "");
  }
}

bool TakeFields(absl::Span<const std::string>* fields,
                std::optional<stats::Ratio>* ratio) {
  if (fields->size() < 3) return false;
  if (fields->front().empty()) {
    fields->remove_prefix(3);
    return true;
  }
  stats::Ratio& r = ratio->emplace();
  return TakeFields(fields, &r.value) && r.value > 0 &&
         TakeFields(fields, &r.lower) && TakeFields(fields, &r.upper);
}

std::string JoinFields(const std::vector<std::string>& fields) {
  return absl::StrCat(
      absl::StrJoin(fields, ",",
                    [](std::string* line, const std::string& field) {
                      absl::StrAppend(line, reports::CsvField(field));
                    }),
      "\n");
}

absl::Status LineFile::Open(const std::string& path, const std::string& header,
                            std::string* text) {
  absl::StatusOr<std::string> stored = ReadFile(path);
  if (!stored.ok() && !absl::IsNotFound(stored.status())) {
    return stored.status();
  }
  *text = stored.ok() ? *std::move(stored) : "";
  text->resize(text->rfind('\n') + 1);
  if (text->empty()) *text = header;
  ASSAY_RETURN_IF_ERROR(WriteFileAtomic(path, *text));
  path_ = path;
  stream_.open(path, std::ios::app);
  if (!stream_.is_open()) return ErrnoError("append to", path);
  return absl::OkStatus();
}

absl::Status LineFile::Append(const std::string& line) {
  if (path_.empty() || stream_ << line << std::flush) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("cannot write to `", path_, "`"));
}

}  // namespace assay::suites
