"""What of the Chrome DevTools Protocol a program can use; everything else is refused with a sentence that says why.

`PASSED` methods go to the browser, with the parameters named here only. Those in `SCRIPTS` run code in the page, or act
on it without input, and are counted. Where scripts are refused, `READING` methods alone are passed. `ACCEPTED` methods
are answered and change nothing. Input and navigation become steps (`input.py`, `endpoint.py`).
"""

from __future__ import annotations

_NODE = "nodeId backendNodeId objectId"
_PASSED = {
    "Accessibility": {
        "enable": "", "disable": "", "getFullAXTree": "depth frameId", "getRootAXNode": "frameId",
        "getPartialAXTree": f"{_NODE} fetchRelatives", "getChildAXNodes": "id frameId",
        "queryAXTree": f"{_NODE} accessibleName role", "getAXNodeAndAncestors": _NODE,
    },
    "CSS": {"enable": "", "disable": "", "getComputedStyleForNode": "nodeId"},
    "DOM": {
        "enable": "includeWhitespace", "disable": "", "getDocument": "depth pierce", "querySelector": "nodeId selector",
        "querySelectorAll": "nodeId selector", "describeNode": f"{_NODE} depth pierce",
        "resolveNode": "nodeId backendNodeId objectGroup executionContextId", "requestNode": "objectId",
        "requestChildNodes": "nodeId depth pierce", "pushNodesByBackendIdsToFrontend": "backendNodeIds",
        "getAttributes": "nodeId", "getOuterHTML": _NODE, "getBoxModel": _NODE, "getContentQuads": _NODE,
        "getNodeForLocation": "x y includeUserAgentShadowDOM ignorePointerEventsNone", "getFrameOwner": "frameId",
        "scrollIntoViewIfNeeded": f"{_NODE} rect", "focus": _NODE,
    },
    "DOMSnapshot": {
        "enable": "", "disable": "",
        "captureSnapshot": "computedStyles includePaintOrder includeDOMRects includeBlendedBackgroundColors "
        "includeTextColorOpacities",
    },
    "Inspector": {"enable": "", "disable": ""},
    "Log": {"enable": "", "disable": ""},
    "Network": {"enable": "", "disable": ""},
    "Page": {
        "enable": "", "disable": "", "getFrameTree": "", "getLayoutMetrics": "", "getNavigationHistory": "",
        "setLifecycleEventsEnabled": "enabled", "createIsolatedWorld": "frameId worldName",
        "addScriptToEvaluateOnNewDocument": "source worldName runImmediately",
        "removeScriptToEvaluateOnNewDocument": "identifier",
        "captureScreenshot": "format quality clip fromSurface captureBeyondViewport optimizeForSpeed",
    },
    "Runtime": {
        "enable": "", "disable": "", "releaseObject": "objectId", "releaseObjectGroup": "objectGroup",
        "getProperties": "objectId ownProperties accessorPropertiesOnly generatePreview nonIndexedPropertiesOnly",
        "awaitPromise": "promiseObjectId returnByValue generatePreview",
        "evaluate": "expression objectGroup silent contextId uniqueContextId returnByValue generatePreview userGesture "
        "awaitPromise throwOnSideEffect timeout serializationOptions",
        "callFunctionOn": "functionDeclaration objectId arguments silent executionContextId uniqueContextId "
        "returnByValue generatePreview userGesture awaitPromise objectGroup throwOnSideEffect serializationOptions",
    },
}  # fmt: skip
PASSED = {
    f"{domain}.{name}": frozenset(parameters.split())
    for domain, methods in _PASSED.items()
    for name, parameters in methods.items()
}
SCRIPTS = frozenset(
    {"Runtime.evaluate", "Runtime.callFunctionOn", "Page.addScriptToEvaluateOnNewDocument", "DOM.focus"}
    | {"DOM.scrollIntoViewIfNeeded"}
)
# No script runs and no object of a page is reached by these. A script that only reads cannot be told from others.
READING = frozenset(
    method
    for method in PASSED
    if method.partition(".")[0] in ("Accessibility", "CSS", "DOMSnapshot", "Inspector", "Log", "Network")
) | frozenset({
    "DOM.enable", "DOM.disable", "DOM.getDocument", "DOM.querySelector", "DOM.querySelectorAll", "DOM.describeNode",
    "DOM.requestChildNodes", "DOM.pushNodesByBackendIdsToFrontend", "DOM.getAttributes", "DOM.getOuterHTML",
    "DOM.getBoxModel", "DOM.getContentQuads", "DOM.getNodeForLocation", "DOM.getFrameOwner",
    "Page.enable", "Page.disable", "Page.getFrameTree", "Page.getLayoutMetrics", "Page.getNavigationHistory",
    "Page.setLifecycleEventsEnabled", "Page.captureScreenshot",
    "Runtime.enable", "Runtime.disable", "Runtime.releaseObject", "Runtime.releaseObjectGroup",
})  # fmt: skip
ACCEPTED = frozenset({
    "Browser.grantPermissions", "Browser.resetPermissions", "Browser.setDownloadBehavior", "Browser.setWindowBounds",
    "Emulation.clearDeviceMetricsOverride", "Emulation.setAutoDarkModeOverride",
    "Emulation.setDefaultBackgroundColorOverride", "Emulation.setDeviceMetricsOverride", "Emulation.setEmulatedMedia",
    "Emulation.setFocusEmulationEnabled", "Emulation.setLocaleOverride", "Emulation.setTimezoneOverride",
    "Emulation.setTouchEmulationEnabled", "Emulation.setUserAgentOverride",
    "Page.setAdBlockingEnabled", "Page.setDownloadBehavior", "Page.setFontFamilies",
    "Page.setInterceptFileChooserDialog", "Runtime.discardConsoleEntries", "Runtime.runIfWaitingForDebugger",
    "Target.setRemoteLocations",
})  # fmt: skip
INPUT = frozenset({
    "Input.dispatchDragEvent", "Input.dispatchKeyEvent", "Input.dispatchMouseEvent", "Input.insertText",
    "Input.synthesizeScrollGesture",
})  # fmt: skip
_EVENTS = {
    "DOM": "attributeModified attributeRemoved characterDataModified childNodeCountUpdated childNodeInserted "
    "childNodeRemoved documentUpdated setChildNodes shadowRootPopped shadowRootPushed",
    "Inspector": "targetCrashed",
    "Log": "entryAdded",
    "Network": "dataReceived loadingFailed loadingFinished requestServedFromCache requestWillBeSent responseReceived",
    "Page": "documentOpened domContentEventFired frameAttached frameDetached frameNavigated "
    "frameRequestedNavigation frameStartedLoading frameStartedNavigating frameStoppedLoading javascriptDialogClosed "
    "javascriptDialogOpening lifecycleEvent loadEventFired navigatedWithinDocument windowOpen",
    "Runtime": "consoleAPICalled exceptionThrown exceptionRevoked executionContextCreated executionContextDestroyed "
    "executionContextsCleared",
}
EVENTS = tuple(f"{domain}.{name}" for domain, names in _EVENTS.items() for name in names.split())
_WHY = {
    "Browser": "the browser belongs to the episode",
    "Fetch": "requests cannot be intercepted",
    "Network": "requests cannot be changed, and cookies and bodies of responses are not shown",
    "Storage": "cookies and stored data are not shown",
    "Tracing": "the browser cannot be traced",
    "Target": "tabs are opened by the application's own links",
    "Input": "this screen has a mouse and a keyboard, but no touch",
    "Debugger": "scripts cannot be halted",
    "DOM": "documents are read, and changed by input only",
    "Emulation": "the screen cannot be changed",
    "Page": "pages stay as the application serves them",
    "Runtime": "scripts run in the page and in worlds of the program's own only",
    "Page.setFileInputFiles": "files are chosen in the dialog that the page opens",
    "DOM.setFileInputFiles": "files are chosen in the dialog that the page opens",
    "Page.startScreencast": "use Page.captureScreenshot",
}


def refusal(method: str) -> str:
    """Return the sentence for a method that is not offered."""
    if method in PASSED:
        return f"{method} is refused: this application is used by its screen, and a script could act for the mouse"
    why = _WHY.get(method) or _WHY.get(method.partition(".")[0], "an episode does not offer this method")
    return f"{method:.80} is refused: {why}"


def cleaned(event: str, parameters: dict[str, object]) -> dict[str, object]:
    """Return an event without the announcement of further ones that are not passed."""
    if event == "Network.responseReceived":
        return {**parameters, "hasExtraInfo": False}
    if event == "Network.requestWillBeSent":
        return {**parameters, "redirectHasExtraInfo": False}
    return parameters
