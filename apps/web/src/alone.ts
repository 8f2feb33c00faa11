/**
 * Whether the app runs without a server: as one HTML file that was opened from a disk, or as a folder on any web server. Its page says so
 * with a mark, as a server's page has its base path.
 */
export const IS_ALONE =
  typeof document !== "undefined" && document.querySelector('meta[name="aglens-alone"]') !== null;
