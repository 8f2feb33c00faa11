import { mkdtemp, writeFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WatchStep } from "@aglens/contract";
import { TestClock } from "@aglens/fixtures/clock";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  hookServer,
  mailServer,
  status,
  STORY_END,
  STORY_START,
  STORY_WATCH,
  type Hook,
} from "../../../test/watch-message.ts";
import { until } from "../../../test/until.ts";
import { databaseIn } from "../../store/sqlite-catalog.ts";
import { bringUpToDate } from "../../store/sqlite-format.ts";
import { WatchSecrets } from "../watch-file.ts";
import { WatchStore } from "../watch-store.ts";
import type { MessageWatch, NewMessage } from "../watch-messages.ts";
import type { MessageRecord } from "./message.ts";
import { Messages } from "./messages.ts";

const AT = Date.UTC(2026, 10, 24, 2, 41, 28);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let store: WatchStore;
let clock: TestClock;
let steps: (WatchStep & { readonly watch: string; readonly episode: string })[];
let path: string;
let opened: Messages[];
let hook: Hook;
let other: Hook;

beforeEach(async () => {
  const file = new DatabaseSync(":memory:");
  bringUpToDate(file, ":memory:");
  store = new WatchStore(databaseIn(file));
  clock = new TestClock(AT);
  steps = [];
  opened = [];
  path = join(await mkdtemp(join(tmpdir(), "aglens-messages-")), "watch.json");
  hook = await hookServer();
  other = await hookServer();
  await writeReceivers({
    "DBA alerts": { kind: "teams", url: { value: hook.url } },
    tickets: { kind: "webhook", url: { value: other.url }, key: { value: "key" } },
  });
});
afterEach(async () => {
  await Promise.all(opened.map((each) => each.close()));
  await Promise.all([hook, other].map((each) => each[Symbol.asyncDispose]()));
});

const writeReceivers = (receivers: object, mail?: object): Promise<void> =>
  writeFile(path, JSON.stringify({ receivers, mail }));

/** The messages of one process; several share the store, as after a restart. */
function messages(on = store): Messages {
  const made = new Messages({
    store: on,
    secrets: new WatchSecrets(path),
    captures: {
      summary: () => Promise.reject(new Error("no capture")),
      preview: () => Promise.reject(new Error("no capture")),
    },
    clock,
    log: { warn: () => {} },
    publicUrl: "https://aglens.example.com",
    onStep: (watch, episode, step) => steps.push({ watch, episode, ...step }),
  });
  opened.push(made);
  return made;
}

const START: NewMessage = { kind: "start", episode: STORY_START };
const END: NewMessage = { kind: "end", episode: STORY_END };
const watchOf = (id: string, ...receivers: string[]): MessageWatch => ({
  ...STORY_WATCH,
  id,
  definition: { ...STORY_WATCH.definition, receivers },
});
const SALES = watchOf("sales", "DBA alerts");

const rows = async (): Promise<number> => (await store.rows("message")).length;
const isEmpty = async (): Promise<boolean> => (await rows()) === 0;
const idsAt = ({ requests }: Hook): unknown[] => requests.map(({ headers }) => headers["x-aglens-delivery"]);
/** Refusals of the oldest row. */
const triesOf = async (): Promise<unknown> =>
  ((await store.rows("message"))[0]?.record as MessageRecord | undefined)?.tries;
/** Passes a time of back-off; sockets are real, so that the attempt is waited for. */
async function passUntil(ms: number, at: Hook, count: number): Promise<void> {
  clock.move(ms);
  await until(() => at.requests.length === count);
}

test("a message arrives with its id, its row goes away, and the episode has a step", async () => {
  const sent = messages();
  await sent.add(SALES, START);
  await until(isEmpty);
  expect(hook.requests).toHaveLength(1);
  expect(idsAt(hook)[0]).toMatch(/^[0-9a-f]{32}$/u);
  expect(hook.requests[0]?.body).toContain("SALES-AG: commits are slow, recording");
  expect(steps).toEqual([
    {
      watch: "sales",
      episode: STORY_START.id,
      at: "2026-11-24T02:41:28.000Z",
      text: 'Start message sent to Teams "DBA alerts".',
      isProblem: false,
    },
  ]);
});

test("rows of the episode are written in the same step, and a message that waits is not added twice", async () => {
  hook.answer = status(500);
  const sent = messages();
  const episode = { watch: "sales", key: STORY_START.id, record: STORY_START };
  await sent.add(SALES, START, [episode]);
  expect(await store.rows("episode")).toEqual([episode]);
  await sent.add(SALES, START);
  expect(await rows()).toBe(1);
});

