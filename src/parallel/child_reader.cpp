#include "dgtd/parallel/child_reader.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <omp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <fstream>
#include <new>
#include <optional>

#include "dgtd/base/os_reason.hpp"
#include "dgtd/base/peak_memory.hpp"
#include "dgtd/base/sanitized.hpp"

namespace dgtd::parallel {

namespace {

// The first byte of what a child sends.
enum class Content : char { values, failure, no_memory };

// Exit codes of a child.
constexpr int complete = 0, threw = 1;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double wall_seconds(const ReadLimits& limits) { return 30 + 10 * limits.seconds; }

/// A descriptor that is closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return number_; }

 private:
  int number_;
};

double address_space() {
  double pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * double(sysconf(_SC_PAGESIZE));
}

// No more than now. beyond: of the hard limit, past which the kernel kills without SIGXCPU.
void limit(__rlimit_resource_t resource, double value, rlim_t beyond = 0) {
  rlimit now{};
  getrlimit(resource, &now);
  const rlim_t allowed = std::min(static_cast<rlim_t>(value), now.rlim_cur);
  const rlimit limits{allowed, std::min(allowed + beyond, now.rlim_max)};
  setrlimit(resource, &limits);
}

// A crash ends the child without a message; signals to the run are handled by the parent, which may go on reading.
void set_up_child(const ReadLimits& limits) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU, SIGPIPE}) std::signal(s, SIG_DFL);
  for (const int s : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2}) std::signal(s, SIG_IGN);
  if (const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC); nothing >= 0) {
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
  }
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, std::ceil(limits.seconds), 2);
  if (!sanitized) limit(RLIMIT_AS, address_space() + limits.bytes);
  omp_set_num_threads(1);  // the threads of the process that was copied are not here
}

[[noreturn]] void run_child(int pipe, const ReadLimits& limits, const std::function<void(Sender&)>& read) {
  set_up_child(limits);
  Sender sender(pipe);
  try {
    read(sender);
  } catch (const Error& error) {
    sender.put_failure(error.code(), error.what());
    _exit(threw);
  } catch (const std::bad_alloc&) {
    const auto content = Content::no_memory;
    (void)!::write(pipe, &content, sizeof content);
    _exit(threw);
  } catch (...) { std::abort(); }
  _exit(complete);
}

/// A child that is waited for, at the latest by the destructor, which ends it.
class Child {
 public:
  explicit Child(pid_t id) : id_(id) {}
  ~Child() {
    if (!waited_) kill();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  void kill() {
    ::kill(id_, SIGKILL);
    wait();
  }
  int wait() {
    int status = 0;
    while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {}
    waited_ = true;
    return status;
  }

 private:
  pid_t id_;
  bool waited_ = false;
};

struct Reader {
  const std::string& file;
  const char* library;
  const ReadLimits& limits;

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("{}: the {} library {}", file, library, what));
  }
  [[noreturn]] void late() const {
    fail(fmt::format("needs more than {:.3g} s to read it; the file is damaged", limits.seconds));
  }
  [[noreturn]] void no_memory() const {
    fail(fmt::format("needs more than {:.3g} GB of memory to read it; the file is damaged or too large",
                     limits.bytes / 1e9));
  }
  // Reports a child that has put no values, or not all.
  [[noreturn]] void ended(int status) const {
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) late();
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) fail("was killed while reading it, perhaps for its memory");
    fail("crashed while reading it; the file is damaged");
  }
};

void receive(const Reader& reader, Child& child, int pipe, const std::function<void(Receiver&)>& take) {
  Receiver receiver(pipe, wall_seconds(reader.limits));
  Content content{};
  std::optional<Error> failure;
  try {
    receiver.take(content);
    if (content == Content::failure) {
      auto code = ExitCode::other;
      std::string message;
      receiver.take(code);
      receiver.take(message);
      failure.emplace(code, message);
    } else if (content == Content::values) {
      take(receiver);
    }
  } catch (const Receiver::Ended&) { reader.ended(child.wait()); } catch (const Receiver::Late&) {
    child.kill();
    reader.late();
  }
  if (failure) throw *failure;
  if (content == Content::no_memory) reader.no_memory();
  if (const int status = child.wait(); !WIFEXITED(status) || WEXITSTATUS(status) != complete) reader.ended(status);
}

[[noreturn]] void no_process(const std::string& file) {
  throw Error(ExitCode::other, fmt::format("{}: no process can be made to read it: {}", file, os_reason(errno)));
}

}  // namespace

ReadLimits read_limits(double file_bytes) {
  // Deflate makes at most 1032 bytes of one, each perhaps a value of several bytes; Gmsh reads some 10 MB/s of text.
  constexpr double least_seconds = sanitized ? 6 : 3, seconds_per_byte = 1e-6;
  constexpr double least_bytes = 1 << 30, bytes_per_byte = 4096;
  return {least_seconds + seconds_per_byte * file_bytes,
          std::min(least_bytes + bytes_per_byte * file_bytes, host_memory_limit())};
}

void Sender::write_all(const void* bytes, std::size_t count) {
  for (const auto* at = static_cast<const char*>(bytes); count > 0;) {
    const ssize_t done = ::write(pipe_, at, count);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) throw Error(ExitCode::other, "a value cannot be sent");
    at += done;
    count -= static_cast<std::size_t>(done);
  }
}

void Sender::write(const void* bytes, std::size_t count) {
  if (!started_) {
    const auto content = Content::values;
    write_all(&content, sizeof content);
    started_ = true;
  }
  write_all(bytes, count);
}

void Sender::put(const std::vector<std::string>& texts) {
  put(static_cast<std::uint64_t>(texts.size()));
  for (const auto& text : texts) put(text);
}

void Sender::put_failure(ExitCode code, const std::string& message) {
  if (started_) return;  // the reader takes it for a value that is missing
  const auto content = Content::failure;
  write_all(&content, sizeof content);
  started_ = true;
  put(code);
  put(message);
}

Receiver::Receiver(int pipe, double seconds) : pipe_(pipe), end_(now() + seconds) {}

void Receiver::read(void* to, std::size_t count) {
  for (auto* at = static_cast<char*>(to); count > 0;) {
    pollfd ready{pipe_, POLLIN, 0};
    const double left = end_ - now();
    if (left <= 0) throw Late();
    const int polled = poll(&ready, 1, static_cast<int>(std::min(1e3 * left + 1, 1e9)));
    if (polled == 0 || (polled < 0 && errno == EINTR)) continue;
    const ssize_t done = ::read(pipe_, at, count);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) throw Ended();
    at += done;
    count -= static_cast<std::size_t>(done);
  }
}

void Receiver::take(std::vector<std::string>& texts) {
  std::uint64_t count = 0;
  take(count);
  texts.clear();
  for (; count > 0; --count) take(texts.emplace_back());
}

void read_in_child(const std::string& file, const char* library, const ReadLimits& limits,
                   const std::function<void(Sender&)>& read, const std::function<void(Receiver&)>& take) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) no_process(file);
  const Descriptor receiving(ends[0]);
  std::optional<Descriptor> sending(std::in_place, ends[1]);
  constexpr int bytes = 1 << 20;
  fcntl(receiving, F_SETPIPE_SZ, bytes);  // fewer changes between the processes; refused ones do no harm
  const pid_t id = fork();
  if (id < 0) no_process(file);
  if (id == 0) run_child(*sending, limits, read);
  sending.reset();
  Child child(id);
  receive({file, library, limits}, child, receiving, take);
}

}  // namespace dgtd::parallel
