// StateStore: keeps the state of the tracker in a SQLite database, so that a
// killed tracker loses nothing that it has promised.
//
//   ASSAY_ASSIGN_OR_RETURN(StateStore store, StateStore::Open(path));
//   ASSAY_ASSIGN_OR_RETURN(const BookState state, store.Load());
//   ASSAY_ASSIGN_OR_RETURN(LeaseBook book, LeaseBook::Restore(…, state, now));
//   ASSAY_RETURN_IF_ERROR(store.Apply(book.Advance(now)));
//   …  // now answer the clients
//
// What Apply() has stored survives the death of the process. After a loss of
// power, the last events may be missing, except reserved tokens: these are
// synchronized with the disk, and no token repeats.
//
// One process uses a database at a time. Errors name the file: Unavailable if
// another process uses it, FailedPrecondition if a newer version has written
// it, and others as in runtime/sqlite/sqlite.h. Not thread-safe.
#ifndef ASSAY_RPC_TRACKER_STATE_STORE_H_
#define ASSAY_RPC_TRACKER_STATE_STORE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "rpc/tracker/book_state.h"
#include "rpc/tracker/events.h"
#include "runtime/sqlite/sqlite.h"

namespace assay::rpc::tracker {

class StateStore {
 public:
  // Creates the file if it does not exist. Its folder must exist.
  static absl::StatusOr<StateStore> Open(const std::string& path);

  // Returns the stored state, which LeaseBook::Restore() validates.
  absl::StatusOr<BookState> Load();

  // Stores the events, in order and in one transaction. If this fails, none of
  // them is stored, and the tracker must stop without answering.
  absl::Status Apply(absl::Span<const Event> events);

 private:
  // One statement for each change of a table.
  struct Statements {
    runtime::Statement put_request, drop_request;
    runtime::Statement put_lease, drop_lease;
    runtime::Statement put_restart, drop_restart;
    runtime::Statement put_device, drop_device;
    runtime::Statement put_usage, drop_usage;
    runtime::Statement put_tokens;
  };
  // Stores one event in the current transaction.
  struct Writer;

  StateStore(runtime::Database database, Statements statements,
             std::string boot)
      : database_(std::move(database)),
        statements_(std::move(statements)),
        boot_(std::move(boot)) {}

  absl::Status Transaction(absl::Span<const Event> events);

  // The statements must be destroyed before the database.
  runtime::Database database_;
  Statements statements_;
  // Identifies what the monotonic clock counts from: the start of the machine.
  std::string boot_;
};

}  // namespace assay::rpc::tracker

#endif  // ASSAY_RPC_TRACKER_STATE_STORE_H_
