// Turns the search box into a WAI-ARIA 1.2 combobox with suggestions. Without JavaScript it is a plain search form.
"use strict";
(() => {
  const input = document.getElementById("q");
  if (!input) return;
  const form = input.form;
  const field = input.parentElement;
  const wait = 120; // ms, debounce

  const list = document.createElement("ul");
  list.id = "sugestoes";
  list.className = "options";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Sugestões");
  list.hidden = true;
  const said = document.createElement("div");
  said.className = "unseen";
  said.setAttribute("role", "status");
  field.append(list, said);
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-expanded", "false");
  input.setAttribute("aria-controls", list.id);

  let items = [];
  let current = -1;
  let timer = 0;
  let asking = null;

  const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

  // Highlights the prefixes of words that match the query.
  const marked = (text, query) => {
    const fragment = document.createDocumentFragment();
    const wanted = fold(query).split(/[^\p{L}\p{N}]+/u).filter(Boolean);
    for (const piece of text.split(/([\p{L}\p{M}\p{N}]+)/u)) {
      const word = fold(piece);
      const start = wanted.find((w) => word.startsWith(w));
      if (start && word.length === piece.length) {
        const mark = document.createElement("mark");
        mark.textContent = piece.slice(0, start.length);
        fragment.append(mark, piece.slice(start.length));
      } else {
        fragment.append(piece);
      }
    }
    return fragment;
  };

  const select = (index) => {
    list.children[current]?.setAttribute("aria-selected", "false");
    current = index;
    const option = list.children[current];
    if (!option) return input.removeAttribute("aria-activedescendant");
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", option.id);
  };

  const close = () => {
    clearTimeout(timer);
    asking?.abort();
    asking = null;
    select(-1);
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    said.textContent = "";
  };

  const open = (found, query) => {
    const n = found.length;
    items = found;
    if (n) items.push({ titulo: "Buscar por “" + query + "”", url: "/busca?q=" + encodeURIComponent(query) });
    current = -1;
    input.removeAttribute("aria-activedescendant");
    list.replaceChildren(...items.map((item, i) => {
      const option = document.createElement("li");
      option.id = "sugestao-" + i;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      const detail = document.createElement("span");
      detail.textContent = item.detalhe ?? "";
      option.append(marked(item.titulo, query), detail);
      option.addEventListener("mousedown", (event) => event.preventDefault());
      option.addEventListener("click", () => location.assign(item.url));
      return option;
    }));
    list.hidden = !n;
    input.setAttribute("aria-expanded", String(n > 0));
    said.textContent = n > 1 ? n + " sugestões" : n ? "1 sugestão" : "Nenhuma sugestão";
  };

  const ask = async () => {
    const query = input.value.trim();
    asking?.abort();
    asking = null;
    if (!query) return close();
    const mine = asking = new AbortController();
    try {
      const answer = await fetch("/sugestoes?q=" + encodeURIComponent(query), { signal: mine.signal });
      const body = await answer.json();
      if (mine === asking && document.activeElement === input) open(body.itens, query);
    } catch {
      if (mine === asking) close();
    }
  };

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, wait);
  });
  input.addEventListener("blur", close);
  form.addEventListener("submit", close);
  addEventListener("pagehide", () => { // clean state for the back/forward cache
    close();
    input.value = input.defaultValue;
  });

  input.addEventListener("keydown", (event) => {
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    const shown = !list.hidden;
    const last = items.length - 1;
    switch (event.key) {
      case "ArrowDown":
        if (shown) select(current < last ? current + 1 : -1); else ask();
        break;
      case "ArrowUp":
        if (!shown) return;
        select(current < 0 ? last : current - 1);
        break;
      case "Home":
        if (!shown || current < 0 || event.shiftKey) return;
        select(0);
        break;
      case "End":
        if (!shown || current < 0 || event.shiftKey) return;
        select(last);
        break;
      case "Enter":
        if (!shown || current < 0) return;
        location.assign(items[current].url);
        break;
      case "Escape":
        if (!shown) return;
        close();
        break;
      default:
        return;
    }
    event.preventDefault();
  });
})();
