import { expect, test } from "vitest";
import { serverEvents, type ServerEvent } from "./server-events.ts";

async function eventsIn(pieces: readonly Uint8Array[]): Promise<ServerEvent[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const events: ServerEvent[] = [];
  for await (const event of serverEvents(body)) events.push(event);
  return events;
}

const TEXT = 'event: progress\ndata: {"a":"µ: b"}\n\n: still here\n\nevent: report\ndata: {}\n\nevent: cut';
const EVENTS = [
  { event: "progress", data: '{"a":"µ: b"}' },
  { event: "report", data: "{}" },
];

test("events are read however their bytes are cut, and a comment is none", async () => {
  const bytes = new TextEncoder().encode(TEXT);
  expect(await eventsIn([bytes])).toEqual(EVENTS);
  expect(await eventsIn(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(EVENTS);
});
