"""The description of the HTTP door for people: one HTML page made from its OpenAPI document, without scripts."""

from __future__ import annotations

from typing import Any

from jinja2 import Environment

_PAGE = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string("""\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ info.title }}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
body { color: #222; background: #fff }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1.5rem }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #ddd }
code { font: .9em ui-monospace, monospace }
</style>
<h1>{{ info.title }}</h1>
<p>Send each request with the header <code>Authorization: Bearer TOKEN</code>.
The same as an OpenAPI document: <a href="/openapi.json"><code>/openapi.json</code></a>.</p>
{% for path, methods in paths.items() %}
{% for method, operation in methods.items() %}
<h2><code>{{ method | upper }} {{ path }}</code></h2>
<p>{{ operation.summary }}</p>
{% if operation.requestBody %}
{% set schema = operation.requestBody.content["application/json"].schema %}
<table>
<tr><th>Member of the JSON object<th>Form<th>Meaning
{% for name, each in schema.properties.items() %}
<tr><td><code>{{ name }}</code>{{ "" if name in (schema.required or ()) else ", optional" }}
<td>{{ told(each) }}<td>{{ each.description }}
{% endfor %}
</table>
{% endif %}
<table>
<tr><th>Status<th>Meaning
{% for code, answer in operation.responses.items() %}
<tr><td><code>{{ code }}</code><td>{{ answer.description }}
{% endfor %}
</table>
{% endfor %}
{% endfor %}
<h2>Actions</h2>
<table>
<tr><th>Kind<th>What it does<th>Arguments
{% for action in actions %}
<tr><td><code>{{ action.properties.kind.const }}</code><td>{{ action.description }}<td>
{% for name, schema in action.properties.items() if name != "kind" %}
<code>{{ name }}</code>: {{ told(schema) }}{{ "" if name in action.required else ", optional" }}<br>
{% endfor %}
{% endfor %}
</table>
</html>
""")


def page(document: dict[str, Any]) -> str:
    """Return the HTML page of an OpenAPI document."""
    step = document["paths"]["/v1/step"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    actions = step["properties"]["actions"]["items"]["oneOf"]
    return _PAGE.render(**document, actions=actions, told=_told)


def _told(schema: dict[str, Any]) -> str:
    """Return the form of a value in words."""
    if "enum" in schema:
        return "one of " + ", ".join(map(str, schema["enum"]))
    kind = schema.get("type", "")
    if kind == "array":
        items = schema["items"]
        return "list of " + ("actions" if "oneOf" in items else f"{_told(items)} values")
    if kind == "object":
        return "object with " + ", ".join(schema["properties"])
    return " or ".join(kind) if isinstance(kind, list) else str(kind)
