import { pipeline } from "node:stream/promises";
import { Capture } from "@aglens/contract";
import type { Quotas } from "../../access/quotas.ts";
import type { Captures } from "../../captures/captures.ts";
import { bodyOf, refuseBigLength } from "./files.ts";
import { ownerOf } from "../guard.ts";
import { SavedCaptureQuery } from "./parameters.ts";
import { route } from "../route.ts";
import type { Route } from "../route.ts";

/** Captures as one file: saved, and made of one that was saved anywhere. */
export const aglensFileRoutes = (captures: Captures, quotas: Quotas, maxUploadBytes: number): Route[] => [
  route({
    method: "get",
    path: "/captures/:id/aglens-file",
    says: "An analyzed capture as one file, with its tables and notes (docs/reference/aglens-file.md)",
    needs: "see",
    action: "saved as a file",
    query: SavedCaptureQuery,
    answer: "zip",
    handle: async ({ params: { id }, query: { files, names }, response }) => {
      const options = { withFiles: files === "true", replacesNames: names === "replaced" };
      const stream = await captures.saved.save(id, options);
      // The file has a fixed name: the name of a capture can be one that a link replaces.
      response.attachment("capture.aglens").type("application/zip");
      await pipeline(stream, response);
    },
  }),
  route({
    method: "post",
    path: "/captures/aglens-file",
    says: "Make a capture of an .aglens file (docs/reference/aglens-file.md)",
    needs: "contributor",
    action: "opened a file as",
    body: "octets",
    status: 201,
    answer: Capture,
    handle: async ({ request, response }) => {
      refuseBigLength(request, maxUploadBytes);
      const { id } = await captures.create(undefined, ownerOf(response));
      try {
        const announced = Number(request.get("content-length") ?? 0);
        const record = await captures.records.get(id);
        const bytes = await quotas.within(record, announced, bodyOf(request));
        const capture = await captures.saved.open(id, bytes);
        response.location(`/api/v1/captures/${id}`);
        return capture;
      } catch (error) {
        await captures.trash.deleteForGood(id);
        throw error;
      }
    },
  }),
];
