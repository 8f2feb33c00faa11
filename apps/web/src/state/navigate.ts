import { navigate as navigateBrowser } from "wouter/use-browser-location";
import { withBasePath } from "../base-path.ts";

/** Opens an address inside the app, such as `/captures/ID`, wherever a proxy puts the app. */
export function navigate(address: string, options?: { readonly replace?: boolean }): void {
  navigateBrowser(withBasePath(address), options);
}
