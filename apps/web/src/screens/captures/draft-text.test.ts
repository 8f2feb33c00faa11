import { expect, test } from "vitest";
import { draftText } from "./draft-text.ts";

test("a draft states when it is deleted, in the time zone of the browser", () => {
  const before = process.env["TZ"];
  try {
    process.env["TZ"] = "America/Sao_Paulo";
    const draft = { isDraft: true, expires: "2026-11-29T01:05:00.000Z" };
    expect(draftText(draft)).toBe("Draft. Deleted on 28 November at 22:05 unless analyzed.");
  } finally {
    process.env["TZ"] = before;
  }
  expect(draftText({ expires: "2026-11-29T01:05:00.000Z" })).toBe("");
});
