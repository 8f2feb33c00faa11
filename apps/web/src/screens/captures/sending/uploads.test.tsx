// @vitest-environment happy-dom
import { render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { Upload } from "./draft-types.ts";
import { useDraft } from "./draft.ts";
import { Uploads } from "./uploads.tsx";

afterEach(() => useDraft.setState({ uploads: [] }));

const upload = (key: number, problem: string | null = null): Upload => ({
  key,
  name: `trace_${key}.xel`,
  size: 1_000,
  sent: 0,
  problem,
  parts: null,
});

test("of many files the next ones have a row, and each that was not sent; the others are counted", () => {
  const many = Array.from({ length: 300 }, (_, key) => upload(key));
  useDraft.setState({ uploads: [...many, upload(300, "The connection was lost.")] });
  render(<Uploads />);
  expect(screen.getByRole("heading").textContent).toBe("Sending 300 files, 0\u2009B of 300\u2009kB");
  expect(screen.getAllByRole("progressbar")).toHaveLength(8);
  expect(screen.getByRole("progressbar", { name: "trace_0.xel sent" })).toBeDefined();
  expect(screen.getByRole("alert").textContent).toContain("The connection was lost.");
  expect(screen.getByText("292 more files wait")).toBeDefined();
});

test.each([
  [9, "1 more file waits"],
  [8, null],
])("%i files: %s", (count, words) => {
  useDraft.setState({ uploads: Array.from({ length: count }, (_, key) => upload(key)) });
  render(<Uploads />);
  expect(screen.queryByText(/more file/u)?.textContent ?? null).toBe(words);
});
