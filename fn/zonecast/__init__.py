"""zonecast: a KRM function that places workloads in zones and on node pools."""

__version__ = "0.1.0"