test("a refused message is tried again after 1, 2, 4 min with the same id, and told once", async () => {
  hook.answer = status(503);
  const sent = messages();
  await sent.add(SALES, START);
  await until(async () => (await triesOf()) === 1);
  expect(steps[0]).toMatchObject({
    isProblem: true,
    text: 'Can\'t send the start message to Teams "DBA alerts". The receiver answered 503. Next try at 02:42:28 UTC.',
  });
  await clock.pass(50_000, 1_000);
  expect(hook.requests).toHaveLength(1);
  await passUntil(10_000, hook, 2);
  // The time of the next try counts from the refusal, so the clock must wait for it.
  await until(async () => (await triesOf()) === 2);
  await clock.pass(110_000, 1_000);
  expect(hook.requests).toHaveLength(2);
  hook.answer = status(202);
  await passUntil(10_000, hook, 3);
  await until(isEmpty);
  expect(new Set(idsAt(hook)).size).toBe(1);
  expect(steps.map(({ text, isProblem }) => [isProblem, text.slice(0, 24)])).toEqual([
    [true, "Can't send the start mes"],
    [false, "Start message sent to Te"],
  ]);
});

test("a message is given up 24 h after it was made, and that is told", async () => {
  hook.answer = status(503);
  const sent = messages();
  await sent.add(SALES, START);
  let minutes = 0;
  for (const wait of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]) {
    // oxlint-disable no-await-in-loop -- one try after the other
    const tries = hook.requests.length || 1;
    await until(async () => (await triesOf()) === tries);
    await passUntil(wait * MINUTE, hook, tries + 1);
    // oxlint-enable no-await-in-loop
    minutes += wait;
  }
  await until(async () => (await triesOf()) === 11);
  await passUntil((24 * 60 - minutes) * MINUTE, hook, 12);
  await until(isEmpty);
  expect(steps.at(-1)).toMatchObject({
    isProblem: true,
    text: 'The start message wasn\'t sent to Teams "DBA alerts" within 24\u00A0h. The receiver answered 503.',
  });
});

test("a message that would be refused again for its content is given up at once", async () => {
  hook.answer = status(400);
  const sent = messages();
  await sent.add(SALES, START);
  await until(isEmpty);
  expect(steps).toEqual([
    expect.objectContaining({
      isProblem: true,
      text: 'The start message wasn\'t sent to Teams "DBA alerts". The receiver answered 400.',
    }),
  ]);
});

test("a lost answer is tried again with the same id, by which the receiver knows a copy", async () => {
  hook.answer = (response) => response.destroy();
  await messages().add(SALES, START);
  await until(async () => (await triesOf()) === 1);
  hook.answer = status(202);
  await passUntil(MINUTE, hook, 2);
  await until(isEmpty);
  expect(idsAt(hook)[0]).toBe(idsAt(hook)[1]);
});

test("after a restart, waiting messages go on, and accepted ones are not sent again", async () => {
  const before = messages();
  await before.add(SALES, START);
  await until(isEmpty);
  hook.answer = status(503);
  await before.add(SALES, END);
  await until(async () => (await triesOf()) === 1);
  await before.close();

  hook.answer = status(202);
  const after = messages();
  await after.begin("sales");
  await passUntil(MINUTE, hook, 3);
  await until(isEmpty);
  await clock.pass(10 * MINUTE, MINUTE);
  expect(hook.requests).toHaveLength(3);
  expect(idsAt(hook)[1]).toBe(idsAt(hook)[2]);
  expect(hook.requests[2]?.body).toContain("episode ended after 3");
});

test("after a restart, messages that were added at the same time keep their order", async () => {
  const before = messages();
  await before.close();
  for (const id of ["a", "b", "c", "d"]) {
    // oxlint-disable no-await-in-loop -- in their order
    await before.add(SALES, { kind: "start", episode: { ...STORY_START, id } });
    await before.add(SALES, { kind: "end", episode: { ...STORY_END, id } });
    // oxlint-enable no-await-in-loop
  }
  await messages().begin("sales");
  await until(isEmpty);
  const kinds = hook.requests.map(({ body }) => (body.includes("commits are slow") ? "start" : "end"));
  expect(kinds).toEqual(["start", "end", "start", "end", "start", "end", "start", "end"]);
});

