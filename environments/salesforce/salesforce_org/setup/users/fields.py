"""Which of a user's fields forms and pages show, beside those that have a place of their own."""

FLAGS = (
    ("UserPermissionsMarketingUser", "Marketing User"),
    ("UserPermissionsOfflineUser", "Offline User"),
    ("UserPermissionsKnowledgeUser", "Knowledge User"),
    ("UserPermissionsInteractionUser", "Flow User"),
    ("UserPermissionsSupportUser", "Service Cloud User"),
    ("UserPermissionsSFContentUser", "Salesforce CRM Content User"),
    ("ReceivesInfoEmails", "Receive Salesforce CRM Content Email Alerts"),
    ("ForecastEnabled", "Allow Forecasting"),
)
