// RecordFile: a CSV file to which a long measurement appends a line per result,
// so that it can be continued after it was stopped.
//
//   struct Sample {
//     static constexpr char kKind[] = "a sample";  // for error messages
//     static constexpr char kColumns[] = "name,seconds";
//     template <typename Self>
//     static auto Fields(Self& self) {  // in the order of kColumns
//       return std::tie(self.name, self.seconds);
//     }
//     std::string name;
//     double seconds = 0;
//   };
//   ASSAY_ASSIGN_OR_RETURN(auto file, RecordFile<Sample>::Open(path));
//   ASSAY_RETURN_IF_ERROR(file.Append({"add", 0.5}));
//
// A line has a field for each column: a string, a number, `1` or `0` for a
// bool, or the name of a verdict. A ratio has three columns: its value and the
// bounds of its interval. Fields of an optional without a value are empty.
// Other types have functions ToField() and FromField() in their namespace.
// Strings that SameParameters() compares must have no newlines, because a
// newline in a field becomes a space.
#ifndef ASSAY_SUITES_TRIALS_RECORD_FILE_H_
#define ASSAY_SUITES_TRIALS_RECORD_FILE_H_

#include <fstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "reports/render/csv_field.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"
#include "suites/trials/record_fields.h"

namespace assay::suites {

// Returns the line of a record (JoinFields). CHECK-fails if the record has not
// one field for each column.
template <typename Record>
std::string RecordLine(const Record& record) {
  std::vector<std::string> fields;
  std::apply([&](const auto&... value) { (AddFields(value, &fields), ...); },
             Record::Fields(record));
  CHECK_EQ(fields.size(), reports::SplitCsvLine(Record::kColumns).size())
      << "fields and columns of " << Record::kKind;
  return JoinFields(fields);
}

// Parses the text of a file. Returns InvalidArgument with the number of the
// line if a line is malformed.
template <typename Record>
absl::StatusOr<std::vector<Record>> ParseRecords(absl::string_view text) {
  std::vector<Record> records;
  int number = 0;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    if (line.empty() || line == Record::kColumns) continue;
    const std::vector<std::string> fields = reports::SplitCsvLine(line);
    absl::Span<const std::string> rest = fields;
    Record record;
    const bool sound = std::apply(
        [&](auto&... value) { return (TakeFields(&rest, &value) && ...); },
        Record::Fields(record));
    if (!sound || !rest.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "line ", number, " is not ", Record::kKind, ": `", line, "`"));
    }
    records.push_back(std::move(record));
  }
  return records;
}

// A file to which lines are appended. Before Open(), Append() does nothing.
class LineFile {
 public:
  // Opens the file at `path` and sets `*text` to its text. An incomplete last
  // line, which a stopped program leaves, is removed. A file without lines is
  // created with `header`, which must end in a newline.
  absl::Status Open(const std::string& path, const std::string& header,
                    std::string* text);
  // Appends `line`, which must end in a newline.
  absl::Status Append(const std::string& line);

 private:
  std::string path_;
  std::ofstream stream_;
};

template <typename Record>
class RecordFile {
 public:
  // Opens or creates the file at `path` and reads its records. If `path` is
  // empty, nothing is stored. Errors of a malformed file have the path.
  static absl::StatusOr<RecordFile> Open(const std::string& path) {
    RecordFile file;
    if (path.empty()) return file;
    std::string text;
    ASSAY_RETURN_IF_ERROR(
        file.lines_.Open(path, absl::StrCat(Record::kColumns, "\n"), &text));
    absl::StatusOr<std::vector<Record>> records = ParseRecords<Record>(text);
    if (!records.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", path, "`: ", records.status().message()));
    }
    file.records_ = *std::move(records);
    return file;
  }

  absl::Status Append(const Record& record) {
    const std::string line = RecordLine(record);
    // Keep the rounded numbers of the file, so that reports are the same later.
    ASSAY_ASSIGN_OR_RETURN(const std::vector<Record> rounded,
                           ParseRecords<Record>(line));
    records_.insert(records_.end(), rounded.begin(), rounded.end());
    return lines_.Append(line);
  }

  // The records in the file, and those that were appended.
  const std::vector<Record>& records() const { return records_; }

  // Returns true if SameParameters(record, planned) for one of the records.
  bool Has(const Record& planned) const {
    return absl::c_any_of(records_, [&planned](const Record& record) {
      return SameParameters(record, planned);
    });
  }

 private:
  std::vector<Record> records_;
  LineFile lines_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TRIALS_RECORD_FILE_H_
