import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { captureFile } from "../../../test/capture-file.ts";
import { useDraft } from "./sending/draft.ts";
import { NamesRow, RestRow, UnreadableRow, uselessWords } from "./rest-row.tsx";

const gap = {
  code: "truncated",
  offset: 400,
  bytes: 112,
  message: "The file ends inside its header.",
  before: null,
  after: null,
} as const;

test("a file that was cut inside its header says so, and what helps", () => {
  expect(uselessWords(captureFile({ events: 0, gaps: [gap], detectedRole: "unknown" }))).toBe(
    "holds no event that can be read (the file ends inside its header). It was cut, or copied while the server wrote it: stop the session and copy it again.",
  );
});

test("a session without events of an availability group is named as such", () => {
  const words = uselessWords(captureFile({ events: 1_250, gaps: [], detectedRole: "unknown" }));
  expect(words).toMatch(/^holds 1,250 events, none of them of an availability group/u);
});

test("a file without events says that nothing was recorded", () => {
  expect(uselessWords(captureFile({ events: 0, gaps: [], detectedRole: "unknown" }))).toMatch(
    /^holds no events/u,
  );
});

test("a file with a role may be used, whatever it lost", () => {
  expect(uselessWords(captureFile({ events: 12, gaps: [gap], detectedRole: "primary" }))).toBeNull();
});

test("a file is named once, and told why it cannot be used before that it is left out", () => {
  const wordsOf = (file: Parameters<typeof captureFile>[0], unused: string | null): string | null => {
    const { container, unmount } = render(<RestRow file={captureFile(file)} unused={unused} />);
    const words = container.querySelector("p")?.textContent ?? null;
    unmount();
    return words;
  };
  const message = "readme.txt, byte 0: This is not an Extended Events file.";
  expect(wordsOf({ name: "readme.txt", kind: "unreadable", message }, null)).toBe(message);
  const copy = "b.xel is used once: it is the same file as a.xel.";
  expect(wordsOf({ name: "b.xel" }, copy)).toBe(copy);
  const other = { name: "logins.xel", events: 149, detectedRole: "unknown" } as const;
  expect(wordsOf(other, "logins.xel is left out: it is of another session.")).toMatch(
    /^logins\.xel holds 149 events, none of them of an availability group/u,
  );
});

test("files that only give names are one line, and are removed at once", () => {
  const remove = vi.fn(async () => undefined);
  useDraft.setState({ remove });
  const files = ["a", "b"].map((id) => captureFile({ id, name: `${id}.xml`, kind: "topology" }));
  render(<NamesRow files={files} />);
  expect(screen.getByText("Names from 2 XML files")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Remove 2 XML files" }));
  expect(remove).toHaveBeenCalledExactlyOnceWith(["a", "b"]);
});

test("many files that cannot be read are one row with the reason of each", () => {
  const remove = vi.fn(async () => undefined);
  useDraft.setState({ remove });
  const files = ["1", "2", "3", "4"].map((id) =>
    captureFile({ id, name: `${id}.txt`, kind: "unreadable", message: `${id}.txt, byte 0: No events.` }),
  );
  render(<UnreadableRow files={files} />);
  expect(screen.getByRole("alert").textContent).toBe("4 files can't be read.");
  expect(screen.getByText("3.txt, byte 0: No events.")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Remove all 4 files that can't be read" }));
  expect(remove).toHaveBeenCalledExactlyOnceWith(["1", "2", "3", "4"]);
});
