// hostile_worker MODE …: a worker that misbehaves, for tests of the server. It
// speaks the protocol of bench_artifact (runtime/tools/bench_steps.h) until it
// does what its mode says. The flags after the mode are ignored.

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <string>
#include <thread>

namespace {

[[noreturn]] void Hang() {
  while (true) sleep(1000);
}

[[noreturn]] void WriteForever(int fd, const std::string& text) {
  while (true) {
    if (write(fd, text.data(), text.size()) < 0) _exit(1);
  }
}

[[noreturn]] void AllocateForever() {
  constexpr size_t kBytes = 16 << 20;
  while (true) {
    auto* const memory = static_cast<volatile char*>(malloc(kBytes));
    if (memory == nullptr) abort();
    for (size_t i = 0; i < kBytes; i += 4096) memory[i] = 1;
  }
}

// Starts processes that try to outlive this one.
void Fork() {
  for (int i = 0; i < 100; ++i) {
    const pid_t pid = fork();
    if (pid == 0) {
      setsid();
      Hang();
    }
    if (pid < 0) break;
  }
}

void MakeFile(const std::string& path, const std::string& text) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (fd < 0 || write(fd, text.data(), text.size()) < 0) _exit(1);
  close(fd);
}

// The folder for the outputs of a block.
std::string FolderOf(const std::string& request) {
  const std::string key = "\"outputs_folder\":\"";
  const size_t start = request.find(key);
  if (start == std::string::npos) return ".";
  const size_t begin = start + key.size();
  return request.substr(begin, request.find('"', begin) - begin);
}

void Answer(const std::string& mode, const std::string& request) {
  const std::string folder = FolderOf(request);
  const std::string outputs = folder + "/outputs-0";
  const auto sample = [] { std::cout << "sample 5 1\nok" << std::endl; };
  if (mode == "crash") {
    raise(SIGSEGV);
  } else if (mode == "exit") {
    std::cerr << "something is wrong" << std::endl;
    _exit(5);
  } else if (mode == "hang") {
    Hang();
  } else if (mode == "close") {
    close(STDOUT_FILENO);
    close(STDERR_FILENO);
    Hang();
  } else if (mode == "endless_line") {
    WriteForever(STDOUT_FILENO, std::string(1 << 16, 'x'));
  } else if (mode == "endless_samples") {
    WriteForever(STDOUT_FILENO, "sample 5 1\n");
  } else if (mode == "endless_calls") {
    std::cout << "sample 5 1" << std::flush;
    WriteForever(STDOUT_FILENO, " 1");
  } else if (mode == "endless_errors") {
    WriteForever(STDERR_FILENO, std::string(1 << 12, 'e') + "\n");
  } else if (mode == "memory") {
    AllocateForever();
  } else if (mode == "fork") {
    Fork();
    Hang();
  } else if (mode == "threads") {
    while (true) std::thread([] { Hang(); }).detach();
  } else if (mode == "big_file") {
    const int fd = open(outputs.c_str(), O_WRONLY | O_CREAT, 0600);
    WriteForever(fd, std::string(1 << 20, 'x'));
  } else if (mode == "many_files") {
    for (int i = 0;; ++i) MakeFile(folder + "/" + std::to_string(i), "x");
  } else if (mode == "folders") {
    // Nested folders that nobody may enter.
    std::string path = folder + "/d";
    for (int i = 0; i < 20 && mkdir(path.c_str(), 0700) == 0; ++i) path += "/d";
    for (int i = 0; i < 20; ++i) {
      path.resize(path.size() - 2);
      chmod(path.c_str(), 0);
    }
    Hang();
  } else if (mode == "link") {
    if (symlink("/etc/passwd", outputs.c_str()) != 0) _exit(1);
    sample();
  } else if (mode == "pipe") {
    if (mkfifo(outputs.c_str(), 0600) != 0) _exit(1);
    sample();
  } else if (mode == "huge_file") {
    // Larger than the limit of the server, but not than that of the process.
    const int fd = open(outputs.c_str(), O_WRONLY | O_CREAT, 0600);
    if (ftruncate(fd, off_t{6} << 20) != 0) _exit(1);
    sample();
  } else if (mode == "no_file") {
    sample();
  } else if (mode == "lie") {
    std::cout << "fail ABORTED the lease has ended" << std::endl;
  } else if (mode == "reject") {
    std::cout << "fail FAILED_PRECONDITION too fast" << std::endl;
  } else if (mode == "nonsense") {
    std::cout << "\xff\xfe\x01 nonsense" << std::endl;
  } else if (mode == "large_outputs") {
    const size_t samples = 10;
    for (size_t i = 0; i < samples; ++i) {
      MakeFile(folder + "/outputs-" + std::to_string(i),
               std::string(1 << 20, 'x'));
    }
    for (size_t i = 0; i < samples; ++i) std::cout << "sample 5 1\n";
    std::cout << "ok" << std::endl;
  } else {
    MakeFile(outputs, "outputs");
    sample();
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  signal(SIGTERM, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  if (mode == "reject_artifacts") {
    std::cerr << "the artifact is damaged" << std::endl;
    return 2;
  }
  if (mode == "crash_at_start") abort();
  if (mode == "hang_at_start") Hang();
  if (mode == "endless_start") {
    WriteForever(STDOUT_FILENO, std::string(1 << 16, 'x'));
  }
  if (mode != "other_version") std::cout << "protocol 2\n";
  std::cout << "ready 1" << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    if (line.rfind("block ", 0) == 0) {
      Answer(mode, line);
    } else if (line == "loaded" && mode == "crash_when_loaded") {
      raise(SIGSEGV);
    } else if (line == "loaded" && mode == "hang_when_loaded") {
      Hang();
    } else if (line == "loaded" && mode == "slow_to_load") {
      std::cout << "ok 3600000000000" << std::endl;
    } else if (line == "loaded" && mode == "untimed") {
      std::cout << "fail UNIMPLEMENTED not timed" << std::endl;
    } else {
      std::cout << "ok" << std::endl;
    }
  }
  return 0;
}
