/** Sends a message to an address by HTTP POST. */
import { createHmac } from "node:crypto";
import type { Clock } from "../../kernel/clock.ts";
import { ACCEPTED, connectionSentence, refused, type Outcome } from "./outcome.ts";

/** Time until the answer is complete. */
const ANSWER_MS = 10_000;
const ANSWER_BYTES = 4_096;
/** Longest wait that a receiver can request. */
const LONGEST_WAIT_MS = 3_600_000;

export interface WebhookRequest {
  /** From the watch file. */
  readonly url: string;
  /** Id of the message. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
  /** Signs the body; null for receivers that verify no signature. */
  readonly key: string | null;
}

/** Only the URL itself is contacted: redirects are refusals. It never throws. */
export async function postMessage({ url, id, body, key }: WebhookRequest, clock: Clock): Promise<Outcome> {
  if (!isUsable(url)) return refused("The receiver's URL in the watch file is not an http or https URL.");
  const ended = new AbortController();
  const cancel = clock.after(ANSWER_MS, () => ended.abort());
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: {
        "content-type": "application/json; charset=utf-8",
        "user-agent": "AG-Lens",
        "x-aglens-delivery": id,
        ...(key === null ? {} : { "x-aglens-signature": signatureOf(body, key, clock.now()) }),
      },
      body,
      signal: ended.signal,
    });
    return outcomeOf(response, await beginOf(response));
  } catch (error) {
    if (ended.signal.aborted)
      return refused(`The receiver didn't answer within ${ANSWER_MS / 1_000}\u00A0s.`);
    return refused(connectionSentence(error));
  } finally {
    cancel();
  }
}

function isUsable(url: string): boolean {
  const parsed = URL.parse(url);
  return (
    parsed !== null &&
    ["http:", "https:"].includes(parsed.protocol) &&
    parsed.username === "" &&
    parsed.password === ""
  );
}

/** `t=SECONDS,v1=HEX`: HMAC-SHA256 of `SECONDS.BODY`, so that an old message can't be sent again by others. */
export function signatureOf(body: string, key: string, now: number): string {
  const seconds = Math.floor(now / 1_000);
  return `t=${seconds},v1=${createHmac("sha256", key).update(`${seconds}.${body}`).digest("hex")}`;
}

/** The first bytes of an answer; the rest is not read. */
async function beginOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  while (reader !== undefined && length < ANSWER_BYTES) {
    // oxlint-disable-next-line no-await-in-loop -- one part after the other
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(parts).toString("utf8");
    parts.push(value);
    length += value.length;
  }
  await reader?.cancel();
  return Buffer.concat(parts).subarray(0, ANSWER_BYTES).toString("utf8");
}

/** Answers of Slack that say more than their status; no other part of an answer is ever shown. */
const SLACK_CODES = [
  "action_prohibited",
  "channel_is_archived",
  "channel_not_found",
  "invalid_blocks",
  "invalid_payload",
  "invalid_token",
  "no_active_hooks",
  "no_service",
  "no_service_id",
  "no_team",
  "no_text",
  "posting_to_general_channel_denied",
  "team_disabled",
  "too_many_attachments",
  "user_not_found",
];

/** Statuses of a message that is refused for its content, so that another try has the same end. */
const FINAL = [400, 413, 415, 422];

function outcomeOf(response: Response, begin: string): Outcome {
  const { status } = response;
  if (response.ok) return ACCEPTED;
  const code = SLACK_CODES.find((each) => begin.trim() === each);
  const answered = `The receiver answered ${status}${code === undefined ? "" : ` (${code})`}.`;
  return refused(`${answered}${hintOf(status)}`, FINAL.includes(status), waitOf(response));
}

function hintOf(status: number): string {
  if (status >= 300 && status < 400)
    return " AG Lens doesn't follow redirects. Put the final URL into the watch file.";
  if (status === 401 || status === 403) return " Check its URL and key in the watch file.";
  if (status === 404 || status === 410) return " Its URL isn't valid. Put the new one into the watch file.";
  if (status === 413) return " The message is too large for it.";
  if (status === 429) return " It gets too many messages.";
  return "";
}

/** Retry-After in seconds; the form with a date isn't used by these services. */
function waitOf(response: Response): number | null {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return seconds > 0 ? Math.min(seconds * 1_000, LONGEST_WAIT_MS) : null;
}
