// Publisher: sends the rows of a run to a PostgreSQL store while the run goes
// on, without making the run depend on it.
//
// A run writes its segments to the publisher's folder in the user's cache,
// `~/.cache/assay/store/<digest of the address>`, and calls Push() after each
// row. If the server cannot be reached, the rows stay in the folder, the run
// goes on, and the next Push(), of this or of another run of the same address,
// sends them. The folder is a store like any other.
#ifndef ASSAY_REPORTS_STORE_POSTGRES_PUBLISHER_H_
#define ASSAY_REPORTS_STORE_POSTGRES_PUBLISHER_H_

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "reports/store/postgres/shared_store.h"

namespace assay::reports {

// Returns the folder to which a run with `--store=STORE` appends its rows, and
// in which it keeps what is not sent, such as artifacts: the store itself, or
// the publisher's folder. Errors are those of Publisher::Create().
absl::StatusOr<std::string> LocalFolderOf(const std::string& store);

class Publisher {
 public:
  // Determines the folder and does not connect. Returns the errors of
  // CheckAddress(), and FailedPrecondition if the user has no cache.
  static absl::StatusOr<Publisher> Create(const std::string& address);

  const std::string& folder() const { return folder_; }

  // Sends what the database does not have. Does nothing for some time after the
  // server could not be reached, because waiting for it would delay the run.
  void Push();
  // Like Push(), but always tries.
  void PushNow();

  // Returns a sentence if the last attempt failed and rows are in the folder
  // only; else an empty string.
  std::string Warning() const;

 private:
  Publisher(std::string address, std::string folder)
      : address_(std::move(address)), folder_(std::move(folder)) {}

  absl::Status TryPush();

  std::string address_;
  std::string folder_;
  std::optional<SharedStore> store_;
  absl::Status last_;
  absl::Time next_ = absl::InfinitePast();
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_POSTGRES_PUBLISHER_H_
