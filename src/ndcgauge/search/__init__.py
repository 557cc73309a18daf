"""The lattice of specifications: domains, classes on the data, the nearest one."""
