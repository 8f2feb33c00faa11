import type { Request, Response, Router } from "express";
import { NewNote, NoteText, type Notes } from "@aglens/contract";
import type { CaptureNotes } from "../notes/notes.ts";
import type { LinkDoor } from "./links.ts";

type NoteRequest = Request<{ id: string; noteId: string }>;

/** Notes of a capture: whoever sees it reads them, whoever may rename it writes them; a link shows them. */
export function addNoteRoutes(router: Router, notes: CaptureNotes, links: LinkDoor): void {
  router.get("/captures/:id/notes", (request, response) => {
    response.json({ notes: notes.list(request.params.id) } satisfies Notes);
  });

  router.get("/links/:id/notes", async (request: Request<{ id: string }>, response) => {
    const { captureId, hide } = await links.openForNotes(request, response);
    const shown = notes.list(captureId).map((note) => ({ ...note, text: hide(note.text) }));
    response.json({ notes: shown } satisfies Notes);
  });

  router.post("/captures/:id/notes", (request, response) => {
    const { id } = request.params;
    const note = notes.add(id, NewNote.parse(request.body));
    response.status(201).location(`/api/v1/captures/${id}/notes/${note.id}`).json(note);
  });

  router.patch("/captures/:id/notes/:noteId", (request: NoteRequest, response) => {
    const { id, noteId } = request.params;
    response.json(notes.rewrite(id, noteId, NoteText.parse(request.body).text));
  });

  router.delete("/captures/:id/notes/:noteId", (request: NoteRequest, response: Response) => {
    const { id, noteId } = request.params;
    notes.remove(id, noteId);
    response.status(204).end();
  });

  router.post("/captures/:id/notes/:noteId/restore", (request: NoteRequest, response) => {
    const { id, noteId } = request.params;
    response.json(notes.restore(id, noteId));
  });
}
