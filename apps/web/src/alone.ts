/**
 * Whether the app runs without a server: as one HTML file that was opened from a disk, or as a folder on any web
 * server. Its page contains a mark for that, as a server's page contains its base path.
 */
export const IS_ALONE = markOf() !== null;

function markOf(): Element | null {
  return typeof document === "undefined" ? null : document.querySelector('meta[name="aglens-alone"]');
}

/** Keeps the page for use without network, where it is in a folder that was made for that and the browser allows it. */
export async function keepPage(): Promise<void> {
  if (markOf()?.getAttribute("content") !== "installable" || !("serviceWorker" in navigator)) return;
  // A page from a disk is kept by the disk.
  if (window.location.protocol === "file:") return;
  await navigator.serviceWorker.register("./service-worker.js");
}
