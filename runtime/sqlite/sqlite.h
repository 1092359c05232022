// Database and Statement: minimal RAII wrappers of SQLite handles that report
// errors as absl::Status.
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
// Errors name the file. The functions whose result is an absl::Status or
// absl::StatusOr fail with
//   - DataLoss if the file is corrupt or not a database;
//   - Unavailable if another process has locked the database and does not
//     release the lock in time;
//   - PermissionDenied if the file cannot be opened or written;
//   - ResourceExhausted if the disk is full;
//   - Internal for all other errors.
#ifndef ASSAY_RUNTIME_SQLITE_SQLITE_H_
#define ASSAY_RUNTIME_SQLITE_SQLITE_H_

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::runtime {

class Statement {
 public:
  // Sets the value of a parameter. The first parameter has the index 1.
  void Bind(int parameter, absl::string_view text);
  void Bind(int parameter, int64_t number);
  void BindBytes(int parameter, absl::string_view bytes);

  // Advances to the next row. Returns false after the last row.
  absl::StatusOr<bool> Step();
  // Executes the statement to its end, ignores its result rows, and resets the
  // statement.
  absl::Status Run();

  // Return the value of a column of the current row. The first column has the
  // index 0.
  std::string Text(int column) const;
  int64_t Number(int column) const;
  // The bytes are valid until the next call of Step() or Run().
  absl::string_view Bytes(int column) const;

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
  // Opens the database in the file `path`, or creates the file if it does not
  // exist. If `path` is ":memory:", the database is in memory. Operations wait
  // up to ten seconds for locks of other processes.
  static absl::StatusOr<Database> Open(const std::string& path);

  // Compiles one SQL statement.
  absl::StatusOr<Statement> Prepare(absl::string_view sql);
  // Executes any number of SQL statements that have no parameters. Result rows
  // are ignored.
  absl::Status Execute(const std::string& sql);

 private:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  };
  explicit Database(sqlite3* database) : database_(database) {}

  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_SQLITE_SQLITE_H_
