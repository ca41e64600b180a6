// Fills the lists of fields with values for what is typed, of several the last. Without it values are typed whole.
"use strict";
for (const input of document.querySelectorAll("input[list]")) {
  const wait = 120; // ms without a key before asking
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
        // Browsers hide an option in which they do not find what was typed, letter by letter.
        const found = [value, texto].some((text) => text.toLowerCase().includes(typed.toLowerCase()));
        return new Option(found ? texto : typed, value);
      }));
    } catch {
      // Nothing is offered.
    }
  };

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(fill, wait);
  });
}
