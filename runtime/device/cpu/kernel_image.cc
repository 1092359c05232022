#include "runtime/device/cpu/kernel_image.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/cpu/matrix_unit.h"

namespace assay::runtime {
namespace {

#if defined(__x86_64__)
constexpr int kMachine = EM_X86_64;
constexpr auto kRelative = R_X86_64_RELATIVE;
#elif defined(__aarch64__)
constexpr int kMachine = EM_AARCH64;
constexpr auto kRelative = R_AARCH64_RELATIVE;
#elif defined(__arm__)
constexpr int kMachine = EM_ARM;
constexpr auto kRelative = R_ARM_RELATIVE;
#else
#error "define kMachine and kRelative for this architecture"
#endif

using Address = ElfW(Addr);
constexpr bool k64Bit = sizeof(Address) == 8;

// More than the code of any model; sums of a few such sizes do not overflow.
constexpr uint64_t kMaxBytes = uint64_t{1} << 29;

std::string MachineName(int machine) {
  switch (machine) {
    case EM_X86_64:
      return "x86_64";
    case EM_386:
      return "i386";
    case EM_AARCH64:
      return "aarch64";
    case EM_ARM:
      return "arm";
    default:
      return absl::StrCat("machine number ", machine);
  }
}

absl::Status Invalid(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("the kernels' code ", what));
}

absl::StatusOr<ElfW(Ehdr)> ReadHeader(absl::string_view elf) {
  // The machine has the same offset in both classes.
  ElfW(Ehdr) header = {};
  if (elf.size() < sizeof(Elf32_Ehdr) ||
      elf.substr(0, SELFMAG) != absl::string_view(ELFMAG, SELFMAG)) {
    return Invalid("is not an ELF file");
  }
  std::memcpy(&header, elf.data(), std::min(elf.size(), sizeof(header)));
  if (header.e_machine != kMachine) {
    return Invalid(absl::StrCat("is for ", MachineName(header.e_machine),
                                ", but this machine is ",
                                MachineName(kMachine)));
  }
  if (header.e_type != ET_DYN) return Invalid("is not a shared object");
  if (elf.size() < sizeof(header) ||
      header.e_ident[EI_CLASS] != (k64Bit ? ELFCLASS64 : ELFCLASS32) ||
      header.e_ident[EI_DATA] != ELFDATA2LSB ||
      header.e_phentsize != sizeof(ElfW(Phdr))) {
    return Invalid("has an ELF header that is not valid");
  }
  return header;
}

absl::StatusOr<std::vector<ElfW(Phdr)>> ReadSegments(absl::string_view elf) {
  ASSAY_ASSIGN_OR_RETURN(const ElfW(Ehdr) header, ReadHeader(elf));
  const uint64_t bytes = uint64_t{header.e_phnum} * sizeof(ElfW(Phdr));
  if (header.e_phoff > elf.size() || bytes > elf.size() - header.e_phoff) {
    return Invalid("ends before its program headers");
  }
  std::vector<ElfW(Phdr)> segments(header.e_phnum);
  std::memcpy(segments.data(), elf.data() + header.e_phoff, bytes);
  uint64_t end = 0;
  for (const ElfW(Phdr) & s : segments) {
    if (s.p_type == PT_TLS) return Invalid("has thread-local variables");
    if (s.p_type != PT_LOAD && s.p_type != PT_DYNAMIC) continue;
    if (s.p_offset > elf.size() || s.p_filesz > elf.size() - s.p_offset) {
      return Invalid("ends before its segments");
    }
    if (s.p_vaddr > kMaxBytes || s.p_memsz > kMaxBytes ||
        s.p_filesz > s.p_memsz) {
      return Invalid("has a segment of an impossible size");
    }
    if (s.p_type != PT_LOAD) continue;
    if (s.p_vaddr < end) return Invalid("has overlapping segments");
    end = uint64_t{s.p_vaddr} + s.p_memsz;
    if ((s.p_flags & PF_W) != 0 && (s.p_flags & PF_X) != 0) {
      return Invalid("has a segment that is writable and executable");
    }
  }
  return segments;
}

// Arm stores the addend of a relocation in the place to be relocated.
template <typename R>
Address AddendOf(const R& relocation, Address place) {
  if constexpr (k64Bit) return static_cast<Address>(relocation.r_addend);
  return place;
}

// The tags of the dynamic section that the loader uses or rejects.
struct Dynamic {
  uint64_t symbols = 0, strings = 0, strings_size = 0, hash = 0;
  uint64_t relocations = 0, relocations_size = 0;
};

constexpr auto kRelocations = k64Bit ? DT_RELA : DT_REL;
constexpr auto kRelocationsSize = k64Bit ? DT_RELASZ : DT_RELSZ;
using Relocation = std::conditional_t<k64Bit, ElfW(Rela), ElfW(Rel)>;

absl::Status ReadTag(const ElfW(Dyn) & entry, Dynamic* dynamic) {
  const uint64_t value = entry.d_un.d_val;
  switch (entry.d_tag) {
    case DT_SYMTAB:
      dynamic->symbols = value;
      return absl::OkStatus();
    case DT_STRTAB:
      dynamic->strings = value;
      return absl::OkStatus();
    case DT_STRSZ:
      dynamic->strings_size = value;
      return absl::OkStatus();
    case DT_HASH:
      dynamic->hash = value;
      return absl::OkStatus();
    case kRelocations:
      dynamic->relocations = value;
      return absl::OkStatus();
    case kRelocationsSize:
      dynamic->relocations_size = value;
      return absl::OkStatus();
    case DT_NEEDED:
      return Invalid("needs another library");
    case DT_INIT:
    case DT_INIT_ARRAY:
    case DT_PREINIT_ARRAY:
    case DT_FINI:
    case DT_FINI_ARRAY:
      return Invalid("has initialisers");
    case DT_TEXTREL:
    case DT_JMPREL:
    case DT_RELR:
      return Invalid("has relocations that its compiler does not produce");
    default:
      return absl::OkStatus();
  }
}

// An image in memory that is being prepared: `memory` holds the addresses
// [0, size) of the object.
class Loader {
 public:
  Loader(char* memory, uint64_t size) : memory_(memory), size_(size) {}

