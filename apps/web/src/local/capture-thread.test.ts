import { afterEach, describe, expect, test, vi } from "vitest";
import type { Answer, Question } from "@aglens/engine/answers";
import { problemDocument } from "@aglens/engine/problems";
import { threadHere } from "../../test/thread-here.ts";
import { CaptureThread } from "./capture-thread.ts";
import { type AnalyzedCapture, CaptureWork } from "./capture-work.ts";
import type { FromCapture, ToCapture } from "./messages.ts";
import { serveCapture } from "./serve-capture.ts";
import type { ThreadListener, ThreadScope } from "./thread.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const ANALYZED = { place: null, severity: null, verdict: "", summary: new Uint8Array() } as unknown;
const question = (lsn: string): Question => ({ kind: "block", lsn }) as unknown as Question;
/** An answer that shows which question it answers. */
const answerTo = (asked: Question): Answer => ({
  type: "json",
  bytes: new TextEncoder().encode(JSON.stringify(asked)),
});
const questionOf = ({ bytes }: Answer): unknown => JSON.parse(new TextDecoder().decode(bytes));

function opened(serve: (scope: ThreadScope<ToCapture, FromCapture>) => void): {
  thread: CaptureThread;
  failed: string[];
} {
  const failed: string[] = [];
  const thread = new CaptureThread(
    () => threadHere(serve),
    { kind: "analyse", capture: { files: [], topologies: [] } },
    {
      onProgress: () => {},
      onPreview: () => {},
      onAnalyzed: () => {},
      onOpened: () => {},
      onTables: () => {},
      onFailed: ({ code }) => failed.push(code),
    },
  );
  return { thread, failed };
}

/** A thread whose capture is analyzed at once, with steps that prepare questions. */
function serveWith(prepare: () => Generator<void>): typeof serveCapture {
  vi.spyOn(CaptureWork, "analyse").mockResolvedValue({
    work: { prepare, ask: (asked: Question) => Promise.resolve(answerTo(asked)) } as unknown as CaptureWork,
    analysed: ANALYZED as AnalyzedCapture,
  });
  return serveCapture;
}

function* failingAfter(steps: number): Generator<void> {
  for (let step = 0; step < steps; step++) yield;
  throw new RangeError("Array buffer allocation failed");
}

describe("questions to a capture's thread", () => {
  test("get their own answers after a preparation failed at once", async () => {
    const { thread } = opened(serveWith(() => failingAfter(0)));
    const answers = await Promise.all(["1", "2", "3"].map((lsn) => thread.ask(question(lsn), null)));
    expect(answers.map(questionOf)).toEqual(["1", "2", "3"].map(question));
  });

  test("are answered after a later step of the preparation failed", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const { thread } = opened(serveWith(() => failingAfter(1)));
    await thread.ask(question("1"), null);
    expect(() => vi.runAllTimers()).not.toThrow();
    expect(questionOf(await thread.ask(question("2"), null))).toEqual(question("2"));
  });

  test("are not ended by a report with another number", async () => {
    const { thread } = opened((scope) => {
      scope.onMessage((message) => {
        if (message.kind === "analyse")
          return scope.send({ kind: "analysed", analysed: ANALYZED as AnalyzedCapture });
        if (message.kind !== "ask") return;
        const other = message.number + 1;
        scope.send({ kind: "refused", number: other, problem: problemDocument("internal", "Another.") });
        scope.send({ kind: "answer", number: other, answer: answerTo(question("other")) });
        scope.send({ kind: "answer", number: message.number, answer: answerTo(message.question) });
      });
    });
    expect(questionOf(await thread.ask(question("1"), null))).toEqual(question("1"));
    expect(questionOf(await thread.ask(question("2"), null))).toEqual(question("2"));
  });
});

test("a thread that stops after its analysis says so, and refuses what it was asked", async () => {
  let heard: ThreadListener<FromCapture> | null = null;
  const failed: string[] = [];
  const thread = new CaptureThread(
    () => ({ send: () => {}, listen: (listener) => (heard = listener), end: () => {} }),
    { kind: "analyse", capture: { files: [], topologies: [] } },
    {
      onProgress: () => {},
      onPreview: () => {},
      onAnalyzed: () => {},
      onOpened: () => {},
      onTables: () => {},
      onFailed: ({ code }) => failed.push(code),
    },
  );
  const { onMessage, onBroken } = heard as unknown as ThreadListener<FromCapture>;
  onMessage({ kind: "analysed", analysed: ANALYZED as AnalyzedCapture });
  const asked = thread.ask(question("1"), null);
  onBroken("out of memory");
  await expect(asked).rejects.toMatchObject({ problem: { code: "internal" } });
  expect(failed).toEqual(["internal"]);
});
