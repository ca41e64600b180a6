// Buttons of a drawing: those that make it larger or smaller in the region that it is scrolled in, and one that saves it as a PNG file, twice
// as large as on the page, in its own colours.
"use strict";
for (const button of document.querySelectorAll("button[data-zoom]")) {
  button.addEventListener("click", () => {
    const drawing = button.closest("figure").querySelector("svg");
    for (const side of ["width", "height"]) {
      drawing.setAttribute(side, Math.round(drawing[side].baseVal.value * button.dataset.zoom));
    }
  });
}
for (const button of document.querySelectorAll("button[data-png]")) {
  button.addEventListener("click", async () => {
    const drawing = button.closest("figure").querySelector("svg");
    const image = new Image();
    image.src = "data:image/svg+xml," + encodeURIComponent(new XMLSerializer().serializeToString(drawing));
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = 2 * image.width;
    canvas.height = 2 * image.height;
    const context = canvas.getContext("2d");
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((png) => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(png);
      link.download = button.dataset.png;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  });
}
