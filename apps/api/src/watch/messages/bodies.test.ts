import { expect, test } from "vitest";
import { STORY_END, STORY_RESULTS, STORY_START, STORY_WATCH } from "../../../test/watch-message.ts";
import { mailBody, slackBody, teamsBody, webhookBody } from "./bodies.ts";
import type { NewMessage } from "../watch-messages.ts";
import { recordsOf, type MessageRecord, type RecordedResults } from "./message.ts";
import { plainText, wordsOf } from "./words.ts";

const URL_OF_SERVER = "https://aglens.example.com/tools/";

function told(
  message: NewMessage,
  results: RecordedResults | null = null,
  made = Date.parse("2026-11-24T02:45:46Z"),
): MessageRecord {
  return recordsOf(STORY_WATCH, message, results, made)[0]!;
}

/** The text of a message, with all spaces as plain ones. */
function textOf(...given: Parameters<typeof told>): string {
  const words = wordsOf(told(...given), URL_OF_SERVER);
  return `${words.subject}\n${plainText(words)}`.replaceAll(/[\u00A0\u2009]/gu, " ");
}

const START: NewMessage = { kind: "start", episode: STORY_START, recordedOn: ["SQL1", "SQL2", "SQL3"] };
const END: NewMessage = { kind: "end", episode: STORY_END, recordedOn: ["SQL1", "SQL2", "SQL3"] };

test("the start names the polled mean, the usual, and the replicas that are recorded", () => {
  expect(textOf(START)).toBe(`SALES-AG: commits are slow, recording
Polled mean commit delay is 20.1 ms, usual is 3.10 ms. SQL1, SQL2 and SQL3 are recorded.

Trigger: Commit delay over 15 ms for 15 s, 24 Nov 02:41:25 UTC

Open watch: https://aglens.example.com/tools/watches/sales?at=episode1

Watch SALES-AG, created by dba-1. A link needs sign-in. This message has no statement text and no logins.`);
});

test("the end names stage and length, the verdict, p95 in the window and outside, and where to look", () => {
  expect(textOf(END, STORY_RESULTS)).toBe(`SALES-AG: SQL2 log write slow for 3 min 23 s
SQL2's log write takes 94 % of remote harden time. It was 31 ms instead of 2.1 ms (p95).

Commit p95: 38.0 ms, otherwise 5.20 ms
Window: 24 Nov 02:41:07 to 02:44:30 UTC
Trigger: Commit delay over 15 ms for 15 s, 24 Nov 02:41:25 UTC
Recording: 4 min 35 s, 3 of 20 this week

Recorded on SQL1, SQL2 and SQL3 from 24 Nov 02:40:55 to 02:45:30 UTC. The recording begins 30 s before the trigger.

Check next:
- Check the volume of SQL2's log for other load at 02:41.

Open recording: https://aglens.example.com/tools/captures/8f2k41?from=watch
Open watch: https://aglens.example.com/tools/watches/sales?at=episode1

Watch SALES-AG, created by dba-1. A link needs sign-in. This message has no statement text and no logins.`);
});

test("without results of the capture, the end has the figures of the episode", () => {
  const text = textOf({ ...END, episode: { ...STORY_END, verdict: "No stage stands out." } });
  expect(text).toContain("SALES-AG: episode ended after 3 min 05 s\nNo stage stands out.");
  expect(text).toContain("Commit p95: 36.0 ms\nWindow: 24 Nov 02:41:25 to 02:44:30 UTC");
});

const NOTHING = { captureId: null, recordedFrom: null, recordedTo: null, verdict: null, p95Us: null };
test.each([
  [
    { state: "recorded", verdict: null },
    ["SQL2"],
    "Can't determine where commits waited because SQL2 wasn't recorded.",
  ],
  [
    { state: "recorded", verdict: null },
    ["SQL2", "SQL3"],
    "Can't determine where commits waited because SQL2 and SQL3 weren't recorded.",
  ],
  [{ state: "failed", ...NOTHING }, [], "Can't determine where commits waited because the recording failed."],
  [
    { state: "lost", ...NOTHING },
    [],
    "Can't determine where commits waited because AG Lens ended during the recording.",
  ],
  [
    { state: "refused", ...NOTHING, refusal: "Hold-off until 14:32:02." },
    [],
    "Not recorded: Hold-off until 14:32:02.",
  ],
] as const)("an end without a verdict has the reason: %j", (of, missing, sentence) => {
  const text = textOf({ kind: "end", episode: { ...STORY_END, ...of }, missing });
  expect(text).toContain(`\n${sentence}\n`);
});

