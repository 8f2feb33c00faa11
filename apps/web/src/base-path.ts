/**
 * Path of AG Lens behind a proxy: `/aglens`, or "" at the root of its host. The server writes it into the page;
 * addresses inside the app (`/captures/ID`) are without it, addresses of the browser and of requests are with it.
 */

/** Part of a document that this module uses. */
interface Page {
  readonly querySelector: (
    selector: string,
  ) => { readonly getAttribute: (name: string) => string | null } | null;
}

/** The base path that a page names. */
export function basePathOf(page: Page): string {
  return page.querySelector('meta[name="aglens-base"]')?.getAttribute("content") ?? "";
}

// Threads and tests without a page are at the root.
export const BASE_PATH = typeof document === "undefined" ? "" : basePathOf(document);

/** An address of the browser, from one inside the app. */
export function withBasePath(address: string, base: string = BASE_PATH): string {
  return `${base}${address}`;
}

/** An address inside the app, from one of the browser. */
export function withoutBasePath(address: string, base: string = BASE_PATH): string {
  const rest = address.startsWith(base) ? address.slice(base.length) : address;
  return rest.startsWith("/") ? rest : `/${rest}`;
}
