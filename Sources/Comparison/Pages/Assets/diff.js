"use strict";
// Without this script the pictures stand side by side.
const modes = [["side by side", ""], ["slider", "stacked slider"], ["blink", "stacked blink"], ["highlight", "only-highlight"]];

function button(text, pressed, act) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.setAttribute("aria-pressed", String(pressed));
  button.addEventListener("click", act);
  return button;
}

// In a stack, pictures of different sizes keep their scale.
function scale(views, isStacked) {
  const images = [...views.querySelectorAll(".first img, .second img")];
  const widest = Math.max(...images.map((image) => image.naturalWidth || image.width));
  for (const image of images) {
    const share = isStacked && widest > 0 ? (100 * (image.naturalWidth || image.width)) / widest : 100;
    image.style.width = views.classList.contains("actual") ? "" : share + "%";
  }
}

function equip(picture) {
  const views = picture.querySelector(".views");
  if (!views || views.querySelectorAll(".first, .second").length < 2) return;
  const slider = document.createElement("input");
  slider.type = "range";
  slider.value = "50";
  slider.setAttribute("aria-label", "where the second picture begins");
  slider.hidden = true;
  slider.addEventListener("input", () => views.style.setProperty("--split", slider.value + "%"));
  const row = document.createElement("div");
  row.className = "modes";
  let isActual = false;
  let classes = "";
  const show = () => {
    views.className = ["views", classes, isActual ? "actual" : ""].join(" ");
    slider.hidden = !classes.includes("slider");
    scale(views, classes.includes("stacked"));
  };
  const buttons = modes.filter(([, name]) => name !== "only-highlight" || views.querySelector(".highlight"))
    .map(([text, name]) => button(text, name === "", (event) => {
      classes = name;
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === event.currentTarget));
      show();
    }));
  const actual = button("actual size", false, () => {
    isActual = !isActual;
    actual.setAttribute("aria-pressed", String(isActual));
    show();
  });
  row.append(...buttons, actual);
  views.before(row, slider);
}

for (const picture of document.querySelectorAll(".picture")) equip(picture);
