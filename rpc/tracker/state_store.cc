#include "rpc/tracker/state_store.h"

#include <algorithm>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "rpc/tracker/records.h"
#include "rpc/tracker/usage_window.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc::tracker {
namespace {

using runtime::Database;
using runtime::Statement;

// Version of the tables; increment it when they change.
constexpr int64_t kVersion = 1;
constexpr char kTables[] = R"(
CREATE TABLE devices (device TEXT PRIMARY KEY, key TEXT, quarantine TEXT);
CREATE TABLE leases (
  token INTEGER PRIMARY KEY, device TEXT, key TEXT, user TEXT, ticket TEXT);
CREATE TABLE requests (
  ticket TEXT PRIMARY KEY, user TEXT, key TEXT, priority INTEGER,
  place INTEGER);
CREATE TABLE usage (
  user TEXT, minute INTEGER, nanos INTEGER, PRIMARY KEY (user, minute));
CREATE TABLE tokens (id INTEGER PRIMARY KEY CHECK (id = 0), reserved INTEGER);
)";
// Was added later; earlier programs ignore it.
constexpr char kRestarts[] =
    "CREATE TABLE IF NOT EXISTS restarts ("
    "  token INTEGER PRIMARY KEY, boot TEXT, nanos INTEGER)";
constexpr char kBootFile[] = "/proc/sys/kernel/random/boot_id";

absl::StatusOr<int64_t> ReadNumber(Database& database, absl::string_view sql) {
  ASSAY_ASSIGN_OR_RETURN(Statement query, database.Prepare(sql));
  ASSAY_ASSIGN_OR_RETURN(const bool row, query.Step());
  return row ? query.Number(0) : 0;
}

absl::Status CreateTables(Database& database, const std::string& path) {
  ASSAY_ASSIGN_OR_RETURN(const int64_t version,
                         ReadNumber(database, "PRAGMA user_version"));
  if (version == kVersion) return database.Execute(kRestarts);
  if (version != 0) {
    return absl::FailedPreconditionError(
        absl::StrCat("`", path, "` has version ", version,
                     ", but this program reads version ", kVersion));
  }
  return database.Execute(absl::StrCat("BEGIN;", kTables, kRestarts,
                                       "; PRAGMA user_version = ", kVersion,
                                       "; COMMIT"));
}

// Calls `read` for each row of the result.
template <typename Read>
absl::Status ForEachRow(Database& database, absl::string_view sql,
                        const Read& read) {
  ASSAY_ASSIGN_OR_RETURN(Statement query, database.Prepare(sql));
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool row, query.Step());
    if (!row) return absl::OkStatus();
    read(query);
  }
}

bool ReservesTokens(const Event& event) {
  return std::holds_alternative<TokensWanted>(event);
}

}  // namespace

struct StateStore::Writer {
  Statements& sql;
  const std::string& boot;

