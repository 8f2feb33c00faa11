/** One line of the log for each answer, and the same figures for the metrics. */
import type { Request, RequestHandler, Response } from "express";
import type { Logger } from "pino";
import { newId } from "../kernel/identity.ts";
import type { CountedAnswer } from "../status/request-figures.ts";

const LOG = "log";
/** Status of a client that left before its answer was complete, as nginx logs it. */
const LEFT = 499;

/** Assigns an id (header x-request-id) and a log to each request, and reports its end. */
export function requestLog(
  log: Logger,
  report: (answered: CountedAnswer, response: Response) => void,
): RequestHandler {
  return (request, response, next) => {
    const id = newId();
    const begun = performance.now();
    const { socket } = request;
    const bytesBefore = socket.bytesWritten;
    const own = log.child({ id });
    response.locals[LOG] = own;
    response.set("x-request-id", id);
    response.once("close", () => {
      const answered = {
        method: request.method,
        route: routeOf(request),
        status: response.writableFinished ? response.statusCode : LEFT,
        ms: Math.round((performance.now() - begun) * 10) / 10,
        bytes: socket.bytesWritten - bytesBefore,
      };
      own.info(answered, "answered");
      report(answered, response);
    });
    next();
  };
}

/** The log of a request: its lines have the request's id. */
export function logOf({ locals }: Pick<Response, "locals">): Logger {
  return locals[LOG] as Logger;
}

/** Few different texts, regardless of the requested address: they are labels of metrics too. */
function routeOf(request: Request): string {
  const pattern = (request.route as { readonly path?: unknown } | undefined)?.path;
  const isApi = request.originalUrl.startsWith("/api/");
  if (typeof pattern === "string")
    return isApi && !pattern.startsWith("/api/") ? `/api/v1${pattern}` : pattern;
  return isApi ? "/api/*" : "/*";
}
