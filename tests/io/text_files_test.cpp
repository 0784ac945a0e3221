#include "dgtd/io/text_files.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "dgtd/base/error.hpp"
#include "io/scratch.hpp"

namespace dgtd::io {
namespace {

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) { return error.what(); }
  return {};
}

TEST(TextFiles, ReplaceTheOldText) {
  const Scratch scratch;
  write_text(scratch / "a.txt", "old and longer");
  write_text(scratch / "a.txt", "new");
  EXPECT_EQ(read(scratch / "a.txt"), "new");
  EXPECT_FALSE(std::filesystem::exists(scratch / "a.txt.tmp"));
}

TEST(TextFiles, SayWhichFileCannotBeWritten) {
  const Scratch scratch;
  const auto file = scratch / "missing/a.txt";
  EXPECT_EQ(error_of([&] { write_text(file, "x"); }), file.string() + ": cannot write: No such file or directory");
}

TEST(TextFiles, KeepTheOldTextWhereTheDiskIsFull) {
  const Scratch scratch;
  write_text(scratch / "a.txt", "old");
  std::filesystem::create_symlink("/dev/full", scratch / "a.txt.tmp");
  EXPECT_EQ(error_of([&] { write_text(scratch / "a.txt", "new"); }),
            (scratch / "a.txt").string() + ": cannot write: No space left on device");
  EXPECT_EQ(read(scratch / "a.txt"), "old");
}

TEST(TextFiles, SayWhichDirectoryCannotBeMade) {
  const Scratch scratch;
  write_text(scratch / "file", "");
  EXPECT_EQ(error_of([&] { make_directory(scratch / "file/below"); }),
            (scratch / "file/below").string() + ": cannot create the directory: Not a directory");
}

TEST(ProbeFile, HasUnitsInItsHeadAndRowsAtOnce) {
  const Scratch scratch;
  ProbeFile probe(scratch / "p.csv", ProbeFile::digits_single);
  probe.add(1e-12, {1, -2.5, 1.0 / 3}, {0, 0, 1e-3});
  EXPECT_EQ(read(scratch / "p.csv"),
            "t_s,Ex_V_per_m,Ey_V_per_m,Ez_V_per_m,Hx_A_per_m,Hy_A_per_m,Hz_A_per_m\n"
            "9.9999999999999998e-13,1,-2.5,0.333333333,0,0,0.001\n");
}

TEST(ProbeFile, GivesDoublesBack) {
  const Scratch scratch;
  const double value = 1.0 / 3;
  ProbeFile first(scratch / "p.csv", ProbeFile::digits_double);
  ProbeFile probe(std::move(first));
  probe.add(0, {value, 0, 0}, {});
  const std::string text = read(scratch / "p.csv");
  const std::size_t row = text.find('\n') + 1;
  EXPECT_EQ(std::stod(text.substr(text.find(',', row) + 1)), value);
}

TEST(ProbeFile, SaysWhenTheDiskIsFull) {
  EXPECT_EQ(error_of([&] { ProbeFile("/dev/full", ProbeFile::digits_single).add(0, {}, {}); }),
            "/dev/full: cannot write: No space left on device");
}

}  // namespace
}  // namespace dgtd::io
