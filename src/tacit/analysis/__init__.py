"""What a match could have been: a solver that knows every card and every draw to come."""

from tacit.analysis.future import Draws, Future
from tacit.analysis.solver import Answer, Solver, replay, solve

__all__ = ["Answer", "Draws", "Future", "Solver", "replay", "solve"]
