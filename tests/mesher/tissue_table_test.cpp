// The file that says which labels are which tissue.
#include "dgtd/mesher/tissue_table.hpp"

#include <gtest/gtest.h>

#include "mesh/scratch_folder.hpp"
#include "support/error_message.hpp"

namespace dgtd::mesher {
namespace {

class TissueTableFile : public ::testing::Test {
 protected:
  TissueTable read(const std::string& text) { return read_tissue_table(folder_.write("t.txt", text)); }
  /// The message without the file's name.
  std::string fails(const std::string& text) {
    const std::string file = folder_.write("t.txt", text).string();
    const std::string found = message([&] { (void)read_tissue_table(file); });
    EXPECT_EQ(found.substr(0, file.size()), file);
    return found.substr(file.size());
  }
  mesh::testing::ScratchFolder folder_{"tissue_table"};
};

TEST_F(TissueTableFile, IsRead) {
  const TissueTable table = read(
      "# a head\n"
      "brain = 1 2   # two labels\n"
      "bone=4\n\n"
      "brain.size = 0.005\n"
      "bone.medium = Bone (Cortical)\n"
      "bone.thickness = 0.002\n"
      "brain.eps_r = 43\nbrain.sigma = 1.1\n"
      "rest = 3\n"
      "layer rest brain bone 0.0025\n"
      "shell skin rest 0.002\n");
  ASSERT_EQ(table.tissues.size(), 5u);
  EXPECT_EQ(table.tissues[0].name, "air");
  EXPECT_EQ(table.tissues[0].labels, (std::vector{0}));
  const TissueRow& brain = table.tissues[table.find("brain")];
  EXPECT_EQ(brain.labels, (std::vector{1, 2}));
  EXPECT_EQ(brain.size, 0.005);
  EXPECT_EQ(brain.permittivity, 43);
  EXPECT_EQ(brain.conductivity, 1.1);
  const TissueRow& bone = table.tissues[table.find("bone")];
  EXPECT_EQ(bone.medium, "Bone (Cortical)");
  EXPECT_EQ(bone.thickness, 0.002);
  EXPECT_TRUE(table.tissues[table.find("skin")].labels.empty());
  ASSERT_EQ(table.layers.size(), 1u);
  EXPECT_EQ(table.layers[0].of, "rest");
  EXPECT_EQ(table.layers[0].inner, "brain");
  EXPECT_EQ(table.layers[0].outer, "bone");
  EXPECT_EQ(table.layers[0].thickness, 0.0025);
  ASSERT_EQ(table.shells.size(), 1u);
  EXPECT_EQ(table.find("none"), -1);
}

TEST_F(TissueTableFile, LabelZeroMayBeATissue) {
  const TissueTable table = read("air = 7\nfilling = 0\n");
  EXPECT_EQ(table.tissues[0].labels, (std::vector{7}));
  EXPECT_EQ(table.tissues[1].labels, (std::vector{0}));
}

TEST_F(TissueTableFile, ErrorsNameTheLine) {
  EXPECT_EQ(fails("brain = 1\nskull = 1\n"), ":2: label 1 belongs to 'brain' already");
  EXPECT_EQ(fails("brain = 256\n"), ":1: '256' is not a label, a whole number from 0 to 255");
  EXPECT_EQ(fails("brain = 1.5\n"), ":1: '1.5' is not a label, a whole number from 0 to 255");
  EXPECT_EQ(fails("brain = one\n"), ":1: 'one' is not a number of at least 0");
  EXPECT_EQ(fails("brain =\n"), ":1: 'brain' has no value");
  EXPECT_EQ(fails("a b = 1\n"), ":1: one name is needed before '='");
  EXPECT_EQ(fails("brain = 1\nbrain = 2\n"), ":2: tissue 'brain' has its labels already");
  EXPECT_EQ(fails("metal = 1\n"), ":1: 'metal' is the name of a boundary");
  EXPECT_EQ(fails("brain = 1\nbrain.colour = 2\n"),
            ":2: unknown key 'colour' (allowed: size, thickness, medium, eps_r, sigma)");
  EXPECT_EQ(fails("brain = 1\nbrain.eps_r = 0.5\n"), ":2: '0.5' is not a number of at least 1");
  EXPECT_EQ(
      fails("brain 1\n"),
      ":1: 'brain 1' is not understood (allowed: NAME = LABELS, NAME.KEY = VALUE, layer NAME INNER OUTER METRES, shell "
      "NAME OF METRES)");
  EXPECT_EQ(fails("brain.size = 0.01\n"), ": tissue 'brain' has no labels");
  EXPECT_EQ(fails("a = 1\nlayer b a a 0.01\n"), ": layer b: there is no tissue 'b'");
  EXPECT_EQ(fails("a = 1\nshell s b 0.01\n"), ": shell s: there is no tissue 'b'");
  EXPECT_EQ(fails("a = 1\ns = 2\nshell s a 0.01\n"), ": shell s: a shell has no labels of its own");
  EXPECT_NE(fails("a = 1\na.medium = brian\n").find(":2: "), std::string::npos);
  EXPECT_EQ(message([] { (void)read_tissue_table("/none.txt"); }), "/none.txt: cannot be opened");
}

}  // namespace
}  // namespace dgtd::mesher