  absl::Status operator()(const RequestQueued& event) {
    const Request& request = event.request;
    sql.put_request.Bind(1, request.ticket);
    sql.put_request.Bind(2, request.user);
    sql.put_request.Bind(3, request.key);
    sql.put_request.Bind(4, request.priority);
    sql.put_request.Bind(5, request.order);
    return sql.put_request.Run();
  }
  absl::Status operator()(const RequestEnded& event) {
    return Drop(sql.drop_request, event.request.ticket);
  }
  absl::Status operator()(const RequestMoved&) { return absl::OkStatus(); }
  absl::Status operator()(const LeaseGranted& event) {
    const Lease& lease = event.lease;
    ASSAY_RETURN_IF_ERROR(Drop(sql.drop_request, lease.ticket));
    sql.put_lease.Bind(1, lease.token);
    sql.put_lease.Bind(2, lease.device);
    sql.put_lease.Bind(3, lease.key);
    sql.put_lease.Bind(4, lease.user);
    sql.put_lease.Bind(5, lease.ticket);
    return sql.put_lease.Run();
  }
  absl::Status operator()(const LeaseContinues& event) {
    if (event.lease.restart_nanos == 0) return DropRestart(event.lease);
    sql.put_restart.Bind(1, event.lease.token);
    sql.put_restart.Bind(2, boot);
    sql.put_restart.Bind(3, event.lease.restart_nanos);
    return sql.put_restart.Run();
  }
  absl::Status operator()(const LeaseEnded& event) {
    sql.drop_lease.Bind(1, event.lease.token);
    ASSAY_RETURN_IF_ERROR(sql.drop_lease.Run());
    return DropRestart(event.lease);
  }
  absl::Status operator()(const DeviceChanged& event) {
    sql.put_device.Bind(1, event.record.device);
    sql.put_device.Bind(2, event.record.key);
    sql.put_device.Bind(3, event.record.quarantine);
    return sql.put_device.Run();
  }
  absl::Status operator()(const DeviceRemoved& event) {
    return Drop(sql.drop_device, event.device);
  }
  absl::Status operator()(const UsageChanged& event) {
    sql.put_usage.Bind(1, event.record.user);
    sql.put_usage.Bind(2, event.record.minute);
    sql.put_usage.Bind(3, event.record.nanos);
    ASSAY_RETURN_IF_ERROR(sql.put_usage.Run());
    sql.drop_usage.Bind(1, event.record.minute - UsageWindow::kMinutes);
    return sql.drop_usage.Run();
  }
  absl::Status operator()(const TokensWanted& event) {
    sql.put_tokens.Bind(1, event.until);
    return sql.put_tokens.Run();
  }

  absl::Status DropRestart(const Lease& lease) {
    sql.drop_restart.Bind(1, lease.token);
    return sql.drop_restart.Run();
  }
  static absl::Status Drop(Statement& statement, const std::string& name) {
    statement.Bind(1, name);
    return statement.Run();
  }
};

absl::StatusOr<StateStore> StateStore::Open(const std::string& path) {
  ASSAY_ASSIGN_OR_RETURN(Database database, Database::Open(path));
  // The exclusive lock is taken by the first access and kept. The write-ahead
  // log survives the death of the process without a synchronization.
  ASSAY_RETURN_IF_ERROR(
      database.Execute("PRAGMA locking_mode = EXCLUSIVE;"
                       "PRAGMA journal_mode = WAL;"
                       "PRAGMA synchronous = NORMAL;"
                       "BEGIN IMMEDIATE; COMMIT"));
  ASSAY_RETURN_IF_ERROR(CreateTables(database, path));
  const auto prepare = [&](absl::string_view sql) {
    return database.Prepare(sql);
  };
  ASSAY_ASSIGN_OR_RETURN(
      Statement put_request,
      prepare("INSERT OR REPLACE INTO requests VALUES (?, ?, ?, ?, ?)"));
  ASSAY_ASSIGN_OR_RETURN(Statement drop_request,
                         prepare("DELETE FROM requests WHERE ticket = ?"));
  ASSAY_ASSIGN_OR_RETURN(
      Statement put_lease,
      prepare("INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?, ?)"));
  ASSAY_ASSIGN_OR_RETURN(Statement drop_lease,
                         prepare("DELETE FROM leases WHERE token = ?"));
  ASSAY_ASSIGN_OR_RETURN(
      Statement put_restart,
      prepare("INSERT OR REPLACE INTO restarts VALUES (?, ?, ?)"));
  ASSAY_ASSIGN_OR_RETURN(Statement drop_restart,
                         prepare("DELETE FROM restarts WHERE token = ?"));
  ASSAY_ASSIGN_OR_RETURN(
      Statement put_device,
      prepare("INSERT OR REPLACE INTO devices VALUES (?, ?, ?)"));
  ASSAY_ASSIGN_OR_RETURN(Statement drop_device,
                         prepare("DELETE FROM devices WHERE device = ?"));
  ASSAY_ASSIGN_OR_RETURN(
      Statement put_usage,
      prepare("INSERT OR REPLACE INTO usage VALUES (?, ?, ?)"));
  ASSAY_ASSIGN_OR_RETURN(Statement drop_usage,
                         prepare("DELETE FROM usage WHERE minute <= ?"));
  ASSAY_ASSIGN_OR_RETURN(
      Statement put_tokens,
      prepare("INSERT OR REPLACE INTO tokens VALUES (0, ?)"));
  return StateStore(
      std::move(database),
      {std::move(put_request), std::move(drop_request), std::move(put_lease),
       std::move(drop_lease), std::move(put_restart), std::move(drop_restart),
       std::move(put_device), std::move(drop_device), std::move(put_usage),
       std::move(drop_usage), std::move(put_tokens)},
      // Without it, all times count as those of another start.
      ReadFile(kBootFile).value_or(""));
}

