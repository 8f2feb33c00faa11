/**
 * First requests of a capture's page, named in its head: the browser sends them together with those for the scripts,
 * not after them.
 */
import { addressesAtOnce } from "@aglens/contract";
import type { FirstSummary } from "@aglens/contract";
import type { Request } from "express";
import { isReady } from "../store/capture-state.ts";
import type { Records } from "../captures/records/records.ts";
import { escapeHtml } from "../kernel/escape-html.ts";
import type { LinkDoor } from "./routes/link-door.ts";

export interface PreloadParts {
  readonly records: Pick<Records, "stored">;
  readonly answers: { readonly summary: (id: string) => Promise<FirstSummary> };
  readonly links: Pick<LinkDoor, "inWords">;
  /** Whether the sender of the request may see a capture; where users don't sign in, all may. */
  readonly maySeeCapture: (request: Request, id: string) => Promise<boolean>;
}

/** An overview's own address, of a capture or of a link. */
const OVERVIEW = /^\/(captures|l)\/([\w-]{1,100})\/?$/u;

/**
 * Tags for the head of an overview's page; empty for other pages, and for people who may not see the capture.
 * @param base path under which a proxy puts the app
 */
export function preloadTags(
  { records, answers, links, maySeeCapture }: PreloadParts,
  base: string,
): (request: Request) => Promise<string[]> {
  const ofCapture = async (request: Request, id: string): Promise<string[]> => {
    const record = await records.stored(id);
    if (record === null || !isReady(record) || !(await maySeeCapture(request, id))) return [];
    return addressesIn(`/captures/${id}`, await answers.summary(id), queryOf(request));
  };
  const ofLink = async (request: Request, id: string): Promise<string[]> => {
    const words = await links.inWords(id);
    // The address in the browser is the view's once the link was opened.
    return words === null ? [] : addressesIn(`/links/${id}`, words.summary, queryOf(request) || words.view);
  };
  return async (request) => {
    const [, kind, id = ""] = OVERVIEW.exec(request.path) ?? [];
    if (kind === undefined) return [];
    // The page itself shows a fault of the capture.
    const addresses = await (kind === "l" ? ofLink : ofCapture)(request, id).catch(() => []);
    return addresses.map((address) => tag(`${base}/api/v1${address}`));
  };
}

const queryOf = ({ originalUrl }: Request): string => originalUrl.split("?")[1] ?? "";

/** @param view query string of the page */
function addressesIn(capture: string, summary: FirstSummary, view: string): string[] {
  const answers = addressesAtOnce(summary, view).map((address) => `${capture}/${address}`);
  return [capture, `${capture}/summary`, ...answers];
}

/** Matches the page's own requests: with cookies, and with the headers of a request that may be of another origin. */
const tag = (address: string): string =>
  `<link rel="preload" as="fetch" crossorigin="anonymous" href="${escapeHtml(address)}">`;
