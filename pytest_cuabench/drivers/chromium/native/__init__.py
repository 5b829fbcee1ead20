"""What a browser draws outside of pages: dialogs, pickers, lists."""
