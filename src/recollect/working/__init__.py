"""What an agent has in mind right now, conversation by conversation."""
