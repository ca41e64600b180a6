// Autocomplete for filter fields: fills the datalist with values for the typed text, or for the last of several separated by ";".
// Without JavaScript, values are typed in full.
"use strict";
for (const input of document.querySelectorAll("input[list]")) {
  const wait = 120; // ms, debounce
  let timer = 0;

  const fill = async () => {
    const typed = input.value;
    const last = typed.replace(/^(.*;)?\s*-?\s*/, "");
    const before = typed.slice(0, typed.length - last.length);
    if (!last || [...input.list.options].some((option) => option.value === typed)) return;
    try {
      const answer = await fetch("/sugestoes/valores?" + new URLSearchParams({ filtro: input.name, q: last }));
      const { itens } = await answer.json();
      if (typed !== input.value) return;
      input.list.replaceChildren(...itens.map(({ valor, texto }) => {
        const value = before + valor;
        // Browsers hide options that do not contain the typed text, so such an option is labelled with it.
        const found = [value, texto].some((text) => text.toLowerCase().includes(typed.toLowerCase()));
        return new Option(found ? texto : typed, value);
      }));
    } catch {
      // No suggestions.
    }
  };

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(fill, wait);
  });
}

// An order chosen by mouse is sent; arrow keys need the button.
document.querySelector("#ordem")?.addEventListener("change", ({ target: t }) => t.matches(":focus-visible") || t.form.submit());
