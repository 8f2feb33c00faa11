/** Requests whose bodies stall: ended, so that half an upload does not keep its connection and file forever. */
import type { Request, RequestHandler, Response } from "express";
import type { Clock } from "../kernel/clock.ts";
import { problemDocument } from "@aglens/engine/problems";

const STALLED_MS = 60_000;
const LOOK_MS = 10_000;

interface Coming {
  readonly request: Request;
  readonly response: Response;
  /** Bytes of the connection when it was looked at last. */
  bytes: number;
  /** Looks since then at which there were no more; the time of day would jump with a clock that is set. */
  looks: number;
}

/**
 * `watch` sees each request; `end` stops the checks. All requests are checked together, because a timer per chunk of
 * gigabytes would be slow.
 */
export function stalledBodies(clock: Clock): { readonly watch: RequestHandler; readonly end: () => void } {
  const coming = new Set<Coming>();
  const end = clock.every(LOOK_MS, () => {
    for (const one of coming) {
      if (one.request.complete) coming.delete(one);
      else if (hasStalled(one)) {
        coming.delete(one);
        refuse(one);
      }
    }
  });
  return {
    end,
    watch: (request, response, next) => {
      if (!request.complete) {
        const one = { request, response, bytes: request.socket.bytesRead, looks: 0 };
        coming.add(one);
        request.once("close", () => coming.delete(one));
      }
      next();
    },
  };
}

function hasStalled(one: Coming): boolean {
  const bytes = one.request.socket.bytesRead;
  one.looks = bytes === one.bytes ? one.looks + 1 : 0;
  one.bytes = bytes;
  return one.looks * LOOK_MS >= STALLED_MS;
}

/** Answers, where nothing was answered yet, and closes the connection: the rest of the body could be taken for the next request. */
function refuse({ request, response }: Coming): void {
  if (response.headersSent) {
    request.destroy();
    return;
  }
  const document = problemDocument(
    "body-stalled",
    `Nothing more of the body came for ${STALLED_MS / 1000} seconds. Send the request again.`,
  );
  response.once("finish", () => request.destroy());
  response
    .status(document.status)
    .set("connection", "close")
    .type("application/problem+json")
    .send(JSON.stringify(document));
}
