"""What a match could have been: a solver that knows every card and every draw to come."""

from tacit.analysis.future import Draws, Future
from tacit.analysis.moments import Moments, TurningPoint, could_be_won, turning_point
from tacit.analysis.solver import Answer, Solver, replay, solve

__all__ = [
    "Answer",
    "Draws",
    "Future",
    "Moments",
    "Solver",
    "TurningPoint",
    "could_be_won",
    "replay",
    "solve",
    "turning_point",
]
