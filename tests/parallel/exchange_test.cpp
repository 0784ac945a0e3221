// Communication of ranks: reductions, gathering, and halo traces round a ring.
#include <gtest/gtest.h>

#include <cmath>

#include "dgtd/parallel/communicator.hpp"
#include "dgtd/parallel/halo_exchange.hpp"
#include "dgtd/parallel/reproducible_sum.hpp"

namespace dgtd::parallel {
namespace {

TEST(Communicator, SumsAndExtremes) {
  const Communicator world;
  const int n = world.size(), rank = world.rank();
  EXPECT_EQ(world.sum(rank + 1.0), n * (n + 1) / 2);
  EXPECT_EQ(world.max(double(rank)), n - 1);
  EXPECT_EQ(world.min(double(rank)), 0);
  EXPECT_EQ(world.sum(std::int64_t{1} << 40), n * (std::int64_t{1} << 40));
  EXPECT_EQ(world.max(std::int64_t{-rank}), 0);
  EXPECT_EQ(world.min(std::int64_t{-rank}), 1 - n);
  EXPECT_EQ(world.sum(~std::uint64_t{0}), ~std::uint64_t{0} * n);  // modulo 2^64
  EXPECT_EQ(world.sum(std::vector<double>{1, double(rank)}), (std::vector<double>{double(n), n * (n - 1) / 2.0}));
  EXPECT_EQ(world.max(std::vector<double>{double(rank), double(-rank)}), (std::vector<double>{n - 1.0, 0}));
  EXPECT_EQ(world.sum(std::vector<std::int64_t>{rank, 2}), (std::vector<std::int64_t>{n * (n - 1) / 2, 2 * n}));
}

TEST(Communicator, ToAndFromRoot) {
  const Communicator world;
  EXPECT_EQ(world.broadcast(world.is_root() ? "said by root" : "other"), "said by root");
  EXPECT_EQ(world.broadcast_value(world.rank() + 7), 7);
  std::vector<int> mine(world.rank(), world.rank()), all;  // rank r has r numbers
  if (world.is_root())
    for (int r = 0; r < world.size(); ++r) all.insert(all.end(), r, r);
  EXPECT_EQ(world.gather_vectors(mine), all);
  EXPECT_EQ(world.gather(world.rank()).size(), world.is_root() ? world.size() : 0u);
}

TEST(Communicator, RanksOfThisHost) {
  const Communicator world;
  EXPECT_EQ(world.ranks_on_this_host(), world.size());  // tests run on one host
  EXPECT_EQ(world.rank_on_this_host(), world.rank());
}

// Parts are equal but for one rank, follow each other, and know how many ranks share their host.
TEST(Communicator, HasParts) {
  const Communicator world;
  for (int parts = 1; parts <= world.size(); ++parts) {
    const CommunicatorPart part(world, parts);
    EXPECT_EQ(part.comm().max(std::int64_t{world.rank()}) - part.comm().min(std::int64_t{world.rank()}) + 1,
              part.comm().size());
    EXPECT_EQ(world.max(std::int64_t{part.number()}), parts - 1);
    EXPECT_LE(world.max(std::int64_t{part.comm().size()}) - world.min(std::int64_t{part.comm().size()}), 1);
    EXPECT_EQ(part.comm().ranks_on_this_host(), world.size());
    EXPECT_EQ(part.comm().rank_on_this_host(), world.rank());
    EXPECT_TRUE(part.comm().is_on_one_host());
  }
}

// Order over ranks does not matter either: rank r holds every size-th term.
TEST(ReproducibleSum, OverRanksIsThatOfAllTerms) {
  const Communicator world;
  ReproducibleSum mine, all;
  for (int i = 0; i < 1000; ++i) {
    const double term = (i % 7 - 3.3) * std::pow(10.0, i % 40 - 20);
    all.add(term);
    if (i % world.size() == world.rank()) mine.add(term);
  }
  EXPECT_EQ(mine.value(world), all.value());
}

/// The value that `from` sends to its next (side 0) or previous (side 1) rank.
double value_of(int from, int side, std::size_t face, std::size_t i, int round) {
  return 1000.0 * from + 500 * side + 10.0 * double(face) + double(i) + 1e5 * round;
}

// Each rank has three faces with the rank after it and three with the one before.
template <class Real>
void exchange_round_a_ring() {
  const Communicator world;
  const int n = world.size(), rank = world.rank(), next = (rank + 1) % n, previous = (rank + n - 1) % n;
  constexpr std::size_t reals = 6, to_next = 3, faces = 6;
  HaloPlan plan;
  plan.sends = plan.receives = {{next, 0, to_next}, {previous, to_next, to_next}};
  plan.faces = faces;
  plan.reals_per_face = reals;
  HaloExchange<Real> exchange(plan, world);
  for (int round = 0; round < 3; ++round) {
    for (std::size_t f = 0; f < faces; ++f)
      for (std::size_t i = 0; i < reals; ++i)
        exchange.send_buffer()[f * reals + i] = static_cast<Real>(value_of(rank, f >= to_next, f % to_next, i, round));
    exchange.start();
    exchange.finish();
    for (std::size_t f = 0; f < faces; ++f)
      for (std::size_t i = 0; i < reals; ++i) {
        // From the next rank comes what it sends to its previous one. With one or two ranks both
        // messages go to the same rank and are matched in the order of the plan.
        const bool from_next = f < to_next;
        const int side = n > 2 ? from_next : !from_next;
        ASSERT_EQ(exchange.receive_buffer()[f * reals + i],
                  static_cast<Real>(value_of(from_next ? next : previous, side, f % to_next, i, round)));
      }
  }
  EXPECT_GE(exchange.wait_seconds(), 0);
}

TEST(HaloExchange, CarriesTracesRoundARing) {
  exchange_round_a_ring<float>();
  exchange_round_a_ring<double>();
}

TEST(HaloExchange, WithoutNeighboursDoesNothing) {
  const Communicator world;
  HaloExchange<double> exchange({}, world);
  exchange.start();
  exchange.finish();
  EXPECT_EQ(exchange.wait_seconds(), 0);
}

}  // namespace
}  // namespace dgtd::parallel
