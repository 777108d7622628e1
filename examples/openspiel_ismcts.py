"""OpenSpiel: its Python ISMCTS plays Silencio; worlds are resampled by the game's own `imagine`.

python examples/openspiel_ismcts.py [SIMULATIONS]
"""

from __future__ import annotations

import sys

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from tacit.research import spiel  # registers the games

simulations = int(sys.argv[1]) if len(sys.argv) > 1 else 20
game = pyspiel.load_game("tacit_silencio(players=2)")
rng = np.random.RandomState(2)
bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 2.0, simulations, random_state=rng)
bot.set_resampler(spiel.resampler(seed=2))
state = game.new_initial_state()
decisions = 0
while not state.is_terminal():
    if state.is_chance_node():
        outcomes, shares = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(int(rng.choice(outcomes, p=shares)))
    else:
        # To see it think: print(state.information_state_string()), or state.observation_string().
        action = bot.step(state) if decisions < 2 * simulations else state.legal_actions()[0]
        state.apply_action(action)
        decisions += 1
print(f"{decisions} decisions, {-state.returns()[0]:.0f} cards left")
