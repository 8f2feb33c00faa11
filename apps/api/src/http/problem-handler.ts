import type { ErrorRequestHandler, RequestHandler } from "express";
import type { Problem } from "@aglens/contract";
import { ZodError } from "zod";
import { problem, problemDocument, ProblemError } from "@aglens/engine/problems";
import type { ProblemCode } from "@aglens/engine/problems";
import { logOf } from "./request-log.ts";
import { CatalogUnreachableError } from "../store/catalog.ts";
import { isDiskFull } from "../store/space.ts";

/** Handler for addresses without a route. */
export const noSuchAddress: RequestHandler = (request) => {
  throw problem(
    "not-found",
    `There is nothing at ${request.method} ${request.originalUrl.split("?", 1)[0]}.`,
  );
};

/** Makes a problem document of any error; an unexpected error is logged and not shown. */
// Express recognizes an error handler by its four parameters.
export const problemHandler: ErrorRequestHandler = (error: unknown, request, response, next) => {
  const log = logOf(response);
  if (request.destroyed && !request.complete) {
    // The client left in the middle of its upload: no client waits for an answer.
    log.debug({ err: error }, "upload broken off");
    response.destroy();
    return;
  }
  const document = toProblem(error);
  // An expected error has a sentence for the user; the log needs no stack of it.
  if (error instanceof ProblemError) log.info({ code: document.code }, "request refused");
  else if (document.status >= 500) log.error({ err: error }, "request failed");
  if (response.headersSent) {
    next(error);
    return;
  }
  // Browsers may keep the missing file forever, so the error must not be stored.
  response.set("cache-control", "no-store");
  response.status(document.status).type("application/problem+json").send(JSON.stringify(document));
};

/** The problem document of anything thrown. */
export function toProblem(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  if (error instanceof ZodError) return problemDocument("bad-request", sentences(error));
  const { type } = properties(error);
  if (type === "entity.too.large") return problemDocument("too-big", "The JSON body is too large.");
  if (typeof type === "string" && type.startsWith("entity.")) {
    return problemDocument("bad-request", "The body is not valid JSON.");
  }
  if (isDiskFull(error)) {
    return problemDocument(
      "disk-full",
      "The API's data directory has no space left. Delete captures or give it another directory.",
    );
  }
  if (error instanceof CatalogUnreachableError) {
    return problemDocument(
      "catalogue-unreachable",
      "AG Lens cannot reach the database of its catalogue. Try again in a moment; the server's log says what is wrong.",
    );
  }
  const refusal = refusalOf(error);
  if (refusal !== null) return refusal;
  if (error instanceof URIError) return problemDocument("bad-request", "The address is not valid.");
  return problemDocument("internal", "The API hit an unexpected error; its log has the details.");
}

/** Refusals of the libraries in front of the routes are errors with a status of 4xx (http-errors). */
function refusalOf(error: unknown): Problem | null {
  const { status } = properties(error);
  if (typeof status !== "number" || status < 400 || status > 499) return null;
  const [code, sentence] = REFUSALS.get(status) ?? ["bad-request", "The request cannot be understood."];
  return problemDocument(code, sentence);
}

const REFUSALS = new Map<number, readonly [ProblemCode, string]>([
  [404, ["not-found", "There is nothing at this address."]],
  [
    412,
    ["other-version", "The file has changed since the version that If-Match or If-Unmodified-Since names."],
  ],
  [413, ["too-big", "The JSON body is too large."]],
  [415, ["wrong-type", "The body's charset or encoding is not supported: send UTF-8, as it is or in gzip."]],
  [416, ["bad-range", "The file ends before the range that was asked for."]],
]);

function properties(error: unknown): { type?: unknown; status?: unknown } {
  return typeof error === "object" && error !== null ? error : {};
}

function sentences(error: ZodError): string {
  return error.issues
    .map((issue) => {
      const where = issue.path.map(String).join(".");
      return where === "" ? `${issue.message}.` : `${where}: ${issue.message}.`;
    })
    .join(" ");
}
