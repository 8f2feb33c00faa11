import { NewCapture } from "@aglens/contract";
import { expect, test } from "vitest";
import { asSentence, problem } from "../problems.ts";
import { toProblem } from "./problem-handler.ts";

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
