import { type ChangeEvent, type ReactNode, useRef } from "react";
import { useQueryClient } from "@tanstack/react-query";
import type { Capture, CaptureFile } from "@aglens/contract";
import { uploadFile } from "../../data/captures-client.ts";
import { useCommand } from "../../data/use-command.ts";
import { Problem } from "../../frame/problem.tsx";
import { rawTexts as texts } from "../../messages/raw.ts";
import { Button } from "../../ui/controls.tsx";
import { formatBytes } from "../../ui/words.ts";
import styles from "./missing-files.module.css";

/** Limits the list, so that the rows below it have space. */
const MOST_LISTED = 6;

/** The event files that are missing in an analyzed capture. */
const missingFiles = ({ files }: Pick<Capture, "files">): CaptureFile[] =>
  files.filter(
    ({ isMissing, kind, role }) => isMissing === true && kind !== "unreadable" && role !== "ignored",
  );

/**
 * The event files that are missing in a capture, and the button to choose them; shows nothing where all files are
 * present.
 */
export function MissingFiles({ capture }: { readonly capture: Capture }): ReactNode {
  const answers = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const missing = missingFiles(capture);
  const give = useCommand(async (files: readonly File[]) => {
    const refused: unknown[] = [];
    for (const file of files) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other: each needs memory where it is read
      await giveFile(capture.id, file).catch((error: unknown) => refused.push(error));
    }
    // Raw events of these files can now be read.
    await answers.invalidateQueries();
    if (refused.length > 0) throw refused[0];
  });
  if (missing.length === 0) return null;
  const choose = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    const files = [...(target.files ?? [])];
    target.value = "";
    if (files.length > 0) give.run(files);
  };
  return (
    <section className={styles.missing} aria-labelledby="missing-files">
      <h2 id="missing-files">{texts.rawEventsAre}</h2>
      <p>{texts.captureWasOpenedWithout}</p>
      <ul>
        {missing.slice(0, MOST_LISTED).map(({ id, name, size, sha256 }) => (
          <li key={id}>
            <span>{name}</span> <span className="num">{formatBytes(size)}</span>{" "}
            <span className="quiet">
              {sha256 === "" ? texts.itsContentWasNot : texts.sha256(sha256.slice(0, 12))}
            </span>
          </li>
        ))}
        {missing.length > MOST_LISTED ? <li>{texts.andMore(missing.length - MOST_LISTED)}</li> : null}
      </ul>
      <Button disabled={give.isRunning} onClick={() => input.current?.click()}>
        {texts.giveTheFiles}
      </Button>{" "}
      <span className="quiet" aria-live="polite">
        {give.isRunning ? texts.filesAreRead : ""}
      </span>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept=".xel,.zip,.xml,.csv"
        aria-label={texts.eventFiles}
        onChange={choose}
      />
      <Problem sentence={give.error} />
    </section>
  );
}

const giveFile = (id: string, file: File): Promise<unknown> =>
  uploadFile(id, { file, path: file.name }, () => {}, new AbortController().signal);
