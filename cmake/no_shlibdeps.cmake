# What cpack reads where a package cannot be made.
message(FATAL_ERROR "what tells a package's dependencies is not installed: apt install dpkg-dev file, then configure again")
