#pragma once
// One use of the Gmsh library, from initialize to finalize. Gmsh keeps global state, so at most one
// session lives at a time, and a session starts with an empty model and known options.
#include <string>

namespace dgtd::mesh {

class GmshSession {
 public:
  GmshSession();
  ~GmshSession();
  GmshSession(const GmshSession&) = delete;
  GmshSession& operator=(const GmshSession&) = delete;

 private:
  int threads_;  // of OpenMP before the session: Gmsh changes them for the whole process
};

/// A message of Gmsh, which throws its errors as plain std::string, without line breaks.
std::string one_line(std::string message);

}  // namespace dgtd::mesh
