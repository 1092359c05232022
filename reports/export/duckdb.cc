#include "reports/export/duckdb.h"

#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/dynamic_library.h"

namespace assay::reports {
namespace {

using runtime::DynamicLibrary;

// The types of DuckDB's C API (duckdb.h of version 1.5) that are passed by
// value. Handles are pointers to opaque structures.
using Handle = void*;
using Index = uint64_t;
enum State : int { kSuccess = 0, kError = 1 };
struct Result {
  Index deprecated_column_count;
  Index deprecated_row_count;
  Index deprecated_rows_changed;
  void* deprecated_columns;
  char* deprecated_error_message;
  void* internal_data;
};

// The result of a query, which is freed in all cases.
template <typename Destroy>
struct ScopedResult {
  explicit ScopedResult(Destroy* destroy) : destroy(destroy) {}
  ScopedResult(const ScopedResult&) = delete;
  ScopedResult& operator=(const ScopedResult&) = delete;
  ~ScopedResult() { destroy(&result); }

  Destroy* destroy;
  Result result = {};
};

}  // namespace

struct Duckdb::Library {
  State (*open)(const char* path, Handle* database);
  void (*close)(Handle* database);
  State (*connect)(Handle database, Handle* connection);
  void (*disconnect)(Handle* connection);
  State (*query)(Handle connection, const char* sql, Result* result);
  void (*destroy_result)(Result* result);
  const char* (*result_error)(Result* result);
  Index (*column_count)(Result* result);
  Index (*row_count)(Result* result);
  bool (*value_is_null)(Result* result, Index column, Index row);
  char* (*value_varchar)(Result* result, Index column, Index row);
  void (*free_memory)(void* memory);
  State (*appender_create)(Handle connection, const char* schema,
                           const char* table, Handle* appender);
  State (*append_text)(Handle appender, const char* text, Index length);
  State (*append_null)(Handle appender);
  State (*end_row)(Handle appender);
  State (*appender_flush)(Handle appender);
  const char* (*appender_error)(Handle appender);
  State (*appender_destroy)(Handle* appender);

