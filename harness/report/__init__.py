"""Reports of runs and their findings: on the terminal, as JSON, JUnit XML and SARIF, for editors and GitHub Actions."""
