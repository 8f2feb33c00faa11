/**
 * The first contact with a server: every statement of live mode once, each compared with the expected answer
 * (docs/contribute/live-protocol.md 12.1). No name of the server is kept or returned, except in the sentence about a
 * session that could not be dropped.
 */
import type { FirstContact } from "@aglens/contract";
import { ContactRun } from "./contact-run.ts";
import type { ContactParts } from "./contact-run.ts";
import { readOwnSession } from "./own-session.ts";
import { inOrder } from "./report-text.ts";

/** Never throws: failures are in the answer. */
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
