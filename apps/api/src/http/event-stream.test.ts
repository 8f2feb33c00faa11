import { EventEmitter } from "node:events";
import type { Response } from "express";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { beginEvents, sendEvent } from "./event-stream.ts";

/** A client's side of an answer, which reads only at the speed that the test sets. */
class StubResponse extends EventEmitter {
  readonly written: string[] = [];
  readonly headers: Record<string, string> = {};
  statusCode = 0;
  flushed = false;
  writableLength = 0;
  destroyed = false;
  status(code: number): this {
    this.statusCode = code;
    return this;
  }
  set(headers: Record<string, string>): this {
    Object.assign(this.headers, headers);
    return this;
  }
  flushHeaders(): void {
    this.flushed = true;
  }
  write(text: string): void {
    this.written.push(text);
  }
  destroy(): void {
    this.destroyed = true;
  }
}

let response: StubResponse;
const asResponse = (): Response => response as unknown as Response;
beforeEach(() => {
  vi.useFakeTimers();
  response = new StubResponse();
});
afterEach(() => {
  vi.useRealTimers();
});

test("an answer begins at once and is kept alive until its client leaves", () => {
  let gone = 0;
  beginEvents(asResponse(), () => (gone += 1));
  expect(response).toMatchObject({ statusCode: 200, flushed: true });
  expect(response.headers).toEqual({
    "content-type": "text/event-stream",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  });
  vi.advanceTimersByTime(14_999);
  expect(response.written).toEqual([]);
  vi.advanceTimersByTime(1);
  // A comment: no client takes it for an event.
  expect(response.written).toEqual([": still here\n\n"]);
  response.emit("close");
  expect(gone).toBe(1);
  vi.advanceTimersByTime(60_000);
  expect(response.written).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});

test("who has left before the answer began is gone at once, and is kept alive no more", () => {
  response.destroyed = true;
  let gone = 0;
  beginEvents(asResponse(), () => (gone += 1));
  expect(gone).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
  expect(response.listenerCount("close")).toBe(0);
});

test("an event has its name and its data on a line each", () => {
  sendEvent(asResponse(), "picture", '{"now":1}');
  expect(response.written).toEqual(['event: picture\ndata: {"now":1}\n\n']);
});

test("a client that does not read what waits for it is let go", () => {
  const limit = 8 * 1024 * 1024;
  response.writableLength = limit;
  sendEvent(asResponse(), "picture", "1");
  expect(response.destroyed).toBe(false);
  response.writableLength = limit + 1;
  sendEvent(asResponse(), "picture", "2");
  expect(response.destroyed).toBe(true);
  expect(response.written).toHaveLength(1);
});
