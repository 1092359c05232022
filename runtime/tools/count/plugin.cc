// The plug-in of qemu that counts what a program does in its regions
// (region_marker.h). It is loaded with `-plugin count.so,out=FILE`, and writes
// the regions to FILE (region_report.h) when the program exits.
//
// Each instruction adds 1 to the counter of its class when it is executed, also
// outside of regions, and a region is the difference of the counters at its two
// markers. Inline additions are much faster than callbacks. Memory accesses
// need callbacks, which return at once outside of regions.
//
// Counts are exact if the program has one thread. The plug-in refuses others:
// the additions of several threads are not atomic, and the instructions of a
// thread that waits depend on time.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "runtime/tools/count/instruction_class.h"
#include "runtime/tools/count/line_set.h"
#include "runtime/tools/count/qemu_plugin.h"
#include "runtime/tools/count/region_counts.h"
#include "runtime/tools/count/region_marker.h"

namespace assay::runtime {
namespace {

class Counter {
 public:
  Counter(InstructionSet set, std::string out)
      : set_(set), out_(std::move(out)) {}

  void Translate(QemuBlock* block) {
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); ++i) {
      QemuInstruction* instruction = qemu_plugin_tb_get_insn(block, i);
      uint64_t* counter = &executed_[static_cast<size_t>(Class(instruction))];
      qemu_plugin_register_vcpu_insn_exec_inline(instruction, 0, counter, 1);
      qemu_plugin_register_vcpu_mem_cb(instruction, OnAccess, 0, 3, counter);
    }
  }

  void Access(QemuMemoryInfo info, uint64_t address, const uint64_t* counter) {
    if (!inside_) return;
    const uint64_t bytes = uint64_t{1} << qemu_plugin_mem_size_shift(info);
    lines_.Add(address, bytes);
    // An access belongs to the same instruction as the access before if no
    // instruction of the same class was executed in between.
    const bool is_store = qemu_plugin_mem_is_store(info);
    Accesses& accesses = is_store ? stores_ : loads_;
    if (accesses.counter != counter || accesses.executed != *counter) {
      ++accesses.instructions;
      accesses.counter = counter;
      accesses.executed = *counter;
    }
    accesses.bytes += bytes;
  }

  void Mark(int32_t what) {
    if (what == kMarkerBegin) {
      if (inside_) return Fail("a region begins within a region");
      inside_ = true;
      std::memcpy(executed_before_, executed_, sizeof(executed_));
      loads_ = {};
      stores_ = {};
      lines_.Clear();
    } else if (what == kMarkerEnd) {
      if (!inside_) return Fail("a region ends that has not begun");
      inside_ = false;
      text_ += RegionLine(Region());
    } else {
      Fail("a marker is neither the begin nor the end of a region");
    }
  }

  void StartThread() {
    if (++threads_ > 1) Fail("the program has more than one thread");
  }

  int64_t close_number() const {
    switch (set_) {
      case InstructionSet::kX86_64:
        return 3;
      case InstructionSet::kAArch64:
        return 57;
      case InstructionSet::kArm:
        return 6;
    }
    return -1;
  }

  void Write() {
    if (inside_) Fail("a region has no end");
    std::FILE* file = std::fopen(out_.c_str(), "w");
    if (file != nullptr) {
      std::fputs((text_ + error_ + "end\n").c_str(), file);
    }
    if (file == nullptr || std::fclose(file) != 0) {
      std::fprintf(stderr, "cannot write the counts to `%s`\n", out_.c_str());
    }
  }

 private:
  // The loads or the stores of a region.
  struct Accesses {
    int64_t instructions = 0;
    int64_t bytes = 0;
    // The counter of the class of the last instruction, and its value after
    // that instruction.
    const uint64_t* counter = nullptr;
    uint64_t executed = 0;
  };

  static void OnAccess(unsigned int cpu, QemuMemoryInfo info, uint64_t address,
                       void* user);