  absl::Status Prepare(absl::string_view elf,
                       const std::vector<ElfW(Phdr)>& segments) {
    for (const ElfW(Phdr) & s : segments) {
      if (s.p_type == PT_LOAD && s.p_filesz > 0) {
        std::memcpy(memory_ + s.p_vaddr, elf.data() + s.p_offset, s.p_filesz);
      }
    }
    Dynamic dynamic;
    for (const ElfW(Phdr) & s : segments) {
      if (s.p_type != PT_DYNAMIC) continue;
      const uint64_t count = s.p_memsz / sizeof(ElfW(Dyn));
      ASSAY_ASSIGN_OR_RETURN(const auto* entries,
                             At<ElfW(Dyn)>(s.p_vaddr, count));
      for (uint64_t i = 0; i < count && entries[i].d_tag != DT_NULL; ++i) {
        ASSAY_RETURN_IF_ERROR(ReadTag(entries[i], &dynamic));
      }
    }
    ASSAY_RETURN_IF_ERROR(Relocate(dynamic));
    return CollectSymbols(dynamic, segments);
  }

  std::map<std::string, void*> TakeFunctions() { return std::move(functions_); }
  std::map<std::string, KernelCode> TakeCode() { return std::move(code_); }

 private:
  // The array of `count` elements at an address of the object.
  template <typename T>
  absl::StatusOr<T*> At(uint64_t address, uint64_t count) {
    if (address > size_ || count > (size_ - address) / sizeof(T) ||
        address % alignof(T) != 0) {
      return Invalid("refers to addresses outside its segments");
    }
    return reinterpret_cast<T*>(memory_ + address);
  }

