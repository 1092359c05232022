// Database, Statement: as much of SQLite as the index needs, with absl::Status.
//
//   ASSAY_ASSIGN_OR_RETURN(Database db, Database::Open(path));
//   ASSAY_ASSIGN_OR_RETURN(Statement s, db.Prepare("SELECT a FROM t WHERE
//   b=?")); s.Bind(1, "x"); while (true) {
//     ASSAY_ASSIGN_OR_RETURN(const bool row, s.Step());
//     if (!row) break;
//     s.Text(0);
//   }
//
// DataLoss: the file is damaged or no database. Unavailable: others keep it
// locked for too long. PermissionDenied: it cannot be written to. Everything
// else is Internal.
#ifndef ASSAY_REPORTS_STORE_SQLITE_H_
#define ASSAY_REPORTS_STORE_SQLITE_H_

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::reports {

class Statement {
 public:
  // Parameters count from 1.
  void Bind(int parameter, absl::string_view text);
  void Bind(int parameter, int64_t number);

  // Goes to the first or next row; false after the last.
  absl::StatusOr<bool> Step();
  // Steps to the end, for what gives no rows, and makes ready for the next
  // parameters.
  absl::Status Run();

  // Of the row, by columns counted from 0.
  std::string Text(int column) const;
  int64_t Number(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const {
      sqlite3_finalize(statement);
    }
  };
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
 public:
  // `path` may be ":memory:". Creates the file. Waits for others up to ten
  // seconds.
  static absl::StatusOr<Database> Open(const std::string& path);

  absl::StatusOr<Statement> Prepare(absl::string_view sql);
  // Any number of statements without parameters or results.
  absl::Status Execute(const std::string& sql);

 private:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  };
  explicit Database(sqlite3* database) : database_(database) {}

  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_SQLITE_H_
