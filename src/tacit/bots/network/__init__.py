"""Policies that are neural networks: their files, their forward pass in integers, and the bot that plays by one."""
