/** Earlier captures that this browser keeps, and the files that an address waits for. */
import { z } from "@aglens/contract";
import { isLocalId, localServer } from "./local-server.ts";
import { changing, jsonFrom } from "./questions.ts";
import { send } from "./request.ts";
import type { Question } from "./use-answer.ts";

const KeptBrief = z.object({
  digest: z.string(),
  /** Id in its address. */
  id: z.string(),
  name: z.string(),
  /** UTC, ISO 8601, as the next one. */
  created: z.string(),
  used: z.string(),
  files: z.number(),
  /** Bytes of its files. */
  size: z.number(),
  verdict: z.string(),
  severity: z.enum(["none", "notice", "slow"]),
  place: z.enum(["primary", "network", "secondary", "none"]),
  /** Kept bytes of the capture. */
  bytes: z.number(),
  /** It opens without its files. */
  hasTables: z.boolean(),
  /** The browser can open its files again. */
  hasHandles: z.boolean(),
});
export type KeptBrief = z.infer<typeof KeptBrief>;

const KeptList = z.object({
  captures: z.array(KeptBrief),
  /** Bytes that are kept, and the bound. */
  bytes: z.number(),
  mostBytes: z.number(),
  /** True where the browser refuses to keep data. */
  isRefused: z.boolean(),
});
export type KeptList = z.infer<typeof KeptList>;

const KEPT = "/local-captures/kept";

/** The one that was used last is first. */
export const keptCaptures = changing(jsonFrom(KeptList, KEPT));

export async function forgetKept(digest: string): Promise<void> {
  await send(`${KEPT}/${encodeURIComponent(digest)}`, { method: "DELETE" });
}

export async function forgetAllKept(): Promise<void> {
  await send(KEPT, { method: "DELETE" });
}

/** @see LocalServer.openAgain */
export async function openKept(
  digest: string,
): Promise<{ readonly id: string; readonly files: readonly File[] }> {
  return (await localServer()).openAgain(digest);
}

const FileLink = z.object({ digest: z.string(), files: z.string() });
export type FileLink = z.infer<typeof FileLink>;

/** Replacement for a server's id in a link to a capture of this browser; null for a capture of a server. */
export const fileLink = (id: string): Question<FileLink> | null =>
  isLocalId(id) ? changing(jsonFrom(FileLink, `/captures/${encodeURIComponent(id)}/file-link`)) : null;

const ExpectedFiles = z.object({
  files: z
    .array(z.object({ name: z.string(), size: z.number(), sha256: z.string(), isGiven: z.boolean() }))
    .nullable(),
});
type ExpectedFiles = z.infer<typeof ExpectedFiles>;

/**
 * The files that a capture waits for; null for a capture of a server, which never waits. @param given number of files
 * that it has by now
 */
export const expectedFiles = (id: string, given: number): Question<ExpectedFiles> | null =>
  isLocalId(id)
    ? changing(jsonFrom(ExpectedFiles, `/captures/${encodeURIComponent(id)}/expected?given=${given}`))
    : null;
