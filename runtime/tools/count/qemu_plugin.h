// The interface between qemu and its plug-ins, version 1, as far as plugin.cc
// uses it. Debian has no package with qemu's own header, so the declarations
// are written here from the documentation of qemu 7.2
// (https://www.qemu.org/docs/master/devel/tcg-plugins.html). The functions are
// exported by the programs `qemu-<machine>`, so a plug-in is linked with
// undefined symbols.
//
// qemu translates a program in blocks. It calls the function given to
// qemu_plugin_register_vcpu_tb_trans_cb() for each block that it translates, at
// least once before the block is executed for the first time. This function can
// add an inline addition or a callback to each instruction of the block. A
// QemuBlock and its instructions are valid only until the function returns.
//
// In user mode, each thread of the program is a virtual CPU. Callbacks of
// different threads may run at the same time, and inline additions are not
// atomic.
#ifndef ASSAY_RUNTIME_TOOLS_COUNT_QEMU_PLUGIN_H_
#define ASSAY_RUNTIME_TOOLS_COUNT_QEMU_PLUGIN_H_

#include <cstddef>
#include <cstdint>

extern "C" {

#define QEMU_PLUGIN_EXPORT __attribute__((visibility("default")))

// Identifies this plug-in in calls of qemu.
using QemuPluginId = uint64_t;
// Describes a memory access, for the functions qemu_plugin_mem_*.
using QemuMemoryInfo = uint32_t;

struct QemuBlock;
struct QemuInstruction;

// Only the first members; the later ones describe system emulation.
struct QemuInfo {
  const char* target_name;  // `aarch64`, `arm` or `x86_64`
  struct {
    int min;
    int cur;
  } version;  // versions of the interface that qemu supports
};

// A plug-in defines these two. The first one is the version of the interface
// for which it is made. The second one is called once, with the arguments
// `name=value` of the option `-plugin FILE,name=value,...`. qemu does not start
// the program unless it returns 0.
extern QEMU_PLUGIN_EXPORT int qemu_plugin_version;
QEMU_PLUGIN_EXPORT int qemu_plugin_install(QemuPluginId id,
                                           const QemuInfo* info, int argc,
                                           char** argv);

// Blocks and their instructions, numbered from 0.
void qemu_plugin_register_vcpu_tb_trans_cb(
    QemuPluginId id, void (*translated)(QemuPluginId id, QemuBlock* block));
size_t qemu_plugin_tb_n_insns(const QemuBlock* block);
QemuInstruction* qemu_plugin_tb_get_insn(const QemuBlock* block, size_t index);

// Returns the assembly text, which the caller frees with free(). It begins with
// `.byte` if the disassembler does not know the instruction.
char* qemu_plugin_insn_disas(const QemuInstruction* instruction);
// The bytes of the instruction in memory.
const void* qemu_plugin_insn_data(const QemuInstruction* instruction);
size_t qemu_plugin_insn_size(const QemuInstruction* instruction);

// Adds `value` to the uint64_t at `counter` before each execution.
// `operation` must be 0, which stands for an addition.
void qemu_plugin_register_vcpu_insn_exec_inline(QemuInstruction* instruction,
                                                int operation, void* counter,
                                                uint64_t value);

// Calls `accessed` after each access of the instruction to memory. qemu may
// split a vector into several accesses. `flags` must be 0: `accessed` does not
// read registers. `kind` is 1 for loads, 2 for stores and 3 for both.
void qemu_plugin_register_vcpu_mem_cb(QemuInstruction* instruction,
                                      void (*accessed)(unsigned int cpu,
                                                       QemuMemoryInfo info,
                                                       uint64_t address,
                                                       void* user),
                                      int flags, int kind, void* user);
// Base-2 logarithm of the size in bytes.
unsigned int qemu_plugin_mem_size_shift(QemuMemoryInfo info);
bool qemu_plugin_mem_is_store(QemuMemoryInfo info);

// Calls `called` before each system call, with its arguments.
void qemu_plugin_register_vcpu_syscall_cb(
    QemuPluginId id,
    void (*called)(QemuPluginId id, unsigned int cpu, int64_t number,
                   uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
                   uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8));

// Calls `started` for each thread, the first one included.
void qemu_plugin_register_vcpu_init_cb(QemuPluginId id,
                                       void (*started)(QemuPluginId id,
                                                       unsigned int cpu));

// Calls `exited` when the program exits, but not if a signal kills it.
void qemu_plugin_register_atexit_cb(QemuPluginId id,
                                    void (*exited)(QemuPluginId id, void* user),
                                    void* user);

}  // extern "C"

#endif  // ASSAY_RUNTIME_TOOLS_COUNT_QEMU_PLUGIN_H_
