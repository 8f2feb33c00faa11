/** Links to captures of this browser: the view, and which files it is of. */
import { FILES_PARAMETER } from "./files-of-link.ts";
import type { FileLink } from "./kept-client.ts";
import { LOCAL_ID } from "./local-server.ts";

const CAPTURE = new RegExp(`/captures/${LOCAL_ID}[^/?#]+`, "u");

/** The address of a view for others: it contains the content of the files in place of an id of this page. */
export function localLink(address: string, { digest, files }: FileLink): string {
  const url = new URL(address);
  url.searchParams.set(FILES_PARAMETER, files);
  // A page without a server has the path in its fragment.
  return url.href.replace(CAPTURE, `/captures/${LOCAL_ID}${digest}`);
}

/** The address inside the app of such a link, on any page; null for any other text. */
export function addressOfLocalLink(text: string): string | null {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) return null;
  const { pathname, hash, search } = new URL(trimmed);
  const path = new RegExp(`/captures/${LOCAL_ID}.*$`, "u").exec(hash === "" ? pathname : hash)?.[0];
  return path === undefined ? null : `${path}${search}`;
}
