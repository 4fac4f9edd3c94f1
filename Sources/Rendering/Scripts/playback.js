// What already runs in a document: the body of a function, in a world where the built-ins are untouched.
const films = [...Document.prototype.querySelectorAll.call(document, "video, audio")];
return {
  media: films.filter((film) => film.played.length > 0 || (!film.paused && film.currentTime > 0)).length,
  animations: Document.prototype.getAnimations.call(document).filter((animation) => animation.playState === "running").length,
};
