// A child process whose work crashes, hangs, takes too much memory or fails becomes one line here.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <stdexcept>

#include "dgtd/base/sanitized.hpp"
#include "dgtd/parallel/child_reader.hpp"

namespace dgtd::parallel {
namespace {

constexpr ReadLimits limits{1, 200e6};

// Processes that this one has started; MPI's are among them.
std::string children() {
  std::string line;
  std::ifstream list("/proc/self/task/" + std::to_string(getpid()) + "/children");
  std::getline(list, line);
  return line;
}

// The message of what the child does; "" where all is well.
template <class Read>
std::string message_of(Read read, const ReadLimits& limits = parallel::limits) {
  const std::string before = children();
  std::string message;
  try {
    int value = 0;
    read_in_child(
        "a.msh", "Gmsh", limits,
        [&](Sender& sender) {
          read();
          sender.put(1);
        },
        [&](Receiver& receiver) { receiver.take(value); });
    EXPECT_EQ(value, 1);
  } catch (const Error& failure) {
    EXPECT_EQ(failure.code(), ExitCode::bad_input);
    message = failure.what();
  }
  EXPECT_EQ(children(), before);
  return message;
}

TEST(ChildReader, SendsValues) {
  std::vector<double> numbers(5'000'000);  // more than the pipe holds
  std::iota(numbers.begin(), numbers.end(), 0.5);
  const std::vector<std::string> names{"head", "", "skin"};
  std::vector<double> numbers_read;
  std::vector<std::string> names_read;
  std::string text;
  const ReadLimits enough = read_limits(1e6);
  read_in_child(
      "a", "b", enough, [&](Sender& sender) { sender.put(numbers), sender.put(names), sender.put(std::string("end")); },
      [&](Receiver& receiver) { receiver.take(numbers_read), receiver.take(names_read), receiver.take(text); });
  EXPECT_EQ(numbers_read, numbers);
  EXPECT_EQ(names_read, names);
  EXPECT_EQ(text, "end");
}

TEST(ChildReader, TurnsSignalsIntoALine) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    EXPECT_EQ(message_of([&] {
                std::fprintf(stderr, "last words of a library\n");
                std::signal(signal, SIG_DFL);  // a sanitizer has its own handler
                raise(signal);
              }),
              "a.msh: the Gmsh library crashed while reading it; the file is damaged");
  EXPECT_EQ(message_of([] { raise(SIGKILL); }),
            "a.msh: the Gmsh library was killed while reading it, perhaps for its memory");
  EXPECT_EQ(message_of([] { _exit(0); }), "a.msh: the Gmsh library crashed while reading it; the file is damaged");
  EXPECT_EQ(message_of([] { throw std::runtime_error("not an Error"); }),
            "a.msh: the Gmsh library crashed while reading it; the file is damaged");
}

TEST(ChildReader, LimitsTime) {
  volatile bool forever = true;
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(message_of([&] {
              while (forever) {}
            }),
            "a.msh: the Gmsh library needs more than 1 s to read it; the file is damaged");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST(ChildReader, LimitsMemory) {
  if (sanitized) GTEST_SKIP() << "the sanitizer has its own limit";
  EXPECT_EQ(message_of([] { std::vector<char> much(300'000'000); }),
            "a.msh: the Gmsh library needs more than 0.2 GB of memory to read it; the file is damaged or too large");
  EXPECT_EQ(message_of([] { std::vector<char> little(50'000'000); }), "");
}

TEST(ChildReader, PassesErrorsOn) {
  try {
    read_in_child(
        "a", "b", limits, [](Sender&) { throw Error(ExitCode::device, "what the reader says"); }, [](Receiver&) {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::device);
    EXPECT_STREQ(error.what(), "what the reader says");
  }
}

// Signals that request something of the run do not end the child: the parent continues until it polls for the request.
TEST(ChildReader, IsNotEndedBySignalsToTheRun) {
  EXPECT_EQ(message_of([] {
              for (const int signal : {SIGTERM, SIGINT, SIGUSR1, SIGUSR2}) raise(signal);
            }),
            "");
}

// Whoever takes fails: the child does not stay.
TEST(ChildReader, EndsWithItsReader) {
  const std::string before = children();
  EXPECT_THROW(read_in_child(
                   "a", "b", limits, [](Sender& sender) { sender.put(std::vector<double>(4'000'000)); },
                   [](Receiver&) { throw Error("no"); }),
               Error);
  EXPECT_EQ(children(), before);
}

}  // namespace
}  // namespace dgtd::parallel
