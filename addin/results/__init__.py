"""What is left behind: result sheets with native charts, pictures, texts, saved copies, hand-offs."""
