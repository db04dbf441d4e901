"""Child processes: started with limits, spoken to over a channel, never left behind."""
