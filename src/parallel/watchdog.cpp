#include "dgtd/parallel/watchdog.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <random>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "dgtd/base/error.hpp"

namespace dgtd::parallel {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

/// Address at which a rank listens.
struct Endpoint {
  char host[64];
  std::uint16_t port;
};

/// First bytes on a connection: only ranks of this run have the token.
struct Hello {
  std::uint64_t token;
  std::int32_t rank;
};

// One byte each.
constexpr char beat = 'b', goodbye = 'g', failure = 'f', end_all = 'e';

/// An open descriptor.
class Socket {
 public:
  Socket() = default;
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~Socket() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

Socket listen_anywhere(std::uint16_t& port) {
  Socket s(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (!s || ::bind(s.get(), any, size) != 0 || ::listen(s.get(), 4) != 0 || ::getsockname(s.get(), any, &size) != 0)
    return {};
  port = ntohs(address.sin_port);
  return s;
}

/// Waits for the descriptor for so long at most.
bool ready(int descriptor, short events, double seconds) {
  pollfd p{descriptor, events, 0};
  return ::poll(&p, 1, static_cast<int>(1000 * seconds)) == 1;
}

Socket connect_to(const Endpoint& to, bool same_host, double seconds) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  if (::getaddrinfo(same_host ? "127.0.0.1" : to.host, std::to_string(to.port).c_str(), &hints, &found) != 0) return {};
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(found, ::freeaddrinfo);
  Socket s(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!s) return {};
  if (::connect(s.get(), found->ai_addr, found->ai_addrlen) != 0) {
    int error = 0;
    socklen_t size = sizeof error;
    if (errno != EINPROGRESS || !ready(s.get(), POLLOUT, seconds) ||
        ::getsockopt(s.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0)
      return {};
  }
  return s;
}

/// The connection to a neighbour.
struct Link {
  Socket socket;
  int rank = -1;
  Clock::time_point heard = Clock::now();
  bool open() const { return static_cast<bool>(socket); }
  void send(char c) const {
    if (open()) (void)!::send(socket.get(), &c, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
  }
  void close() { socket = Socket(); }
};

}  // namespace

class Watchdog::Ring {
 public:
  Ring(const Communicator& comm, std::string program, WatchSeconds seconds)
      : program_(std::move(program)), seconds_(seconds), rank_(comm.rank()) {
    connect(comm);
    if (!links_.empty() && ::pipe2(wake_, O_CLOEXEC) != 0) links_.clear();
    if (links_.empty()) return;
    try {
      thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) { links_.clear(); }
  }
  ~Ring() {
    stop_ = true;
    if (thread_.joinable()) {
      (void)!::write(wake_[1], "", 1);
      thread_.join();
      ::close(wake_[0]), ::close(wake_[1]);
    }
    for (const Link& link : links_) link.send(failed_ ? failure : goodbye);
  }
  void announce_failure() {
    failed_ = true;
    for (const Link& link : links_) link.send(failure);
  }

 private:
  // Each rank connects to the next one and is connected to by the one before. All or none are watched.
  void connect(const Communicator& comm) {
    constexpr double patience = 5;  // s, for a connection
    Endpoint mine{};
    ::gethostname(mine.host, sizeof mine.host - 1);
    const Socket listener = listen_anywhere(mine.port);
    const auto gathered = comm.gather_vectors(std::vector<Endpoint>{mine});
    const std::string all =
        comm.broadcast(std::string(reinterpret_cast<const char*>(gathered.data()), gathered.size() * sizeof(Endpoint)));
    const auto endpoint = [&](int rank) {
      Endpoint e;
      std::memcpy(&e, all.data() + static_cast<std::size_t>(rank) * sizeof e, sizeof e);
      return e;
    };
    const std::uint64_t token =
        comm.broadcast_value(std::uint64_t{std::random_device{}()} << 32 | std::random_device{}());
    const int next = (rank_ + 1) % comm.size(), before = (rank_ + comm.size() - 1) % comm.size();
    const Endpoint to = endpoint(next);
    Link forward{connect_to(to, std::strcmp(to.host, mine.host) == 0, patience), next}, backward{{}, before};
    const Hello hello{token, rank_};
    if (forward.open()) (void)!::send(forward.socket.get(), &hello, sizeof hello, MSG_NOSIGNAL);
    // Strangers may knock as well.
    for (int tries = 0; listener && tries < 10 && !backward.open() && ready(listener.get(), POLLIN, patience);
         ++tries) {
      Socket s(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
      Hello theirs{};
      if (s && ready(s.get(), POLLIN, patience) &&
          ::recv(s.get(), &theirs, sizeof theirs, MSG_WAITALL) == sizeof theirs && theirs.token == token &&
          theirs.rank == before)
        backward.socket = std::move(s);
    }
    if (comm.min(std::int64_t{forward.open() && backward.open()}) == 0) return;
    links_.push_back(std::move(forward));
    links_.push_back(std::move(backward));
  }

  void run() {
    Clock::time_point last = Clock::now(), sent{};
    for (Link& link : links_) link.heard = last;
    while (!stop_) {
      if (seconds_since(sent) >= seconds_.beat) {
        for (const Link& link : links_) link.send(beat);
        sent = Clock::now();
      }
      wait(seconds_.beat - seconds_since(sent));
      // Who was stopped itself, with the others or alone, cannot judge them.
      if (seconds_since(last) > 3 * seconds_.beat)
        for (Link& link : links_) link.heard = Clock::now();
      last = Clock::now();
      for (Link& link : links_)
        if (link.open() && seconds_since(link.heard) > seconds_.silence) end_for_silence(link);
      if (died_ && seconds_since(*died_) > seconds_.patience) {
        say_died();
        end();
      }
    }
  }

  // Or less where a neighbour says something.
  void wait(double seconds) {
    std::array<pollfd, 3> p{};
    p[0] = {wake_[0], POLLIN, 0};
    for (std::size_t i = 0; i < links_.size(); ++i) p[i + 1] = {links_[i].socket.get(), POLLIN, 0};
    if (::poll(p.data(), p.size(), std::max(1, static_cast<int>(1000 * seconds))) <= 0) return;
    for (std::size_t i = 0; i < links_.size(); ++i)
      if (p[i + 1].revents != 0) listen_to(links_[i]);
  }

  void listen_to(Link& link) {
    char said[64];
    const ssize_t count = ::recv(link.socket.get(), said, sizeof said, MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    link.heard = Clock::now();
    const std::string_view text(said, count > 0 ? static_cast<std::size_t>(count) : 0);
    if (text.find(end_all) != text.npos) end();
    if (text.find(goodbye) != text.npos || text.find(failure) != text.npos) return link.close();
    if (count > 0) return;
    // The rank before the dead one speaks at once, the one behind it only if that has not ended the run.
    link.close();
    if (died_) return;
    died_ = Clock::now(), dead_ = link.rank;
    if (&link == &links_.front()) say_died();
  }

  void say_died() {
    if (!said_ && !failed_) say(dead_, "has died (killed, or out of memory)");
    said_ = true;
  }

  void end_for_silence(const Link& link) {
    say(link.rank, "does not respond: it is stopped, or its host is lost");
    end();
  }

  void say(int rank, const char* what) const {
    std::fprintf(stderr, "%s: error (rank %d): rank %d %s\n", program_.c_str(), rank_, rank, what);
    std::fflush(stderr);
  }

  [[noreturn]] void end() const {
    for (const Link& link : links_) link.send(end_all);
    ::_exit(static_cast<int>(ExitCode::device));
  }

  std::string program_;
  WatchSeconds seconds_;
  int rank_;
  std::vector<Link> links_;
  int wake_[2] = {-1, -1};
  std::atomic<bool> stop_ = false, failed_ = false;
  std::optional<Clock::time_point> died_;
  int dead_ = -1;
  bool said_ = false;
  std::thread thread_;
};

Watchdog::Watchdog(const Communicator& comm, std::string program, WatchSeconds seconds) {
  if (comm.size() == 1) return;
  const char* const setting = std::getenv("DGTD_WATCHDOG");
  // Root's counts: the environment of hosts may differ.
  const std::string word = comm.broadcast(setting != nullptr ? setting : "");
  if (word == "off") return;
  if (const double silence = std::strtod(word.c_str(), nullptr); silence > 0) {
    seconds.silence = silence;
    seconds.beat = std::min(seconds.beat, silence / 10);
  }
  ring_ = std::make_unique<Ring>(comm, std::move(program), seconds);
}

Watchdog::~Watchdog() = default;

void Watchdog::announce_failure() {
  if (ring_) ring_->announce_failure();
}

}  // namespace dgtd::parallel
