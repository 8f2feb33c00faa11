import { pipeline } from "node:stream/promises";
import type { Router } from "express";
import type { Quotas } from "../access/quotas.ts";
import type { Captures } from "../captures/captures.ts";
import { bodyOf, refuseBigLength } from "./files.ts";
import { ownerOf } from "./guard.ts";
import { SavedCaptureQuery } from "./parameters.ts";

/** Captures as one file: saved, and made of one that was saved anywhere. */
export function addAglensFileRoutes(
  router: Router,
  captures: Captures,
  quotas: Quotas,
  maxUploadBytes: number,
): void {
  router.get("/captures/:id/aglens-file", async (request, response) => {
    const { files, names } = SavedCaptureQuery.parse(request.query);
    const options = { withFiles: files === "true", replacesNames: names === "replaced" };
    const stream = await captures.saved.save(request.params.id, options);
    // Whoever asks knows what it is called; a name that was replaced must not be in it.
    response.attachment("capture.aglens").type("application/zip");
    await pipeline(stream, response);
  });

  router.post("/captures/aglens-file", async (request, response) => {
    refuseBigLength(request, maxUploadBytes);
    const { id } = await captures.create(undefined, ownerOf(response));
    try {
      const announced = Number(request.get("content-length") ?? 0);
      const record = await captures.records.get(id);
      const bytes = await quotas.within(record, announced, bodyOf(request));
      const capture = await captures.saved.open(id, bytes);
      response.status(201).location(`/api/v1/captures/${id}`).json(capture);
    } catch (error) {
      await captures.trash.deleteForGood(id);
      throw error;
    }
  });
}
