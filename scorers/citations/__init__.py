"""Citations: present, and supported by the very passages they point at."""
