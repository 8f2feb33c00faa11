import type { Request, Response, Router } from "express";
import { NewNote, NoteText, type Notes } from "@aglens/contract";
import type { CaptureNotes } from "../notes/notes.ts";
import type { LinkDoor } from "./links.ts";

type NoteRequest = Request<{ id: string; noteId: string }>;

/** Notes of a capture: whoever sees it reads them, whoever may rename it writes them; a link shows them. */
export function addNoteRoutes(router: Router, notes: CaptureNotes, links: LinkDoor): void {
  router.get("/captures/:id/notes", async (request, response) => {
    response.json({ notes: await notes.list(request.params.id) } satisfies Notes);
  });

  router.get("/links/:id/notes", async (request: Request<{ id: string }>, response) => {
    const { captureId, hide } = await links.openForNotes(request, response);
    const shown = (await notes.list(captureId)).map((note) => ({ ...note, text: hide(note.text) }));
    response.json({ notes: shown } satisfies Notes);
  });

  router.post("/captures/:id/notes", async (request, response) => {
    const { id } = request.params;
    const note = await notes.add(id, NewNote.parse(request.body));
    response.status(201).location(`/api/v1/captures/${id}/notes/${note.id}`).json(note);
  });

  router.patch("/captures/:id/notes/:noteId", async (request: NoteRequest, response) => {
    const { id, noteId } = request.params;
    response.json(await notes.rewrite(id, noteId, NoteText.parse(request.body).text));
  });

  router.delete("/captures/:id/notes/:noteId", async (request: NoteRequest, response: Response) => {
    const { id, noteId } = request.params;
    await notes.remove(id, noteId);
    response.status(204).end();
  });

  router.post("/captures/:id/notes/:noteId/restore", async (request: NoteRequest, response) => {
    const { id, noteId } = request.params;
    response.json(await notes.restore(id, noteId));
  });
}
