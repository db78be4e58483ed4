"""``python -m zonecast``."""

from .main import main

main()
