"""`python -m sandtable`: the command line, where no script of it is on the path."""

from sandtable.cli import main

raise SystemExit(main())
