// Loads, and listens to nothing.
window.isLoaded = true;
