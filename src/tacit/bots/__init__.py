"""Policies. They see knowledge, never states."""
