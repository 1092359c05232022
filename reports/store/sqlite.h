// Database and Statement: a minimal RAII wrapper of SQLite with absl::Status.
//
//   ASSAY_ASSIGN_OR_RETURN(Database db, Database::Open(path));
//   ASSAY_ASSIGN_OR_RETURN(Statement s,
//                          db.Prepare("SELECT a FROM t WHERE b=?"));
//   s.Bind(1, "x");
//   while (true) {
//     ASSAY_ASSIGN_OR_RETURN(const bool row, s.Step());
//     if (!row) break;
//     s.Text(0);
//   }
//
// Errors: DataLoss if the file is corrupt or not a database; Unavailable if it
// stays locked by another process; PermissionDenied if it cannot be opened or
// written; Internal otherwise.
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
  // Sets a parameter; the first has the number 1.
  void Bind(int parameter, absl::string_view text);
  void Bind(int parameter, int64_t number);

  // Advances to the next row. Returns false after the last one.
  absl::StatusOr<bool> Step();
  // Executes a statement without results, and resets it.
  absl::Status Run();

  // Values of the current row; the first column has the number 0.
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
  // Opens or creates a database; `path` may be ":memory:". Operations wait up
  // to ten seconds for locks of other processes.
  static absl::StatusOr<Database> Open(const std::string& path);

  absl::StatusOr<Statement> Prepare(absl::string_view sql);
  // Executes any number of statements without parameters or results.
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
