"""What tests share: judges, samples, screens."""
