#include "reports/store/postgres/publisher.h"

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "reports/store/postgres/connection.h"
#include "reports/store/store_address.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

constexpr absl::Duration kTimeout = absl::Seconds(3);
constexpr absl::Duration kPause = absl::Seconds(60);

}  // namespace

absl::StatusOr<std::string> LocalFolderOf(const std::string& store) {
  if (!IsPostgresAddress(store)) return store;
  ASSAY_ASSIGN_OR_RETURN(const Publisher publisher, Publisher::Create(store));
  return publisher.folder();
}

absl::StatusOr<Publisher> Publisher::Create(const std::string& address) {
  ASSAY_RETURN_IF_ERROR(CheckAddress(address));
  ASSAY_ASSIGN_OR_RETURN(const std::string cache, UserCacheDir());
  return Publisher(
      address, JoinPath(cache, absl::StrCat("store/",
                                            Sha256Hex(address).substr(0, 16))));
}

void Publisher::Push() {
  if (absl::Now() >= next_) PushNow();
}

void Publisher::PushNow() {
  last_ = TryPush();
  // The connection may have been lost since the last row.
  if (absl::IsUnavailable(last_)) last_ = TryPush();
  next_ = last_.ok() ? absl::InfinitePast() : absl::Now() + kPause;
}

absl::Status Publisher::TryPush() {
  if (!store_.has_value()) {
    ASSAY_ASSIGN_OR_RETURN(store_, SharedStore::Open(address_, kTimeout));
  }
  absl::Status status = store_->Push(folder_).status();
  if (!status.ok()) store_.reset();
  return status;
}

std::string Publisher::Warning() const {
  if (last_.ok()) return "";
  return absl::StrCat("rows are only in `", folder_, "`, because `", address_,
                      "` could not take them (", last_.message(),
                      "); the next run with this store sends them");
}

}  // namespace assay::reports
