#include "compiler/codegen/llvm/object/link.h"

#include <mutex>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/raw_ostream.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

LLD_HAS_DRIVER(elf)

namespace assay::codegen {
namespace {

// A symbol that position-independent code refers to and the linker defines.
constexpr char kLinkerSymbol[] = "_GLOBAL_OFFSET_TABLE_";

const char* EmulationOf(const target::Target& target) {
  switch (target.arch()) {
    case target::Arch::kX86_64:
      return "elf_x86_64";
    case target::Arch::kAArch64:
      return "aarch64linux";
    case target::Arch::kArm:
      return "armelf_linux_eabi";
    case target::Arch::kNone:
      break;
  }
  return "";
}

// Serialized, because lld keeps its state in global variables.
absl::Status RunLld(const std::vector<std::string>& args) {
  static std::mutex* mutex = new std::mutex;
  static bool broken = false;
  const std::lock_guard<std::mutex> lock(*mutex);
  if (broken) {
    return absl::InternalError("lld failed earlier and cannot run again");
  }
  std::vector<const char*> argv;
  for (const std::string& arg : args) argv.push_back(arg.c_str());
  std::string output, errors;
  llvm::raw_string_ostream out(output), err(errors);
  const lld::Result result =
      lld::lldMain(argv, out, err, {{lld::Gnu, &lld::elf::link}});
  broken = !result.canRunAgain;
  if (result.retCode == 0) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("lld: ", err.str()));
}

using llvm::object::ELFObjectFileBase;
using llvm::object::ELFRelocationRef;
using llvm::object::ELFSectionRef;
using llvm::object::SectionRef;
using llvm::object::SymbolRef;

// Returns true for the sections that the linker script puts between the symbols
// of a kernel.
bool IsCodeOrConstants(const SectionRef& section) {
  llvm::Expected<llvm::StringRef> name = section.getName();
  if (!name) {
    llvm::consumeError(name.takeError());
    return false;
  }
  return *name == ".text" || name->starts_with(".text.") ||
         *name == ".rodata" || name->starts_with(".rodata.");
}

// Returns true for sections that are in memory at run time although no code
// refers to them: those for stack unwinding.
bool IsForUnwinding(const SectionRef& section) {
  llvm::Expected<llvm::StringRef> name = section.getName();
  if (!name) {
    llvm::consumeError(name.takeError());
    return false;
  }
  return *name == ".eh_frame" || name->starts_with(".ARM.ex");
}

// Returns true if the target of the relocation is in the code or the constants
// of the same object file.
bool StaysInside(const ELFObjectFileBase& elf,
                 const ELFRelocationRef& relocation) {
  llvm::SmallString<32> type;
  relocation.getTypeName(type);
  if (type.str().contains("GOT")) return false;
  const auto symbol = relocation.getSymbol();
  if (symbol == elf.symbol_end()) return false;
  llvm::Expected<llvm::object::section_iterator> section = symbol->getSection();
  if (!section) {
    llvm::consumeError(section.takeError());
    return false;
  }
  return *section != elf.section_end() && IsCodeOrConstants(**section);
}

// Returns true if code and constants of the kernel refer to nothing else.
bool IsSelfContained(const KernelObject& kernel) {
  const llvm::MemoryBufferRef buffer(
      llvm::StringRef(kernel.image.data(), kernel.image.size()), "object");
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> object =
      llvm::object::ObjectFile::createELFObjectFile(buffer);
  if (!object) {
    llvm::consumeError(object.takeError());
    return false;
  }
  const auto& elf = llvm::cast<ELFObjectFileBase>(**object);
  for (const ELFSectionRef section : elf.sections()) {
    const bool loaded = (section.getFlags() & llvm::ELF::SHF_ALLOC) != 0;
    if (!loaded || IsForUnwinding(section)) continue;
    if (section.getSize() > 0 && !IsCodeOrConstants(section)) return false;
    if (section.getAlignment().value() > kKernelAlignment) return false;
  }
  for (const ELFSectionRef section : elf.sections()) {
    llvm::Expected<llvm::object::section_iterator> relocated =
        section.getRelocatedSection();
    if (!relocated) {
      llvm::consumeError(relocated.takeError());
      return false;
    }
    if (*relocated == elf.section_end() || !IsCodeOrConstants(**relocated)) {
      continue;
    }
    for (const ELFRelocationRef relocation : section.relocations()) {
      if (!StaysInside(elf, relocation)) return false;
    }
  }
  return true;
}

// Returns the linker script. Segments with different permissions are at least
// a page apart, as the loader requires (kernel_image.h).
std::string LinkerScript(const std::vector<KernelObject>& objects) {
  constexpr char kNextSegment[] = "  . = . + CONSTANT(MAXPAGESIZE);\n";
  std::string script = "SECTIONS {\n  . = SIZEOF_HEADERS;\n";
  for (const char* section : {".dynsym", ".gnu.hash", ".hash", ".dynstr",
                              ".rela.dyn", ".rel.dyn", ".eh_frame"}) {
    absl::StrAppend(&script, "  ", section, " : { *(", section, ") }\n");
  }
  absl::StrAppend(&script, "  .ARM.exidx : { *(.ARM.exidx .ARM.exidx.*) }\n",
                  kNextSegment, "  .text : {\n");
  for (const KernelObject& object : objects) {
    const bool marked = IsSelfContained(object);
    absl::StrAppend(&script, "    . = ALIGN(", kKernelAlignment, ");\n");
    if (marked) {
      absl::StrAppend(&script, "    ", object.kernel, ".begin = .;\n");
    }
    // A pattern in quotes would have no wildcards.
    absl::StrAppend(&script, "    */", object.kernel,
                    ".o(.text .text.*)\n    */", object.kernel,
                    ".o(.rodata .rodata.*)\n");
    if (marked) {
      absl::StrAppend(&script, "    ", object.kernel, ".end = .;\n");
    }
  }
  absl::StrAppend(&script, "  }\n", kNextSegment,
                  "  .dynamic : { *(.dynamic) }\n"
                  "  .got : { *(.got) }\n"
                  "  .data : { *(.data .data.*) }\n"
                  "  .bss : { *(.bss .bss.*) }\n}\n");
  return script;
}

absl::Status RejectImports(absl::string_view what,
                           const std::vector<std::string>& symbols) {
  if (symbols.empty()) return absl::OkStatus();
  return absl::UnimplementedError(absl::StrCat(
      what, " needs `", absl::StrJoin(symbols, "`, `"),
      "`, which no runtime provides; the target has no instructions for "
      "some operation in it"));
}

}  // namespace

