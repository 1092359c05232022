#include "reports/store/postgres/connection.h"

#include <errno.h>
#include <poll.h>

#include <algorithm>
#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

// The first line of a message of libpq, without its prefix.
std::string FirstLine(absl::string_view message) {
  message = message.substr(0, message.find('\n'));
  absl::ConsumePrefix(&message, "ERROR:  ");
  absl::ConsumePrefix(&message, "FATAL:  ");
  return std::string(absl::StripAsciiWhitespace(message));
}

// A message about a failed connection has a line per address that was tried,
// and indented lines with hints.
std::string OneLine(absl::string_view message) {
  std::vector<absl::string_view> lines;
  for (const absl::string_view line :
       absl::StrSplit(message, '\n', absl::SkipWhitespace())) {
    if (!absl::StartsWith(line, "\t")) lines.push_back(line);
  }
  return absl::StrJoin(lines, "; ");
}

// `state` is an SQLSTATE (appendix A of the manual). Its first two characters
// are the class.
absl::Status ErrorOf(absl::string_view state, const std::string& message) {
  const absl::string_view kind = state.substr(0, 2);
  if (state == "40001" || state == "40P01") return absl::AbortedError(message);
  if (state == "23505") return absl::AlreadyExistsError(message);
  if (state == "42501" || kind == "28") {
    return absl::PermissionDeniedError(message);
  }
  if (state == "42P01" || state == "3D000") return absl::NotFoundError(message);
  // Connection exceptions, and a server that is shut down or starting.
  if (state.empty() || kind == "08" || kind == "57") {
    return absl::UnavailableError(message);
  }
  return absl::InternalError(message);
}

bool IsPassword(const PQconninfoOption& option) {
  const absl::string_view name = option.keyword;
  return option.val != nullptr && (name == "password" || name == "sslpassword");
}

void IgnoreNotice(void* /*context*/, const char* /*message*/) {}

}  // namespace

void Rows::Clear::operator()(PGresult* result) const {
  (*LoadLibpq())->clear(result);
}

int Rows::size() const { return pq_->rows(result_.get()); }

bool Rows::IsNull(int row, int column) const {
  return pq_->is_null(result_.get(), row, column) != 0;
}

std::string Rows::Text(int row, int column) const {
  return std::string(
      pq_->value(result_.get(), row, column),
      static_cast<size_t>(pq_->length(result_.get(), row, column)));
}

int64_t Rows::Number(int row, int column) const {
  int64_t number = 0;
  return absl::SimpleAtoi(Text(row, column), &number) ? number : 0;
}

double Rows::Real(int row, int column) const {
  double number = 0;
  return absl::SimpleAtod(Text(row, column), &number) ? number : 0;
}

int64_t Rows::affected() const {
  int64_t number = 0;
  return absl::SimpleAtoi(pq_->affected_rows(result_.get()), &number) ? number
                                                                      : 0;
}

void Connection::Finish::operator()(PGconn* connection) const {
  (*LoadLibpq())->finish(connection);
}

absl::StatusOr<Connection> Connection::Open(const std::string& address,
                                            absl::Duration timeout) {
  ASSAY_RETURN_IF_ERROR(CheckAddress(address));
  ASSAY_ASSIGN_OR_RETURN(const Libpq* pq, LoadLibpq());
  // libpq takes an address as the value of `dbname`.
  const char* const names[] = {"dbname",           "application_name",
                               "client_encoding",  "keepalives_idle",
                               "tcp_user_timeout", nullptr};
  const char* const values[] = {address.c_str(), "assay", "UTF8", "10",
                                "20000",         nullptr};
  PGconn* const handle = pq->connect_start(names, values, /*expand_dbname=*/1);
  if (handle == nullptr) return absl::ResourceExhaustedError("out of memory");
  Connection connection(pq, handle);
  pq->set_notice_processor(handle, IgnoreNotice, nullptr);
  ASSAY_RETURN_IF_ERROR(connection.WaitUntilOpen(timeout));
  return connection;
}

