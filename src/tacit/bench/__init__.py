"""Measurements that the command line offers."""
