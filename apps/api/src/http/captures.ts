import type { Router } from "express";
import { CaptureName, NewCapture } from "@aglens/contract";
import type { CaptureParts } from "@aglens/contract";
import type { z } from "zod";
import type { Captures } from "../captures/captures.ts";
import { CaptureListQuery } from "./parameters.ts";

/** Captures as such: make, list, look at, rename, delete. */
export function addCaptureRoutes(router: Router, captures: Captures): void {
  router.post("/captures", (request, response) => {
    const { name } = NewCapture.parse(request.body ?? {});
    const capture = captures.create(name);
    response.status(201).location(`/api/v1/captures/${capture.id}`).json(capture);
  });

  router.get("/captures", (request, response) => {
    const { limit, empty, after } = CaptureListQuery.parse(request.query);
    response.json(captures.list(limit, empty === "true" ? 0 : 1, after));
  });

  router.get("/captures/:id", (request, response) => {
    response.json(captures.get(request.params.id));
  });

  router.patch("/captures/:id", (request, response) => {
    const { name } = CaptureName.parse(request.body ?? {});
    response.json(captures.rename(request.params.id, name));
  });

  router.post("/captures/:id/parts", async (request, response) => {
    const parts: z.infer<typeof CaptureParts> = { captures: await captures.split(request.params.id) };
    response.json(parts);
  });

  router.delete("/captures/:id", async (request, response) => {
    await captures.remove(request.params.id);
    response.status(204).end();
  });
}
