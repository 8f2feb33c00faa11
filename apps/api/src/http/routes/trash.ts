import type { Response } from "express";
import { Capture, LostCaptures, TrashedCaptures } from "@aglens/contract";
import { mayChange } from "../../access/rules.ts";
import type { Captures } from "../../captures/captures.ts";
import { askerOf, ownerOf, personOf } from "../guard.ts";
import { isListedFor } from "../../store/capture-state.ts";
import type { CaptureRecord } from "../../store/catalog.ts";
import { route } from "../route.ts";
import type { Route } from "../route.ts";

/**
 * Things that can be restored: captures in the trash, of which each person sees and empties their own, and files that
 * the catalog does not have.
 */
export const trashRoutes = (captures: Captures): Route[] => [
  route({
    method: "get",
    path: "/trash",
    says: "Captures in the trash, the one deleted last first",
    needs: "viewer",
    answer: TrashedCaptures,
    handle: async ({ response }) => ({
      captures: await captures.trash.list(theirs(response)),
    }),
  }),
  route({
    method: "delete",
    path: "/trash",
    says: "Permanently delete all captures in the trash",
    needs: "contributor",
    action: "emptied the trash",
    answer: null,
    handle: ({ response }) => captures.trash.empty(theirs(response)),
  }),
  route({
    method: "post",
    path: "/captures/:id/restore",
    says: "Restore a capture and its links from the trash",
    needs: "change",
    action: "restored",
    answer: Capture,
    handle: ({ params: { id } }) => captures.restore(id),
  }),
  // The owners of these files may be unknown, so the routes are for admins.
  route({
    method: "get",
    path: "/lost-captures",
    says: "Files of captures that aren't in the catalog",
    needs: "admin",
    answer: LostCaptures,
    handle: async () => ({ captures: await captures.lost.list() }),
  }),
  route({
    method: "post",
    path: "/lost-captures/:id/restore",
    says: "Restore a capture from such files",
    needs: "admin",
    action: "restored",
    status: 201,
    answer: Capture,
    handle: async ({ params: { id }, response }) => {
      const capture = await captures.takeBack(id, ownerOf(response));
      response.location(`/api/v1/captures/${capture.id}`);
      return capture;
    },
  }),
  route({
    method: "delete",
    path: "/lost-captures/:id",
    says: "Permanently delete such files",
    needs: "admin",
    action: "permanently deleted",
    answer: null,
    handle: ({ params: { id } }) => captures.lost.remove(id),
  }),
];

/** Returns a test whether the person of the request may restore a capture. */
function theirs(response: Response): (record: Pick<CaptureRecord, "owner" | "draft">) => boolean {
  const person = personOf(response);
  const asker = askerOf(response);
  return (record) => isListedFor(asker, record) && (person === null || mayChange(person, record));
}
