// Prints, and copies the text of a button's data-copy attribute or, when that is empty, the code or the citation beside the button. The
// buttons are hidden until it is known that this works, but for those at the top of a page, which would push it down: those go if it
// does not. The day of a citation is the reader's, as ABNT NBR 6023 abbreviates it.
"use strict";
const today = new Date();
for (const gap of document.querySelectorAll("[data-today]")) {
  const month = "jan. fev. mar. abr. maio jun. jul. ago. set. out. nov. dez.".split(" ")[today.getMonth()];
  gap.textContent = [today.getDate(), month, today.getFullYear()].join(" ");
}
for (const button of document.querySelectorAll("button[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
if (navigator.clipboard) {
  for (const button of document.querySelectorAll("button[data-copy]")) {
    const label = button.textContent;
    const said = document.createElement("span");
    said.className = "unseen";
    said.setAttribute("role", "status");
    button.after(said);
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(button.dataset.copy || button.parentElement.querySelector("code, [data-cited]").textContent);
      } catch {
        return;
      }
      button.textContent = "Copiado";
      said.textContent = button.dataset.copied || "CNPJ copiado";
      setTimeout(() => {
        button.textContent = label;
        said.textContent = "";
      }, 2000);
    });
  }
} else {
  for (const button of document.querySelectorAll("button[data-copy]")) button.hidden = true;
}
