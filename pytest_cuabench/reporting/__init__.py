"""What people read of a run: the terminal's sentences, Allure's steps, the HTML page, the Markdown summary."""