test("a refusal is in place of the recording", () => {
  const episode = { ...STORY_START, state: "refused", refusal: "Hold-off until 14:32:02." } as const;
  expect(textOf({ kind: "refused", episode })).toMatch(
    /^SALES-AG: commits are slow, not recorded\nPolled mean commit delay is 20\.1 ms, usual is 3\.10 ms\. Not recorded: Hold-off until 14:32:02\.\n/u,
  );
});

test("values are in the unit of their rule", () => {
  const leadOf = (rule: "sendQueue" | "rpo" | "hand", value: number | null): string => {
    const trigger = { ...STORY_START.trigger, rule, value, usual: null };
    return textOf({ ...START, episode: { ...STORY_START, trigger } }).split("\n", 2)[1]!;
  };
  expect(leadOf("sendQueue", 100_000)).toBe("Log send queue is 102 MB. SQL1, SQL2 and SQL3 are recorded.");
  expect(leadOf("rpo", 45)).toBe("Estimated data loss (RPO) is 45 s. SQL1, SQL2 and SQL3 are recorded.");
  expect(leadOf("hand", null)).toBe("SQL1, SQL2 and SQL3 are recorded.");
});

test("a recording that was asked for has no condition in its subjects", () => {
  const trigger = { ...STORY_START.trigger, rule: "hand", value: null, usual: null } as const;
  const subjectOf = (message: NewMessage): string => wordsOf(told(message), null).subject;
  expect(subjectOf({ kind: "start", episode: { ...STORY_START, trigger } })).toBe(
    "SALES-AG: recording started by a user",
  );
  expect(subjectOf({ kind: "refused", episode: { ...STORY_START, trigger } })).toBe(
    "SALES-AG: recording by a user refused",
  );
  expect(subjectOf({ kind: "end", episode: { ...STORY_END, trigger } })).toBe(
    "SALES-AG: recording ended after 3 min 05 s",
  );
});

test("a replica that isn't polled is told once with reason and next step, and once that it is polled again", () => {
  const since = "2026-11-24T02:41:36.000Z";
  expect(textOf({ kind: "broken", server: "SQL2", since, code: "live-login-refused" })).toMatch(
    /^SALES-AG: SQL2 isn't polled\nAG Lens can't sign in to SQL2\. It hasn't been polled since 24 Nov 02:41:36 UTC\.\n\nAG Lens doesn't try again until the file of logins changes/u,
  );
  expect(textOf({ kind: "broken", server: null, since, code: "of-later" })).toMatch(
    /^SALES-AG: the group isn't polled\nAG Lens can't poll SALES-AG\./u,
  );
  expect(textOf({ kind: "mended", server: "SQL2", since })).toMatch(
    /^SALES-AG: SQL2 is polled again after 4 min 10 s\nSQL2 is polled again. It wasn't polled from 24 Nov 02:41:36 to 02:45:46 UTC\./u,
  );
});

test("without a public address there are no links", () => {
  const words = wordsOf(told(END, STORY_RESULTS), null);
  expect(words.links).toEqual([]);
  expect(plainText(words)).not.toContain("sign-in");
  expect(JSON.parse(teamsBody(told(END), null)).attachments[0].content.actions).toEqual([]);
});

test("the generic body has version, id, text and the episode without its steps", () => {
  const record = told(END, STORY_RESULTS);
  const body = JSON.parse(
    webhookBody(record, URL_OF_SERVER, { png: Buffer.from("picture"), alt: "Verdict" }),
  );
  expect(body).toMatchObject({
    version: 1,
    id: record.id,
    kind: "end",
    made: "2026-11-24T02:45:46.000Z",
    watch: { id: "sales", group: "SALES-AG" },
    episode: { captureId: "8f2k41", p95Us: 36_000, results: { p95InsideUs: 38_000 } },
    polls: null,
    picture: { contentType: "image/png", base64: "cGljdHVyZQ==", alt: "Verdict" },
  });
  expect(body.text).toContain("SQL2's log write takes 94 %");
  expect(body.episode).not.toHaveProperty("steps");
  const broken = told({ kind: "broken", server: "SQL2", since: "2026-11-24T02:41:36.000Z", code: "x" });
  expect(JSON.parse(webhookBody(broken, null))).toMatchObject({
    episode: null,
    polls: { server: "SQL2", since: "2026-11-24T02:41:36.000Z", code: "x" },
    picture: null,
  });
});

/** Names with the special characters of every format. */
const EVIL = '<!channel> *bold* [link](http://evil.example) & "q" {{DATE()}}\r\nBcc: all@example.com';
const evil = recordsOf(
  { ...STORY_WATCH, definition: { ...STORY_WATCH.definition, group: EVIL } },
  { ...END, episode: { ...STORY_END, verdict: EVIL } },
  STORY_RESULTS,
  0,
)[0]!;