  absl::Status Load(const DynamicLibrary& from) {
    const auto find = [&](const char* name, auto** function) {
      return from.Find(name, function);
    };
    ASSAY_RETURN_IF_ERROR(find("duckdb_open", &open));
    ASSAY_RETURN_IF_ERROR(find("duckdb_close", &close));
    ASSAY_RETURN_IF_ERROR(find("duckdb_connect", &connect));
    ASSAY_RETURN_IF_ERROR(find("duckdb_disconnect", &disconnect));
    ASSAY_RETURN_IF_ERROR(find("duckdb_query", &query));
    ASSAY_RETURN_IF_ERROR(find("duckdb_destroy_result", &destroy_result));
    ASSAY_RETURN_IF_ERROR(find("duckdb_result_error", &result_error));
    ASSAY_RETURN_IF_ERROR(find("duckdb_column_count", &column_count));
    ASSAY_RETURN_IF_ERROR(find("duckdb_row_count", &row_count));
    ASSAY_RETURN_IF_ERROR(find("duckdb_value_is_null", &value_is_null));
    ASSAY_RETURN_IF_ERROR(find("duckdb_value_varchar", &value_varchar));
    ASSAY_RETURN_IF_ERROR(find("duckdb_free", &free_memory));
    ASSAY_RETURN_IF_ERROR(find("duckdb_appender_create", &appender_create));
    ASSAY_RETURN_IF_ERROR(find("duckdb_append_varchar_length", &append_text));
    ASSAY_RETURN_IF_ERROR(find("duckdb_append_null", &append_null));
    ASSAY_RETURN_IF_ERROR(find("duckdb_appender_end_row", &end_row));
    ASSAY_RETURN_IF_ERROR(find("duckdb_appender_flush", &appender_flush));
    ASSAY_RETURN_IF_ERROR(find("duckdb_appender_error", &appender_error));
    return find("duckdb_appender_destroy", &appender_destroy);
  }
};

absl::StatusOr<std::unique_ptr<Duckdb>> Duckdb::Open() {
  std::error_code error;
  const std::string program =
      std::filesystem::read_symlink("/proc/self/exe", error).string();
  const absl::StatusOr<DynamicLibrary> library =
      DynamicLibrary::OpenWheel(program, "duckdb");
  if (!library.ok()) {
    return absl::UnavailableError(
        absl::StrCat("DuckDB is needed: ", library.status().message()));
  }
  std::unique_ptr<Duckdb> duckdb(new Duckdb());
  duckdb->library_ = std::make_unique<Library>();
  Library& f = *duckdb->library_;
  ASSAY_RETURN_IF_ERROR(f.Load(*library));
  if (f.open(nullptr, &duckdb->database_) != kSuccess ||
      f.connect(duckdb->database_, &duckdb->connection_) != kSuccess) {
    return absl::InternalError("DuckDB cannot create a database in memory");
  }
  ASSAY_RETURN_IF_ERROR(
      duckdb->Run("SET autoinstall_known_extensions = false"));
  ASSAY_RETURN_IF_ERROR(duckdb->Run("SET autoload_known_extensions = false"));
  return duckdb;
}

Duckdb::~Duckdb() {
  if (library_ == nullptr) return;
  if (connection_ != nullptr) library_->disconnect(&connection_);
  if (database_ != nullptr) library_->close(&database_);
}

absl::Status Duckdb::Run(const std::string& sql) { return Query(sql).status(); }

absl::StatusOr<std::vector<Duckdb::TextRow>> Duckdb::Query(
    const std::string& sql) {
  const Library& f = *library_;
  ScopedResult scoped(f.destroy_result);
  Result* const result = &scoped.result;
  if (f.query(connection_, sql.c_str(), result) != kSuccess) {
    const char* message = f.result_error(result);
    return absl::InternalError(
        absl::StrCat("DuckDB: ", message == nullptr ? "no reason" : message));
  }
  std::vector<TextRow> rows(f.row_count(result));
  for (Index i = 0; i < rows.size(); ++i) {
    for (Index column = 0; column < f.column_count(result); ++column) {
      if (f.value_is_null(result, column, i)) {
        rows[i].push_back(std::nullopt);
        continue;
      }
      char* const text = f.value_varchar(result, column, i);
      rows[i].push_back(text == nullptr ? "" : text);
      f.free_memory(text);
    }
  }
  return rows;
}

absl::Status Duckdb::Append(const std::string& table,
                            const std::vector<TextRow>& rows) {
  const Library& f = *library_;
  Handle appender = nullptr;
  bool ok = f.appender_create(connection_, nullptr, table.c_str(), &appender) ==
            kSuccess;
  for (size_t i = 0; ok && i < rows.size(); ++i) {
    for (const std::optional<std::string>& text : rows[i]) {
      ok = ok && (text.has_value()
                      ? f.append_text(appender, text->data(), text->size())
                      : f.append_null(appender)) == kSuccess;
    }
    ok = ok && f.end_row(appender) == kSuccess;
  }
  ok = ok && f.appender_flush(appender) == kSuccess;
  absl::Status status;
  if (!ok) {
    const char* message =
        appender == nullptr ? nullptr : f.appender_error(appender);
    status = absl::InternalError(
        absl::StrCat("DuckDB: cannot append to `", table,
                     "`: ", message == nullptr ? "no reason" : message));
  }
  f.appender_destroy(&appender);
  return status;
}

std::string SqlText(absl::string_view text) {
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"'", "''"}}), "'");
}

std::string SqlName(absl::string_view name) {
  return absl::StrCat("\"", absl::StrReplaceAll(name, {{"\"", "\"\""}}), "\"");
}

}  // namespace assay::reports
