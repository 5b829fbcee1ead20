"""An org: records of typed objects and metadata components, changed only through checked writes.

Records are plain mappings that are replaced and never changed, so that a copy of an org costs next to nothing
and a transaction can be taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from salesforce_org.store import ids, values
from salesforce_org.store.errors import DmlError, NotThere
from salesforce_org.store.journal import Journal
from salesforce_org.store.schema import Field, PicklistValue, Schema, SObject, address_of, read_value
from salesforce_org.store.shelves import Shelves

Record = Mapping[str, Any]
Tree = Mapping[str, Any]
TICK = timedelta(seconds=1)
STAMPS = ("LastModifiedDate", "LastModifiedById", "SystemModstamp")


@dataclass
class Change:
    """A write that rules may refuse or complete.

    Attributes:
        old: The record before; None for an insert.
        new: The record as it will be; rules may change it before it is stored.
        given: Names of the fields that the caller gave.
    """

    org: Org
    object: SObject
    id: str
    old: Record | None
    new: dict[str, Any]
    given: frozenset[str]

    def turned(self, name: str) -> bool:
        """Whether this write gives a field another value."""
        return self.new.get(name) != (self.old or {}).get(name)


Rule = Callable[[Change], None]
Guard = Callable[["Org", SObject, Record], None]
ComponentRule = Callable[["Org", str, Tree | None], None]
Compute = Callable[["Org", Record], Any]
Defined = Callable[["Org", SObject, Record, Field], Any]
Initial = Callable[["Org", Field], Any]
F = TypeVar("F", bound=Compute)


@dataclass
class Rules:
    """What objects do beside storing: by object, in the order in which they were added.

    Attributes:
        first: Called for every record before the rules of its object.
        validate: Called for every record that is about to be stored, once it is known to hold together.
        guards: Called before somebody changes or deletes a record, which they may refuse.
        defined: Computes a field by its definition; `initial` the value that it begins with.
    """

    before: dict[str, list[Rule]] = field(default_factory=dict)
    after: dict[str, list[Rule]] = field(default_factory=dict)
    deleting: dict[str, list[Rule]] = field(default_factory=dict)
    computed: dict[str, Compute] = field(default_factory=dict)
    components: dict[str, list[ComponentRule]] = field(default_factory=dict)
    first: list[Rule] = field(default_factory=list)
    validate: list[Rule] = field(default_factory=list)
    guards: list[Guard] = field(default_factory=list)
    defined: Defined = lambda org, object, row, field: None
    initial: Initial = lambda org, field: None

    def on(self, when: str, *objects: str) -> Callable[[Rule], Rule]:
        """Register a function `before` or `after` a record of the objects is stored, or `deleting` one."""
        table: dict[str, list[Rule]] = getattr(self, when)

        def register(rule: Rule) -> Rule:
            for name in objects:
                table.setdefault(name, []).append(rule)
            return rule

        return register

    def compute(self, name: str) -> Callable[[F], F]:
        """Register the function that a field's `computed` names."""

        def register(function: F) -> F:
            self.computed[name] = function
            return function

        return register

    def on_component(self, kind: str) -> Callable[[ComponentRule], ComponentRule]:
        """Register a function that gets org, full name and new tree after a component of a kind changed."""

        def register(rule: ComponentRule) -> ComponentRule:
            self.components.setdefault(kind, []).append(rule)
            return rule

        return register


