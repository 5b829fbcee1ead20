// Menus behind buttons: [data-menu] holds a [data-menu-button] and a .slds-dropdown; a [data-menu-label] opens it, too.
(() => {
  const openMenus = () => document.querySelectorAll("[data-menu].slds-is-open");
  const ITEMS = '[role="menuitem"]:not([aria-disabled="true"]), [role="menuitemradio"], .org-launcher__entry';
  const items = (menu) => [...menu.querySelectorAll(ITEMS)].filter((one) => one.offsetParent);

  function close(menu) {
    menu.classList.remove("slds-is-open");
    menu.querySelector("[data-menu-button]").setAttribute("aria-expanded", "false");
  }

  function open(menu) {
    openMenus().forEach((other) => other !== menu && !other.contains(menu) && close(other));
    menu.classList.add("slds-is-open");
    menu.querySelector("[data-menu-button]").setAttribute("aria-expanded", "true");
    menu.dispatchEvent(new CustomEvent("menu-open"));
    place(menu);
    const field = menu.querySelector(".slds-dropdown input[type=search]");
    if (field) {
      field.value = "";
      field.dispatchEvent(new Event("input", { bubbles: true }));
      field.focus();
    }
  }

  // A menu that would leave the screen at the bottom, or be cut off by what scrolls around it, opens upwards.
  function place(menu) {
    const list = menu.querySelector(".slds-dropdown");
    list.classList.remove("slds-dropdown_bottom");
    const box = list.getBoundingClientRect();
    if (box.bottom > innerHeight && box.top - box.height > 60) list.classList.add("slds-dropdown_bottom");
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-menu-button], [data-menu-label]");
    const menu = button && button.closest("[data-menu]");
    openMenus().forEach((one) => {
      const inside = one.contains(event.target);
      const chosen = event.target.closest('[role="menuitem"], [data-menu-closes]');
      if (!inside || (chosen && one.contains(chosen) && !one.hasAttribute("data-menu-stays"))) close(one);
    });
    if (event.target.closest('[role="menuitem"][href="#"], [aria-disabled="true"]')) event.preventDefault();
    if (!menu) return;
    event.preventDefault();
    menu.classList.contains("slds-is-open") ? close(menu) : open(menu);
  });

  document.addEventListener("keydown", (event) => {
    const menu = event.target.closest("[data-menu]");
    if (!menu) return;
    const shown = menu.classList.contains("slds-is-open");
    if (event.key === "Escape" && shown) {
      close(menu);
      menu.querySelector("[data-menu-button]").focus();
      event.stopPropagation();
    }
    if (event.key === "Enter" && shown && event.target.matches("input[type=search]") && event.target.value.trim()) {
      event.preventDefault();
      items(menu)[0]?.click();
    }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    if (!shown && !event.target.closest("[data-menu-button]")) return;
    event.preventDefault();
    if (!shown) open(menu);
    const all = items(menu);
    const at = all.indexOf(document.activeElement);
    const step = event.key === "ArrowDown" ? 1 : -1;
    if (all.length) all[(at + step + all.length) % all.length].focus();
  });

  // Fields that narrow a list down: data-filter is the selector of its entries.
  document.addEventListener("input", (event) => {
    const selector = event.target.dataset && event.target.dataset.filter;
    if (!selector) return;
    const words = event.target.value.trim().toLowerCase();
    const whole = event.target.closest("[data-menu], [data-modal]") || document;
    let found = 0;
    whole.querySelectorAll(selector).forEach((entry) => {
      entry.hidden = words !== "" && !entry.textContent.toLowerCase().includes(words);
      found += entry.hidden ? 0 : 1;
    });
    whole.querySelectorAll("[data-launcher-items]").forEach((one) => (one.hidden = words === ""));
    whole.querySelectorAll("[data-filter-group]").forEach((group) => {
      group.hidden = ![...group.querySelectorAll(selector)].some((entry) => !entry.hidden);
    });
    whole.querySelectorAll("[data-filter-none]").forEach((one) => (one.hidden = found > 0));
  });
})();
