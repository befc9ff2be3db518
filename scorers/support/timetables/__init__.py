"""Weekly timetables in prose: on which days and at what times something is open, and whether a claim keeps to them."""
