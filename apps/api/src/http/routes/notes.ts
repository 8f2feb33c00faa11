import type { Response } from "express";
import { NewNote, Note, Notes, NoteText } from "@aglens/contract";
import type { CaptureNotes, NoteReader } from "../../notes/notes.ts";
import { hasRole } from "../../access/rules.ts";
import { askerOf, personOf } from "../guard.ts";
import type { LinkDoor } from "./link-door.ts";
import { route } from "../route.ts";
import type { Route } from "../route.ts";

/**
 * Notes of a capture: people who may see it read them, people who may rename it write them, their author or an admin
 * changes them; a link shows them.
 */
export const noteRoutes = (notes: CaptureNotes, links: LinkDoor): Route[] => [
  route({
    method: "get",
    path: "/captures/:id/notes",
    says: "Notes on time ranges and log blocks of a capture, in order of time",
    needs: "see",
    answer: Notes,
    handle: async ({ params: { id }, response }) => ({ notes: await notes.list(id, readerOf(response)) }),
  }),
  route({
    method: "get",
    path: "/links/:id/notes",
    says: "Notes of a link's capture, with names as the link shows them",
    needs: "anyone",
    answer: Notes,
    handle: async ({ request, response }) => {
      const { captureId, hide } = await links.openForNotes(request, response);
      const shown = await notes.list(captureId);
      return {
        notes: shown.map(({ author, ...note }) => ({
          ...note,
          text: hide(note.text),
          ...(author === undefined ? {} : { author: hide(author) }),
        })),
      };
    },
  }),
  route({
    method: "post",
    path: "/captures/:id/notes",
    says: "Add a note to a time range or a log block",
    needs: "change",
    action: "wrote a note on",
    body: NewNote,
    status: 201,
    answer: Note,
    handle: async ({ params: { id }, body, response }) => {
      const note = await notes.add(id, body, readerOf(response));
      response.location(`/api/v1/captures/${id}/notes/${note.id}`);
      return note;
    },
  }),
  route({
    method: "patch",
    path: "/captures/:id/notes/:noteId",
    says: "Change the text of a note",
    needs: "change",
    action: "changed a note on",
    body: NoteText,
    answer: Note,
    handle: ({ params: { id, noteId }, body: { text }, response }) =>
      notes.rewrite(id, noteId, text, readerOf(response)),
  }),
  route({
    method: "delete",
    path: "/captures/:id/notes/:noteId",
    says: "Delete a note; it can be restored for a minute",
    needs: "change",
    action: "deleted a note on",
    answer: null,
    handle: ({ params: { id, noteId }, response }) => notes.remove(id, noteId, readerOf(response)),
  }),
  route({
    method: "post",
    path: "/captures/:id/notes/:noteId/restore",
    says: "Undo the deletion of a note",
    needs: "change",
    action: "restored a note on",
    answer: Note,
    handle: ({ params: { id, noteId }, response }) => notes.restore(id, noteId, readerOf(response)),
  }),
];

function readerOf(response: Response): NoteReader {
  const person = personOf(response);
  const { personId, browser } = askerOf(response);
  return {
    name: person?.name,
    by: personId ?? (browser === null ? undefined : `browser ${browser}`),
    isAdmin: person !== null && hasRole(person, "admin"),
  };
}
