"""The simulator: whole games in one process, with every fault we know how to make.

Real tables, real journals' rules, real gossip; only links, clocks and disks are made of numbers. A
game follows from its seed alone, so a seed (with the options it was run with) is a complete report
of a defect::

    python -m tests.sim --seed 17 --games 200          # seeds 17 to 216, all faults
    python -m tests.sim --seed 23 --games 1 --trace    # one game, every event in a line

Read in this order: :mod:`tests.sim.timeline` (virtual time), :mod:`~tests.sim.network`,
:mod:`~tests.sim.disk`, :mod:`~tests.sim.peer` (what a node does, without waiting),
:mod:`~tests.sim.cheats` and :mod:`~tests.sim.cheater`, :mod:`~tests.sim.plan` (what a seed means),
:mod:`~tests.sim.world` (one game), :mod:`~tests.sim.checks` (what must hold afterwards).
"""
