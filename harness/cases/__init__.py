"""Package: the modules that build, launch, judge and report cases; it defines nothing itself."""
