"""The Salesforce Object Query Language: parser and engine."""
