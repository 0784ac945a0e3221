// Traces of one degree as traces of another one: exactness, adjointness.
#include "dgtd/dg/face_transfer.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "dgtd/dg/bernstein.hpp"
#include "dgtd/dg/reference_element.hpp"

namespace dgtd::dg {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Matrix matrix_of(const std::vector<double>& values, int rows, int columns) {
  return Eigen::Map<const Matrix>(values.data(), rows, columns);
}

class FaceTransfer : public testing::TestWithParam<std::array<int, 2>> {
 protected:
  const int low_ = GetParam()[0], high_ = GetParam()[1], m_ = triangle_nodes(low_), n_ = triangle_nodes(high_);
  const Matrix elevation_ = matrix_of(face_elevation(low_, high_), n_, m_),
               projection_ = matrix_of(face_projection(high_, low_), m_, n_),
               low_mass_ = matrix_of(triangle_mass_matrix(low_), m_, m_),
               high_mass_ = matrix_of(triangle_mass_matrix(high_), n_, n_);
};

// The same polynomial at any point.
TEST_P(FaceTransfer, ElevationKeepsThePolynomial) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> value(0, 1);
  for (int i = 0; i < 10; ++i) {
    const double a = value(random), b = (1 - a) * value(random);
    const std::array<double, 3> point{1 - a - b, a, b};
    const auto low = bernstein_triangle_values(low_, point), high = bernstein_triangle_values(high_, point);
    const Eigen::VectorXd at_low = Eigen::Map<const Eigen::VectorXd>(low.data(), m_),
                          at_high = Eigen::Map<const Eigen::VectorXd>(high.data(), n_);
    EXPECT_LT((elevation_.transpose() * at_high - at_low).cwiseAbs().maxCoeff(), 1e-14);
  }
}

// The projection leaves polynomials of the lower degree as they are.
TEST_P(FaceTransfer, ProjectionUndoesElevation) {
  EXPECT_LT((projection_ * elevation_ - Matrix::Identity(m_, m_)).cwiseAbs().maxCoeff(), 1e-12);
}

// (E u, v) = (u, R v) in the inner products of the face: M_high E = (M_low R)^T.
TEST_P(FaceTransfer, ProjectionIsTheAdjointOfElevation) {
  const Matrix one = high_mass_ * elevation_, other = (low_mass_ * projection_).transpose();
  EXPECT_LT((one - other).cwiseAbs().maxCoeff(), 1e-14 * one.cwiseAbs().maxCoeff());
}

INSTANTIATE_TEST_SUITE_P(Degrees, FaceTransfer,
                         testing::Values(std::array{1, 1}, std::array{1, 2}, std::array{2, 3}, std::array{3, 4},
                                         std::array{1, 3}, std::array{1, 4}, std::array{2, 4}, std::array{4, 6}),
                         [](const auto& info) {
                           return std::to_string(info.param[0]) + "And" + std::to_string(info.param[1]);
                         });

}  // namespace
}  // namespace dgtd::dg
