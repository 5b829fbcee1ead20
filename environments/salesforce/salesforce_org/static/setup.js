// What pages of Setup do in the browser: the tree and its Quick Find, dual lists, lookups, questions before deeds.
"use strict";
(() => {
  const each = (root, selector, act) => root.querySelectorAll(selector).forEach(act);

  // The tree

  const open = (item, on) => {
    item.setAttribute("aria-expanded", String(on));
    item.querySelector(":scope > ul").hidden = !on;
  };

  const narrow = (item, words) => {
    const fits = words && item.dataset.label.toLowerCase().includes(words);
    let below = false;
    each(item, ":scope > ul > li", (child) => {
      below = (fits ? show(child) : narrow(child, words)) || below;
    });
    const shown = !words || fits || below;
    item.hidden = !shown;
    if (item.matches(".setup-tree__branch")) open(item, words ? shown : Boolean(item.querySelector(".is-here")));
    return shown;
  };

  const show = (item) => {
    item.hidden = false;
    each(item, "li", (child) => {
      child.hidden = false;
    });
    if (item.matches(".setup-tree__branch")) open(item, true);
    return true;
  };

  const quickFind = (input) => {
    const words = input.value.trim().toLowerCase();
    let any = false;
    each(document, ".setup-tree > li", (item) => {
      any = narrow(item, words) || any;
    });
    const none = document.querySelector("[data-tree-none]");
    if (none) none.hidden = any;
  };

  // What was searched for stays while one goes from page to page, and the tree is scrolled to the page that is shown.
  const SOUGHT = "setup-quick-find";
  const goOn = () => {
    const input = document.querySelector("[data-quick-find]");
    if (!input) return;
    input.value = sessionStorage.getItem(SOUGHT) || "";
    if (input.value) quickFind(input);
    const tree = document.querySelector("[data-setup-tree]");
    const here = tree.querySelector(".is-here");
    if (here) tree.scrollTop += here.getBoundingClientRect().top - tree.getBoundingClientRect().top - tree.clientHeight / 3;
  };

  // Branches that fold

  const fold = (button, on) => {
    button.setAttribute("aria-expanded", String(on));
    button.closest("[data-fold-item]").querySelector(":scope > ul").hidden = !on;
  };

  // Dual lists

  const keep = (dual) => {
    const values = dual.querySelector("[data-dual-values]");
    values.replaceChildren(
      ...Array.from(dual.querySelector("[data-dual-right]").options, (option) => {
        const input = document.createElement("input");
        input.type = "hidden";
        input.name = dual.dataset.dualList;
        input.value = option.value;
        return input;
      }),
    );
  };

  const sorted = (select) => {
    const options = Array.from(select.options);
    options.sort((one, other) => one.text.localeCompare(other.text));
    select.replaceChildren(...options);
  };

  const move = (dual, from, to) => {
    const target = dual.querySelector(to);
    each(dual.querySelector(from), "option:checked", (option) => {
      option.selected = false;
      (to === "[data-dual-left]" && dual.pool ? dual.pool : target).append(option);
    });
    if (to === "[data-dual-left]" && !dual.pool) sorted(target);
    if (dual.pool) offer(dual);
    keep(dual);
  };

  // Dual lists with kinds hold what is not shown aside.
  const offer = (dual) => {
    const left = dual.querySelector("[data-dual-left]");
    const kind = dual.querySelector("[data-dual-kind]").value;
    const words = dual.querySelector("[data-dual-for]").value.trim().toLowerCase();
    dual.pool.append(...left.options);
    each(dual.pool, "option", (option) => {
      const fits = option.dataset.kind === kind && option.text.toLowerCase().includes(words);
      if (fits) left.append(option);
    });
    sorted(left);
  };

  const prepare = (dual) => {
    if (!dual.querySelector("[data-dual-kind]")) return;
    dual.pool = document.createElement("div");
    offer(dual);
  };

  // Lookups with a list of their own

  const list = (field) => field.querySelector('[role="listbox"]');
  const unfold = (field, on) => {
    list(field).hidden = !on;
    field.querySelector('[role="combobox"]').setAttribute("aria-expanded", String(on));
  };
  const search = (field, words) => {
    each(field, '[role="option"]', (option) => {
      option.hidden = !option.textContent.toLowerCase().includes(words);
    });
    unfold(field, true);
  };
  const choose = (field, option) => {
    field.querySelector('input[type="hidden"]').value = option ? option.dataset.value : "";
    if (option) field.querySelector('[role="combobox"]').value = option.textContent;
    each(field, '[role="option"]', (one) => one.setAttribute("aria-selected", String(one === option)));
    unfold(field, false);
  };
  const settle = (field) => {
    const text = field.querySelector('[role="combobox"]').value.trim().toLowerCase();
    const exact = Array.from(field.querySelectorAll('[role="option"]')).find(
      (option) => option.textContent.trim().toLowerCase() === text,
    );
    const hidden = field.querySelector('input[type="hidden"]');
    if (exact) hidden.value = exact.dataset.value;
    else hidden.value = text ? "?" : "";
  };

  // Picklists that depend on others

  const depend = (select) => {
    const kind = document.getElementById(select.dataset.depends).value;
    select.all ??= Array.from(select.options);
    const chosen = select.value;
    select.replaceChildren(...select.all.filter((option) => !option.dataset.kind || option.dataset.kind === kind));
    select.value = chosen;
    if (select.selectedIndex < 0) select.selectedIndex = 0;
  };

  // Questions

  const ask = (title, text, then) => {
    const dialog = document.createElement("dialog");
    dialog.className = "setup-ask";
    dialog.setAttribute("aria-label", title);
    const heading = document.createElement("h2");
    heading.textContent = title;
    const body = document.createElement("p");
    body.textContent = text;
    const foot = document.createElement("div");
    foot.className = "setup-ask__foot";
    const button = (label, act, main) => {
      const made = document.createElement("button");
      made.type = "button";
      made.className = `setup-button${main ? " setup-button_main" : ""}`;
      made.textContent = label;
      made.addEventListener("click", () => {
        dialog.close();
        act();
      });
      foot.append(made);
    };
    const no = () => then(false);
    button("Cancel", no, false);
    button("OK", () => then(true), true);
    dialog.addEventListener("cancel", no);
    dialog.addEventListener("close", () => dialog.remove());
    dialog.append(heading, body, foot);
    document.body.append(dialog);
    dialog.showModal();
  };

  const apiName = (text) => {
    const name = text.trim().replace(/[^A-Za-z0-9]+/g, "_").replace(/^_+|_+$/g, "");
    return /^[0-9]/.test(name) ? `X${name}` : name;
  };

  // Rights bring others with them, and go with those that they need.

  const NEEDS = {
    PermissionsCreate: ["PermissionsRead"],
    PermissionsEdit: ["PermissionsRead"],
    PermissionsDelete: ["PermissionsRead", "PermissionsEdit"],
    PermissionsViewAllRecords: ["PermissionsRead"],
    PermissionsModifyAllRecords: ["PermissionsRead", "PermissionsEdit", "PermissionsDelete", "PermissionsViewAllRecords"],
    PermissionsViewAllFields: ["PermissionsRead"],
  };

  // What is muted takes along what needs it.
  const follow = (box) => {
    const right = box.dataset.right;
    const on = box.checked !== box.matches("[data-mutes]");
    each(document, "[data-right]", (other) => {
      const name = other.dataset.right;
      if (on ? NEEDS[right]?.includes(name) : NEEDS[name]?.includes(right)) other.checked = box.checked;
    });
  };

  const followField = (box) => {
    const on = box.checked !== box.matches("[data-mutes]");
    const other = box.closest("tr").querySelector(`[data-field-right][name="${box.name === "edit" ? "read" : "edit"}"]`);
    if (other && (box.name === "edit") === on) other.checked = box.checked;
  };

  // A field that is only read is visible, and one that is hidden is not read.
  const followVisible = (box) => {
    const [visible, readonly] = box.closest("tr").querySelectorAll("[data-field-visible]");
    if (box === readonly && box.checked) visible.checked = true;
    if (box === visible && !box.checked && !readonly.disabled) readonly.checked = false;
  };

  const filterRows = (input) => {
    const words = input.value.trim().toLowerCase();
    each(document, "tr[data-filter-text]", (row) => {
      row.hidden = !row.dataset.filterText.toLowerCase().includes(words);
    });
    const left = document.querySelectorAll("tr[data-filter-text]:not([hidden])").length;
    each(document, "[data-filter-count]", (count) => {
      count.textContent = left;
    });
  };

  // Of several parts of a form, only the chosen one can be filled in.
  const enable = (radio) => {
    each(document, "[data-enabled-for]", (part) => {
      each(part, "select", (box) => {
        box.disabled = part.dataset.enabledFor !== radio.dataset.enables;
      });
    });
  };

  document.addEventListener("input", (event) => {
    const at = event.target;
    if (at.matches("[data-quick-find]")) {
      sessionStorage.setItem(SOUGHT, at.value);
      quickFind(at);
    }
    if (at.matches("[data-filter-rows]")) filterRows(at);
    const field = at.closest("[data-lookup-field]");
    if (field && at.matches('[role="combobox"]')) {
      settle(field);
      search(field, at.value.trim().toLowerCase());
    }
  });

  document.addEventListener("change", (event) => {
    const at = event.target;
    if (at.matches("[data-dual-kind]")) offer(at.closest("[data-dual-list]"));
    if (at.id) each(document, `[data-depends="${CSS.escape(at.id)}"]`, depend);
    if (at.matches("[data-submit]")) at.form.requestSubmit();
    if (at.matches("[data-refresh]")) {
      const asked = document.createElement("input");
      Object.assign(asked, { type: "hidden", name: "do", value: "refresh" });
      at.form.append(asked);
      at.form.submit();
    }
    if (at.matches("[data-check-all]")) {
      each(at.closest("table"), `tbody tr:not([hidden]) input[name="${CSS.escape(at.dataset.checkAll)}"]`, (box) => {
        if (box.disabled) return;
        box.checked = at.checked;
        if (box.matches("[data-field-right]")) followField(box);
        if (box.matches("[data-field-visible]")) followVisible(box);
      });
    }
    if (at.matches("[data-tab-setting]")) {
      each(at.closest("tr"), `[value="${at.value === "Visible" ? "Available" : "Visible"}"]`, (other) => {
        if (at.checked === (at.value === "Visible")) other.checked = at.checked;
      });
    }
    if (at.matches("[data-right]")) follow(at);
    if (at.matches("[data-field-right]")) followField(at);
    if (at.matches("[data-field-visible]")) followVisible(at);
    if (at.id && at.value.trim()) {
      each(document, `[data-called-after="${CSS.escape(at.id)}"]`, (box) => {
        if (!box.value) box.value = `${at.value.trim()} Name`;
      });
    }
    if (at.matches("[data-fills]")) {
      const filled = document.getElementById(at.dataset.fills);
      if (filled === at) at.value = apiName(at.value);
      if (filled && !filled.value) filled.value = apiName(at.value);
    }
    if (at.matches("[data-confirm-off]") && !at.checked) {
      ask(at.dataset.confirmTitle, at.dataset.confirmOff, (yes) => {
        at.checked = !yes;
      });
    }
    if (at.matches("[data-enables]")) enable(at);
    if (at.matches("[data-sets-all]")) each(document, "[data-set-by-all]", (box) => (box.value = at.value));
    if (at.matches("[data-shows]")) {
      each(document, "[data-shown-for]", (part) => {
        part.hidden = part.dataset.shownFor !== at.value;
      });
    }
  });

  document.addEventListener("click", (event) => {
    const at = event.target;
    const toggle = at.closest("[data-tree-toggle]");
    if (toggle) {
      const item = toggle.closest("li");
      open(item, item.getAttribute("aria-expanded") !== "true");
    }
    const one = at.closest("[data-fold]");
    if (one) fold(one, one.getAttribute("aria-expanded") !== "true");
    const all = at.closest("[data-fold-all]");
    if (all) each(document, "[data-fold]", (each) => fold(each, all.dataset.foldAll === "open"));
    const dual = at.closest("[data-dual-list]");
    if (dual && at.closest("[data-dual-add]")) move(dual, "[data-dual-left]", "[data-dual-right]");
    if (dual && at.closest("[data-dual-remove]")) move(dual, "[data-dual-right]", "[data-dual-left]");
    if (dual && at.closest("[data-dual-find]")) offer(dual);
    if (at.closest("[data-add-row]")) addRow(at);
    if (dual && at.closest("[data-dual-up], [data-dual-down], [data-dual-top], [data-dual-bottom]")) reorder(dual, at);
    const field = at.closest("[data-lookup-field]");
    if (field && at.closest(".setup-lookup__glass")) search(field, "");
    if (field && at.matches('[role="option"]')) choose(field, at);
    each(document, "[data-lookup-field]", (other) => {
      if (other !== field) unfold(other, false);
    });
  });

  const addRow = (button) => {
    const hidden = button.closest(".setup-criteria").querySelectorAll("tr[hidden]");
    if (hidden.length) hidden[0].hidden = false;
    button.hidden = hidden.length < 2;
  };

  const reorder = (dual, at) => {
    const right = dual.querySelector("[data-dual-right]");
    const chosen = Array.from(right.selectedOptions);
    if (at.closest("[data-dual-top]")) right.prepend(...chosen);
    if (at.closest("[data-dual-bottom]")) right.append(...chosen);
    if (at.closest("[data-dual-up]")) {
      for (const option of chosen) {
        const before = option.previousElementSibling;
        if (before && !before.selected) before.before(option);
      }
    }
    if (at.closest("[data-dual-down]")) {
      for (const option of chosen.reverse()) {
        const after = option.nextElementSibling;
        if (after && !after.selected) after.after(option);
      }
    }
    keep(dual);
  };

  document.addEventListener("dblclick", (event) => {
    const dual = event.target.closest("[data-dual-list]");
    if (!dual) return;
    if (event.target.closest("[data-dual-left]")) move(dual, "[data-dual-left]", "[data-dual-right]");
    if (event.target.closest("[data-dual-right]")) move(dual, "[data-dual-right]", "[data-dual-left]");
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("[data-dual-for]")) return;
    event.preventDefault();
    offer(event.target.closest("[data-dual-list]"));
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.dataset.ask || form.dataset.sure) return;
    event.preventDefault();
    ask(form.dataset.askTitle, form.dataset.ask, (yes) => {
      if (!yes) return;
      form.dataset.sure = "yes";
      form.requestSubmit();
    });
  });

  goOn();
  each(document, "[data-dual-list]", prepare);
  each(document, "[data-depends]", depend);
  each(document, "[data-enables]:checked", enable);
  each(document, "[data-scripted]", (button) => {
    button.hidden = true;
  });

  // A form begins at its first field, or at the first that has something wrong.
  const begin = () => {
    const form = document.querySelector(".setup-form");
    const field = form?.querySelector("[aria-invalid=true]") ?? form?.querySelector(".setup-field__control :is(input:not([type]), input[type=text], textarea, select)");
    if (field && !field.matches("[role=combobox]")) field.focus({ preventScroll: true });
  };
  document.addEventListener("DOMContentLoaded", begin);
})();
