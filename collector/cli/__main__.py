"""`python -m collector.cli`."""

from collector.cli import main

if __name__ == "__main__":
    main()
