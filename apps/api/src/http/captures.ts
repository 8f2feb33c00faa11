import type { Router } from "express";
import { CaptureChange, NewCapture, NewTag, Tag } from "@aglens/contract";
import type { CaptureParts } from "@aglens/contract";
import type { z } from "zod";
import { hasRole } from "../access/rules.ts";
import type { Captures } from "../captures/captures.ts";
import { ownerOf, personOf } from "./guard.ts";
import { CaptureListQuery, DeletionQuery } from "./parameters.ts";

/** Captures as such: make, list, look at, rename, tag, delete. */
export function addCaptureRoutes(router: Router, captures: Captures): void {
  router.post("/captures", async (request, response) => {
    const { name, tags } = NewCapture.parse(request.body);
    const capture = await captures.create(name, ownerOf(response), tags);
    response.status(201).location(`/api/v1/captures/${capture.id}`).json(capture);
  });

  router.get("/captures", async (request, response) => {
    const { limit, empty, after } = CaptureListQuery.parse(request.query);
    const person = personOf(response);
    const seenBy = person === null || hasRole(person, "admin") ? undefined : person.id;
    const listed = { fewestFiles: empty === "true" ? 0 : 1, seenBy } as const;
    response.json(await captures.list(limit, listed, after));
  });

  router.get("/captures/:id", async (request, response) => {
    response.json(await captures.get(request.params.id));
  });

  router.patch("/captures/:id", async (request, response) => {
    const { id } = request.params;
    const { name, shared, kept } = CaptureChange.parse(request.body);
    if (kept !== undefined) await captures.keep(id, kept);
    if (shared !== undefined) await captures.share(id, shared);
    response.json(await (name === undefined ? captures.get(id) : captures.rename(id, name)));
  });

  router.post("/captures/:id/tags", async (request, response) => {
    response.json(await captures.tag(request.params.id, NewTag.parse(request.body).tag, true));
  });

  router.delete("/captures/:id/tags/:tag", async (request, response) => {
    const { id, tag } = request.params;
    response.json(await captures.tag(id, Tag.parse(tag), false));
  });

  router.post("/captures/:id/parts", async (request, response) => {
    const parts: z.infer<typeof CaptureParts> = { captures: await captures.split(request.params.id) };
    response.json(parts);
  });

  router.delete("/captures/:id", async (request, response) => {
    const { forGood } = DeletionQuery.parse(request.query);
    if (forGood === "true") await captures.trash.deleteForGood(request.params.id);
    else await captures.trash.put(request.params.id);
    response.status(204).end();
  });
}