absl::StatusOr<std::vector<std::string>> UndefinedSymbols(
    absl::string_view image, bool dynamic) {
  const llvm::MemoryBufferRef buffer(
      llvm::StringRef(image.data(), image.size()), "image");
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> object =
      llvm::object::ObjectFile::createELFObjectFile(buffer);
  if (!object) {
    return absl::InvalidArgumentError(
        absl::StrCat("not an ELF image: ", llvm::toString(object.takeError())));
  }
  const auto* elf = llvm::cast<llvm::object::ELFObjectFileBase>(object->get());
  std::vector<std::string> names;
  const auto collect = [&](const llvm::object::SymbolRef& symbol) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    if (!flags || !name) {
      llvm::consumeError(flags.takeError());
      llvm::consumeError(name.takeError());
      return;
    }
    if ((*flags & llvm::object::SymbolRef::SF_Undefined) == 0) return;
    if (!name->empty() && *name != kLinkerSymbol) names.push_back(name->str());
  };
  if (dynamic) {
    for (const auto& symbol : elf->getDynamicSymbolIterators()) {
      collect(symbol);
    }
  } else {
    for (const auto& symbol : elf->symbols()) collect(symbol);
  }
  return names;
}

absl::StatusOr<std::string> LinkSharedObject(
    const std::vector<KernelObject>& objects, const target::Target& target) {
  ASSAY_ASSIGN_OR_RETURN(const TempDir dir, TempDir::Create("assay_link"));
  const std::string output = JoinPath(dir.path(), "kernels.so");
  const std::string script = JoinPath(dir.path(), "script");
  ASSAY_RETURN_IF_ERROR(WriteFileAtomic(script, LinkerScript(objects)));
  std::vector<std::string> args = {
      "ld.lld", "-shared", "-m", EmulationOf(target), "--build-id=none",
      "--threads=1", "-z", "noexecstack", "--hash-style=both",
      // Merges no constants of different kernels.
      "-O0", "--script", script, "-o", output};
  for (const KernelObject& object : objects) {
    ASSAY_ASSIGN_OR_RETURN(const std::vector<std::string> imports,
                           UndefinedSymbols(object.image, /*dynamic=*/false));
    ASSAY_RETURN_IF_ERROR(
        RejectImports(absl::StrCat("kernel `", object.kernel, "`"), imports));
    args.push_back(JoinPath(dir.path(), absl::StrCat(object.kernel, ".o")));
    ASSAY_RETURN_IF_ERROR(WriteFileAtomic(args.back(), object.image));
  }
  ASSAY_RETURN_IF_ERROR(RunLld(args));
  ASSAY_ASSIGN_OR_RETURN(std::string image, ReadFile(output));
  ASSAY_ASSIGN_OR_RETURN(const std::vector<std::string> imports,
                         UndefinedSymbols(image, /*dynamic=*/true));
  ASSAY_RETURN_IF_ERROR(RejectImports("the shared object", imports));
  return image;
}

}  // namespace assay::codegen
