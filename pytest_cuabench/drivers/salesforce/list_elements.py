"""Which metadata elements are lists even when they occur once.

Taken from the WSDL; most names are always lists, some only within certain elements.
"""

from __future__ import annotations

_WITHIN = {
    "action": {
        *("finalApprovalActions", "finalRejectionActions", "initialSubmissionActions", "recallActions"),
        *("approvalActions", "rejectionActions"),
    },
    "field": {"approvalPageFields", "caseFields", "workOrderFields", "workOrderLineItemFields"},
    "language": {"languages"},
    "object": {"objectUsage"},
    "objectMapping": {"LeadConvertSettings"},
    "queue": {"sharedTo"},
    "roleAndSubordinates": {"sharedTo"},
    "roleAndSubordinatesInternal": {"sharedTo"},
    "roles": {"sharedTo"},
    "searchSettingsByObject": {"searchSettingsByObject"},
    "value": {"valueSetDefinition"},
}
# Text elements, whose "true" is not a boolean.
TEXTS = frozenset(
    {
        "description",
        "formula",
        "fullName",
        "label",
        "leftValue",
        "literalValue",
        "masterLabel",
        "rightValue",
        "value",
    }
)
_ALWAYS = frozenset(
    word
    for line in """
    actionOverrides actions aggregateFilters aggregateReferences aggregateTypes aggregates alerts
    allowedSubmitters applicationVisibilities approvalStep approver articleTypeTemplates assignmentRule
    attachedDocuments attachments autoResponseRule availableFields block buckets businessProcesses
    caseFeedItemSettings categoryGroupVisibilities ccEmails channelProgramGroup channelProgramGroups
    chartSummaries chartSummary classAccesses colorRanges columns community compactLayouts
    componentInstanceProperties components containers controllingFieldValue controllingFieldValues countries
    criteria criteriaItems crossFilters customButtons customDetailFormulas customFields
    customMetadataTypeAccesses customPermissions customSettingAccesses customShortcuts
    customTabListAdditionalFields customValue dashboardComponentContents dashboardDynamicValues
    dashboardFilterColumns dashboardFilterOptions dashboardFilters dashboardGridComponents
    dashboardTableColumn dataCategories dataCategoryFilters defaultShortcuts displayedCategoryApiNames
    displayedFields duplicateRuleFilterItems duplicateRuleMatchRules emailRoutingAddressAccesses
    escalationAction escalationRule events excludeButtons excludedStandardButtons exitCriteriaFilterItems
    externalCredentialPrincipalAccesses externalDataSourceAccesses feedFilters fieldInstanceProperties
    fieldNames fieldOverrides fieldPermissions fieldSets fieldUpdates fields filterItems filters
    flexTableColumn flexiPageRegions flowAccesses flowActions flowAutomation flowInputs folderShares
    forecastedCategoryApiNames forecastingCategoryMappings forecastingDisplayedFamilySettings
    forecastingTypeSettings formFactors formattingRules group groupingSorts groupingsAcross groupingsDown
    groups guestUser headers indexes ipRanges itemInstances knowledgePublishes labels layoutAssignments
    layoutColumns layoutItems layoutSections leftComponents listViewButtons listViews loginFlows loginIpRanges
    lookupDialogsAdditionalFields lookupFilterFields lookupPhoneDialogsAdditionalFields
    managerAdjustableCategoryApiNames managerSubordinates managers mappingFields mappings massQuickActions
    matchingRuleItems matchingRules milestoneCriteriaFilterItems milestones multilineLayoutFields
    mutingPermissionSets notifyEmail objectAccessLevels objectPermissions operationsOnInsert
    operationsOnUpdate opportunityListFieldsLabelMappings outboundMessages ownerAdjustableCategoryApiNames
    packageVersions pageAccesses pageNamesToOpen params pathAssistantSteps permissionSets picklistValues
    platformActionListItems portalRole portalRoleAndSubordinates profileActionOverrides profileSearchLayouts
    properties publicGroup pushNotifications queueSobject quickActionLayoutColumns quickActionLayoutItems
    quickActionListItems quickActionParameters quickActions recipients recordTypeVisibilities recordTypes
    relatedContentItems relatedLists relatedObjects requiredPermission rightComponents role roleAndSubordinate
    roleAndSubordinateInternal rolesAndSubordinates routingAddresses ruleAssociations ruleEntry ruleItems
    rules searchFilterFields searchResultsAdditionalFields searchResultsCustomButtons sections send
    sharingCriteriaRules sharingGuestRules sharingOwnerRules sharingReasons sharingRecalculations
    sharingTerritoryRules sidebarComponents similarOpportunitiesDisplayColumns similarOpportunitiesMatchFields
    site sourceProperties sourceValues standardValue states subscriberTabs successActions summaryFilterItems
    summaryLayoutItems supportedObjects tabSettings tabVisibilities tabs targets tasks team territories
    territoriesAndSubordinates territory territoryAndSubordinates timeTriggers user userPermissions
    validationRules valueListItems valueSettings values webLinks weightedSourceCategories whitelistedDomains
    workflowTimeTriggers
    """.splitlines()
    for word in line.split()
)


def is_list(name: str, parent: str) -> bool:
    """Whether an element may occur several times within another."""
    return name in _ALWAYS or parent in _WITHIN.get(name, ())