  InstructionClass Class(const QemuInstruction* instruction) const {
    char* text = qemu_plugin_insn_disas(instruction);
    uint32_t code = 0;
    if (qemu_plugin_insn_size(instruction) == sizeof(code)) {
      std::memcpy(&code, qemu_plugin_insn_data(instruction), sizeof(code));
    }
    const InstructionClass result =
        ClassOf(set_, text == nullptr ? "" : text, code);
    std::free(text);
    return result;
  }

  RegionCounts Region() const {
    RegionCounts counts;
    for (size_t i = 0; i < kInstructionClasses; ++i) {
      counts.instructions[i] =
          static_cast<int64_t>(executed_[i] - executed_before_[i]);
    }
    counts.loads = loads_.instructions;
    counts.stores = stores_.instructions;
    counts.loaded_bytes = loads_.bytes;
    counts.stored_bytes = stores_.bytes;
    counts.lines = static_cast<int64_t>(lines_.size());
    return counts;
  }

  // Keeps the first error.
  void Fail(const std::string& sentence) {
    if (error_.empty()) error_ = "error " + sentence + "\n";
  }

  const InstructionSet set_;
  const std::string out_;
  uint64_t executed_[kInstructionClasses] = {};  // since the start
  int threads_ = 0;
  std::string text_;
  std::string error_;

  // The region that has begun, if `inside_` is true.
  bool inside_ = false;
  uint64_t executed_before_[kInstructionClasses] = {};
  Accesses loads_, stores_;
  LineSet lines_;
};

// The functions of qemu have no argument for an object of the plug-in. It is
// never destroyed: qemu may call the plug-in until the process ends.
Counter* counter_of_program = nullptr;

void Counter::OnAccess(unsigned int /*cpu*/, QemuMemoryInfo info,
                       uint64_t address, void* user) {
  counter_of_program->Access(info, address, static_cast<const uint64_t*>(user));
}

void OnTranslation(QemuPluginId /*id*/, QemuBlock* block) {
  counter_of_program->Translate(block);
}

void OnSystemCall(QemuPluginId /*id*/, unsigned int /*cpu*/, int64_t number,
                  uint64_t a1, uint64_t a2, uint64_t /*a3*/, uint64_t /*a4*/,
                  uint64_t /*a5*/, uint64_t /*a6*/, uint64_t /*a7*/,
                  uint64_t /*a8*/) {
  if (number == counter_of_program->close_number() &&
      static_cast<int32_t>(a1) == kMarkerDescriptor) {
    counter_of_program->Mark(static_cast<int32_t>(a2));
  }
}

void OnThread(QemuPluginId /*id*/, unsigned int /*cpu*/) {
  counter_of_program->StartThread();
}

void OnExit(QemuPluginId /*id*/, void* /*user*/) {
  counter_of_program->Write();
}

}  // namespace
}  // namespace assay::runtime

extern "C" {

int qemu_plugin_version = 1;

int qemu_plugin_install(QemuPluginId id, const QemuInfo* info, int argc,
                        char** argv) {
  using namespace assay::runtime;  // NOLINT: this function is of qemu
  const auto set = ParseInstructionSet(info->target_name);
  if (!set.has_value()) {
    std::fprintf(stderr, "cannot count instructions of `%s`\n",
                 info->target_name);
    return 1;
  }
  if (argc != 1 || std::strncmp(argv[0], "out=", 4) != 0) {
    std::fprintf(stderr, "the plug-in needs the argument `out=FILE`\n");
    return 1;
  }
  counter_of_program = new Counter(*set, argv[0] + 4);
  qemu_plugin_register_vcpu_init_cb(id, OnThread);
  qemu_plugin_register_vcpu_tb_trans_cb(id, OnTranslation);
  qemu_plugin_register_vcpu_syscall_cb(id, OnSystemCall);
  qemu_plugin_register_atexit_cb(id, OnExit, nullptr);
  return 0;
}

}  // extern "C"
