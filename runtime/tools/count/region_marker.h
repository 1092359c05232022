// BeginRegion and EndRegion: mark a region of a program in which the plug-in
// (plugin.cc) counts instructions and memory accesses.
//
// A marker is a system call that fails and has no effect: it closes a file
// descriptor that cannot exist. The plug-in recognizes the descriptor, and
// distinguishes the markers by an argument that the system call does not have.
// Hence the plug-in needs no symbols, and the region may contain code that the
// program has loaded itself. Without the plug-in, a marker takes as long as any
// failing system call.
//
// The instructions of a marker do not access memory. Those after the system
// call of BeginRegion() and those up to the system call of EndRegion() are part
// of the region. An empty region shows how many there are.
//
// Regions must not be nested, and the program must have only one thread.
#ifndef ASSAY_RUNTIME_TOOLS_COUNT_REGION_MARKER_H_
#define ASSAY_RUNTIME_TOOLS_COUNT_REGION_MARKER_H_

#include <cstdint>

namespace assay::runtime {

// The arguments of the system call `close`.
constexpr int32_t kMarkerDescriptor = -0x4153;
constexpr int32_t kMarkerBegin = 1;
constexpr int32_t kMarkerEnd = 2;

namespace internal {

inline __attribute__((always_inline)) void MarkRegion(int32_t what) {
#if defined(__x86_64__)
  int64_t number = 3;
  asm volatile("syscall"
               : "+a"(number)
               : "D"(int64_t{kMarkerDescriptor}), "S"(int64_t{what})
               : "rcx", "r11", "memory");
#elif defined(__aarch64__)
  register int64_t number asm("x8") = 57;
  register int64_t x0 asm("x0") = kMarkerDescriptor;
  register int64_t x1 asm("x1") = what;
  asm volatile("svc #0" : "+r"(x0) : "r"(x1), "r"(number) : "memory");
#elif defined(__arm__)
  // In Thumb code r7, which holds the number, may be the frame pointer.
  register int32_t r0 asm("r0") = kMarkerDescriptor;
  register int32_t r1 asm("r1") = what;
  asm volatile("mov r12, r7\n\tmov r7, #6\n\tsvc #0\n\tmov r7, r12"
               : "+r"(r0)
               : "r"(r1)
               : "r12", "memory");
#else
#error "no markers for this machine"
#endif
}

}  // namespace internal

inline __attribute__((always_inline)) void BeginRegion() {
  internal::MarkRegion(kMarkerBegin);
}
inline __attribute__((always_inline)) void EndRegion() {
  internal::MarkRegion(kMarkerEnd);
}

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TOOLS_COUNT_REGION_MARKER_H_
