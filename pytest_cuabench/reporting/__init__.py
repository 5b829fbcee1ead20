"""Reports of a run: terminal lines, Allure steps, the HTML report and the Markdown summary."""