test("a message that is too old after a restart is given up", async () => {
  hook.answer = status(503);
  const before = messages();
  await before.add(SALES, START);
  await until(async () => (await triesOf()) === 1);
  await before.close();
  clock.move(25 * HOUR);
  await messages().begin("sales");
  await until(isEmpty);
  expect(hook.requests).toHaveLength(1);
  expect(steps.at(-1)?.text).toBe(
    'The start message wasn\'t sent to "DBA alerts". It waited for more than 24\u00A0h.',
  );
});

test("a closed instance waits for the message that is being sent, and sends no other", async () => {
  let answer = (): void => {};
  hook.answer = (response) => {
    answer = () => response.writeHead(202).end();
  };
  const sent = messages();
  await sent.add(SALES, START);
  await until(() => hook.requests.length === 1);
  await sent.add(SALES, END);
  const closed = sent.close();
  expect(await Promise.race([closed, clock.pass(50, 10).then(() => "waits")])).toBe("waits");
  answer();
  await closed;
  expect(await rows()).toBe(1);
  await clock.pass(HOUR, MINUTE);
  expect(hook.requests).toHaveLength(1);
});

test("two watches and two receivers: one message at a time for a receiver, and no receiver waits for another", async () => {
  const held: (() => void)[] = [];
  hook.answer = (response) => held.push(() => response.writeHead(202).end());
  const sent = messages();
  await sent.add(watchOf("sales", "DBA alerts", "tickets"), START);
  await sent.add(watchOf("crm", "DBA alerts", "tickets"), START);
  await until(() => other.requests.length === 2 && held.length === 1);
  await clock.pass(50, 10);
  expect(held).toHaveLength(1);
  held[0]?.();
  await until(() => held.length === 2);
  held[1]?.();
  await until(isEmpty);
  expect(new Set([...idsAt(hook), ...idsAt(other)]).size).toBe(4);
  expect(other.requests[0]?.headers["x-aglens-signature"]).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/u);
});

test("an end waits for its start, and another episode does not", async () => {
  hook.answer = (response, { body }) => status(body.includes("commits are slow") ? 503 : 202)(response);
  const sent = messages();
  await sent.add(SALES, START);
  await until(async () => (await triesOf()) === 1);
  await sent.add(SALES, END);
  await clock.pass(50, 10);
  expect(hook.requests).toHaveLength(1);
  await sent.add(SALES, { kind: "end", episode: { ...STORY_END, id: "earlier" } });
  // A receiver that accepts one gets the refused one again, without the wait.
  await until(async () => (await rows()) === 2 && (await triesOf()) === 2);
  hook.answer = status(202);
  clock.move(2 * MINUTE);
  await until(isEmpty);
  const kinds = hook.requests.map(({ body }) => (body.includes("commits are slow") ? "start" : "end"));
  expect(kinds).toEqual(["start", "end", "start", "start", "end"]);
});

test("a receiver that is removed from the file is not contacted", async () => {
  hook.answer = status(503);
  const sent = messages();
  await sent.add(SALES, START);
  await until(async () => (await triesOf()) === 1);
  await writeReceivers({});
  clock.move(MINUTE);
  await until(async () => (await triesOf()) === 2);
  expect(hook.requests).toHaveLength(1);
  expect(await sent.test("DBA alerts")).toEqual({
    isAccepted: false,
    text: "The watch file has no such receiver.",
  });
});

test("a watch that this server no longer runs gets no messages from it", async () => {
  hook.answer = status(503);
  const sent = messages();
  await sent.add(SALES, START);
  await until(async () => (await triesOf()) === 1);
  await sent.end("sales");
  await clock.pass(10 * MINUTE, MINUTE);
  expect(hook.requests).toHaveLength(1);
  expect(await rows()).toBe(1);
  // It may run on another server: a late message is only kept.
  await sent.add(SALES, END);
  await clock.pass(50, 10);
  expect(hook.requests).toHaveLength(1);
  expect(await rows()).toBe(2);
});

test("a watch that ends gives messages that were just added their first try", async () => {
  const sent = messages();
  await sent.add(SALES, START);
  await sent.add(SALES, END);
  await sent.end("sales");
  expect(hook.requests).toHaveLength(2);
  expect(await rows()).toBe(0);
});

