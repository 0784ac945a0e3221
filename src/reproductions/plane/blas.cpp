// Half steps of a plane by functions of BLAS: each product of a difference in uniform_plane.hpp is a call, on a row or
// on all rows.
#include <array>
#include <vector>

#include "uniform_plane.hpp"

namespace dgtd::reproductions {

namespace {

// A row at a time (the paper's cublasSscal, cublasSaxpy): two calls a row of Hx and Hy, four of Ez, and one more of
// each where the medium conducts. Their number, and so the time of short rows, grows with the number of rows.
template <class Real>
class PlaneVector final : public PlaneUpdate<Real> {
 public:
  PlaneVector(const fdtd::Discretisation<Real>& d, fdtd::Engine<Real>& engine,
              std::unique_ptr<parallel::Blas<Real>> blas)
      : p_(d, engine), blas_(std::move(blas)) {}

  void update(solver::HalfStep half) override {
    if (half == solver::HalfStep::electric) update_electric(p_.read_h(0), p_.read_h(1), p_.write_ez());
    else update_magnetic(p_.read_ez(), p_.write_h(0), p_.write_h(1));
  }

 private:
  void update_electric(const Real* hx, const Real* hy, Real* ez) {
    const int n = p_.nx - 1;
    if (n == 0) return;
    for (int j = 1; j < p_.ny; ++j) {
      const std::int64_t at = j * p_.row + 1;
      if (p_.Ca != 1) blas_->scale(n, p_.Ca, ez + at);
      blas_->add(n, p_.e_x, hy + at, ez + at);
      blas_->add(n, -p_.e_x, hy + at - 1, ez + at);
      blas_->add(n, -p_.e_y, hx + at, ez + at);
      blas_->add(n, p_.e_y, hx + at - p_.row, ez + at);
    }
  }
  void update_magnetic(const Real* ez, Real* hx, Real* hy) {
    for (int j = 0; j < p_.ny && p_.nx > 1; ++j) {
      const std::int64_t at = j * p_.row + 1;
      if (p_.Da != 1) blas_->scale(p_.nx - 1, p_.Da, hx + at);
      blas_->add(p_.nx - 1, -p_.h_y, ez + at + p_.row, hx + at);
      blas_->add(p_.nx - 1, p_.h_y, ez + at, hx + at);
    }
    for (int j = 1; j < p_.ny; ++j) {
      const std::int64_t at = j * p_.row;
      if (p_.Da != 1) blas_->scale(p_.nx, p_.Da, hy + at);
      blas_->add(p_.nx, p_.h_x, ez + at + 1, hy + at);
      blas_->add(p_.nx, -p_.h_x, ez + at, hy + at);
    }
  }

  UniformPlane<Real> p_;
  std::unique_ptr<parallel::Blas<Real>> blas_;
};

// All rows at once: C <- factor A I + scale C with A the field that is read, shifted or not, eight products a step. The
// paper's two identity matrices of (K - 2)^2 and (K - 1)^2, K = ny + 1 nodes, serve Ez and Hy, and Hx.
template <class Real>
class PlaneMatrix final : public PlaneUpdate<Real> {
 public:
  PlaneMatrix(const fdtd::Discretisation<Real>& d, fdtd::Engine<Real>& engine,
              std::unique_ptr<parallel::Blas<Real>> blas)
      : p_(d, engine),
        memory_(engine.memory()),
        blas_(std::move(blas)),
        inner_(identity(p_.ny - 1)),
        all_(identity(p_.ny)) {}
  ~PlaneMatrix() override {
    memory_.release(inner_);
    memory_.release(all_);
  }
  PlaneMatrix(const PlaneMatrix&) = delete;
  PlaneMatrix& operator=(const PlaneMatrix&) = delete;

