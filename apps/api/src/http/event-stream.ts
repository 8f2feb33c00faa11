import type { Response } from "express";

const HEARTBEAT_MS = 15_000;
const MOST_UNSENT_BYTES = 8 * 1024 * 1024;

/** Begins an answer of server-sent events, kept alive until the client leaves. @param onGone called then, at once where it has left */
export function beginEvents(response: Response, onGone: () => void): void {
  // For a client that has already left, no event follows.
  if (response.destroyed) return onGone();
  response.status(200).set({
    "content-type": "text/event-stream",
    // no-transform also keeps the compression middleware from holding events back.
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  });
  response.flushHeaders();
  const heartbeat = setInterval(() => response.write(": still here\n\n"), HEARTBEAT_MS);
  response.on("close", () => {
    clearInterval(heartbeat);
    onGone();
  });
}

/**
 * Writes one event. If too much waits for the client already, it is disconnected; it connects again and gets the
 * complete state.
 * @param json its data, on one line
 */
export function sendEvent(response: Response, event: string, json: string): void {
  if (response.writableLength > MOST_UNSENT_BYTES) {
    response.destroy();
    return;
  }
  response.write(`event: ${event}\ndata: ${json}\n\n`);
}
