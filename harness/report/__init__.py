"""Reports of runs and their findings: terminal, JSON, JUnit XML, SARIF, lines for editors, GitHub Actions."""
