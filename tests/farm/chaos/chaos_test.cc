// A short run of chaos (chaos_run.h): a few kills, stale tokens, uploads that
// are cut, damaged artifacts, full disks and a wall clock that jumps. The other
// faults, and times, are for the long run.
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "runtime/process/runfiles.h"
#include "tests/farm/chaos/chaos_run.h"
#include "tests/farm/chaos/tools/small_disk.h"

namespace assay {
namespace {

TEST(ChaosTest, WhatMustHoldHolds) {
  // Before there are threads.
  const absl::Status disks = SmallDisk::Prepare();
  ChaosOptions options;
  for (const auto& [path, file] :
       {std::pair<std::string*, const char*>{
            &options.programs.tracker, "assay/rpc/tracker/service/tracker"},
        {&options.programs.server, "assay/rpc/server/program/server"},
        {&options.programs.worker, "assay/tests/farm/sleeping_worker"},
        {&options.programs.client, "assay/tests/farm/chaos/chaos_client"},
        {&options.programs.preload,
         "assay/tests/farm/chaos/tools/libwall_clock_preload.so"}}) {
    const auto found = runtime::FindRunfile("", file);
    ASSERT_TRUE(found.ok()) << found.status();
    *path = *found;
  }
  const TempDir dir = *TempDir::Create();
  options.folder = dir.path();
  options.devices = 4;
  options.users = 2;
  options.kills = 1;
  options.pause_s = 0.2;
  options.scale = 0;
  options.strict = false;
  options.small_disks = disks.ok();
  options.groups = {"kill", "token", "upload", "damage", "clock"};
  if (disks.ok()) {
    options.groups.insert("disk");
  } else {
    RecordProperty("no_disks", disks.ToString());
  }
  const auto rows = RunChaos(options);
  ASSERT_TRUE(rows.ok()) << rows.status();
  EXPECT_GE(rows->size(), options.groups.size());
  for (const FaultRow& row : *rows) {
    EXPECT_TRUE(row.holds) << row.fault << ": " << row.counted;
  }
}

}  // namespace
}  // namespace assay
