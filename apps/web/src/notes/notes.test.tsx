import { act, fireEvent, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { NewNote, Note } from "@aglens/contract";
import { settled, withAnswers } from "../../test/answers.tsx";
import { sourceOf } from "../../test/open-capture.tsx";
import { NoteDialog } from "./note-dialog.tsx";
import { NoteList } from "./note-list.tsx";
import { useNotes } from "./use-notes.ts";

const ORIGIN = "131069746155000000";
const PLACE = { from: 1_000_000, to: 2_000_000, lsn: null };

const server: { notes: Note[]; deleted: Note[]; refuses: boolean } = {
  notes: [],
  deleted: [],
  refuses: false,
};

/** The server's side of writing notes. */
function serve(path: string, { method, body }: RequestInit = {}): Response {
  if (server.refuses) {
    const problem = { type: "about:blank", code: "too-many-notes", detail: "The capture has 200 notes." };
    return Response.json({ ...problem, title: "Too many", status: 422 }, { status: 422 });
  }
  const [, id = ""] = /\/notes\/([^/]+)/u.exec(path) ?? [];
  const one = [...server.notes, ...server.deleted].find((note) => note.id === id);
  const sent = JSON.parse(typeof body === "string" ? body : "{}") as NewNote;
  const note: Note = { ...one!, ...sent, id: id || "new", written: "2026-11-22T10:00:00.000Z" };
  server.notes = server.notes.filter((each) => each.id !== id);
  if (method !== "DELETE") server.notes.push(path.endsWith("/restore") ? one! : note);
  else server.deleted.push(one!);
  return method === "DELETE" ? new Response(null, { status: 204 }) : Response.json(note);
}

const noteOf = (id: string, text: string): Note => ({
  id,
  fromTicks: ORIGIN,
  toTicks: ORIGIN,
  lsn: null,
  text,
  written: "2026-11-21T14:32:00.000Z",
});

beforeEach(() => {
  Object.assign(server, { notes: [noteOf("a", "Backup")], deleted: [], refuses: false });
  vi.stubGlobal(
    "fetch",
    vi.fn((path: string, init?: RequestInit) => Promise.resolve(serve(path, init))),
  );
});
afterEach(() => vi.unstubAllGlobals());

const source = sourceOf({ notes: () => ({ notes: [...server.notes] }) });

function Notes({ canChange = true }: { readonly canChange?: boolean }): ReactNode {
  const notes = useNotes(source, { originTicks: ORIGIN }, canChange);
  return (
    <>
      <NoteList
        notes={notes}
        onOpen={vi.fn()}
        onWrite={() => notes.writing?.begin({ place: PLACE, note: null })}
      />
      {notes.writing ? <NoteDialog writing={notes.writing} /> : null}
    </>
  );
}

async function open(canChange = true): Promise<void> {
  render(<Notes canChange={canChange} />, { wrapper: withAnswers() });
  await settled();
}
const texts = (): (string | null)[] =>
  screen
    .queryAllByRole("listitem")
    .map((item) => item.querySelector("span")?.firstChild?.textContent ?? null);
const press = (name: string | RegExp): Promise<void> =>
  settled(() => fireEvent.click(screen.getByRole("button", { name })));

test("a note is written on the place that was chosen", async () => {
  await open();
  await press(/^Note/u);
  expect(screen.getByRole("dialog", { name: "New note on a range, 1.00\u2009s" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Save note" }).getAttribute("aria-disabled")).toBe("true");
  fireEvent.change(screen.getByLabelText("Text"), { target: { value: "Provider confirms" } });
  expect(screen.getByText(/123 of 140 characters left/u)).toBeTruthy();
  await press("Save note");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(texts()).toEqual(["Backup", "Provider confirms"]);
  expect(server.notes.at(-1)).toMatchObject({
    fromTicks: "131069746165000000",
    toTicks: "131069746175000000",
    lsn: null,
  });
});

test("a note that the server refuses stays in the dialog with the reason", async () => {
  await open();
  await press(/^Note/u);
  server.refuses = true;
  fireEvent.change(screen.getByLabelText("Text"), { target: { value: "One more" } });
  await press("Save note");
  expect(screen.getByText(/The capture has 200 notes\./u)).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>("Text").value).toBe("One more");
});

test("a note's text is changed", async () => {
  await open();
  await press("Change the note: Backup");
  expect(screen.getByLabelText<HTMLInputElement>("Text").value).toBe("Backup");
  fireEvent.change(screen.getByLabelText("Text"), { target: { value: "Log backup" } });
  await press("Save note");
  expect(texts()).toEqual(["Log backup"]);
});

test("a deletion is offered to be undone, with the focus on it", async () => {
  await open();
  await press("Delete the note: Backup");
  expect(texts()).toEqual([]);
  const undo = screen.getByRole("button", { name: "Note deleted: Backup. Undo" });
  expect(document.activeElement).toBe(undo);
  await press("Note deleted: Backup. Undo");
  expect(texts()).toEqual(["Backup"]);
  expect(screen.queryByText("Note deleted")).toBeNull();
});

test("a deletion is final after 10 s, and not before", async () => {
  await open();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    fireEvent.click(screen.getByRole("button", { name: "Delete the note: Backup" }));
    await act(() => vi.advanceTimersByTimeAsync(10));
    expect(screen.getByText("Note deleted")).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(9_900));
    expect(screen.getByText("Note deleted")).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(screen.queryByText("Note deleted")).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

test("who may not change the capture reads its notes and is offered nothing else", async () => {
  await open(false);
  expect(texts()).toEqual(["Backup"]);
  expect(screen.getAllByRole("button")).toHaveLength(1);
});

test("a note has its author: the name is given once, and others can't change the note", async () => {
  localStorage.clear();
  server.notes = [{ ...noteOf("a", "Backup"), author: "Bob", mayChange: false }];
  await open();
  expect(screen.getByText(/written by Bob, 21 Nov 14:32 UTC$/u)).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^(?:Change|Delete) the note/u })).toBeNull();
  await press(/^Note/u);
  fireEvent.change(screen.getByLabelText("Text"), { target: { value: "Snapshot" } });
  await press("Save note");
  expect(screen.getByText(/written by Unnamed, /u)).toBeTruthy();
  await press(/^Note/u);
  fireEvent.change(screen.getByLabelText("Text"), { target: { value: "Provider" } });
  fireEvent.change(screen.getByLabelText("Your name"), { target: { value: " Ann " } });
  await press("Save note");
  expect(screen.getByText(/written by Ann, /u)).toBeTruthy();
  await press(/^Note/u);
  expect(screen.getByLabelText<HTMLInputElement>("Your name").value).toBe("Ann");
});
