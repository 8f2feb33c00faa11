import { getPriority } from "node:os";
import { expect, test } from "vitest";
import { Thread } from "./thread.ts";

const INSIDE = new URL("../../dist/inside.js", import.meta.url).href;

interface AnyMessages {
  readonly data: unknown;
  readonly toThread: string;
  readonly fromThread: unknown;
}

/** A thread that runs this code, with its messages, and its end. */
function threadOf(code: string, data: unknown = null, end?: Int32Array<SharedArrayBuffer>) {
  const text = `
    import { checkpoint, endAsked, starter, workInBackground } from "${INSIDE}";
    const { data, send, onMessages } = starter();
    ${code}`;
  const thread = new Thread<AnyMessages>(
    new URL(`data:text/javascript,${encodeURIComponent(text)}`),
    data,
    end,
  );
  const sent: unknown[] = [];
  const first = Promise.withResolvers<void>();
  const ends: (string | null)[] = [];
  const ended = Promise.withResolvers<void>();
  thread.onMessage((message) => {
    sent.push(message);
    first.resolve();
  });
  thread.onEnd((error) => {
    ends.push(error === null ? null : error.message);
    ended.resolve();
  });
  return { thread, sent, first: first.promise, ends, ended: ended.promise };
}

test("a thread gets its data and ends by itself when its work is done", async () => {
  const { sent, ended, ends } = threadOf("send(data.word + data.word);", { word: "log" });
  await ended;
  expect(sent).toEqual(["loglog"]);
  expect(ends).toEqual([null]);
});

test("a thread at work leaves at its next checkpoint", async () => {
  const { thread, sent, first } = threadOf(`
    send("working");
    try { for (;;) checkpoint(); }
    catch (error) { send(error.message); }`);
  await first;
  await thread.end();
  expect(sent).toEqual(["working", "The thread was asked to end."]);
});

test("a thread that waits for messages ends, and leaves those that still wait", async () => {
  const { thread, sent, first } = threadOf(`
    onMessages((message) => {
      send(message);
      while (!endAsked());
    });`);
  for (const message of ["first", "second"]) thread.send(message);
  await first;
  await thread.end();
  expect(sent).toEqual(["first"]);
});

test("threads that share a flag end together", async () => {
  const waiting = 'onMessages(() => {}); send("ready");';
  const end = new Int32Array(new SharedArrayBuffer(4));
  const threads = [threadOf(waiting, null, end), threadOf(waiting, null, end)];
  await Promise.all(threads.map(({ first }) => first));
  await threads[0]?.thread.end();
  await threads[1]?.thread.end();
  expect(Atomics.load(end, 0)).toBe(1);
});

test("a thread that never looks is ended by force", async () => {
  const { thread, first, ended, ends } = threadOf('send("working"); for (;;);');
  await first;
  await thread.end(50);
  await ended;
  expect(ends).toEqual([null]);
});

test("a thread that breaks says why, once", async () => {
  const { thread, ended, ends } = threadOf('throw new Error("The disk is gone.");');
  await ended;
  await thread.end();
  expect(ends).toEqual(["The disk is gone."]);
});

test("bytes are handed over, not copied", async () => {
  const { thread, sent, first } = threadOf(
    "onMessages((bytes) => { send(bytes.length, []); send(bytes, [bytes.buffer]); send(bytes.length); });",
  );
  const bytes = new Uint8Array([1, 2, 3]);
  (thread as unknown as Thread<{ data: unknown; toThread: Uint8Array; fromThread: unknown }>).send(bytes, [
    bytes.buffer,
  ]);
  expect(bytes).toHaveLength(0);
  await first;
  await thread.end();
  expect(sent).toEqual([3, new Uint8Array([1, 2, 3]), 0]);
});

test("a thread that has ended can be ended again", async () => {
  const { thread, ended } = threadOf("");
  await ended;
  await thread.end();
  await thread.end();
});

test.runIf(process.platform === "linux")(
  "works in the background without slowing the process down",
  async () => {
    const before = getPriority();
    const { thread, sent, first } = threadOf(`
    const { getPriority } = await import("node:os");
    workInBackground();
    send(getPriority());
  `);
    await first;
    expect(sent[0]).toBe(Math.max(before, 10));
    expect(getPriority()).toBe(before);
    await thread.end();
  },
);
