"""`python -m tacit` is `tacit`."""

from tacit.cli import main

main(prog_name="tacit")
