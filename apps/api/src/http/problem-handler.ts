import type { ErrorRequestHandler, RequestHandler } from "express";
import type { Logger } from "pino";
import type { Problem } from "@aglens/contract";
import { ZodError } from "zod";
import { problem, problemDocument, ProblemError } from "../problems.ts";
import { isDiskFull } from "../store/space.ts";

/** Handler for addresses nobody answers. */
export const noSuchAddress: RequestHandler = (request) => {
  throw problem(
    "not-found",
    `There is nothing at ${request.method} ${request.originalUrl.split("?", 1)[0]}.`,
  );
};

/** Turns whatever was thrown into a problem document; what is not expected is logged and not shown. */
export function problemHandler(log: Logger): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return (error: unknown, request, response, next) => {
    if (request.destroyed && !request.complete) {
      // The client left in the middle of its upload: nobody waits for an answer.
      log.debug({ err: error }, "upload broken off");
      response.destroy();
      return;
    }
    const document = toProblem(error);
    // What was foreseen has its sentence for the user; the log needs no stack of it.
    if (error instanceof ProblemError) log.info({ code: document.code }, "request refused");
    else if (document.status >= 500) log.error({ err: error }, "request failed");
    if (response.headersSent) {
      next(error);
      return;
    }
    response.status(document.status).type("application/problem+json").send(JSON.stringify(document));
  };
}

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
  if (error instanceof URIError) return problemDocument("bad-request", "The address is not valid.");
  return problemDocument("internal", "The API hit an unexpected error; its log has the details.");
}

function properties(error: unknown): { type?: unknown } {
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
