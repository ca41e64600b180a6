// Search history, kept only in this browser's localStorage. The home page shows it and can clear it or switch it off. Without
// storage nothing is kept or shown.
"use strict";
(() => {
  const key = "buscas";
  const off = "desligadas";
  const most = 8;

  // The searches, newest first; null if history is off, undefined without storage.
  const load = () => {
    try {
      const text = localStorage.getItem(key);
      if (text === off) return null;
      const kept = JSON.parse(text || "[]");
      return Array.isArray(kept) ? kept.filter((one) => typeof one === "string").slice(0, most) : [];
    } catch (error) {
      return error instanceof SyntaxError ? [] : undefined;
    }
  };

  const save = (text) => {
    try {
      localStorage.setItem(key, text);
    } catch {
      // quota exceeded: the old history stays
    }
  };

  addEventListener("submit", ({ target }) => {
    const kept = load();
    const text = target.matches("form.search") ? target.elements.q.value.trim().slice(0, 100) : "";
    if (!text || !kept) return;
    const others = kept.filter((one) => one.toLowerCase() !== text.toLowerCase());
    save(JSON.stringify([text, ...others].slice(0, most)));
  });

  const place = document.getElementById("recentes");
  if (!place) return;
  const said = document.createElement("span");
  said.className = "unseen";
  said.setAttribute("role", "status");
  place.after(said);

  const button = (label, text, done) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "quiet";
    made.textContent = label;
    made.addEventListener("click", () => {
      save(text);
      show();
      said.textContent = done;
      document.getElementById("q").focus();
    });
    return made;
  };

  const show = () => {
    const kept = load();
    place.hidden = kept === undefined || kept?.length === 0;
    place.replaceChildren();
    if (place.hidden) return;
    if (!kept) {
      place.append("As suas buscas não são guardadas. ", button("Guardar neste navegador", "[]", "As próximas buscas serão guardadas neste navegador."));
      return;
    }
    place.append("Buscas recentes, só neste navegador: ");
    kept.forEach((text, i) => {
      const link = document.createElement("a");
      link.href = "/busca?q=" + encodeURIComponent(text);
      link.textContent = text;
      place.append(i ? ", " : "", link);
    });
    place.append(" ", button("Limpar", "[]", "Buscas apagadas."), " ", button("Não guardar", off, "As buscas foram apagadas e não serão mais guardadas."));
  };
  show();
  addEventListener("pageshow", ({ persisted }) => persisted && show()); // from the back/forward cache
})();
