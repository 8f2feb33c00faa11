/**
 * Addresses of the app in the browser. A server answers each with the page, below its base path; a page without a
 * server keeps them in the fragment (`#/captures/ID`), which is never sent. The query is in the same place for both.
 */
import { navigate as navigateBrowser, useBrowserLocation } from "wouter/use-browser-location";
import { navigate as navigateFragment, useHashLocation } from "wouter/use-hash-location";
import { IS_ALONE } from "../alone.ts";
import { BASE_PATH, withBasePath, withoutBasePath } from "../base-path.ts";

/**
 * Opens an address inside the app, such as `/captures/ID`. `state` is the state of its entry in the browser's history.
 */
export function navigate(
  address: string,
  options: { readonly replace?: boolean; readonly state?: unknown } = {},
): void {
  // The zooms of the timeline, which are in the history's entry, stay while the capture stays.
  const kept: unknown = captureIn(address) === captureIn(openPath()) ? window.history.state : null;
  const { replace = false, state = kept } = options;
  if (IS_ALONE) navigateFragment(withQuery(address), { replace, state });
  else navigateBrowser(withBasePath(address), { replace, state });
}

/** The fragment's navigation keeps the old query where the address has none, so an empty one is added. */
const withQuery = (address: string): string => (address.includes("?") ? address : `${address}?`);

/** The path inside the app that is open. */
export function openPath(): string {
  if (!IS_ALONE) return withoutBasePath(window.location.pathname);
  return `/${window.location.hash.replace(/^#?\/?/u, "")}`;
}

/** Hook and base by which the router reads and writes addresses. */
export const ROUTING = IS_ALONE ? { hook: useHashLocation } : { hook: useBrowserLocation, base: BASE_PATH };

/** `captures/ID` or `l/ID` of a path; "" where no capture is open. */
const captureIn = (path: string): string => /^\/(?:captures|l)\/[^/?#]+/u.exec(path)?.[0] ?? "";
