// Connection and Rows: minimal RAII wrappers of libpq that report errors as
// absl::Status.
//
//   ASSAY_ASSIGN_OR_RETURN(Connection c,
//                          Connection::Open("postgres://ci@db/assay"));
//   ASSAY_ASSIGN_OR_RETURN(const Rows rows,
//                          c.Run("SELECT a FROM t WHERE b = $1", {"x"}));
//   for (int i = 0; i < rows.size(); ++i) rows.Text(i, 0);
//
// Values are always bound to the parameters $1, $2, ... and never become part
// of the SQL. All values are text, which the server converts.
//
// Passwords. An address must not contain a password, because addresses are in
// command lines, messages and records: Open() rejects it without quoting it.
// libpq itself looks for one in the file $PGPASSFILE (~/.pgpass).
//
// Errors. The functions that return absl::Status fail with
//   - InvalidArgument if the address cannot be used;
//   - Unavailable if the server cannot be reached or the connection was lost:
//     whether the statement was executed is then unknown;
//   - Aborted if the server rolled the statement back because of another
//     transaction, so that it can be repeated;
//   - PermissionDenied if the server rejects the user;
//   - AlreadyExists if a value must be unique;
//   - NotFound if the database or a table does not exist;
//   - Internal for all other errors.
// Messages quote the server's, which contain no password.
#ifndef ASSAY_REPORTS_STORE_POSTGRES_CONNECTION_H_
#define ASSAY_REPORTS_STORE_POSTGRES_CONNECTION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "reports/store/postgres/libpq.h"

namespace assay::reports {

// The rows that a statement returned.
class Rows {
 public:
  int size() const;
  // Rows and columns have indices from 0. A null is an empty text.
  bool IsNull(int row, int column) const;
  std::string Text(int row, int column) const;
  // A null, or a text that is not a number, is 0.
  int64_t Number(int row, int column) const;
  double Real(int row, int column) const;
  // The number of rows that an INSERT, UPDATE or DELETE has changed.
  int64_t affected() const;

 private:
  friend class Connection;
  struct Clear {
    void operator()(PGresult* result) const;
  };
  explicit Rows(const Libpq* pq, PGresult* result) : pq_(pq), result_(result) {}

  const Libpq* pq_;
  std::unique_ptr<PGresult, Clear> result_;
};

class Connection {
 public:
  // Connects to `postgres://user@host/database`, or another address that libpq
  // accepts (chapter 34.1.1 of its manual). Waits at most `timeout`.
  static absl::StatusOr<Connection> Open(
      const std::string& address, absl::Duration timeout = absl::Seconds(5));

  // Executes one statement, outside of Transaction() in its own transaction.
  // A parameter without a value is null. A parameter must not contain a zero
  // byte.
  absl::StatusOr<Rows> Run(
      const std::string& sql,
      const std::vector<std::optional<std::string>>& parameters = {});

  // Calls `work` between BEGIN and COMMIT. Rolls back if it fails.
  template <typename Work>
  absl::Status Transaction(const Work& work) {
    const absl::Status begun = Run("BEGIN").status();
    if (!begun.ok()) return begun;
    const absl::Status done = work();
    if (done.ok()) return Run("COMMIT").status();
    // If this fails, the connection is lost, and the server rolls back.
    Run("ROLLBACK").status().IgnoreError();
    return done;
  }

 private:
  struct Finish {
    void operator()(PGconn* connection) const;
  };
  Connection(const Libpq* pq, PGconn* connection)
      : pq_(pq), connection_(connection) {}
  absl::Status WaitUntilOpen(absl::Duration timeout);

  const Libpq* pq_;
  std::unique_ptr<PGconn, Finish> connection_;
};

// Returns InvalidArgument if libpq cannot parse the address or if the address
// contains a password. The message does not quote such an address. Returns
// NotFound or Unavailable if the client library is missing.
absl::Status CheckAddress(const std::string& address);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_POSTGRES_CONNECTION_H_
