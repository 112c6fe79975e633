"""What an event hangs on the wall and lays on its tables: pages of HTML, and text of 80 columns."""
