// NumPy files: values, orders, and files that are damaged on purpose.
#include "dgtd/base/numpy_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <limits>

#include "support/error_message.hpp"

namespace dgtd {
namespace {

namespace fs = std::filesystem;
using Complex = std::complex<double>;

class NumpyFile : public testing::Test {
 protected:
  void SetUp() override {
    path_ = fs::temp_directory_path() / ("dgtd_" + std::to_string(::getpid()) + "_" +
                                         testing::UnitTest::GetInstance()->current_test_info()->name() + ".npy");
  }
  void TearDown() override { fs::remove(path_); }
  void write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }
  // File as NumPy writes it: version 1.
  static std::string file(const std::string& header, const std::string& values, int version = 1) {
    std::string text(std::string("\x93NUMPY") + static_cast<char>(version) + '\0');
    for (int byte = 0; byte < (version > 1 ? 4 : 2); ++byte)
      text += static_cast<char>((header.size() >> (8 * byte)) & 255);
    return text + header + values;
  }
  template <class T>
  static std::string bytes(std::initializer_list<T> values) {
    return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T)};
  }
  template <class T = double>
  std::string message(const std::string& content) const {
    write(content);
    const std::string what = dgtd::message([&] { (void)read_numpy<T>(path_); });
    return what.starts_with(path_.string()) ? what.substr(path_.string().size()) : what;
  }
  fs::path path_;
};

TEST_F(NumpyFile, ReadsAllTypesAndBothOrders) {
  const std::string shape = "'shape': (2, 3), }";
  write(file("{'descr': '<f4', 'fortran_order': False, " + shape + "\n", bytes<float>({1, 2, 3, 4, 5, 6})));
  const auto c = read_numpy<float>(path_);
  EXPECT_EQ(c.shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(c.values, (UninitialisedVector<float>{1, 2, 3, 4, 5, 6}));
  write(file("{'descr': '<f8', 'fortran_order': True, " + shape, bytes<double>({1, 4, 2, 5, 3, 6}), 2));
  EXPECT_EQ(read_numpy<double>(path_).values, (UninitialisedVector<double>{1, 2, 3, 4, 5, 6}));
  write(file("{'shape': (2,), 'descr': '<c8', 'fortran_order': False}", bytes<float>({1, 2, 3, -4}), 3));
  EXPECT_EQ(read_numpy<Complex>(path_).values, (UninitialisedVector<Complex>{{1, 2}, {3, -4}}));
  write(file("{'descr': '<c16', 'fortran_order': False, 'shape': (), }", bytes<double>({7, 8})));
  EXPECT_EQ(read_numpy<Complex>(path_).values, (UninitialisedVector<Complex>{{7, 8}}));
  write(file("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", bytes<double>({7})));
  EXPECT_EQ(read_numpy<Complex>(path_).values, (UninitialisedVector<Complex>{7}));
}

TEST_F(NumpyFile, ReadsWhatItWrites) {
  const std::size_t shape[] = {2, 1, 3};
  write(numpy_header<float>(shape) + bytes<float>({1, 2, 3, 4, 5, 6}));
  const auto array = read_numpy<double>(path_);
  EXPECT_EQ(array.shape, std::vector<std::size_t>(std::begin(shape), std::end(shape)));
  EXPECT_EQ(array.values, (UninitialisedVector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(numpy_header<float>(shape).size() % 64, 0u);
}

TEST_F(NumpyFile, RefusesWhatIsDamaged) {
  const auto with_shape = [](const std::string& shape) {
    return "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }";
  };
  const std::string damaged = ": its NumPy header is damaged", two = bytes<double>({1, 2});
  EXPECT_EQ(message(""), ": is no NumPy file (.npy)");
  EXPECT_EQ(message("PK\3\4 an archive of arrays"), ": is no NumPy file (.npy)");
  EXPECT_EQ(message(file(with_shape("(2,)"), two, 9)), damaged);
  EXPECT_EQ(message(file(with_shape("(2,)"), "").substr(0, 40)), damaged);
  EXPECT_EQ(message(file(with_shape("(-2,)"), two)), damaged);
  EXPECT_EQ(message(file(with_shape("(99999999999999999999999,)"), two)), damaged);
  EXPECT_EQ(message(file(with_shape("(1, 1, 1, 1, 1, 1, 1, 1, 2)"), two)), damaged);
  EXPECT_EQ(message(file("{'descr': '<f8', 'shape': (2,), }", two)), damaged);
  EXPECT_EQ(message(file("{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (2,), }", two)), damaged);
  EXPECT_EQ(message(file(std::string(70000, '{'), two, 2)), damaged);
  EXPECT_EQ(message(std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12)), damaged);
  EXPECT_EQ(message(file("{'descr': '<f\n8\1', 'fortran_order': False, 'shape': (2,), }", two)).find('\n'),
            std::string::npos);
  EXPECT_EQ(message(file(with_shape("(0, 3)"), "")), ": its shape is 0 x 3: it has no values");
  EXPECT_EQ(message(file(with_shape("(4294967296, 4294967296, 16)"), two)),
            ": is too short for its shape, 4294967296 x 4294967296 x 16");
  EXPECT_EQ(message(file(with_shape("(3,)"), two)), ": has 16 bytes of values, and its shape, 3, needs 24");
  EXPECT_EQ(message(file(with_shape("(1,)"), two)), ": has 16 bytes of values, and its shape, 1, needs 8");
  EXPECT_EQ(message(file(with_shape("(2,)"), bytes<double>({1, std::numeric_limits<double>::quiet_NaN()}))),
            ": has values that are not finite numbers");
  const std::string complex = file("{'descr': '<c16', 'fortran_order': False, 'shape': (1,), }", two);
  EXPECT_EQ(message(complex), ": its type is <c16; it must be float32 or float64 in the byte order of this machine");
  EXPECT_EQ(message<Complex>(complex), "no error");
  EXPECT_EQ(
      message<Complex>(file("{'descr': '>f8', 'fortran_order': False, 'shape': (2,), }", two)),
      ": its type is >f8; it must be float32, float64, complex64 or complex128 in the byte order of this machine");
  fs::remove(path_);
  EXPECT_EQ(dgtd::message([&] { (void)read_numpy<double>(path_); }), path_.string() + ": cannot be read");
}

}  // namespace
}  // namespace dgtd
