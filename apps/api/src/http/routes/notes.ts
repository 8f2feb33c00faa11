import { NewNote, Note, Notes, NoteText } from "@aglens/contract";
import type { CaptureNotes } from "../../notes/notes.ts";
import type { LinkDoor } from "./link-door.ts";
import { route } from "../route.ts";
import type { Route } from "../route.ts";

/** Notes of a capture: whoever sees it reads them, whoever may rename it writes them; a link shows them. */
export const noteRoutes = (notes: CaptureNotes, links: LinkDoor): Route[] => [
  route({
    method: "get",
    path: "/captures/:id/notes",
    says: "Notes on stretches and log blocks of a capture, in time",
    needs: "see",
    answer: Notes,
    handle: async ({ params: { id } }) => ({ notes: await notes.list(id) }),
  }),
  route({
    method: "get",
    path: "/links/:id/notes",
    says: "Notes of a link's capture, with names as the link shows them",
    needs: "anyone",
    answer: Notes,
    handle: async ({ request, response }) => {
      const { captureId, hide } = await links.openForNotes(request, response);
      return { notes: (await notes.list(captureId)).map((note) => ({ ...note, text: hide(note.text) })) };
    },
  }),
  route({
    method: "post",
    path: "/captures/:id/notes",
    says: "Write a note on a stretch or a log block",
    needs: "change",
    action: "wrote a note on",
    body: NewNote,
    status: 201,
    answer: Note,
    handle: async ({ params: { id }, body, response }) => {
      const note = await notes.add(id, body);
      response.location(`/api/v1/captures/${id}/notes/${note.id}`);
      return note;
    },
  }),
  route({
    method: "patch",
    path: "/captures/:id/notes/:noteId",
    says: "Give a note another text",
    needs: "change",
    action: "changed a note on",
    body: NoteText,
    answer: Note,
    handle: ({ params: { id, noteId }, body: { text } }) => notes.rewrite(id, noteId, text),
  }),
  route({
    method: "delete",
    path: "/captures/:id/notes/:noteId",
    says: "Delete a note; it can be restored for a minute",
    needs: "change",
    action: "deleted a note on",
    answer: null,
    handle: ({ params: { id, noteId } }) => notes.remove(id, noteId),
  }),
  route({
    method: "post",
    path: "/captures/:id/notes/:noteId/restore",
    says: "Undo the deletion of a note",
    needs: "change",
    action: "restored a note on",
    answer: Note,
    handle: ({ params: { id, noteId } }) => notes.restore(id, noteId),
  }),
];
