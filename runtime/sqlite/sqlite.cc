#include "runtime/sqlite/sqlite.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"

namespace assay::runtime {
namespace {

constexpr int kBusyTimeoutMs = 10'000;

absl::Status ErrorOf(sqlite3* database) {
  const char* path = sqlite3_db_filename(database, "main");
  const bool in_memory = path == nullptr || *path == '\0';
  const std::string message = absl::StrCat(
      in_memory ? "database in memory" : absl::StrCat("`", path, "`"), ": ",
      sqlite3_errmsg(database));
  switch (sqlite3_errcode(database) & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return absl::DataLossError(message);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return absl::UnavailableError(message);
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_READONLY:
      return absl::PermissionDeniedError(message);
    case SQLITE_FULL:
      return absl::ResourceExhaustedError(message);
    default:
      return absl::InternalError(message);
  }
}

}  // namespace

void Statement::Bind(int parameter, absl::string_view text) {
  sqlite3_bind_text(statement_.get(), parameter, text.data(),
                    static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

void Statement::Bind(int parameter, int64_t number) {
  sqlite3_bind_int64(statement_.get(), parameter, number);
}

void Statement::BindBytes(int parameter, absl::string_view bytes) {
  sqlite3_bind_blob64(statement_.get(), parameter, bytes.data(), bytes.size(),
                      SQLITE_TRANSIENT);
}

absl::StatusOr<bool> Statement::Step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return ErrorOf(sqlite3_db_handle(statement_.get()));
}

absl::Status Statement::Run() {
  absl::StatusOr<bool> more = true;
  while (more.ok() && *more) more = Step();
  sqlite3_reset(statement_.get());
  return more.status();
}

std::string Statement::Text(int column) const {
  const auto* text = reinterpret_cast<const char*>(
      sqlite3_column_text(statement_.get(), column));
  if (text == nullptr) return "";
  return std::string(text, static_cast<size_t>(
                               sqlite3_column_bytes(statement_.get(), column)));
}

int64_t Statement::Number(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

absl::string_view Statement::Bytes(int column) const {
  const void* bytes = sqlite3_column_blob(statement_.get(), column);
  if (bytes == nullptr) return "";
  return {static_cast<const char*>(bytes),
          static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

absl::StatusOr<Database> Database::Open(const std::string& path) {
  sqlite3* handle = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &handle,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  if (handle == nullptr) {
    return absl::ResourceExhaustedError(
        absl::StrCat("`", path, "`: out of memory"));
  }
  Database database(handle);
  if (code != SQLITE_OK) return ErrorOf(handle);
  sqlite3_busy_timeout(handle, kBusyTimeoutMs);
  return database;
}

absl::StatusOr<Statement> Database::Prepare(absl::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database_.get(), sql.data(),
                         static_cast<int>(sql.size()), &statement,
                         nullptr) != SQLITE_OK) {
    return ErrorOf(database_.get());
  }
  return Statement(statement);
}

absl::Status Database::Execute(const std::string& sql) {
  if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) !=
      SQLITE_OK) {
    return ErrorOf(database_.get());
  }
  return absl::OkStatus();
}

}  // namespace assay::runtime