  void update(solver::HalfStep half) override {
    const std::int64_t row = p_.row;
    if (half == solver::HalfStep::electric) {
      const Real *const hx = p_.read_h(0), *const hy = p_.read_h(1);
      Real* const ez = p_.write_ez();
      add(p_.nx - 1, p_.ny - 1, p_.e_x, hy + row + 1, p_.Ca, ez + row + 1);
      add(p_.nx - 1, p_.ny - 1, -p_.e_x, hy + row, 1, ez + row + 1);
      add(p_.nx - 1, p_.ny - 1, -p_.e_y, hx + row + 1, 1, ez + row + 1);
      add(p_.nx - 1, p_.ny - 1, p_.e_y, hx + 1, 1, ez + row + 1);
    } else {
      const Real* const ez = p_.read_ez();
      Real *const hx = p_.write_h(0), *const hy = p_.write_h(1);
      add(p_.nx - 1, p_.ny, -p_.h_y, ez + row + 1, p_.Da, hx + 1);
      add(p_.nx - 1, p_.ny, p_.h_y, ez + 1, 1, hx + 1);
      add(p_.nx, p_.ny - 1, p_.h_x, ez + row + 1, p_.Da, hy + row);
      add(p_.nx, p_.ny - 1, -p_.h_x, ez + row, 1, hy + row);
    }
  }
  double memory_bytes() const override {
    return sizeof(Real) * (double(p_.ny - 1) * (p_.ny - 1) + double(p_.ny) * p_.ny);
  }

 private:
  // [n][n]
  Real* identity(int n) {
    const std::size_t side = static_cast<std::size_t>(n);
    if (n == 0) return nullptr;
    std::vector<Real> one(side * side, Real(0));
    for (std::size_t i = 0; i < side; ++i) one[i * side + i] = 1;
    Real* const at = static_cast<Real*>(memory_.allocate(one.size() * sizeof(Real)));
    memory_.upload(at, one.data(), one.size() * sizeof(Real));
    return at;
  }
  // to <- factor from I + scale to, on nx x ny values.
  void add(int nx, int ny, Real factor, const Real* from, Real scale, Real* to) {
    const int row = static_cast<int>(p_.row);
    if (nx > 0 && ny > 0)
      blas_->multiply(nx, ny, ny, factor, from, row, ny == p_.ny ? all_ : inner_, ny, scale, to, row);
  }

  UniformPlane<Real> p_;
  parallel::Memory& memory_;
  std::unique_ptr<parallel::Blas<Real>> blas_;
  Real *inner_, *all_;  // [ny - 1][ny - 1] and [ny][ny], ones on the diagonal
};

}  // namespace

template <class Real>
std::unique_ptr<PlaneUpdate<Real>> make_plane_vector(const fdtd::Discretisation<Real>& d, fdtd::Engine<Real>& engine,
                                                     std::unique_ptr<parallel::Blas<Real>> blas) {
  return std::make_unique<PlaneVector<Real>>(d, engine, std::move(blas));
}

template <class Real>
std::unique_ptr<PlaneUpdate<Real>> make_plane_matrix(const fdtd::Discretisation<Real>& d, fdtd::Engine<Real>& engine,
                                                     std::unique_ptr<parallel::Blas<Real>> blas) {
  return std::make_unique<PlaneMatrix<Real>>(d, engine, std::move(blas));
}

template std::unique_ptr<PlaneUpdate<float>> make_plane_vector(const fdtd::Discretisation<float>&, fdtd::Engine<float>&,
                                                               std::unique_ptr<parallel::Blas<float>>);
template std::unique_ptr<PlaneUpdate<double>> make_plane_vector(const fdtd::Discretisation<double>&,
                                                                fdtd::Engine<double>&,
                                                                std::unique_ptr<parallel::Blas<double>>);
template std::unique_ptr<PlaneUpdate<float>> make_plane_matrix(const fdtd::Discretisation<float>&, fdtd::Engine<float>&,
                                                               std::unique_ptr<parallel::Blas<float>>);
template std::unique_ptr<PlaneUpdate<double>> make_plane_matrix(const fdtd::Discretisation<double>&,
                                                                fdtd::Engine<double>&,
                                                                std::unique_ptr<parallel::Blas<double>>);

}  // namespace dgtd::reproductions
