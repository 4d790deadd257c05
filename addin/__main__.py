"""`python -m addin COMMAND`: the shell, loaded so that Ctrl-C is one line from the first moment on."""

import gc
import sys

FEW = 200_000  # objects until circles among them are looked for: a command makes many and leaves few to be found


def main() -> int:
    """Run the command of the command line."""
    gc.set_threshold(FEW)
    try:
        from addin import console  # these two take a second, in which a user may press Ctrl-C
        from addin.shell.main import main as shell

        return console.run(shell)
    except KeyboardInterrupt:
        print("error: interrupted before the first results.", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