test("a row that can't be removed after its message was accepted does not send it again", async () => {
  let isDown = true;
  const failing = Object.create(store) as WatchStore;
  failing.save = (...given) => store.save(...given);
  failing.saveTogether = (...given) => store.saveTogether(...given);
  failing.rows = (...given) => store.rows(...given);
  failing.remove = (...given) =>
    isDown ? Promise.reject(new Error("database is locked")) : store.remove(...given);
  const sent = messages(failing);
  await sent.add(SALES, START);
  await until(() => steps.some(({ text }) => text.startsWith("Start message sent to")));
  await clock.pass(5 * MINUTE, MINUTE / 2);
  isDown = false;
  await clock.pass(5 * MINUTE, MINUTE / 2);
  await until(isEmpty);
  expect(hook.requests).toHaveLength(1);
});

test("of more than 1,000 waiting messages the oldest are given up, and that is told", async () => {
  hook.answer = () => {};
  const sent = messages();
  const add = (number: number): Promise<void> =>
    sent.add(SALES, { kind: "start", episode: { ...STORY_START, id: `episode ${number}` } });
  for (let number = 0; number < 1_002; number += 1) {
    clock.move(1);
    // oxlint-disable-next-line no-await-in-loop -- in their order
    await add(number);
  }
  expect(await rows()).toBe(1_000);
  // The first one is being sent.
  expect(steps.map(({ episode }) => episode)).toEqual(["episode 1", "episode 2"]);
  expect(steps[0]?.text).toBe(
    'The start message wasn\'t sent to "DBA alerts". More than 1000 messages waited.',
  );
  hook.answer = status(202);
  clock.move(10_000);
});

test("a test message has the time of the answer, or the refusal, and leaves no row", async () => {
  const sent = messages();
  hook.answer = (response) => {
    clock.move(400);
    response.writeHead(200).end("1");
  };
  expect(await sent.test("DBA alerts")).toEqual({ isAccepted: true, text: "Accepted in 0.4\u00A0s." });
  expect(hook.requests[0]?.body).toContain("Test message");
  hook.answer = status(403);
  expect(await sent.test("DBA alerts")).toMatchObject({
    isAccepted: false,
    text: "The receiver answered 403. Check its URL and key in the watch file.",
  });
  expect(await sent.test("not in the file")).toMatchObject({ isAccepted: false });
  expect(await rows()).toBe(0);
});

test("an e-mail of the end is in the thread of its start, also when a try was refused with 451", async () => {
  let refusals = 1;
  await using server = await mailServer({
    disabledCommands: ["STARTTLS"],
    authOptional: true,
    onRcptTo: (_, __, done) => {
      refusals -= 1;
      done(refusals >= 0 ? Object.assign(new Error("later"), { responseCode: 451 }) : null);
    },
  });
  await writeReceivers(
    { "on call": { kind: "email", to: ["dba@example.com"] } },
    { host: "localhost", port: server.port, security: "none", from: "aglens@example.com" },
  );
  const sent = messages();
  const watch = watchOf("sales", "on call");
  await sent.add(watch, START);
  await until(() => steps.some(({ text }) => text.includes("(451)")));
  await sent.add(watch, END);
  clock.move(MINUTE);
  await until(isEmpty);
  expect(server.mails).toHaveLength(2);
  const headerOf = (mail: number, name: string): string | undefined =>
    new RegExp(`^${name}: (.*)$`, "imu").exec(server.mails[mail]?.source ?? "")?.[1]?.trim();
  expect(headerOf(0, "In-Reply-To")).toBeUndefined();
  expect(headerOf(1, "In-Reply-To")).toBe(headerOf(0, "Message-ID"));
  expect(headerOf(1, "Message-ID")).not.toBe(headerOf(0, "Message-ID"));
});

test("a file that can't be read, or has no mail server, is a refusal with the reason", async () => {
  await writeReceivers({
    "on call": { kind: "email", to: ["dba@example.com"] },
    "no url": { kind: "slack", url: { variable: "AGLENS_TEST_NO_URL" } },
  });
  const sent = messages();
  expect(await sent.test("on call")).toMatchObject({
    text: 'The watch file has no "mail", which names the mail server.',
  });
  expect(await sent.test("no url")).toMatchObject({ text: "The variable AGLENS_TEST_NO_URL is not set." });
  await writeFile(path, "{");
  expect(await sent.test("on call")).toMatchObject({ text: expect.stringMatching(/is not JSON\.$/u) });
});

test("without its capture, an end has the figures of the episode, and no picture", async () => {
  const sent = messages();
  await sent.add(watchOf("sales", "tickets"), END);
  await until(isEmpty);
  const body = JSON.parse(other.requests[0]?.body ?? "");
  expect(body.picture).toBeNull();
  expect(body.text).toContain("Commit p95: 36.0\u00A0ms");
  expect(body.episode.results).toBeNull();
});
