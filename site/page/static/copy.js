// Print and copy buttons. A button copies its data-copy attribute or, if that is empty, the code or citation beside it. Buttons start
// hidden and appear if the API is available; those at the top of a page start visible, to avoid a layout shift, and are removed if it is
// not. The access date of a citation is the reader's, abbreviated as in ABNT NBR 6023.
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
