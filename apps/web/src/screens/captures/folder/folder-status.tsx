import type { ReactNode } from "react";
import { folderTexts as texts } from "../../../messages/folder.ts";
import { Kbd } from "../../../ui/controls.tsx";
import { formatBytes, formatCount } from "../../../ui/words.ts";
import type { SupportFolder } from "./support-folder.ts";

/** Counts of a support folder, and the keys of its files. */
export function FolderStatus({
  folder: { files, bytes, used },
}: {
  readonly folder: SupportFolder;
}): ReactNode {
  return (
    <>
      <span>{texts.statusOf(texts.file(files), formatBytes(bytes), formatCount(used))}</span>
      <span className="one-line">
        <Kbd>Enter</Kbd> {texts.analyzeKey} <Kbd>j</Kbd> <Kbd>k</Kbd> {texts.nextFileKey} <Kbd>Space</Kbd>{" "}
        {texts.skipKey} <Kbd>Del</Kbd> {texts.removeKey}
      </span>
    </>
  );
}
