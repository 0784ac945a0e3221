#pragma once
// A cut line, solved sweep by sweep. Time is divided into chunks. A subdomain whose state and sources repeat, to a
// tolerance, those of the chunk before is steady: it is skipped and its output reused. So a subdomain is computed from
// when a wave reaches it until the wave has passed or, where a chunk is a period, until it has become periodic.
#include "dgtd/reproductions/line/subdomains.hpp"

namespace dgtd::reproductions {

/// E and H at one place over time.
template <class Real>
struct LineRecord {
  std::vector<Real> electric;  // [steps + 1] V/m, after n steps
  std::vector<Real> magnetic;  // [steps] of step n, times the impedance of vacuum, V/m
};

template <class Real>
struct LineProblem {
  std::vector<Subdomain<Real>> subdomains;
  int reflections = 0;  // G
  std::int64_t steps = 0;
  int chunk = 128;          // steps; of a periodic run its period
  std::int64_t window = 0;  // chunks for which a subdomain is computed from its start on; 0: until it is steady
  double tolerance = 0;     // V/m, of all that is compared
  std::vector<int> probes;  // cells of the line whose E and H are recorded
};

template <class Real>
struct LineResult {
  std::vector<LineRecord<Real>> probes;  // [probes]
  std::vector<Real> electric, magnetic;  // [cells of the line] at the end
  std::int64_t cell_steps = 0;           // computed, extensions included
  int solutions = 0;                     // of a subdomain
  double solve_s = 0;                    // without what comes before the first step and after the last one
  double cpu_s = 0;                      // of the one thread on a CPU, for busy machines; else 0
};

template <class Real>
LineResult<Real> solve_line(const LineProblem<Real>& problem);

/// The same on the current CUDA device: a subdomain that fits into the registers and the shared memory of a block is
/// computed by one block, a longer one by several; all subdomains of a sweep run at once, one behind the other. Throws
/// Error (bad_input) for a line that the device cannot hold at once.
template <class Real>
LineResult<Real> solve_line_on_cuda(const LineProblem<Real>& problem);

/// The device's algorithm on the CPU, thread after thread: to test it where there is no device. Chunk by chunk
/// subdomains go on together, so fields are those of solve_line, bit by bit where a subdomain is one tile.
template <class Real>
LineResult<Real> solve_line_in_tiles(const LineProblem<Real>& problem, int most_tiles);

}  // namespace dgtd::reproductions
