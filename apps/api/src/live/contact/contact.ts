/**
 * The first contact with a server: every statement of live mode once, each compared with what is expected of it (docs/contribute/live-protocol.md 12.1).
 * Nothing that it keeps or answers has a name of the server in it, but for the sentence on a session that could not be dropped.
 */
import type { FirstContact } from "@aglens/contract";
import { ContactRun } from "./contact-run.ts";
import type { ContactParts } from "./contact-run.ts";
import { readOwnSession } from "./own-session.ts";
import { inOrder } from "./report-text.ts";

/** Never throws: what fails is in the answer. */
export async function firstContact(parts: ContactParts): Promise<FirstContact> {
  const run = new ContactRun(parts);
  try {
    await run.read();
    const left = parts.session === null ? null : await readOwnSession(run, parts, parts.session);
    run.skipRest(parts.session === null ? "not chosen" : "ended before");
    return { lines: inOrder(run.lines), left, text: run.text };
  } finally {
    run.asker.close();
  }
}
