"""`/services/Soap/s`: the Apex interface, which answers that code does not compile, since there is no Apex here."""

from __future__ import annotations

from salesforce_org.api.soap import SoapCall, SoapFault, service
from salesforce_org.api.soap_partner import operation

APEX = "http://soap.sforce.com/2006/08/apex"
NOT_COMPILED = {
    "line": 1,
    "column": 1,
    "compiled": False,
    "success": False,
    "compileProblem": "Apex is not enabled in this org: no code can be compiled or run",
    "exceptionStackTrace": None,
    "exceptionMessage": None,
}


@service("s", APEX)
def apex(call: SoapCall) -> str:
    """Answer an operation."""
    if call.operation == "executeAnonymous":
        return _not_compiled(call)
    if call.operation in ("compileAndTest", "compileClasses", "compileTriggers", "runTests"):
        raise SoapFault(
            "INSUFFICIENT_ACCESS", "use of the Apex API requires a user with the Author Apex permission"
        )
    raise SoapFault("soapenv:Client", f"No operation available for request {call.operation[:80]}")


@operation("executeAnonymous")
def execute(call: SoapCall) -> str:
    """Answer the Tooling API likewise; the other interfaces have no such operation."""
    if call.letter != "T":
        raise SoapFault("soapenv:Client", "No operation available for request executeAnonymous")
    return _not_compiled(call)


def _not_compiled(call: SoapCall) -> str:
    return call.result({name: NOT_COMPILED[name] for name in sorted(NOT_COMPILED)})
