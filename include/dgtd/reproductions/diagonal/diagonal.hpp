#pragma once
// Engines of potentials on lines with the scheme of Tartarini and Massaro 2011, sec. 3.2
// (kernels/diagonal_sweep.hpp): stencil = line only. The bits of all other engines.
#include "dgtd/hpf/engine.hpp"

namespace dgtd::reproductions {

/// Steps of a chunk: setup.block_timesteps, or the paper's best. Throws Error (bad_input) for the
/// five-point stencil and for more steps than a mask's window has bits.
int diagonal_steps(const hpf::Setup& setup, bool single_precision);

/// CPU threads take lines. d outlives the engine; its ghost_rows are at least diagonal_steps where rows of others
/// follow.
template <class Real>
std::unique_ptr<hpf::Engine<Real>> make_cpu_diagonal_engine(const hpf::Setup& setup, const hpf::Discretisation& d,
                                                            const parallel::Communicator& comm);
/// A CUDA device: a thread per line, block_size threads per block.
template <class Real>
std::unique_ptr<hpf::Engine<Real>> make_cuda_diagonal_engine(const hpf::Setup& setup, int block_size,
                                                             const hpf::Discretisation& d,
                                                             parallel::Transport transport,
                                                             const parallel::Communicator& comm);

}  // namespace dgtd::reproductions
