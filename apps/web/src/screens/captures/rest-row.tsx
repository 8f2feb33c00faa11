import type { ReactNode } from "react";
import type { CaptureFile } from "@aglens/contract";
import { CheckIcon, WarningIcon } from "../../frame/icons.tsx";
import { capturesTexts as texts } from "../../messages/captures.ts";
import { Button } from "../../ui/controls.tsx";
import { capitalised, formatCount } from "../../ui/words.ts";
import { useDraft } from "./sending/draft.ts";
import styles from "./capture-card.module.css";

interface Props {
  readonly file: CaptureFile;
  /** Why another file, or no file, is used instead; null where the user may use it. */
  readonly unused: string | null;
}

/** A file that contributes no events: unreadable, excluded, or only a source of names. */
export function RestRow({ file, unused }: Props): ReactNode {
  const { correct, remove } = useDraft();
  const unreadable = file.kind === "unreadable";
  const useless = uselessText(file);
  const isProblem = unreadable || useless !== null;
  return (
    <div className={styles.restRow} data-unreadable={isProblem}>
      {isProblem ? <WarningIcon /> : <CheckIcon />}
      <p role={isProblem ? "alert" : undefined}>
        <RestText file={file} unused={useless === null ? unused : null} />
      </p>
      {file.kind === "xel" && unused === null && useless === null ? (
        <Button
          onClick={() =>
            void correct(file.id, { role: file.detectedRole === "secondary" ? "secondary" : "primary" })
          }
        >
          {texts.includeFile}
        </Button>
      ) : null}
      <Button kind="quiet" aria-label={texts.remove(file.name)} onClick={() => void remove([file.id])}>
        {texts.removeLabel}
      </Button>
    </div>
  );
}

/** Files that only provide names, in one line, which opens to show and remove them. */
export function NamesRow({ files }: { readonly files: readonly CaptureFile[] }): ReactNode {
  const remove = useDraft((draft) => draft.remove);
  const [first, ...others] = files;
  if (first === undefined) return null;
  const these = others.length === 0 ? first.name : texts.xmlFiles(files.length);
  return (
    <div className={styles.restRow}>
      <CheckIcon />
      <details>
        <summary>{texts.namesFrom(these)}</summary>
        {others.length === 0 ? null : <FileNames files={files} />}
        <RemoveAll
          text={texts.removeLabel}
          label={texts.remove(these)}
          onClick={() => void remove(files.map(({ id }) => id))}
        />
      </details>
    </div>
  );
}

const FileNames = ({ files }: { readonly files: readonly CaptureFile[] }): ReactNode => (
  <ul>
    {files.map(({ id, name }) => (
      <li key={id} className={`mono ${styles.restName}`}>
        {name}
      </li>
    ))}
  </ul>
);

/** Files that cannot be read for the same reason; the reason is empty for several reasons. */
interface Unreadable {
  readonly reason: string;
  readonly files: readonly CaptureFile[];
}

/** Rows of files that cannot be read; the reasons of fewer files share the last one. */
const MOST_REASONS = 4;

/** Unreadable files grouped by their reason, the most frequent reason first. */
export function unreadableRows(files: readonly CaptureFile[]): readonly Unreadable[] {
  const rows = [...Map.groupBy(files, reasonOf)]
    .map(([reason, ofReason]): Unreadable => ({ reason, files: ofReason }))
    .toSorted((a, b) => b.files.length - a.files.length);
  if (rows.length <= MOST_REASONS) return rows;
  const rest = rows.slice(MOST_REASONS - 1).flatMap((row) => row.files);
  return [...rows.slice(0, MOST_REASONS - 1), { reason: "", files: rest }];
}

/** The reason without the file's name and the place in it. */
const reasonOf = (file: CaptureFile): string => {
  const words = restText(file);
  const reason = words.startsWith(file.name) ? words.slice(file.name.length) : words;
  return capitalised(reason.replace(/^(?:, byte [\d,]+)?:? /u, ""));
};

/** Unreadable files with the same reason, in one row, which opens to list them. */
export function UnreadableRow({ reason, files }: Unreadable): ReactNode {
  const remove = useDraft((draft) => draft.remove);
  const [first, ...others] = files;
  if (first === undefined) return null;
  if (others.length === 0) return <RestRow file={first} unused={null} />;
  return (
    <div className={styles.restRow} data-unreadable="true">
      <WarningIcon />
      <details>
        <summary>
          <span role="alert">{texts.filesCantBeRead(formatCount(files.length), reason === "", reason)}</span>
        </summary>
        {reason === "" ? (
          <ul>
            {files.map((file) => (
              <li key={file.id}>
                <RestText file={file} unused={null} />
              </li>
            ))}
          </ul>
        ) : (
          <FileNames files={files} />
        )}
      </details>
      <RemoveAll
        text={texts.removeAll}
        label={texts.removeAllFiles(files.length, reason === "" ? "" : `: ${reason}`)}
        onClick={() => void remove(files.map(({ id }) => id))}
      />
    </div>
  );
}

interface RemoveProps {
  readonly text: string;
  readonly label: string;
  readonly onClick: () => void;
}

function RemoveAll({ text, label, onClick }: RemoveProps): ReactNode {
  return (
    <Button kind="quiet" aria-label={label} onClick={onClick}>
      {text}
    </Button>
  );
}

/** The file's name and its use; a sentence that contains the name is shown alone. */
function RestText({ file, unused }: Props): ReactNode {
  const words = unused ?? restText(file);
  if (words.startsWith(file.name)) return words;
  return (
    <>
      <span className={`mono ${styles.restName}`}>{file.name}</span> {words}
    </>
  );
}

function restText(file: CaptureFile): string {
  if (file.kind === "unreadable") return file.message ?? texts.cannotBeReadSentence;
  return uselessText(file) ?? texts.isSkipped;
}

/** Why an event file cannot be used, whatever the user chooses; null for a usable file. */
export function uselessText({ kind, events, gaps, detectedRole }: CaptureFile): string | null {
  if (kind !== "xel" || detectedRole !== "unknown") return null;
  const [gap] = gaps;
  if (events === 0 && gap !== undefined) return texts.holdsNoEvent(inSentence(gap.message));
  if (events === 0) return texts.holdsNoEventsNothing;
  return texts.holdsOfAnAvailability(events);
}

const inSentence = (sentence: string): string =>
  sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/u, "");
