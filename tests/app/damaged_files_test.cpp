// Damaged files of pictures and meshes, as a user meets them: one line and exit code 2, on any number of ranks.
#include <gtest/gtest.h>

#include <fstream>

#include "app/program.hpp"

namespace {

// A grey picture of 3 x 2 pixels, and one whose check sums are right but which has one row only: the PNG library ends
// the process over it.
const unsigned char whole[] = {137, 80, 78,  71,  13,  10,  26,  10, 0,   0,   0,   13,  73, 72,  68,  82, 0,   0,
                               0,   3,  0,   0,   0,   2,   8,   0,  0,   0,   0,   184, 31, 57,  198, 0,  0,   0,
                               14,  73, 68,  65,  84,  120, 156, 99, 248, 207, 240, 159, 1,  136, 0,   13, 250, 2,
                               254, 43, 121, 146, 253, 0,   0,   0,  0,   73,  69,  78,  68, 174, 66,  96, 130};
const unsigned char one_row[] = {137, 80, 78,  71, 13, 10,  26,  10, 0,   0,   0,   13,  73, 72, 68,  82, 0,   0,
                                 0,   3,  0,   0,  0,  2,   8,   0,  0,   0,   0,   184, 31, 57, 198, 0,  0,   0,
                                 12,  73, 68,  65, 84, 120, 156, 99, 248, 207, 240, 31,  0,  4,  0,   1,  255, 34,
                                 10,  58, 240, 0,  0,  0,   0,   73, 69,  78,  68,  174, 66, 96, 130};

std::string text(const unsigned char* bytes, std::size_t count) { return {bytes, bytes + count}; }

void expect_line(const Outcome& run, const std::string& line) {
  expect_bad_input(run, line);
  EXPECT_EQ(run.output.find("Signal"), std::string::npos) << run.output;
  EXPECT_EQ(run.output.find("libpng"), std::string::npos) << run.output;
}

TEST(DamagedFiles, PicturesEndWithALine) {
  const auto directory = work("damaged_picture");
  std::ofstream(directory / "a.cfg")
      << "[solver]\nmethod = fdtd2d\n[grid]\ncells = 12 8\nspacing = 0.25\norigin = 0 0\n[boundary.*]\ntype = "
         "pec\n[material.glass]\n"
         "eps_r = 4\n[shape.bar]\ntype = labels\nfile = bar.png\nunit = 1\nlabels = 255 glass\n[time]\nsteps = 2\n"
         "[output]\ndirectory = out\n";
  const std::string file = (directory / "bar.png").string(), run = (directory / "a.cfg").string() + " --dry-run";
  const auto write = [&](const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; };
  const std::string sound = text(whole, sizeof whole);
  write(sound);
  EXPECT_EQ(dgtd(run).code, 0);
  std::string damaged = sound;
  damaged[45] ^= 0x11;  // inside the data
  write(damaged);
  expect_line(dgtd(run),
              "shape.bar: " + file + ": is not a whole PNG picture: the chunk at byte 33 has a wrong check sum\n");
  write(text(one_row, sizeof one_row));
  const std::string crash = "shape.bar: " + file + ": the VTK library crashed while reading it; the file is damaged\n";
  expect_line(dgtd(run), crash);
  expect_line(dgtd_on(2, run), crash);
}

TEST(DamagedFiles, MeshesEndWithALine) {
  const auto directory = work("damaged_mesh");
  std::ofstream(directory / "a.cfg")
      << "[mesh]\nfile = bad.msh\n[boundary.*]\ntype = pec\n[material.*]\n[time]\nsteps = "
         "2\n[output]\ndirectory = out\n";
  std::ofstream(directory / "bad.msh") << "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n"
                                          "0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 "
                                          "99999999\n$EndElements\n";
  const std::string line =
      "dgtd: error: bad.msh: the mesh file is damaged: $Elements: element 1 has the node 99999999, which is not "
      "given\n";
  expect_line(dgtd((directory / "a.cfg").string()), line);
  expect_line(dgtd_on(2, (directory / "a.cfg").string()), line);
}

}  // namespace
