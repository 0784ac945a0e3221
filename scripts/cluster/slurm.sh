#!/usr/bin/env bash
# A Slurm job of dgtd: one rank per GPU, each rank with its share of the host's cores.
#   sbatch --nodes=2 slurm.sh head_m3.cfg --set solver.order=2
# Adapt the lines below to the cluster: GPUs and cores per node, account, partition, module names.
#SBATCH --job-name=dgtd
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH --cpus-per-task=14
#SBATCH --time=01:00:00
#SBATCH --output=dgtd_%j.log
set -euo pipefail

if (($# == 0)); then
  echo "slurm.sh: no case; usage: sbatch [SBATCH OPTION...] slurm.sh CASE [DGTD ARGUMENT...]" >&2
  exit 2
fi

# Modules are a shell function that a batch shell may not have.
if command -v module >/dev/null; then
  module load dgtd
fi
if ! command -v dgtd >/dev/null; then
  echo "slurm.sh: dgtd is not in PATH; load its module or add its bin folder" >&2
  exit 2
fi

export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}
export OMP_PLACES=cores OMP_PROC_BIND=close
# All GPUs of a host are visible to each of its ranks, and dgtd uses them in turn: NCCL and peer access need that, and
# --gpus-per-task or --gpu-bind would hide the neighbours' devices. Slurm binds ranks to cores.
exec srun --cpu-bind=cores --distribution=block:block --kill-on-bad-exit=1 dgtd "$@"
