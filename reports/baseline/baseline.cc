#include "reports/baseline/baseline.h"

#include <libfccp/csv.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "reports/render/csv_field.h"
#include "runtime/base/check.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

constexpr std::array<const char*, 2> kFirstNames = {"model", "device"};
constexpr std::array<const char*, 16> kLastNames = {
    "threads",         "samples", "mean_ms",         "std_ms",
    "median_ms",       "p99_ms",  "robust_sigma_ms", "model_digest",
    "artifact_digest", "state",   "sample_digest",   "commit",
    "program_digest",  "command", "blessed_at",      "reason"};

constexpr size_t CountReported() {
  size_t count = 0;
  for (const Dimension& dimension : kDimensions) count += IsReported(dimension);
  return count;
}

constexpr size_t kColumns =
    kFirstNames.size() + CountReported() + kLastNames.size();

// The columns between kFirstNames and kLastNames are the dimensions.
constexpr std::array<const char*, kColumns> ColumnNames() {
  std::array<const char*, kColumns> names = {};
  size_t next = 0;
  for (const char* name : kFirstNames) names[next++] = name;
  for (const Dimension& dimension : kDimensions) {
    if (IsReported(dimension)) names[next++] = dimension.name;
  }
  for (const char* name : kLastNames) names[next++] = name;
  return names;
}

constexpr std::array<const char*, kColumns> kNames = ColumnNames();

constexpr char kPreamble[] =
    "# Written by `--bless`; see reports/baseline/baseline.h.\n";

constexpr int64_t kMaxBaselineBytes = int64_t{64} << 20;

// The fields of a line, in the order of kNames.
using Fields = std::array<std::string, kColumns>;

std::string Number(double value) { return absl::StrFormat("%.6g", value); }

Fields ToFields(const BaselineRow& row) {
  Fields fields;
  size_t next = 0;
  const auto add = [&](std::string field) {
    fields.at(next++) = std::move(field);
  };
  add(row.key.model);
  add(row.key.device);
  for (const Dimension& dimension : kDimensions) {
    if (IsReported(dimension)) add(dimension.NameOf(row.key.variant));
  }
  add(absl::StrCat(row.key.threads));
  add(absl::StrCat(row.timing.count));
  for (const double value : {row.timing.mean, row.timing.std, row.timing.median,
                             row.timing.p99, row.timing.robust_sigma}) {
    add(Number(value));
  }
  for (const std::string& text :
       {row.model_digest, row.artifact_digest, row.state, row.sample_digest,
        row.commit, row.program_digest, row.command, row.blessed_at,
        row.reason}) {
    add(text);
  }
  CHECK_EQ(next, fields.size());
  return fields;
}

// Parses the fields of a line in order and keeps the first error.
class FieldReader {
 public:
  explicit FieldReader(const Fields& fields) : fields_(fields) {}

  std::string Text() { return fields_[next_++]; }

  // Sets the value of a dimension.
  void Value(const Dimension& dimension, Variant* variant) {
    if (!dimension.Set(fields_[next_], variant)) {
      Fail(absl::StrCat("none of `", absl::StrJoin(dimension.Names(), "`, `"),
                        "`"));
    }
    ++next_;
  }

  int64_t Count() {
    int64_t value = 0;
    if (!absl::SimpleAtoi(fields_[next_], &value) || value < 1 ||
        value > std::numeric_limits<int>::max()) {
      Fail("not a positive integer");
    }
    ++next_;
    return value;
  }

  double Milliseconds(bool may_be_zero) {
    double value = 0;
    // SimpleAtod also accepts `inf` and `nan`.
    if (!absl::SimpleAtod(fields_[next_], &value) || !std::isfinite(value) ||
        value < 0 || (value == 0 && !may_be_zero)) {
      Fail(may_be_zero ? "not a number of at least zero"
                       : "not a number above zero");
    }
    ++next_;
    return value;
  }

  const absl::Status& status() const { return status_; }

 private:
  void Fail(absl::string_view what) {
    if (!status_.ok()) return;
    status_ = absl::InvalidArgumentError(absl::StrCat(
        "column `", kNames[next_], "`: `", fields_[next_], "` is ", what));
  }

  const Fields& fields_;
  int next_ = 0;
  absl::Status status_;
};

absl::StatusOr<BaselineRow> FromFields(const Fields& fields) {
  BaselineRow row;
  FieldReader r(fields);
  row.key.model = r.Text();
  row.key.device = r.Text();
  for (const Dimension& dimension : kDimensions) {
    if (IsReported(dimension)) r.Value(dimension, &row.key.variant);
  }
  row.key.threads = static_cast<int>(r.Count());
  row.timing.count = r.Count();
  row.timing.mean = r.Milliseconds(/*may_be_zero=*/false);
  row.timing.std = r.Milliseconds(/*may_be_zero=*/true);
  row.timing.median = r.Milliseconds(/*may_be_zero=*/false);
  row.timing.p99 = r.Milliseconds(/*may_be_zero=*/false);
  row.timing.robust_sigma = r.Milliseconds(/*may_be_zero=*/true);
  row.model_digest = r.Text();
  row.artifact_digest = r.Text();
  row.state = r.Text();
  row.sample_digest = r.Text();
  row.commit = r.Text();
  row.program_digest = r.Text();
  row.command = r.Text();
  row.blessed_at = r.Text();
  row.reason = r.Text();
  ASSAY_RETURN_IF_ERROR(r.status());
  return row;
}

using Reader =
    io::CSVReader<kColumns, io::trim_chars<' ', '\t'>,
                  io::double_quote_escape<',', '"'>, io::throw_on_overflow,
                  io::single_and_empty_line_comment<'#'>>;

