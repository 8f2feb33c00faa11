import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { captureFile } from "../../../test/capture-file.ts";
import { useDraft } from "./sending/draft.ts";
import { NamesRow, RestRow, UnreadableRow, unreadableRows, uselessText } from "./rest-row.tsx";

const gap = {
  code: "truncated",
  offset: 400,
  bytes: 112,
  message: "The file ends inside its header.",
  before: null,
  after: null,
} as const;

test("a file that was cut inside its header says so, and what helps", () => {
  expect(uselessText(captureFile({ events: 0, gaps: [gap], detectedRole: "unknown" }))).toBe(
    "holds no event that can be read (the file ends inside its header). It was cut, or copied while the server wrote it: stop the session and copy it again.",
  );
});

test("a session without events of an availability group is named as such", () => {
  const words = uselessText(captureFile({ events: 1_250, gaps: [], detectedRole: "unknown" }));
  expect(words).toMatch(/^holds 1,250 events, none of them of an availability group/u);
});

test("a file without events says that nothing was recorded", () => {
  expect(uselessText(captureFile({ events: 0, gaps: [], detectedRole: "unknown" }))).toMatch(
    /^holds no events/u,
  );
});

test("a file with a role may be used, whatever it lost", () => {
  expect(uselessText(captureFile({ events: 12, gaps: [gap], detectedRole: "primary" }))).toBeNull();
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

test("files that only give names are one line, whose removal is behind it", () => {
  const remove = vi.fn(async () => undefined);
  useDraft.setState({ remove });
  const files = ["a", "b"].map((id) => captureFile({ id, name: `${id}.xml`, kind: "topology" }));
  const { container } = render(<NamesRow files={files} />);
  expect(screen.getByText("Names from 2 XML files").tagName).toBe("SUMMARY");
  const button = screen.getByRole("button", { name: "Remove 2 XML files", hidden: true });
  expect(container.querySelector("details")?.contains(button)).toBe(true);
  fireEvent.click(button);
  expect(remove).toHaveBeenCalledExactlyOnceWith(["a", "b"]);
});

const unreadableFile = (id: string, reason: string, place = ", byte 0: ") =>
  captureFile({ id, name: `${id}.txt`, kind: "unreadable", message: `${id}.txt${place}${reason}` });

test("files that cannot be read are a row for each reason, wherever in the file it is", () => {
  const remove = vi.fn(async () => undefined);
  useDraft.setState({ remove });
  const files = [
    unreadableFile("1", "It is empty.", " "),
    ...["2", "3", "4"].map((id) => unreadableFile(id, "No events.", `, byte 1,${id}00: `)),
  ];
  const rows = unreadableRows(files);
  expect(rows.map(({ reason, files: { length } }) => [reason, length])).toEqual([
    ["No events.", 3],
    ["It is empty.", 1],
  ]);
  for (const row of rows) render(<UnreadableRow {...row} />);
  const alerts = screen.getAllByRole("alert").map(({ textContent }) => textContent);
  expect(alerts).toEqual(["3 files can't be read. No events.", "1.txt It is empty."]);
  expect(screen.getByText("3.txt")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Remove all 3 files that can't be read: No events." }));
  expect(remove).toHaveBeenCalledExactlyOnceWith(["2", "3", "4"]);
});

test("however many reasons there are, 300 files are few rows", () => {
  const files = Array.from({ length: 300 }, (_, i) => unreadableFile(String(i), `Reason ${i % 60}.`));
  const rows = unreadableRows(files);
  expect(rows.map(({ files: { length } }) => length)).toEqual([5, 5, 5, 285]);
  render(<UnreadableRow {...rows[3]} />);
  expect(screen.getByRole("alert").textContent).toBe("285 files can't be read, for other reasons. ");
  expect(screen.getByText("299.txt, byte 0: Reason 59.")).toBeTruthy();
});
