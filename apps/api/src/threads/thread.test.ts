import { once } from "node:events";
import { expect, test } from "vitest";
import { Thread } from "./thread.ts";

const INSIDE = new URL("../../dist/inside.js", import.meta.url).href;

function script(code: string): URL {
  const text = `import { checkpoint, endAsked, onMessages, tell, threadData } from "${INSIDE}";\n${code}`;
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`);
}

test("a thread gets its data and ends by itself when its work is done", async () => {
  const { worker } = new Thread(script("tell(threadData.word + threadData.word);"), { word: "log" });
  const [[said], [code]] = await Promise.all([once(worker, "message"), once(worker, "exit")]);
  expect(said).toBe("loglog");
  expect(code).toBe(0);
});

test("a thread at work leaves at its next checkpoint", async () => {
  const thread = new Thread(
    script(`
      tell("working");
      try { for (;;) checkpoint(); }
      catch (error) { tell(error.message); }`),
    null,
  );
  const said: unknown[] = [];
  thread.worker.on("message", (message) => said.push(message));
  await once(thread.worker, "message");
  await thread.end();
  expect(said).toEqual(["working", "The thread was asked to end."]);
});

test("a thread that waits for messages ends, and leaves those that still wait", async () => {
  const thread = new Thread(
    script(`
      onMessages((message) => {
        tell(message);
        while (!endAsked());
      });`),
    null,
  );
  const said: unknown[] = [];
  thread.worker.on("message", (message) => said.push(message));
  for (const message of ["first", "second"]) thread.worker.postMessage(message, []);
  await once(thread.worker, "message");
  await thread.end();
  expect(said).toEqual(["first"]);
});

test("threads that share a flag end together", async () => {
  const waiting = script('onMessages(() => {}); tell("ready");');
  const end = new Int32Array(new SharedArrayBuffer(4));
  const threads = [new Thread(waiting, null, end), new Thread(waiting, null, end)];
  await Promise.all(threads.map(({ worker }) => once(worker, "message")));
  await Promise.all(threads.map((thread) => thread.end()));
  expect(Atomics.load(end, 0)).toBe(1);
});

test("a thread that never looks is ended by force", async () => {
  const thread = new Thread(script('tell("working"); for (;;);'), null);
  await once(thread.worker, "message");
  const exit = once(thread.worker, "exit");
  await thread.end(50);
  expect(await exit).toEqual([1]);
});

test("a thread that has ended can be ended again", async () => {
  const thread = new Thread(script(""), null);
  await once(thread.worker, "exit");
  await thread.end();
  await thread.end();
});
