// Shows an OpenAPI document in Swagger UI. Swagger UI is loaded on click, because it is larger than all other assets together.
// API keys are kept in memory only.
"use strict";
const place = document.getElementById("swagger-ui");
const buttons = document.querySelectorAll("button[data-document]");

// Translations of Swagger UI's English texts.
const words = {
  "default": "Operações", "No links": "Nenhum",
  "Authorize": "Informar a chave", "Logout": "Esquecer a chave", "Close": "Fechar", "Available authorizations": "Chave",
  "Authorized": "Chave informada", "Value:": "Chave:", "Value: ": "Chave: ", "Try it out": "Experimentar", "Cancel": "Cancelar",
  "Execute": "Enviar", "Clear": "Limpar", "Reset": "Recomeçar", "Parameters": "Parâmetros", "No parameters": "Sem parâmetros",
  "Name": "Nome", "Description": "Descrição", "Type": "Tipo", "Code": "Status", "Responses": "Respostas", "Headers:": "Cabeçalhos:",
  "Media type": "Tipo", "Example Value": "Exemplo", "Schema": "Campos", "Examples": "Exemplos", "Examples:": "Exemplos:",
  "Server response": "Resposta do servidor", "Response body": "Corpo da resposta", "Response headers": "Cabeçalhos da resposta",
  "Request URL": "Endereço", "Request duration": "Duração", "Details": "Detalhes", "Download": "Baixar", "Default value": "Padrão",
  "Available values": "Valores", "Loading": "Consultando", "Expand operation": "Abrir", "Collapse operation": "Fechar",
  "authorization button locked": "Chave informada", "authorization button unlocked": "Informar a chave",
};

function translate(root) {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    const word = words[text.data.trim()];
    if (word && !text.parentElement.closest("pre, code, textarea")) {
      text.data = word;
    }
  }
}

// Repairs accessibility: translates labels and adds missing names and roles.
function repair() {
  translate(place);
  for (const named of place.querySelectorAll("[aria-label], [title]")) {
    for (const attribute of ["aria-label", "title"]) {
      const word = words[named.getAttribute(attribute)];
      if (word) {
        named.setAttribute(attribute, word);
      }
    }
  }
  for (const button of place.querySelectorAll(".modal-btn[aria-label]")) {
    button.removeAttribute("aria-label"); // it contradicts the button's text
  }
  for (const cross of place.querySelectorAll(".close-modal:not([aria-label])")) {
    cross.setAttribute("aria-label", "Fechar");
  }
  for (const heading of place.querySelectorAll("h6:not([aria-level])")) {
    heading.setAttribute("aria-level", "5"); // it follows an h4
  }
  for (const block of place.querySelectorAll("pre:not([tabindex])")) {
    block.tabIndex = 0;
    block.setAttribute("role", "group");
    block.setAttribute("aria-label", "Exemplo");
  }
  for (const choice of place.querySelectorAll("select:not([aria-label])")) {
    choice.setAttribute("aria-label", "Exemplo ou valor");
  }
  for (const field of place.querySelectorAll("input:not([aria-label])[placeholder]")) {
    field.setAttribute("aria-label", field.placeholder);
  }
}

// Layout plugin: only the operations, since the page has its own heading and main region, and there is one server.
function ledger(system) {
  const make = system.React.createElement;
  const Ledger = ({ getComponent, specSelectors }) => {
    switch (specSelectors.loadingStatus()) {
      case "success":
        return make("div", { className: "swagger-ui" }, make(getComponent("SvgAssets")),
          make(getComponent("AuthorizeBtnContainer", true)), make(getComponent("operations", true)));
      case "failed":
      case "failedConfig":
        return make("p", { role: "alert" }, "Não foi possível ler o documento agora.");
    }
    return make("p", { role: "status" }, "Lendo o documento…");
  };
  return { components: { Ledger } };
}

function show(chosen) {
  for (const button of buttons) {
    button.setAttribute("aria-pressed", String(button === chosen));
  }
  SwaggerUIBundle({
    url: chosen.dataset.document, domNode: place, plugins: [ledger], layout: "Ledger", syntaxHighlight: { activated: false },
    defaultModelsExpandDepth: -1, deepLinking: false, persistAuthorization: false, validatorUrl: null,
  });
}

// load adds a style sheet or a script to the page.
function load(made) {
  return new Promise((resolve, reject) => {
    made.onload = resolve;
    made.onerror = () => {
      made.remove();
      reject(new Error(made.tagName));
    };
    document.head.append(made);
  });
}

const opener = document.getElementById("abrir");
opener.addEventListener("click", async () => {
  const said = document.querySelector("#interativa [role=status]");
  opener.disabled = true;
  said.textContent = "Carregando a referência…";
  try {
    await Promise.all([
      ...opener.dataset.styles.split(" ").map((href) => load(Object.assign(document.createElement("link"), { rel: "stylesheet", href }))),
      load(Object.assign(document.createElement("script"), { src: opener.dataset.script })),
    ]);
  } catch {
    opener.disabled = false;
    said.textContent = "Não foi possível carregar a referência agora. Tente de novo.";
    return;
  }
  said.textContent = "";
  opener.parentElement.hidden = true;
  buttons[0].parentElement.hidden = false;
  buttons[0].focus();
  new MutationObserver(repair).observe(place, { childList: true, subtree: true, characterData: true });
  for (const button of buttons) {
    button.addEventListener("click", () => show(button));
  }
  show(buttons[0]);
});
