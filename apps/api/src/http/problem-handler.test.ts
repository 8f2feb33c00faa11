import { NewCapture } from "@aglens/contract";
import type { Request, Response } from "express";
import { describe, expect, test, vi } from "vitest";
import { asSentence, problem } from "@aglens/engine/problems";
import { problemHandler, toProblem } from "./problem-handler.ts";

const withCode = (properties: object): Error => Object.assign(new Error("x"), properties);

test("a problem is answered as it was thrown", () => {
  expect(toProblem(problem("file-not-found", "The capture has no such file."))).toEqual({
    type: "urn:aglens:problem:file-not-found",
    title: "File not found",
    status: 404,
    detail: "The capture has no such file.",
    code: "file-not-found",
  });
});

test("a shape that does not fit names each place", () => {
  const { error } = NewCapture.safeParse({ name: "" });
  const document = toProblem(error);
  expect(document).toMatchObject({ code: "bad-request", status: 400 });
  expect(document.detail).toMatch(/^name: .+\.$/u);
  const { error: whole } = NewCapture.safeParse(3);
  expect(toProblem(whole).detail).not.toContain(":  ");
  expect(toProblem(whole).detail).not.toMatch(/^: /u);
});

test.each([
  [withCode({ type: "entity.too.large" }), "too-big", "The JSON body is too large."],
  [withCode({ type: "entity.parse.failed" }), "bad-request", "The body is not valid JSON."],
  [withCode({ code: "ENOSPC" }), "disk-full", "no space left"],
  [withCode({ code: "EDQUOT" }), "disk-full", "no space left"],
  [withCode({ code: "ERR_SQLITE_ERROR", errcode: 13 }), "disk-full", "no space left"],
  [withCode({ code: "ERR_SQLITE_ERROR", errcode: 4874 }), "disk-full", "no space left"],
  [withCode({ code: "ERR_SQLITE_ERROR", errcode: 5 }), "internal", "its log has the details"],
  [withCode({ status: 404 }), "not-found", "nothing at this address"],
  [withCode({ status: 412 }), "other-version", "If-Match"],
  [withCode({ status: 413 }), "too-big", "too large"],
  [withCode({ status: 415 }), "wrong-type", "UTF-8"],
  [withCode({ status: 416 }), "bad-range", "ends before"],
  [withCode({ status: 400 }), "bad-request", "cannot be understood"],
  [withCode({ status: 499 }), "bad-request", "cannot be understood"],
  [withCode({ status: 399 }), "internal", "its log has the details"],
  [withCode({ status: 500 }), "internal", "its log has the details"],
  [withCode({ status: "404" }), "internal", "its log has the details"],
  [new URIError("x"), "bad-request", "The address is not valid."],
  [withCode({ code: "ENOENT", type: "other" }), "internal", "its log has the details"],
  ["a string", "internal", "its log has the details"],
  [null, "internal", "its log has the details"],
])("%o is %s", (error, code, detail) => {
  const document = toProblem(error);
  expect(document.code).toBe(code);
  expect(document.detail).toContain(detail);
});

test("another program's text is one sentence", () => {
  expect(asSentence("  Login\n failed ")).toBe("Login failed.");
  for (const end of [".", "!", "?"]) expect(asSentence(`No${end}`)).toBe(`No${end}`);
  expect(asSentence("x".repeat(500))).toBe(`${"x".repeat(400)}.`);
});

describe("an error on the way to its client", () => {
  /** Passes an error to the handler; returns the log and the answer. */
  function handled(error: unknown, request: Partial<Request> = {}, headersSent = false) {
    const log = { error: vi.fn<() => void>(), info: vi.fn<() => void>(), debug: vi.fn<() => void>() };
    const sent: unknown[] = [];
    const response = {
      headersSent,
      locals: { log },
      destroy: vi.fn<() => void>(),
      set: () => {},
      status: (status: number) => ({
        type: (type: string) => ({
          send: (body: string) => sent.push(status, type, (JSON.parse(body) as { code: string }).code),
        }),
      }),
    };
    const next = vi.fn<(error: unknown) => void>();
    void problemHandler(error, request as Request, response as unknown as Response, next);
    return { log, sent, response, next };
  }

  test("is logged when it was not expected", () => {
    const error = new Error("x");
    const { log, sent } = handled(error);
    expect(log.error).toHaveBeenCalledWith({ err: error }, "request failed");
    expect(sent).toEqual([500, "application/problem+json", "internal"]);
  });

  test("is not when it is the client's", () => {
    const { log, sent } = handled(problem("file-not-found", "The capture has no such file."));
    expect(log.error).not.toHaveBeenCalled();
    expect(sent).toEqual([404, "application/problem+json", "file-not-found"]);
  });

  test("is logged by its code alone when it was foreseen: a server that refuses is no fault of the API", () => {
    const { log, sent } = handled(problem("live-statement-failed", "SQL1 refused the statement."));
    expect(log.error).not.toHaveBeenCalled();
    expect(log.info).toHaveBeenCalledWith({ code: "live-statement-failed" }, "request refused");
    expect(sent[0]).toBe(502);
  });

  test("ends an answer that has begun", () => {
    const error = new Error("x");
    const { sent, next } = handled(error, {}, true);
    expect(sent).toEqual([]);
    expect(next).toHaveBeenCalledWith(error);
  });

  test("is answered to nobody where the client left in the middle of its upload", () => {
    const { log, sent, response } = handled(new Error("aborted"), { destroyed: true, complete: false });
    expect(response.destroy).toHaveBeenCalledTimes(1);
    expect(log.error).not.toHaveBeenCalled();
    expect(sent).toEqual([]);
    expect(handled(new Error("x"), { destroyed: true, complete: true }).sent).toHaveLength(3);
  });
});