absl::Status Connection::WaitUntilOpen(absl::Duration timeout) {
  const absl::Time deadline = absl::Now() + timeout;
  PGconn* const handle = connection_.get();
  PostgresPollingStatusType state = PGRES_POLLING_WRITING;
  while (pq_->status(handle) != CONNECTION_BAD &&
         state != PGRES_POLLING_FAILED) {
    if (state == PGRES_POLLING_OK) return absl::OkStatus();
    struct pollfd wait = {};
    wait.fd = pq_->socket(handle);
    wait.events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT;
    const int64_t left = absl::ToInt64Milliseconds(deadline - absl::Now());
    const int ready = left <= 0 ? 0 : poll(&wait, 1, static_cast<int>(left));
    if (ready == 0) {
      return absl::UnavailableError(absl::StrCat(
          "the server did not answer within ", absl::FormatDuration(timeout)));
    }
    if (ready < 0 && errno != EINTR) break;
    if (ready > 0) state = pq_->connect_poll(handle);
  }
  const std::string message = OneLine(pq_->error_message(handle));
  // A failed connection has no SQLSTATE.
  if (absl::StrContains(message, "authentication failed") ||
      absl::StrContains(message, "no password supplied")) {
    return absl::PermissionDeniedError(message);
  }
  if (absl::StrContains(message, "does not exist")) {
    return absl::NotFoundError(message);
  }
  return absl::UnavailableError(message);
}

absl::StatusOr<Rows> Connection::Run(
    const std::string& sql,
    const std::vector<std::optional<std::string>>& parameters) {
  std::vector<const char*> values;
  for (const std::optional<std::string>& parameter : parameters) {
    if (parameter.has_value() && parameter->find('\0') != std::string::npos) {
      return absl::InvalidArgumentError(
          "a value for PostgreSQL contains a zero byte");
    }
    values.push_back(parameter.has_value() ? parameter->c_str() : nullptr);
  }
  PGresult* const result = pq_->execute(
      connection_.get(), sql.c_str(), static_cast<int>(values.size()),
      /*paramTypes=*/nullptr, values.data(), /*paramLengths=*/nullptr,
      /*paramFormats=*/nullptr, /*resultFormat=*/0);
  Rows rows(pq_, result);
  switch (pq_->result_status(result)) {
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
      return rows;
    default:
      break;
  }
  const char* const state =
      result == nullptr ? nullptr : pq_->error_field(result, PG_DIAG_SQLSTATE);
  const char* const primary =
      result == nullptr ? nullptr
                        : pq_->error_field(result, PG_DIAG_MESSAGE_PRIMARY);
  return ErrorOf(
      state == nullptr ? "" : state,
      FirstLine(primary != nullptr ? primary
                                   : pq_->error_message(connection_.get())));
}

absl::Status CheckAddress(const std::string& address) {
  ASSAY_ASSIGN_OR_RETURN(const Libpq* pq, LoadLibpq());
  char* message = nullptr;
  PQconninfoOption* const options =
      pq->parse_options(address.c_str(), &message);
  // May quote a password.
  if (message != nullptr) pq->free_memory(message);
  if (options == nullptr) {
    return absl::InvalidArgumentError(
        "the address of the PostgreSQL store is malformed; write it as "
        "`postgres://USER@HOST/DATABASE`");
  }
  bool has_password = false;
  for (const PQconninfoOption* o = options; o->keyword != nullptr; ++o) {
    has_password = has_password || IsPassword(*o);
  }
  pq->free_options(options);
  if (has_password) {
    return absl::InvalidArgumentError(
        "the address of the PostgreSQL store contains a password; put it into "
        "the file `~/.pgpass` or into the file that PGPASSFILE names");
  }
  return absl::OkStatus();
}

}  // namespace assay::reports
