"""What people already use, on Recollect: each module speaks another project's interface."""
