"""The three scenarios on a real control plane, with fake nodes and real Kyverno."""
