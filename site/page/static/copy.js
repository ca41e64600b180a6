// Prints, and copies the text of a button's data-copy attribute or, when that is empty, the code beside the button. The buttons are
// hidden until it is known that this works.
"use strict";
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
        await navigator.clipboard.writeText(button.dataset.copy || button.parentElement.querySelector("code").textContent);
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
}
