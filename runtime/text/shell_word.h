// ShellWord: quotes a word of a command that a report shows.
//
// It is for commands that people copy. Programs start others without a shell
// (runtime/process/subprocess.h).
#ifndef ASSAY_RUNTIME_TEXT_SHELL_WORD_H_
#define ASSAY_RUNTIME_TEXT_SHELL_WORD_H_

#include <string>

#include "absl/strings/string_view.h"

namespace assay::runtime {

// Returns `text` as one word of a POSIX shell, quoted if necessary.
std::string ShellWord(absl::string_view text);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TEXT_SHELL_WORD_H_