test("Teams gets an Adaptive Card in a message, all texts as runs that are never Markdown", () => {
  const { type, attachments } = JSON.parse(teamsBody(evil, URL_OF_SERVER));
  expect(type).toBe("message");
  expect(attachments[0]).toMatchObject({
    contentType: "application/vnd.microsoft.card.adaptive",
    content: { type: "AdaptiveCard", version: "1.4" },
  });
  const { body, actions } = attachments[0].content;
  expect(new Set(body.map((block: { type: string }) => block.type))).toEqual(new Set(["RichTextBlock"]));
  expect(body[1].inlines[0].text).toBe(EVIL);
  expect(actions[0]).toEqual({
    type: "Action.OpenUrl",
    title: "Open recording",
    url: "https://aglens.example.com/tools/captures/8f2k41?from=watch",
  });
});

test("Slack gets blocks of plain text, with & < > as entities", () => {
  const { text, blocks } = JSON.parse(slackBody(evil, URL_OF_SERVER));
  expect(text).toContain("&lt;!channel&gt;");
  expect(blocks.map((block: { type: string }) => block.type)).toEqual([
    "header",
    "section",
    "section",
    "section",
    "section",
    "actions",
    "context",
  ]);
  expect(blocks[1].text).toEqual({
    type: "plain_text",
    emoji: false,
    text: '&lt;!channel&gt; *bold* [link](http://evil.example) &amp; "q" {{DATE()}}\r\nBcc: all@example.com',
  });
  // Only labels of AG Lens are marked up.
  const marked = JSON.stringify(blocks).matchAll(/"type":"mrkdwn","text":"([^"]*)"/gu);
  expect([...marked].map(([, label]) => label)).toEqual([
    "*Commit p95*",
    "*Window*",
    "*Trigger*",
    "*Recording*",
  ]);
});

test("an e-mail has no line break in its subject, and escapes names in HTML", () => {
  const { subject, html, text } = mailBody(evil, URL_OF_SERVER, { cid: "id@aglens", alt: EVIL });
  expect(subject).not.toMatch(/[\r\n]/u);
  expect(subject).toMatch(/^\[AG Lens\] <!channel> \*bold\* .* Bcc: all@example\.com: SQL2 log write slow/u);
  expect(html).not.toContain("<!channel>");
  expect(html).toContain('<img src="cid:id@aglens" alt="&lt;!channel&gt; *bold*');
  expect(text).toContain(EVIL);
});

test("the longest texts fit: 64 KB of a row, 28 KB of Teams, 150 characters of Slack's header", () => {
  const long = "漢&".repeat(5_000);
  const record = recordsOf(
    {
      ...STORY_WATCH,
      owner: { id: "1", name: long },
      definition: { ...STORY_WATCH.definition, group: long },
    },
    {
      kind: "end",
      episode: {
        ...STORY_END,
        verdict: long,
        refusal: long,
        captureId: long,
        trigger: { ...STORY_END.trigger, text: long },
      },
      recordedOn: Array.from({ length: 50 }, () => long),
      missing: Array.from({ length: 50 }, () => long),
    },
    { ...STORY_RESULTS, stage: long, checkNext: Array.from({ length: 50 }, () => long) },
    0,
  )[0]!;
  expect(Buffer.byteLength(JSON.stringify(record))).toBeLessThan(64_000);
  expect(Buffer.byteLength(teamsBody(record, URL_OF_SERVER))).toBeLessThan(28_000);
  const { text, blocks } = JSON.parse(slackBody(record, URL_OF_SERVER));
  expect(blocks[0].text.text.length).toBeLessThanOrEqual(150);
  expect(text.length).toBeLessThanOrEqual(3_000);
  expect(blocks[1].text.text.length).toBeLessThanOrEqual(3_000);
});

test("ids are the same for the same message, and differ by receiver, kind and watch; an end answers its start", () => {
  const idsOf = (watch: string, message: NewMessage): string[] =>
    recordsOf(
      { ...STORY_WATCH, id: watch, definition: { ...STORY_WATCH.definition, receivers: ["a", "b", "a"] } },
      message,
      null,
      0,
    ).map(({ id }) => id);
  const all = [...idsOf("sales", START), ...idsOf("sales", END), ...idsOf("crm", START)];
  expect(new Set(all).size).toBe(6);
  expect(idsOf("sales", START)).toEqual(all.slice(0, 2));
  expect(told(START).answers).toBeNull();
  expect(told(END).answers).toBe(told(START).id);
  const refused: NewMessage = { ...END, episode: { ...STORY_END, state: "refused" } };
  expect(told(refused).answers).toBe(told({ ...refused, kind: "refused" }).id);
  const since = "2026-11-24T02:41:36.000Z";
  expect(told({ kind: "mended", server: "SQL2", since }).answers).toBe(
    told({ kind: "broken", server: "SQL2", since }).id,
  );
});