class Org:
    """One organization.

    Attributes:
        user_id: Who acts; every write carries this user's name.
        now: The org's moment, in UTC. It moves a second with every write and is otherwise still.
        built_in: The schema before anybody defined objects or fields of their own.
        saves_duplicates: Whether the tool that writes insists on records that duplicate rules warn of.
    """

    def __init__(
        self, schema: Schema, rules: Rules, now: datetime, zone: str = "America/Los_Angeles"
    ) -> None:
        self.schema = schema
        self.built_in = schema
        self.rules = rules
        self.now = now
        self.zone = ZoneInfo(zone)
        self.user_id: str | None = None
        self.saves_duplicates = False
        self.journal = Journal()
        self._tables: Shelves[Record] = Shelves({name: {} for name in schema.objects})
        self._bin: dict[str, tuple[str, Record, int, str]] = {}
        self._counters: dict[str, int] = {}
        self._components: Shelves[Tree] = Shelves()
        self._deletions = 0
        self._checked = self._validated = True
        self._going: set[str] = set()

    # Reading

    def get(self, object: str, id: str | None) -> Record | None:
        """Return the record of an id of 15 or 18 characters, or None."""
        table = self._tables[object]
        if not id or (found := table.get(id)):
            return found if id else None
        return table.get(ids.full(id)) if ids.is_id(id) else None

    def record(self, id: str) -> tuple[SObject, Record]:
        """Return the object and record of an id of 15 or 18 characters.

        Raises:
            NotThere: The record does not exist.
        """
        try:
            whole = ids.full(id)
        except ValueError:
            raise NotThere(
                f"Provided external ID field does not exist or is not accessible: {id[:40]}"
            ) from None
        found = self.schema.of_id(whole)
        row = self.get(found.name, whole) if found else None
        if found is None or row is None:
            raise NotThere
        return found, row

    def rows(self, object: str, **equal: Any) -> Iterator[Record]:
        """Yield the records of an object whose stored fields equal the given values, oldest first."""
        for row in list(self._tables[object].values()):
            if all(row.get(name) == value for name, value in equal.items()):
                yield row

    def one(self, object: str, **equal: Any) -> Record:
        """Return the one record that fits.

        Raises:
            LookupError: None fits, or several do.
        """
        found = list(self.rows(object, **equal))
        if len(found) != 1:
            raise LookupError(f"{len(found)} records of {object} have {equal}, one was expected")
        return found[0]

    def deleted(self) -> Iterator[tuple[str, Record]]:
        """Yield object name and record of everything in the recycle bin."""
        yield from ((object, row) for object, row, _, _ in self._bin.values())

    def deleted_at(self, id: str) -> str | None:
        """Return the moment at which a record went to the recycle bin; None where it is not there."""
        return self._bin[id][3] if id in self._bin else None

    def value(self, object: SObject, row: Record, field: Field) -> Any:
        """Return a field's value in a record; computed ones are computed, and addresses put together."""
        if field.type == "address":
            return address_of(field, row)
        if field.computed is None:
            return row.get(field.name)
        compute = self.rules.computed.get(field.computed)
        return compute(self, row) if compute else self.rules.defined(self, object, row, field)

    def name_of(self, id: str | None) -> str | None:
        """Return what a record is called, whatever object it is of; None where there is no such record."""
        found = self.schema.of_id(id) if id else None
        row = self.get(found.name, id) if found else None
        if found is None or row is None or found.name_field is None:
            return None
        named = found.field(found.name_field)
        return str(self.value(found, row, named)) if named else None

    def picklist(self, field: Field) -> tuple[PicklistValue, ...]:
        """Return the entries of a picklist, its own or shared, in the order in which they are displayed."""
        if field.value_set is None:
            return field.values
        for kind, key in (("StandardValueSet", "standardValue"), ("GlobalValueSet", "customValue")):
            shared = self.component(kind, field.value_set)
            if shared is not None:
                entries = [read_value(entry) for entry in shared[key]]
                if shared.get("sorted"):
                    entries.sort(key=lambda one: one.label.casefold())
                return tuple(entries)
        return ()

    @property
    def checked(self) -> bool:
        """Whether writes are held to what users may; not while the org itself or a seed writes."""
        return self._checked

    def deleting(self, id: str) -> bool:
        """Whether a record is being deleted right now, with all that goes with it."""
        return id in self._going

    def default(self, one: Field) -> Any:
        """Return what a field of a new record begins with."""
        return self._default(one)

    def today(self) -> date:
        """Return the date where the acting user is."""
        return self.now.astimezone(self.zone).date()

    # Writing

    def insert(self, object: str, **given: Any) -> str:
        """Store a new record and return its id.

        Raises:
            DmlError: It is refused.
        """
        kind = self.schema[object]
        new = self._fitted(kind, given, "createable")
        number = self._counters.get(object, 0) + 1
        id = ids.make(kind.prefix, number)
        with self.transaction():
            self._counters[object] = number
            whole = {one.name: self._default(one) for one in kind.fields if one.stored} | new
            stamp = values.moment(self.now)
            whole |= {"Id": id, "IsDeleted": False, "CreatedDate": new.get("CreatedDate", stamp)}
            whole |= {"CreatedById": new.get("CreatedById", self.user_id)}
            whole |= {one.name: self._number(one, object) for one in kind.fields if one.auto}
            self._store(Change(self, kind, id, None, whole, frozenset(new)))
        return id

    def update(self, id: str, **given: Any) -> None:
        """Change fields of a record.

        Raises:
            DmlError: It is refused.
            NotThere: There is no such record.
        """
        kind, old = self.record(id)
        self._guard(kind, old)
        new = self._fitted(kind, given, "updateable")
        with self.transaction():
            self._store(Change(self, kind, old["Id"], old, {**old, **new}, frozenset(new)))

    def delete(self, id: str) -> None:
        """Put a record into the recycle bin, with what goes with it.

        Raises:
            DmlError: Something that points to it keeps it.
            NotThere: There is no such record.
        """
        kind, row = self.record(id)
        if not kind.deletable and self._checked:
            raise DmlError("INSUFFICIENT_ACCESS_OR_READONLY", f"{kind.label} cannot be deleted")
        self._guard(kind, row)
        with self.transaction():
            self._deletions += 1
            self._remove(kind, row)

    def undelete(self, id: str) -> None:
        """Take a record back from the recycle bin, with what was deleted with it.

        Raises:
            NotThere: It is not there.
        """
        if id not in self._bin:
            raise NotThere("entity is not in the recycle bin", "UNDELETE_FAILED")
        with self.transaction():
            batch = self._bin[id][2]
            for key, (object, row, number, _) in list(self._bin.items()):
                if number == batch:
                    del self._bin[key]
                    self._put(object, key, row)

    def purge(self, id: str) -> None:
        """Empty a record out of the recycle bin; it cannot come back."""
        if self._bin.pop(id, None) is None:
            raise NotThere("entity is not in the recycle bin", "INVALID_ID_FIELD")

    def note(self, collection: str, given: Record) -> None:
        """Write into the journal what is done and leaves no record, such as a password that is reset."""
        self.journal.add(collection, f"{collection}-{len(self.journal.writes)}", None, given)
        self.now += TICK

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Take everything back when the block raises; blocks may be nested."""
        saved = (self.schema, self.now, dict(self._counters), dict(self._bin), self._deletions)
        kept = self._tables.keep(), self._components.keep()
        length = len(self.journal.writes)
        try:
            yield
        except BaseException:
            self.schema, self.now, self._counters, self._bin, self._deletions = saved
            self._tables.bring_back(kept[0])
            self._components.bring_back(kept[1])
            del self.journal.writes[length:]
            raise
        self._tables.let_go(kept[0])
        self._components.let_go(kept[1])

    @contextmanager
    def unchecked(self) -> Iterator[None]:
        """Let seeds set what users may not: audit fields, automatic numbers, read-only fields. Rules still run."""
        self._checked, before = False, self._checked
        try:
            yield
        finally:
            self._checked = before

    @contextmanager
    def unvalidated(self) -> Iterator[None]:
        """Ask no validation rule, as for field updates of approvals."""
        self._validated, before = False, self._validated
        try:
            yield
        finally:
            self._validated = before

    @contextmanager
    def acting(self, user_id: str | None) -> Iterator[None]:
        """Write as somebody else for a while."""
        self.user_id, before = user_id, self.user_id
        try:
            yield
        finally:
            self.user_id = before

    # Metadata components and the schema that they define

    def component(self, kind: str, name: str) -> Tree | None:
        """Return a metadata component as a tree of its XML, or None."""
        return self._components.get(kind).get(name)

    def components(self, kind: str) -> Mapping[str, Tree]:
        """Return all components of a metadata type by full name."""
        return self._components.get(kind)

    def put_component(self, kind: str, name: str, tree: Tree | None) -> None:
        """Store a metadata component, or remove it (None)."""
        before = self._components.get(kind).get(name)
        if before == tree:
            return
        table = self._components.writable(kind)
        if tree is None:
            table.pop(name, None)
        else:
            table[name] = tree
        self.journal.add(f"metadata/{kind}", name, before, tree)
        self.now += TICK
        for rule in self.rules.components.get(kind, ()):
            rule(self, name, tree)

    def extend(self, schema: Schema) -> None:
        """Give the org another schema; what its new objects and fields mean is told by metadata components.

        Records of changed objects get what new fields hold at first, and lose what no field holds any longer.
        """
        before, self.schema = self.schema, schema
        for name in sorted(before.objects.keys() | schema.objects.keys()):
            images = _fields_of(before.objects.get(name)), _fields_of(schema.objects.get(name))
            if images[0] != images[1]:
                self.journal.add("schema", name, *images)
                self.now += TICK
        for name, kind in schema.objects.items():
            table = self._tables.writable(name)
            if before.objects.get(name) is not kind:
                for id, row in list(table.items()):
                    self._put(name, id, self._reshaped(kind, row))
        for id, (name, row, batch, when) in self._bin.items():
            if name in schema.objects:
                self._bin[id] = name, self._reshaped(schema[name], row), batch, when

    def _reshaped(self, kind: SObject, row: Record) -> Record:
        stored = {one.name: one for one in kind.fields if one.stored}
        if stored.keys() == row.keys():
            return row
        return {name: row.get(name, False if one.type == "boolean" else None) for name, one in stored.items()}

    # Copies

    def copy(self) -> Org:
        """Return an org of its own with the same content and an empty journal."""
        twin = Org(self.schema, self.rules, self.now, str(self.zone))
        twin.user_id, twin.built_in = self.user_id, self.built_in
        twin._tables, twin._components = self._tables.copy(), self._components.copy()
        twin._bin, twin._counters = dict(self._bin), dict(self._counters)
        twin._deletions = self._deletions
        return twin

    def collections(self) -> dict[str, dict[str, Record]]:
        """Return all stored records by object and id, and components as `metadata/<type>` by full name."""
        records = {name: dict(self._tables[name]) for name in self._tables.names()}
        described = {f"metadata/{kind}": dict(self._components[kind]) for kind in self._components.names()}
        return {name: rows for name, rows in (records | described).items() if rows}

    # How a write is made

    def _fitted(self, kind: SObject, given: Mapping[str, Any], right: str) -> dict[str, Any]:
        fitted = {}
        for name, value in given.items():
            one = kind.field(name)
            if one is None:
                raise DmlError(
                    "INVALID_FIELD", f"No such column '{name}' on sobject of type {kind.name}", (name,)
                )
            if self._checked and not (getattr(one, right) and one.stored):
                raise DmlError(
                    "INVALID_FIELD_FOR_INSERT_UPDATE",
                    f"Unable to create/update fields: {one.name}. Please check the security settings of this "
                    "field and verify that it is read/write for your profile or permission set.",
                    (one.name,),
                )
            fitted[one.name] = values.coerced(one, value, self.picklist(one))
        return fitted

    def _guard(self, kind: SObject, row: Record) -> None:
        for guard in self.rules.guards if self._checked else ():
            guard(self, kind, row)

    def _default(self, one: Field) -> Any:
        meaning = {"today": self.today().isoformat(), "now": values.moment(self.now), "me": self.user_id}
        if one.default is not None:
            return meaning.get(one.default, one.default) if isinstance(one.default, str) else one.default
        if "defaultValue" in one.definition:
            return self.rules.initial(self, one)
        if one.type in ("picklist", "multipicklist"):
            return next((entry.value for entry in self.picklist(one) if entry.default), None)
        return None

    def _number(self, one: Field, object: str) -> str:
        assert one.auto is not None
        key = f"{object}.{one.name}"
        start, _, rest = one.auto.partition("{")
        zeros, _, end = rest.partition("}")
        self._counters[key] = self._counters.get(key, int(zeros)) + 1
        return f"{start}{self._counters[key]:0{len(zeros)}}{end}"

    def _store(self, change: Change) -> None:
        kind = change.object
        for rule in (*self.rules.first, *self.rules.before.get(kind.name, ())):
            rule(change)
        self._require(kind, change.new)
        self._point(kind, change)
        self._unique(kind, change)
        for rule in self.rules.validate if self._validated else ():
            rule(change)
        if change.old is None or any(change.turned(name) for name in change.new):
            stamp = values.moment(self.now)
            change.new |= dict(zip(STAMPS, (stamp, self.user_id, stamp), strict=True))
            self._put(kind.name, change.id, change.new)
        for rule in self.rules.after.get(kind.name, ()):
            rule(change)

    def _require(self, kind: SObject, new: Record) -> None:
        missing = tuple(
            one.name for one in kind.fields if one.required and one.stored and new[one.name] is None
        )
        if missing:
            names = ", ".join(missing)
            raise DmlError("REQUIRED_FIELD_MISSING", f"Required fields are missing: [{names}]", missing)

    def _point(self, kind: SObject, change: Change) -> None:
        if "OwnerId" in change.given and change.new["OwnerId"] is None:
            raise DmlError("INVALID_CROSS_REFERENCE_KEY", "Owner ID: owner cannot be blank", ("OwnerId",))
        for one in kind.fields:
            target = change.new.get(one.name)
            if one.type != "reference" or not target or not change.turned(one.name):
                continue
            if one.to and not self.schema.objects.keys() & set(one.to):
                continue  # what it points to is computed
            found = self.schema.of_id(target)
            if found is None or (one.to and found.name not in one.to):
                raise DmlError(
                    "FIELD_INTEGRITY_EXCEPTION",
                    f"{one.label}: id value of incorrect type: {target}",
                    (one.name,),
                )
            if self.get(found.name, target) is None and one.name != "CreatedById" and target != self.user_id:
                raise DmlError("INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id", (one.name,))

    def _unique(self, kind: SObject, change: Change) -> None:
        for one in kind.fields:
            value = change.new.get(one.name)
            if not one.unique or value is None or not change.turned(one.name):
                continue
            for row in self._tables[kind.name].values():
                if row["Id"] != change.id and str(row.get(one.name)).casefold() == str(value).casefold():
                    raise DmlError(
                        "DUPLICATE_VALUE",
                        f"duplicate value found: {one.name} duplicates value on record with id: {row['Id'][:15]}",
                        (one.name,),
                    )

    def _put(self, object: str, id: str, row: Record | None) -> None:
        table = self._tables.writable(object)
        before = table.get(id)
        if row is None:
            table.pop(id, None)
        else:
            table[id] = row
        self.journal.add(object, id, before, row)
        self.now += TICK

    def _remove(self, kind: SObject, row: Record) -> None:
        change = Change(self, kind, row["Id"], row, dict(row), frozenset())
        self._going.add(row["Id"])
        try:
            for rule in self.rules.deleting.get(kind.name, ()):
                rule(change)
            for other, reference in self.schema.children.get(kind.name, ()):
                for pointing in list(self.rows(other.name, **{reference.name: row["Id"]})):
                    self._let_go(other, reference, pointing, kind)
        finally:
            self._going.discard(row["Id"])
        if kind.undeletable:
            self._bin[row["Id"]] = (kind.name, row, self._deletions, values.moment(self.now))
        self._put(kind.name, row["Id"], None)

    def _let_go(self, other: SObject, reference: Field, pointing: Record, kind: SObject) -> None:
        if reference.cascade:
            if self.get(other.name, pointing["Id"]) is not None:
                self._remove(other, pointing)
        elif reference.restrict or reference.required:
            raise DmlError(
                "DELETE_FAILED",
                f"Your attempt to delete {kind.label} could not be completed because it is associated with "
                f"{other.label}: {self.name_of(pointing['Id']) or pointing['Id']}",
            )
        elif reference.name not in ("OwnerId", "CreatedById", "LastModifiedById"):
            self._put(other.name, pointing["Id"], {**pointing, reference.name: None})


def _fields_of(kind: SObject | None) -> Record | None:
    """Return an object's definition as the journal notes it: which fields it has."""
    return None if kind is None else {"fields": sorted(one.name for one in kind.fields)}
