"""Event time: ticks, the watermark, windows, and the series that rows are sorted into."""
