#pragma once
// Notices that a rank has died or stands still, so that the others do not wait for it forever.
#include <memory>
#include <string>

#include "dgtd/parallel/communicator.hpp"

namespace dgtd::parallel {

/// Times by which the watchdog notices that a rank is missing.
struct WatchSeconds {
  double beat = 1;      // between signs of life
  double silence = 20;  // after which a rank counts as stopped
  double patience = 5;  // after a rank has died, for what started the ranks to end them all
};

/// A thread on each rank exchanges signs of life with those of its two neighbours in a ring, by sockets of their own:
/// MPI does not tell who is missing. Where a neighbour's process ends, or is silent for too long, this rank prints one
/// line that names it and ends its process with the exit code for devices and communication, which ends the others.
/// The threads do not depend on what ranks compute: a rank may be busy for as long as it likes.
/// Does nothing with one rank, where a socket cannot be made, and where the environment has DGTD_WATCHDOG=off;
/// DGTD_WATCHDOG=N sets the silence to N seconds.
class Watchdog {
 public:
  /// Collective. program: begins the line.
  Watchdog(const Communicator& comm, std::string program, WatchSeconds seconds = {});
  /// Tells the neighbours that this rank ends as it should.
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// This rank ends with an error that it prints itself: the neighbours print nothing.
  void announce_failure();

 private:
  class Ring;
  std::unique_ptr<Ring> ring_;
};

}  // namespace dgtd::parallel