// Returns the value of a column that older files lack, because it is that of a
// newer dimension; an empty text for other columns.
std::string DefaultOf(absl::string_view column) {
  for (const Dimension& dimension : kDimensions) {
    if (column != dimension.name || dimension.states_default) continue;
    return dimension.NameOf(Variant());
  }
  return "";
}

absl::Status ReadRows(Reader& csv, absl::string_view path, Baseline* rows) {
  std::set<CellKey> keys;
  Fields f;
  for (size_t i = 0; i < kColumns; ++i) f[i] = DefaultOf(kNames[i]);
  while (
      std::apply([&](auto&... field) { return csv.read_row(field...); }, f)) {
    const std::string place =
        absl::StrCat("`", path, ":", csv.get_file_line(), "`: ");
    absl::StatusOr<BaselineRow> row = FromFields(f);
    if (!row.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat(place, row.status().message()));
    }
    if (!keys.insert(row->key).second) {
      return absl::InvalidArgumentError(
          absl::StrCat(place, "a second row for the same cell"));
    }
    rows->push_back(*std::move(row));
  }
  return absl::OkStatus();
}

template <size_t... kIndex>
absl::Status ReadHeader(Reader& csv, absl::string_view path,
                        std::index_sequence<kIndex...>) {
  csv.read_header(io::ignore_missing_column, kNames[kIndex]...);
  for (const size_t i : {kIndex...}) {
    if (csv.has_column(kNames[i]) || !DefaultOf(kNames[i]).empty()) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "`", path, "`: the header has no column `", kNames[i], "`"));
  }
  return absl::OkStatus();
}

}  // namespace

std::string SampleDigest(const std::vector<double>& samples) {
  std::string text;
  for (const double sample : samples) {
    absl::StrAppendFormat(&text, "%.17g\n", sample);
  }
  return Sha256Hex(text).substr(0, 16);
}

std::string BaselinePath(const std::string& folder, absl::string_view suite,
                         absl::string_view fingerprint) {
  return JoinPath(JoinPath(folder, suite), absl::StrCat(fingerprint, ".csv"));
}

absl::StatusOr<Baseline> ParseBaseline(absl::string_view text,
                                       absl::string_view path) {
  Baseline rows;
  const char* begin = text.empty() ? "" : text.data();
  try {
    Reader csv("", begin, begin + text.size());
    ASSAY_RETURN_IF_ERROR(
        ReadHeader(csv, path, std::make_index_sequence<kColumns>()));
    ASSAY_RETURN_IF_ERROR(ReadRows(csv, path, &rows));
  } catch (const io::error::too_few_columns& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", path, ":", error.file_line,
                     "`: there are fewer columns than in the header"));
  } catch (const io::error::too_many_columns& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", path, ":", error.file_line,
                     "`: there are more columns than in the header"));
  } catch (const io::error::escaped_string_not_closed& error) {
    return absl::InvalidArgumentError(absl::StrCat(
        "`", path, ":", error.file_line, "`: a quote is not closed"));
  } catch (const io::error::extra_column_in_header& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", path, "`: the header has the unknown column `",
                     error.column_name, "`"));
  } catch (const std::exception& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", path, "`: ", error.what()));
  }
  return rows;
}

absl::StatusOr<Baseline> ReadBaseline(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadFile(path, kMaxBaselineBytes);
  if (absl::IsNotFound(text.status())) return Baseline();
  ASSAY_RETURN_IF_ERROR(text.status());
  return ParseBaseline(*text, path);
}

std::string FormatBaseline(Baseline rows) {
  std::sort(
      rows.begin(), rows.end(),
      [](const BaselineRow& a, const BaselineRow& b) { return a.key < b.key; });
  std::string csv = absl::StrCat(kPreamble, absl::StrJoin(kNames, ","), "\n");
  for (size_t i = 0; i < rows.size(); ++i) {
    CHECK(i == 0 || rows[i - 1].key < rows[i].key) << rows[i].key.model;
    absl::StrAppend(
        &csv,
        absl::StrJoin(ToFields(rows[i]), ",",
                      [](std::string* out, const std::string& field) {
                        absl::StrAppend(out, CsvField(field));
                      }),
        "\n");
  }
  return csv;
}

absl::Status UpdateBaseline(const std::string& path, const Baseline& rows) {
  for (const BaselineRow& row : rows) {
    for (const std::string& field : ToFields(row)) {
      if (field.find_first_of("\r\n\0", 0, 3) != std::string::npos) {
        return absl::InvalidArgumentError(absl::StrCat(
            "a baseline cannot hold the line break in `", field, "`"));
      }
    }
  }
  const size_t slash = path.rfind('/');
  const std::string folder =
      slash == std::string::npos ? "." : path.substr(0, slash + 1);
  ASSAY_RETURN_IF_ERROR(MakeDirs(folder));
  ASSAY_ASSIGN_OR_RETURN(const FolderLock lock, FolderLock::Acquire(folder));
  ASSAY_ASSIGN_OR_RETURN(Baseline all, ReadBaseline(path));
  for (const BaselineRow& row : rows) {
    const auto same = std::find_if(
        all.begin(), all.end(),
        [&](const BaselineRow& old) { return old.key == row.key; });
    if (same == all.end()) {
      all.push_back(row);
    } else {
      *same = row;
    }
  }
  return WriteFileAtomic(path, FormatBaseline(std::move(all)));
}

const BaselineRow* FindRow(const Baseline& baseline, const CellKey& key) {
  for (const BaselineRow& row : baseline) {
    if (row.key == key) return &row;
  }
  return nullptr;
}

}  // namespace assay::reports
