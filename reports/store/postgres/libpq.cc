#include "reports/store/postgres/libpq.h"

#include <filesystem>
#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/dynamic_library.h"

namespace assay::reports {
namespace {

using runtime::DynamicLibrary;

// Each library stands after those that it loads: the dynamic loader then finds
// them by name among the libraries that are open, and none is taken from the
// machine.
constexpr const char* kLibraries[] = {
    "lib/x86_64-linux-gnu/libcom_err.so.2",
    "lib/x86_64-linux-gnu/libkeyutils.so.1",
    "usr/lib/x86_64-linux-gnu/libcrypto.so.3",
    "usr/lib/x86_64-linux-gnu/libssl.so.3",
    "usr/lib/x86_64-linux-gnu/libkrb5support.so.0",
    "usr/lib/x86_64-linux-gnu/libk5crypto.so.3",
    "usr/lib/x86_64-linux-gnu/libkrb5.so.3",
    "usr/lib/x86_64-linux-gnu/libgssapi_krb5.so.2",
    "usr/lib/x86_64-linux-gnu/libffi.so.8",
    "usr/lib/x86_64-linux-gnu/libp11-kit.so.0",
    "usr/lib/x86_64-linux-gnu/libunistring.so.2",
    "usr/lib/x86_64-linux-gnu/libidn2.so.0",
    "usr/lib/x86_64-linux-gnu/libtasn1.so.6",
    "usr/lib/x86_64-linux-gnu/libgmp.so.10",
    "usr/lib/x86_64-linux-gnu/libnettle.so.8",
    "usr/lib/x86_64-linux-gnu/libhogweed.so.6",
    "usr/lib/x86_64-linux-gnu/libgnutls.so.30",
    "usr/lib/x86_64-linux-gnu/liblber-2.5.so.0",
    "usr/lib/x86_64-linux-gnu/libsasl2.so.2",
    "usr/lib/x86_64-linux-gnu/libldap-2.5.so.0",
    "usr/lib/x86_64-linux-gnu/libpq.so.5",
};

absl::StatusOr<DynamicLibrary> OpenAll() {
  std::error_code error;
  const std::string program =
      std::filesystem::read_symlink("/proc/self/exe", error).string();
  absl::StatusOr<DynamicLibrary> library = absl::NotFoundError("no library");
  for (const char* file : kLibraries) {
    library =
        DynamicLibrary::Open(program, absl::StrCat("debian_libpq/", file));
    ASSAY_RETURN_IF_ERROR(library.status());
  }
  return library;
}

absl::StatusOr<Libpq> Load() {
  ASSAY_ASSIGN_OR_RETURN(const DynamicLibrary library, OpenAll());
  Libpq pq;
  const auto find = [&](const char* name, auto** function) {
    return library.Find(name, function);
  };
  ASSAY_RETURN_IF_ERROR(find("PQclear", &pq.clear));
  ASSAY_RETURN_IF_ERROR(find("PQcmdTuples", &pq.affected_rows));
  ASSAY_RETURN_IF_ERROR(find("PQconnectPoll", &pq.connect_poll));
  ASSAY_RETURN_IF_ERROR(find("PQconnectStartParams", &pq.connect_start));
  ASSAY_RETURN_IF_ERROR(find("PQconninfoFree", &pq.free_options));
  ASSAY_RETURN_IF_ERROR(find("PQconninfoParse", &pq.parse_options));
  ASSAY_RETURN_IF_ERROR(find("PQerrorMessage", &pq.error_message));
  ASSAY_RETURN_IF_ERROR(find("PQexecParams", &pq.execute));
  ASSAY_RETURN_IF_ERROR(find("PQfinish", &pq.finish));
  ASSAY_RETURN_IF_ERROR(find("PQfreemem", &pq.free_memory));
  ASSAY_RETURN_IF_ERROR(find("PQgetisnull", &pq.is_null));
  ASSAY_RETURN_IF_ERROR(find("PQgetlength", &pq.length));
  ASSAY_RETURN_IF_ERROR(find("PQgetvalue", &pq.value));
  ASSAY_RETURN_IF_ERROR(find("PQntuples", &pq.rows));
  ASSAY_RETURN_IF_ERROR(find("PQresultErrorField", &pq.error_field));
  ASSAY_RETURN_IF_ERROR(find("PQresultStatus", &pq.result_status));
  ASSAY_RETURN_IF_ERROR(find("PQsetNoticeProcessor", &pq.set_notice_processor));
  ASSAY_RETURN_IF_ERROR(find("PQsocket", &pq.socket));
  ASSAY_RETURN_IF_ERROR(find("PQstatus", &pq.status));
  return pq;
}

}  // namespace

absl::StatusOr<const Libpq*> LoadLibpq() {
  static const auto* const pq = new absl::StatusOr<Libpq>(Load());
  if (!pq->ok()) return pq->status();
  return &**pq;
}

}  // namespace assay::reports
