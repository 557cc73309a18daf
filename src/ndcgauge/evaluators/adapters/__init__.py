"""Scripts that call one library each; they import nothing of ours."""
