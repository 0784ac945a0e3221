#include "mesh/generate/gmsh_session.hpp"

#include <gmsh.h>
#include <omp.h>

#include <algorithm>
#include <atomic>

#include "dgtd/base/error.hpp"

namespace dgtd::mesh {
namespace {
std::atomic<bool> session_open = false;
}

GmshSession::GmshSession() : threads_(omp_get_max_threads()) {
  if (session_open.exchange(true)) throw Error(ExitCode::other, "gmsh: a session is already open in this process");
  // No configuration files: a user's own Gmsh settings must not change a mesh.
  gmsh::initialize(0, nullptr, false);
  gmsh::option::setNumber("General.Terminal", 0);
  // One thread, so that equal input gives equal output.
  gmsh::option::setNumber("General.NumThreads", 1);
}

GmshSession::~GmshSession() {
  try {
    gmsh::finalize();
  } catch (...) {
    // A failed clean-up must not hide the error that is being reported.
  }
  omp_set_num_threads(threads_);
  session_open = false;
}

std::string one_line(std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  return message;
}

}  // namespace dgtd::mesh
