#include "dgtd/fdtd/line/solve.hpp"

#include <ctime>

#include "dgtd/base/timer.hpp"
#include "piece_march.hpp"

namespace dgtd::fdtd {

template <class Real>
LineResult<Real> solve_line(const LineProblem<Real>& problem) {
  const auto& pieces = problem.pieces;
  const int count = static_cast<int>(pieces.size());
  LineResult<Real> result;
  result.taps.assign(problem.taps.size(), silent_record<Real>(problem.steps));
  std::vector<LineRecord<Real>> up(static_cast<std::size_t>(count - 1), silent_record<Real>(problem.steps)),
      down = up;  // of the interface above piece p

  const Timer timer;
  const std::clock_t started = std::clock();
  for (const Sweep& sweep : sweeps_of(count, problem.reflections))
    for (int k = 0; k < sweep.count; ++k) {
      const int p = sweep.upward ? sweep.first + k : sweep.first + sweep.count - 1 - k;
      const Piece<Real>& piece = pieces[p];
      PieceWaves<Real> waves;
      if (piece.has_lower) waves.from_below = &up[p - 1], waves.downward = &down[p - 1];
      if (piece.has_upper) waves.from_above = &down[p], waves.upward = &up[p];
      std::vector<PieceTap<Real>> taps;
      for (std::size_t t = 0; t < problem.taps.size(); ++t) {
        const int cell = problem.taps[t] - piece.offset;
        if (cell >= piece.begin && cell < piece.end) taps.push_back({cell, &result.taps[t]});
      }
      PieceMarch<Real> march(piece, waves, taps);
      result.cell_steps += march.run(problem) * piece.line.cells();
      ++result.solutions;

      const auto first = static_cast<std::size_t>(piece.offset + piece.begin),
                 last = first + static_cast<std::size_t>(piece.end - piece.begin);
      if (result.electric.size() < last) result.electric.resize(last), result.magnetic.resize(last);
      for (int i = piece.begin; i < piece.end; ++i) {
        result.electric[static_cast<std::size_t>(piece.offset + i)] = march.electric(i);
        result.magnetic[static_cast<std::size_t>(piece.offset + i)] = march.magnetic(i);
      }
    }
  result.solve_s = timer.seconds();
  result.cpu_s = double(std::clock() - started) / CLOCKS_PER_SEC;
  return result;
}

template LineResult<float> solve_line(const LineProblem<float>&);
template LineResult<double> solve_line(const LineProblem<double>&);

}  // namespace dgtd::fdtd
