"""Many matches between bots: who is how strong, and how sure can one be?"""