  absl::Status Relocate(const Dynamic& dynamic) {
    const uint64_t count = dynamic.relocations_size / sizeof(Relocation);
    ASSAY_ASSIGN_OR_RETURN(const auto* relocations,
                           At<Relocation>(dynamic.relocations, count));
    for (uint64_t i = 0; i < count; ++i) {
      const Relocation& r = relocations[i];
      const uint64_t type = k64Bit ? r.r_info & 0xffffffff : r.r_info & 0xff;
      if (type != kRelative) return Invalid("imports symbols");
      ASSAY_ASSIGN_OR_RETURN(Address * place, At<Address>(r.r_offset, 1));
      *place = reinterpret_cast<Address>(memory_) + AddendOf(r, *place);
    }
    return absl::OkStatus();
  }

  absl::Status CollectSymbols(const Dynamic& dynamic,
                              const std::vector<ElfW(Phdr)>& segments) {
    // The second word of the hash table is the number of symbols.
    ASSAY_ASSIGN_OR_RETURN(const auto* hash, At<uint32_t>(dynamic.hash, 2));
    const uint64_t count = dynamic.hash == 0 ? 0 : hash[1];
    ASSAY_ASSIGN_OR_RETURN(const auto* symbols,
                           At<ElfW(Sym)>(dynamic.symbols, count));
    ASSAY_ASSIGN_OR_RETURN(const auto* strings,
                           At<char>(dynamic.strings, dynamic.strings_size));
    std::map<std::string, uint64_t> values;  // of functions
    std::map<std::string, uint64_t> marks;   // symbols without a type
    for (uint64_t i = 1; i < count; ++i) {   // symbol 0 is reserved
      const ElfW(Sym)& symbol = symbols[i];
      if (symbol.st_name >= dynamic.strings_size) {
        return Invalid("has a symbol without a name");
      }
      const char* name = strings + symbol.st_name;
      const std::string text(
          name, strnlen(name, dynamic.strings_size - symbol.st_name));
      if (symbol.st_shndx == SHN_UNDEF) {
        return Invalid(absl::StrCat("needs the undefined symbol `", text, "`"));
      }
      if ((symbol.st_info & 0xf) == STT_NOTYPE) marks[text] = symbol.st_value;
      if ((symbol.st_info & 0xf) != STT_FUNC) continue;
      // The lowest bit of the address of an Arm function selects Thumb.
      const uint64_t first = symbol.st_value & ~uint64_t{1};
      if (!AreCode(first, first + 1, PF_X, segments)) {
        return Invalid(absl::StrCat("has no code at `", text, "`"));
      }
      functions_[text] = memory_ + symbol.st_value;
      values[text] = symbol.st_value;
    }
    CollectCode(values, marks, segments);
    return absl::OkStatus();
  }

  void CollectCode(const std::map<std::string, uint64_t>& functions,
                   const std::map<std::string, uint64_t>& marks,
                   const std::vector<ElfW(Phdr)>& segments) {
    for (const auto& [name, value] : functions) {
      const auto begin = marks.find(name + ".begin");
      const auto end = marks.find(name + ".end");
      if (begin == marks.end() || end == marks.end()) continue;
      const uint64_t first = begin->second, last = end->second;
      if (value < first || value >= last) continue;
      if (!AreCode(first, last, PF_R | PF_X, segments)) continue;
      code_[name] = {absl::string_view(memory_ + first, last - first),
                     static_cast<int64_t>(value - first)};
    }
  }

  // Returns true if the addresses [first, last) are in one segment that has
  // these flags.
  static bool AreCode(uint64_t first, uint64_t last, uint32_t flags,
                      const std::vector<ElfW(Phdr)>& segments) {
    return std::any_of(
        segments.begin(), segments.end(), [=](const ElfW(Phdr) & s) {
          return s.p_type == PT_LOAD && (s.p_flags & flags) == flags &&
                 s.p_vaddr <= first && first < last &&
                 last <= uint64_t{s.p_vaddr} + s.p_memsz;
        });
  }

