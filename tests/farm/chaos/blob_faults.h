// Faults of blobs: uploads that are cut off, damaged files, and disks that are
// full.
#ifndef ASSAY_TESTS_FARM_CHAOS_BLOB_FAULTS_H_
#define ASSAY_TESTS_FARM_CHAOS_BLOB_FAULTS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "tests/farm/chaos/chaos_farm.h"
#include "tests/farm/chaos/tools/fault_table.h"

namespace assay {

// Uploads blobs of `mebibytes` MiB to `probe`. The connection of each is reset
// once, after each multiple of a quarter of a chunk; and that of one more is
// reset in each chunk. All must arrive as they are, and not more than a part of
// a blob is sent twice.
absl::StatusOr<FaultRow> CutUploads(ChaosFarm& farm, int mebibytes);

// Offers blobs and artifacts that are damaged in several ways. All must be
// refused, and the device must go on.
absl::StatusOr<FaultRow> DamageArtifacts(ChaosFarm& farm);

// Fills the disks of `probe` and of the tracker, one after the other. Both must
// say so, live, and go on when there is space again. Requires small disks.
absl::StatusOr<FaultRow> FillDisks(ChaosFarm& farm);

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_CHAOS_BLOB_FAULTS_H_
