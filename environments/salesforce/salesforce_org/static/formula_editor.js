// The formula editor: fields, operators and functions are put where the cursor is, and the formula is checked by the org.
"use strict";
(() => {
  const insert = (editor, text) => {
    const area = editor.querySelector("textarea");
    const at = area.selectionStart;
    area.setRangeText(text, at, area.selectionEnd, "end");
    area.focus();
  };

  const check = async (editor) => {
    const area = editor.querySelector("textarea");
    const body = new URLSearchParams(new FormData(area.form));
    body.set("formula", area.value);
    const answer = await fetch(editor.dataset.check, { method: "POST", body, headers: { "HX-Request": "true" } });
    editor.querySelector("[data-formula-checked]").innerHTML = await answer.text();
  };

  const narrow = (editor) => {
    const list = editor.querySelector("[data-formula-function]");
    list.all ??= Array.from(list.options);
    const kind = editor.querySelector("[data-formula-kind]").value;
    list.replaceChildren(...list.all.filter((option) => !kind || option.dataset.kind === kind));
  };

  const explain = (editor) => {
    const chosen = editor.querySelector("[data-formula-function]").selectedOptions[0];
    editor.querySelector("[data-formula-help]").textContent = chosen ? `${chosen.value}: ${chosen.dataset.help}` : "";
  };

  const put = (editor) => {
    const chosen = editor.querySelector("[data-formula-function]").selectedOptions[0];
    if (chosen) insert(editor, chosen.value);
  };

  // Insert Field: a column of fields for every relationship that is opened

  const column = async (editor, columns, path) => {
    const address = new URL(editor.dataset.fields, location.href);
    const inner = address.searchParams.get("address"); // pages of Setup have their query inside of one part
    if (inner) address.searchParams.set("address", `${inner}&path=${encodeURIComponent(path)}`);
    else address.searchParams.set("path", path);
    const answer = await fetch(address, { headers: { "HX-Request": "true" } });
    columns.insertAdjacentHTML("beforeend", await answer.text());
    columns.scrollLeft = columns.scrollWidth;
  };

  const choose = async (editor, dialog, button) => {
    const columns = dialog.querySelector(".setup-formula__columns");
    const here = button.closest("ul");
    while (here.nextElementSibling) here.nextElementSibling.remove();
    here.querySelectorAll("button").forEach((one) => {
      one.setAttribute(one.dataset.path ? "aria-expanded" : "aria-pressed", String(one === button));
    });
    dialog.chosen = button.dataset.insert ?? "";
    dialog.querySelector(".setup-formula__chosen").textContent = dialog.chosen
      ? `You have selected: ${button.textContent} (${button.dataset.kind}), API Name: ${dialog.chosen}`
      : "";
    dialog.querySelector("[data-insert-chosen]").disabled = !dialog.chosen;
    if (button.dataset.path) await column(editor, columns, button.dataset.path);
  };

  const ask = async (editor) => {
    const dialog = document.createElement("dialog");
    dialog.className = "setup-ask setup-formula__dialog";
    dialog.setAttribute("aria-label", "Insert Field");
    dialog.innerHTML = `<h2>Insert Field</h2><p>Select a field, then click Insert. Labels followed by a ">" indicate that
      there are more fields available.</p><div class="setup-formula__columns"></div><p class="setup-formula__chosen"
      role="status"></p><div class="setup-ask__foot"><button type="button" class="setup-button" data-close>Close</button>
      <button type="button" class="setup-button setup-button_main" data-insert-chosen disabled>Insert</button></div>`;
    const end = () => {
      dialog.close();
      insert(editor, dialog.chosen);
    };
    dialog.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      if (button.matches("[data-close]")) dialog.close();
      else if (button.matches("[data-insert-chosen]")) end();
      else choose(editor, dialog, button);
    });
    dialog.addEventListener("dblclick", (event) => {
      if (event.target.matches("[data-insert]")) end();
    });
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    await column(editor, dialog.querySelector(".setup-formula__columns"), "");
    dialog.showModal();
  };

  document.addEventListener("click", (event) => {
    const editor = event.target.closest("[data-formula]");
    if (!editor) return;
    if (event.target.closest("[data-formula-field]")) ask(editor);
    if (event.target.closest("[data-formula-check]")) check(editor);
    if (event.target.closest("[data-formula-function-insert]")) put(editor);
  });

  document.addEventListener("dblclick", (event) => {
    const editor = event.target.closest("[data-formula]");
    if (editor && event.target.closest("[data-formula-function]")) put(editor);
  });

  document.addEventListener("change", (event) => {
    const at = event.target;
    const editor = at.closest("[data-formula]");
    if (!editor) return;
    if (at.matches("[data-formula-kind]")) narrow(editor);
    if (at.matches("[data-formula-function]")) explain(editor);
    if (at.matches("[data-formula-operator]") && at.value) {
      insert(editor, ` ${at.value} `);
      at.value = "";
    }
  });
})();
