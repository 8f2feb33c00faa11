/** Captures of the repository, sent to a service by its API. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Capture } from "@aglens/contract";
import { WAIT_MS } from "@aglens/fixtures/patience";
import { expect } from "vitest";
import { ROOT } from "./service.ts";

export const CAPTURE: string = join(ROOT, "fixtures/captures/two-secondaries");

/** A request to a service, by its method and path. */
export type Ask = (
  method: string,
  path: string,
  body?: object | Uint8Array,
  headers?: Readonly<Record<string, string>>,
) => Promise<Response>;

/** Requests without a sign-in. @param address such as http://127.0.0.1:4000 */
export const askAt =
  (address: string): Ask =>
  (method, path, body, headers = {}) =>
    fetch(`${address}${path}`, { method, ...bodyOf(body, headers) });

/** Headers and body of a request as `fetch` has them. */
export function bodyOf(
  body: object | Uint8Array | undefined,
  headers: Readonly<Record<string, string>>,
): Pick<RequestInit, "headers" | "body"> {
  if (body === undefined) return { headers };
  const isBytes = body instanceof Uint8Array;
  return {
    headers: { "content-type": isBytes ? "application/octet-stream" : "application/json", ...headers },
    body: isBytes ? Buffer.from(body) : JSON.stringify(body),
  };
}

/** Makes a capture and sends it all its files. @returns its id */
export async function sentCapture(ask: Ask): Promise<string> {
  const made = await ask("POST", "/api/v1/captures", { name: "Night" });
  const { id } = Capture.parse(await made.json());
  for (const folder of await readdir(CAPTURE, { withFileTypes: true })) {
    if (!folder.isDirectory()) continue;
    for (const name of await readdir(join(CAPTURE, folder.name))) {
      const bytes = await readFile(join(CAPTURE, folder.name, name));
      const path = encodeURIComponent(`${folder.name}/${name}`);
      const added = await ask("POST", `/api/v1/captures/${id}/files?name=${path}`, bytes);
      expect(added.status).toBe(201);
    }
  }
  return id;
}

/** Analyzes a capture. @returns its states meanwhile; the last one is ready */
export async function analyzedCapture(ask: Ask, id: string): Promise<Capture[]> {
  expect((await ask("POST", `/api/v1/captures/${id}/analysis`)).status).toBe(202);
  const seen: Capture[] = [];
  await expect
    .poll(
      async () => {
        const capture = Capture.parse(await (await ask("GET", `/api/v1/captures/${id}`)).json());
        seen.push(capture);
        return capture.state;
      },
      { timeout: 4 * WAIT_MS, interval: 20 },
    )
    .toBe("ready");
  return seen;
}

const PARTS = 3;
const TUS = { "tus-resumable": "1.0.0" };

/**
 * Sends a file in three parts (tus 1.0).
 * @param between done after each part that is not the last, with how many there are
 * @returns the upload's path
 */
export async function sentInParts(
  ask: Ask,
  id: string,
  name: string,
  bytes: Buffer,
  between: (parts: number) => Promise<unknown>,
): Promise<string> {
  const begun = await ask("POST", `/api/v1/captures/${id}/uploads`, undefined, {
    ...TUS,
    "upload-length": String(bytes.length),
    "upload-metadata": `filename ${Buffer.from(name).toString("base64")}`,
  });
  expect(begun.status).toBe(201);
  const place = new URL(begun.headers.get("location") ?? "", "http://any").pathname;
  const step = Math.ceil(bytes.length / PARTS);
  for (let part = 0; part < PARTS; part++) {
    if (part > 0) await between(part);
    const offset = part * step;
    const asked = await ask("HEAD", place, undefined, TUS);
    expect(asked.headers.get("upload-offset")).toBe(String(offset));
    const sent = await ask("PATCH", place, bytes.subarray(offset, offset + step), {
      ...TUS,
      "upload-offset": String(offset),
      "content-type": "application/offset+octet-stream",
    });
    expect(sent.status).toBe(204);
  }
  return place;
}
