import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { AnswerCache, SharedAnswer, type Work } from "./answer-cache.ts";
import type { Answer, Question } from "@aglens/engine/answers";

const NEVER = new AbortController().signal;
const question = (row: number): Question => ({ ask: "sequence", row });
const answerOf = (bytes: number): Answer => ({ type: "json", bytes: new Uint8Array(bytes) });

/** Work that ends on request of the test. */
function slowWork() {
  const asked: { settle: PromiseWithResolvers<Answer | null>; signal: AbortSignal }[] = [];
  const work: Work = (signal) => {
    const settle = Promise.withResolvers<Answer | null>();
    asked.push({ settle, signal });
    return settle.promise;
  };
  return { asked, work };
}
const instantly =
  (bytes: number, counted: { n: number }): Work =>
  () => {
    counted.n++;
    return Promise.resolve(answerOf(bytes));
  };

describe("answers given lately", () => {
  test("are worked out once, per capture and question", async () => {
    const cache = new AnswerCache();
    const counted = { n: 0 };
    const ask = (capture: string, row: number) =>
      cache.ask(capture, question(row), NEVER, instantly(10, counted));
    const first = await ask("a", 1);
    expect(await ask("a", 1)).toBe(first);
    expect(counted.n).toBe(1);
    await ask("a", 2);
    await ask("b", 1);
    expect(counted.n).toBe(3);
  });

  test("are worked out once for all who ask at once, and for as long as one of them waits", async () => {
    const cache = new AnswerCache();
    const { asked, work } = slowWork();
    const [one, two] = [new AbortController(), new AbortController()];
    const first = cache.ask("a", question(1), one.signal, work);
    const second = cache.ask("a", question(1), two.signal, work);
    expect(asked).toHaveLength(1);
    one.abort();
    expect(await first).toBeNull();
    expect(asked[0]?.signal.aborted).toBe(false);
    two.abort();
    expect(await second).toBeNull();
    expect(asked[0]?.signal.aborted).toBe(true);
  });

  test("a question that was taken back is asked anew", async () => {
    const cache = new AnswerCache();
    const { asked, work } = slowWork();
    const gone = new AbortController();
    const first = cache.ask("a", question(1), gone.signal, work);
    gone.abort();
    asked[0]?.settle.resolve(null);
    expect(await first).toBeNull();
    const second = cache.ask("a", question(1), NEVER, work);
    asked[1]?.settle.resolve(answerOf(3));
    expect((await second)?.size).toBe(3);
  });

  test("a question that was taken back is asked anew also while its work has not ended yet", async () => {
    const cache = new AnswerCache();
    const { asked, work } = slowWork();
    const gone = new AbortController();
    const first = cache.ask("a", question(1), gone.signal, work);
    gone.abort();
    expect(await first).toBeNull();
    const second = cache.ask("a", question(1), NEVER, work);
    expect(asked).toHaveLength(2);
    // The end of the cancelled work does not end the question that is asked now.
    asked[0]?.settle.resolve(null);
    const third = cache.ask("a", question(1), NEVER, work);
    expect(asked).toHaveLength(2);
    asked[1]?.settle.resolve(answerOf(3));
    expect((await second)?.size).toBe(3);
    expect(await third).toBe(await second);
  });

  test("an error is for those who waited, not for the next one", async () => {
    const cache = new AnswerCache();
    const { asked, work } = slowWork();
    const first = cache.ask("a", question(1), NEVER, work);
    asked[0]?.settle.reject(new Error("broken"));
    await expect(first).rejects.toThrow("broken");
    expect((await cache.ask("a", question(1), NEVER, instantly(4, { n: 0 })))?.size).toBe(4);
  });

  test("of a capture that changed are forgotten, also those on their way", async () => {
    const cache = new AnswerCache();
    const counted = { n: 0 };
    await cache.ask("a", question(1), NEVER, instantly(1, counted));
    await cache.ask("ab", question(1), NEVER, instantly(1, counted));
    const { asked, work } = slowWork();
    const onItsWay = cache.ask("a", question(2), NEVER, work);
    cache.forget("a");
    asked[0]?.settle.resolve(answerOf(1));
    expect((await onItsWay)?.size).toBe(1);
    await cache.ask("a", question(1), NEVER, instantly(1, counted));
    await cache.ask("a", question(2), NEVER, instantly(1, counted));
    expect(counted.n).toBe(4);
    await cache.ask("ab", question(1), NEVER, instantly(1, counted));
    expect(counted.n).toBe(4);
  });

  test("take no more bytes than they may: the one used longest ago makes room", async () => {
    const cache = new AnswerCache(100);
    const counted = { n: 0 };
    const ask = (row: number) => cache.ask("a", question(row), NEVER, instantly(40, counted));
    await ask(1);
    await ask(2);
    await ask(1);
    await ask(3);
    expect(counted.n).toBe(3);
    await ask(1);
    expect(counted.n).toBe(3);
    await ask(2);
    expect(counted.n).toBe(4);
  });

  test("count with what their compressed forms take", async () => {
    const cache = new AnswerCache(8_250);
    const counted = { n: 0 };
    const ask = (row: number) => cache.ask("a", question(row), NEVER, instantly(4_100, counted));
    await ask(1);
    await ask(2);
    await ask(1);
    expect(counted.n).toBe(2);
    const two = await ask(2);
    // 4,100 zeros compressed make a few bytes more than the 50 that are left.
    for (const encoding of ["br", "gzip"] as const) await two?.bytes(encoding);
    await ask(2);
    expect(counted.n).toBe(2);
    await ask(1);
    expect(counted.n).toBe(3);
  });
});

describe("an answer that is shared", () => {
  const bytes = new Uint8Array(5_000).map((_, i) => i % 7);
  const shared = new SharedAnswer({ type: "arrow", bytes });

  test("is the same bytes in each encoding, made once", async () => {
    expect(brotliDecompressSync(await shared.bytes("br"))).toEqual(Buffer.from(bytes));
    expect(gunzipSync(await shared.bytes("gzip"))).toEqual(Buffer.from(bytes));
    expect(await shared.bytes("identity")).toBe(bytes);
    expect(await shared.bytes("br")).toBe(await shared.bytes("br"));
  });

  test("has one tag per content and encoding, and is not compressed while it is small", () => {
    const alike = new SharedAnswer({ type: "arrow", bytes: bytes.slice() });
    const other = new SharedAnswer({ type: "arrow", bytes: bytes.map((byte) => byte + 1) });
    expect(alike.tag("br")).toBe(shared.tag("br"));
    // SHA-256 of "abc" (FIPS 180-4) begins so.
    const abc = new SharedAnswer({ type: "json", bytes: Buffer.from("abc") });
    expect(abc.tag("gzip")).toBe('"ba7816bf8f01cfea414140-gzip"');
    expect(shared.tag("gzip")).not.toBe(shared.tag("br"));
    expect(other.tag("br")).not.toBe(shared.tag("br"));
    expect(shared.encodingOf("br")).toBe("br");
    expect(new SharedAnswer(answerOf(1_023)).encodingOf("br")).toBe("identity");
    expect(new SharedAnswer(answerOf(1_024)).encodingOf("br")).toBe("br");
  });
});