  char* const memory_;
  const uint64_t size_;
  std::map<std::string, void*> functions_;
  std::map<std::string, KernelCode> code_;
};

// The permissions that the segments on a page need together.
int PermissionsOf(uint64_t page_begin, uint64_t page_end, uint64_t offset,
                  const std::vector<ElfW(Phdr)>& segments) {
  int flags = 0;
  for (const ElfW(Phdr) & s : segments) {
    const uint64_t begin = offset + s.p_vaddr;
    if (s.p_type == PT_LOAD && begin < page_end &&
        begin + s.p_memsz > page_begin) {
      flags |= static_cast<int>(s.p_flags);
    }
  }
  return (flags & PF_R ? PROT_READ : 0) | (flags & PF_W ? PROT_WRITE : 0) |
         (flags & PF_X ? PROT_EXEC : 0);
}

// Gives each page its permissions, consecutive pages with the same ones at
// once.
absl::Status Protect(char* memory, uint64_t bytes, uint64_t offset,
                     const std::vector<ElfW(Phdr)>& segments) {
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  for (uint64_t begin = 0, end; begin < bytes; begin = end) {
    const auto permissions = [&](uint64_t at) {
      return PermissionsOf(at, at + page, offset, segments);
    };
    const int protection = permissions(begin);
    if ((protection & PROT_WRITE) != 0 && (protection & PROT_EXEC) != 0) {
      return Invalid("has code and data on one page");
    }
    end = begin + page;
    while (end < bytes && permissions(end) == protection) end += page;
    if (mprotect(memory + begin, end - begin, protection) != 0) {
      return absl::ErrnoToStatus(errno, "cannot make the kernels executable");
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<KernelImage>> KernelImage::Load(
    absl::string_view elf, int64_t offset) {
  CHECK(offset >= 0 && offset % 64 == 0) << offset;
  ASSAY_ASSIGN_OR_RETURN(const std::vector<ElfW(Phdr)> segments,
                         ReadSegments(elf));
  // Kernels may use the matrix unit if there is one.
  EnableMatrixUnit();
  uint64_t size = 0;
  for (const ElfW(Phdr) & s : segments) {
    if (s.p_type == PT_LOAD) size = uint64_t{s.p_vaddr} + s.p_memsz;
  }
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const uint64_t bytes =
      (static_cast<uint64_t>(offset) + size + page) / page * page;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return absl::ErrnoToStatus(errno, "cannot allocate memory for kernels");
  }
  // Owns the memory from here on.
  std::unique_ptr<KernelImage> mapping(
      new KernelImage(static_cast<char*>(memory), bytes));
  Loader loader(mapping->memory_ + offset, size);
  ASSAY_RETURN_IF_ERROR(loader.Prepare(elf, segments));
  mapping->functions_ = loader.TakeFunctions();
  mapping->code_ = loader.TakeCode();
  // While all of the image is readable, which AArch64 requires.
  char* const image = mapping->memory_ + offset;
  __builtin___clear_cache(image, image + size);
  ASSAY_RETURN_IF_ERROR(Protect(mapping->memory_, bytes,
                                static_cast<uint64_t>(offset), segments));
  return mapping;
}

KernelImage::~KernelImage() { munmap(memory_, bytes_); }

absl::StatusOr<void*> KernelImage::Find(const std::string& symbol) const {
  const auto function = functions_.find(symbol);
  if (function == functions_.end()) {
    return absl::NotFoundError(
        absl::StrCat("the kernels' code has no symbol `", symbol, "`"));
  }
  return function->second;
}

KernelCode KernelImage::CodeOf(const std::string& symbol) const {
  const auto code = code_.find(symbol);
  return code == code_.end() ? KernelCode() : code->second;
}

}  // namespace assay::runtime
