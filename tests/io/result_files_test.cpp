#include "dgtd/io/result_files.hpp"

#include <gtest/gtest.h>

#include <set>

#include "dgtd/base/error.hpp"
#include "dgtd/io/text_files.hpp"
#include "io/scratch.hpp"

namespace dgtd::io {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

class ResultFilesTest : public testing::Test {
 protected:
  void write(const std::string& name) const { write_text(scratch_ / name, "x"); }
  std::string content(const std::string& name) const {
    std::ifstream stream(scratch_ / name);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  /// Files of a run, written.
  void run(std::vector<ResultFile> list, bool continued = false) const {
    ResultFiles files(scratch_.path());
    files.start(continued);
    for (const ResultFile& file : list) {
      write_text(files.add(file), "x");
      for (const std::string& piece : file.pieces) write(piece);
    }
  }
  Names names() const {
    Names all;
    for (const auto& entry : fs::directory_iterator(scratch_.path())) all.insert(entry.path().filename().string());
    all.erase(ResultFiles::list_name);
    return all;
  }
  Scratch scratch_;
};

TEST_F(ResultFilesTest, OfAnEarlierRunAreRemovedAndOthersStay) {
  run({{"a.csv"}, {"s.pvtu", Lifetime::kept, "snapshots.pvd", {"s_0.vtu", "s_1.vtu"}}, {"p.csv", Lifetime::grows}});
  for (const char* mine : {"s_2.vtu", "probe_mine.csv", "report.html", "a.csv.old"}) write(mine);
  fs::create_directory(scratch_ / "folder");
  run({{"b.csv"}});
  EXPECT_EQ(names(), (Names{"b.csv", "s_2.vtu", "probe_mine.csv", "report.html", "a.csv.old", "folder"}));
  run({});
  EXPECT_EQ(names(), (Names{"s_2.vtu", "probe_mine.csv", "report.html", "a.csv.old", "folder"}));
}

// The list has a file before the file is there, so it has also one that was being written.
TEST_F(ResultFilesTest, OfARunThatWasKilledAreRemoved) {
  {
    ResultFiles files(scratch_.path());
    files.start();
    files.add({"a.csv"});
    files.add({"s.pvtu", Lifetime::at_end, "", {"s_0.vtu"}});
    write("a.csv.tmp"), write("s_0.vtu.tmp");
  }
  // The end of a line is missing: the process ended while it wrote it, and the file is somebody's.
  const fs::path list = scratch_ / ResultFiles::list_name;
  std::ofstream(list, std::ios::app) << "at_end\tmine";
  write("mine");
  run({{"b.csv"}});
  EXPECT_EQ(names(), (Names{"b.csv", "mine"}));
}

TEST_F(ResultFilesTest, ADamagedListNamesNothingElsewhere) {
  run({});
  write("mine");
  fs::create_directories(scratch_ / "folder");
  write_text(scratch_ / "folder/mine", "x");
  std::ofstream(scratch_ / ResultFiles::list_name, std::ios::app)
      << "at_end\tfolder/mine\nat_end\t../" << scratch_.path().filename().string()
      << "/mine\nat_end\t..\nat_end\t\nnever\tmine\nat_end\n\tmine\nat_end\ta.csv\tfolder/mine\n";
  run({{"b.csv"}});
  EXPECT_EQ(names(), (Names{"b.csv", "mine", "folder"}));
  EXPECT_TRUE(fs::exists(scratch_ / "folder/mine"));
}

TEST_F(ResultFilesTest, AContinuedRunKeepsWhatGrowsAndSnapshots) {
  run({{"end.csv"}, {"s.pvtu", Lifetime::kept, "snapshots.pvd", {"s_0.vtu", "s_1.vtu"}}, {"p.csv", Lifetime::grows}});
  {
    ResultFiles files(scratch_.path());
    files.add({"p.csv", Lifetime::grows});  // noted before the start
    files.start(true);
    EXPECT_EQ(names(), (Names{"s.pvtu", "s_0.vtu", "s_1.vtu", "p.csv"}));
    EXPECT_EQ(files.growing_tables(), (std::vector<std::string>{"p.csv"}));
    files.add({"s.pvtu", Lifetime::kept, "snapshots.pvd", {"s_0.vtu"}});  // on fewer ranks
    EXPECT_EQ(names(), (Names{"s.pvtu", "s_0.vtu", "p.csv"}));
  }
  run({}, true);  // once more, which writes nothing
  EXPECT_EQ(names(), (Names{"s.pvtu", "s_0.vtu", "p.csv"}));
  run({});
  EXPECT_EQ(names(), Names{});
}

// Before there were lists.
TEST_F(ResultFilesTest, OfOlderVersionsAreRemoved) {
  const Names old{"resolved.cfg",
                  "summary.json",
                  "report.html",
                  "report.json",
                  "energy.csv",
                  "absorbed.csv",
                  "sar.vti",
                  "sar.vtr",
                  "snapshots.pvd",
                  "probe_p.csv",
                  "flux_f.csv",
                  "far_g.csv",
                  "far_g_total.csv",
                  "monitor_m.pvd",
                  "monitor_m_0001.pvtr",
                  "monitor_m_0.vtr",
                  "result.pvtu",
                  "result_12.vtu",
                  "fields.pvtr",
                  "fields_0.vtr",
                  "fields_0.vtr.tmp",
                  "snapshot_00000010.pvtu",
                  "snapshot_00000010_0.vtu",
                  "snapshot_b_00000010_E.npy"};
  const Names mine{"notes.txt",   "fieldsofmine.vtr", "fields_of_mine.vtr",
                   "results.csv", "checkpoint-5.h5",  "probe.csv"};
  for (const auto& all : {old, mine})
    for (const auto& name : all) write(name);
  fs::remove(scratch_ / "resolved.cfg");
  run({});
  EXPECT_EQ(names().size(), old.size() + mine.size() - 1);  // no run was here
  fs::remove(scratch_ / ResultFiles::list_name);
  write("resolved.cfg");
  run({});
  EXPECT_EQ(names(), mine);
}

TEST_F(ResultFilesTest, OtherProcessesGetPathsOnly) {
  ResultFiles files(scratch_.path(), false);
  EXPECT_EQ(files.add({"a.csv"}), scratch_ / "a.csv");
  EXPECT_FALSE(fs::exists(scratch_ / ResultFiles::list_name));
}

TEST_F(ResultFilesTest, AListThatCannotBeWrittenIsAnError) {
  ResultFiles files(scratch_.path());
  files.start();
  fs::remove(scratch_ / ResultFiles::list_name);
  fs::create_symlink("/dev/full", scratch_ / ResultFiles::list_name);
  try {
    files.add({"a.csv"});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("dgtd-files.txt: cannot write: No space left on device"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(ResultFilesTest, AreListedByKindAtTheEnd) {
  ResultFiles files(scratch_.path());
  files.start();
  for (const char* name : {"report.html", "b.csv", "a.csv", "gone.csv"}) files.add({name});
  for (int i = 0; i < 6; ++i) write_text(files.add({"n" + std::to_string(i) + ".npy", Lifetime::kept}), "x");
  files.add({"snapshots.pvd", Lifetime::kept});
  files.add({"s.pvtu", Lifetime::kept, "snapshots.pvd", {"s_0.vtu"}});
  for (const char* name : {"report.html", "b.csv", "a.csv", "snapshots.pvd", "s.pvtu", "s_0.vtu"}) write(name);
  EXPECT_EQ(files.overview(),
            "  report.html                         the run on one page: open it in a browser\n"
            "  snapshots.pvd                       files over time or frequency: open it in ParaView\n"
            "  n0.npy, n1.npy, n2.npy, and 3 more  arrays: numpy.load(FILE)\n"
            "  a.csv, b.csv                        tables: a spreadsheet, or numpy.genfromtxt(FILE, delimiter=',', "
            "names=True)");
}

// An index is an object of entries, each one line: what is written, and not what was only noted.
TEST_F(ResultFilesTest, AreDescribedForPrograms) {
  {
    ResultFiles files(scratch_.path());
    files.start();
    files.add({"s.pvtu", Lifetime::kept, "snapshots.pvd", {"s_0.vtu"}, contents_in_space({{"E_V_per_m", 3}})});
    write("s.pvtu");
  }
  ResultFiles files(scratch_.path());
  files.start(true);  // keeps the snapshot and what it has
  files.write_table("flux_a.csv", {"frequency_Hz"}, "frequency_Hz,outward_energy_J_per_Hz\n1,2\n");
  files.add({"gone.csv"});
  files.write_index();
  EXPECT_EQ(content("flux_a.csv"), "frequency_Hz,outward_energy_J_per_Hz\n1,2\n");
  EXPECT_EQ(
      content("files.json"),
      "{\"files\": [\n"
      "{\"name\":\"files.json\",\"kind\":\"numbers\",\"open\":\"python3 -m json.tool FILE\",\"pieces\":[],\"axes\":[],"
      "\"arrays\":[]},\n"
      "{\"name\":\"flux_a.csv\",\"kind\":\"table\",\"open\":\"a spreadsheet, or numpy.genfromtxt(FILE, delimiter=',', "
      "names=True)\",\"pieces\":[],\"axes\":[{\"name\":\"frequency_Hz\",\"unit\":\"Hz\"}],\"arrays\":[{\"name\":"
      "\"outward_energy_J_per_Hz\",\"unit\":\"J/Hz\",\"components\":1}]},\n"
      "{\"name\":\"s.pvtu\",\"kind\":\"tetrahedra\",\"open\":\"ParaView\",\"pieces\":[\"s_0.vtu\"],\"axes\":[{\"name\":"
      "\"x\",\"unit\":\"m\"},{\"name\":\"y\",\"unit\":\"m\"},{\"name\":\"z\",\"unit\":\"m\"}],\"arrays\":[{\"name\":"
      "\"E_V_per_m\",\"unit\":\"V/m\",\"components\":3}],\"series\":\"snapshots.pvd\"}\n"
      "]}\n");
}

}  // namespace
}  // namespace dgtd::io