absl::StatusOr<BookState> StateStore::Load() {
  BookState state;
  ASSAY_RETURN_IF_ERROR(ForEachRow(
      database_, "SELECT device, key, quarantine FROM devices ORDER BY device",
      [&](const Statement& row) {
        state.devices.push_back({row.Text(0), row.Text(1), row.Text(2)});
      }));
  ASSAY_RETURN_IF_ERROR(
      ForEachRow(database_,
                 "SELECT leases.token, device, key, user, ticket, "
                 "COALESCE(boot, ''), nanos FROM leases "
                 "LEFT JOIN restarts ON restarts.token = leases.token "
                 "ORDER BY leases.token",
                 [&](const Statement& row) {
                   Lease lease;
                   lease.token = row.Number(0);
                   lease.device = row.Text(1);
                   lease.key = row.Text(2);
                   lease.user = row.Text(3);
                   lease.ticket = row.Text(4);
                   const bool same = !boot_.empty() && row.Text(5) == boot_;
                   if (same) lease.restart_nanos = row.Number(6);
                   state.leases.push_back(std::move(lease));
                 }));
  ASSAY_RETURN_IF_ERROR(ForEachRow(
      database_,
      "SELECT ticket, user, key, priority, place FROM requests ORDER BY place",
      [&](const Statement& row) {
        state.requests.push_back({row.Text(0), row.Text(1), row.Text(2),
                                  row.Number(3), row.Number(4)});
      }));
  ASSAY_RETURN_IF_ERROR(ForEachRow(
      database_, "SELECT user, minute, nanos FROM usage ORDER BY user, minute",
      [&](const Statement& row) {
        state.usage.push_back({row.Text(0), row.Number(1), row.Number(2)});
      }));
  ASSAY_ASSIGN_OR_RETURN(state.reserved_tokens,
                         ReadNumber(database_, "SELECT reserved FROM tokens"));
  return state;
}

absl::Status StateStore::Apply(absl::Span<const Event> events) {
  if (events.empty()) return absl::OkStatus();
  const bool durable =
      std::any_of(events.begin(), events.end(), ReservesTokens);
  // The level cannot be changed in a transaction.
  if (durable) {
    ASSAY_RETURN_IF_ERROR(database_.Execute("PRAGMA synchronous = FULL"));
  }
  const absl::Status status = Transaction(events);
  if (!status.ok()) {
    // SQLite has already rolled back after some errors.
    database_.Execute("ROLLBACK").IgnoreError();
    return status;
  }
  return durable ? database_.Execute("PRAGMA synchronous = NORMAL")
                 : absl::OkStatus();
}

absl::Status StateStore::Transaction(absl::Span<const Event> events) {
  ASSAY_RETURN_IF_ERROR(database_.Execute("BEGIN"));
  Writer writer{statements_, boot_};
  for (const Event& event : events) {
    ASSAY_RETURN_IF_ERROR(std::visit(writer, event));
  }
  return database_.Execute("COMMIT");
}

}  // namespace assay::rpc::tracker
