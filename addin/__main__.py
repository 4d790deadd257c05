"""`python -m addin COMMAND`: the shell, loaded so that Ctrl-C is one line from the first moment on."""

import sys


def main() -> int:
    """Run the command of the command line."""
    try:
        from addin import console

        return console.run(_shell)
    except KeyboardInterrupt:
        print("error: interrupted before the first results.", file=sys.stderr)
        return 2


def _shell() -> int:
    from addin.shell.main import main as command  # it takes a moment, in which a user may press Ctrl-C

    return command()


if __name__ == "__main__":
    sys.exit(main())
