import type { Request, RequestHandler } from "express";
import { rateLimit } from "express-rate-limit";
import { problem } from "@aglens/engine/problems";

const MINUTE_MS = 60 * 1000;

/** Limits requests of one client, an address, within a minute. @param limit 0 for no limit */
export function requestLimit(
  limit: number,
  words: string,
  isCounted: (request: Request) => boolean,
): RequestHandler {
  return rateLimit({
    windowMs: MINUTE_MS,
    limit,
    standardHeaders: "draft-8",
    legacyHeaders: false,
    skip: (request) => limit === 0 || !isCounted(request),
    handler: () => {
      throw problem(
        "too-many-requests",
        `More than ${limit} ${words} requests within a minute. Wait a minute.`,
      );
    },
  });
}
