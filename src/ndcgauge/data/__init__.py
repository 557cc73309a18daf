"""What is scored: qrels and runs, read once into the judgments and the judged rows."""
