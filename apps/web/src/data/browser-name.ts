/**
 * The random name of this browser, by which a server without sign-in recognizes the author of a draft or a note. The
 * browser keeps it and sends it only to the server, which keeps a hash of it.
 */
import { keepText, keptText } from "../browser-storage.ts";

const KEY = "aglens-browser";

export const BROWSER_HEADER = "x-aglens-browser";

let name: string | null = null;

export function browserName(): string {
  name ??= keptText(KEY) ?? newName();
  return name;
}

function newName(): string {
  // `randomUUID` is missing where a page is loaded over plain HTTP from another computer.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const made = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  // Without storage the name only lasts as long as the page.
  keepText(KEY, made);
  return made;
}
