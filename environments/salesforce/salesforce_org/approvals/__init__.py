"""Approval processes at work: records are submitted, locked, approved, rejected, reassigned and recalled.

`processes` reads what metadata says of them and finds the one that a record enters, `people` tells who submits and who
approves, `actions` does what a process says is done, and `running` moves a request from step to step. A request is a
ProcessInstance with its nodes (the steps that it entered), its work items (whose answer it waits for) and its steps
(what was done); whether a record is locked follows from its last one (`locks`).
"""
