import { Capture, CaptureChange, CaptureList, CaptureParts, NewCapture, NewTag, Tag } from "@aglens/contract";
import { hasRole } from "../../access/rules.ts";
import type { Captures } from "../../captures/captures.ts";
import { askerOf, ownerOf, personOf } from "../guard.ts";
import { CaptureListQuery, DeletionQuery } from "./parameters.ts";
import { route } from "../route.ts";
import type { Route } from "../route.ts";

/** Captures as such: make, list, look at, rename, tag, delete. */
export const captureRoutes = (captures: Captures): Route[] => [
  route({
    method: "post",
    path: "/captures",
    says: "Begin a capture",
    needs: "contributor",
    body: NewCapture,
    status: 201,
    answer: Capture,
    handle: async ({ body: { name, tags, draft }, response }) => {
      const owner = ownerOf(response);
      const { browser } = askerOf(response);
      const capture = await (draft
        ? captures.createDraft({ name, tags, owner, browser })
        : captures.create(name, owner, tags));
      response.location(`/api/v1/captures/${capture.id}`);
      return capture;
    },
  }),
  route({
    method: "get",
    path: "/captures",
    says: "A page of captures, newest first",
    needs: "viewer",
    query: CaptureListQuery,
    answer: CaptureList,
    handle: ({ query: { limit, empty, after, drafts: show }, response }) => {
      const person = personOf(response);
      const seenBy = person === null || hasRole(person, "admin") ? undefined : person.id;
      const drafts = { show, ...askerOf(response) };
      return captures.list(limit, { fewestFiles: empty === "true" ? 0 : 1, seenBy, drafts }, after);
    },
  }),
  route({
    method: "get",
    path: "/captures/:id",
    says: "One capture with its files and state",
    needs: "see",
    answer: Capture,
    handle: ({ params: { id } }) => captures.get(id),
  }),
  route({
    method: "patch",
    path: "/captures/:id",
    says: "Rename a capture, share it with all signed-in users, or keep it permanently",
    needs: "change",
    action: "changed",
    body: CaptureChange,
    answer: Capture,
    handle: async ({ params: { id }, body: { name, shared, kept } }) => {
      if (kept !== undefined) await captures.keep(id, kept);
      if (shared !== undefined) await captures.share(id, shared);
      return name === undefined ? captures.get(id) : captures.rename(id, name);
    },
  }),
  route({
    method: "post",
    path: "/captures/:id/tags",
    says: "Add a tag to a capture; stored in lower case",
    needs: "change",
    action: "tagged",
    body: NewTag,
    answer: Capture,
    handle: ({ params: { id }, body: { tag } }) => captures.tag(id, tag, true),
  }),
  route({
    method: "delete",
    path: "/captures/:id/tags/:tag",
    says: "Remove a tag from a capture",
    needs: "change",
    action: "took a tag off",
    answer: Capture,
    handle: ({ params: { id, tag } }) => captures.tag(id, Tag.parse(tag), false),
  }),
  route({
    method: "post",
    path: "/captures/:id/parts",
    says: "Create a capture for each group of its files; returns all of them",
    needs: "change",
    answer: CaptureParts,
    handle: async ({ params: { id } }) => ({ captures: await captures.split(id) }),
  }),
  route({
    method: "delete",
    path: "/captures/:id",
    says: "Move a capture to the trash for a week, or delete it with its files and its links",
    needs: "change",
    action: "deleted",
    query: DeletionQuery,
    answer: null,
    handle: ({ params: { id }, query: { forGood } }) =>
      forGood === "true" ? captures.trash.deleteForGood(id) : captures.trash.put(id),
  }),
];
