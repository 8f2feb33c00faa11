/** Captures as one file (docs/reference/aglens-file.md): saved from a server or from this browser, opened in either. */
import { Capture } from "@aglens/contract";
import { localServer } from "./local-server.ts";
import { usePlace } from "./place.ts";
import { fileFrom } from "./questions.ts";
import { readJson } from "./request.ts";
import type { Question } from "./use-answer.ts";

export const isAglensName = (name: string): boolean => /\.aglens$/iu.test(name);

/** Creates a capture from the file's content, on the current place of new captures. Rejects with ProblemError. */
export async function openAglensFile(file: File): Promise<Capture> {
  if (usePlace.getState().place === "browser") return (await localServer()).openFile(file);
  const init = { method: "POST", headers: { "content-type": "application/octet-stream" }, body: file };
  return readJson(Capture, "/captures/aglens-file", init);
}

/** @param api of the capture */
export function aglensFile(
  api: string,
  { withFiles, replacesNames }: { readonly withFiles: boolean; readonly replacesNames: boolean },
): Question<Blob> {
  const names = replacesNames ? "replaced" : "kept";
  return fileFrom(`${api}/aglens-file?files=${withFiles && !replacesNames}&names=${names}`);
}
