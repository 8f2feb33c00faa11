import type { FileCorrection } from "@aglens/contract";
import type { Draft } from "../sending/draft-types.ts";
import { useDraft } from "../sending/draft.ts";
import { useKeys } from "../../../ui/keys.ts";
import type { FolderRow, SupportFolder } from "./support-folder.ts";

/** Attribute of the button of a row: its value is the row's key. */
export const ROW = "data-folder-row";

const rowsOnPage = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(`[${ROW}]`)];

function step(by: 1 | -1): void {
  const rows = rowsOnPage();
  const at = rows.findIndex((row) => row === document.activeElement);
  const next = at === -1 ? (by === 1 ? 0 : rows.length - 1) : at + by;
  rows[next]?.focus();
}

/** Whether the user may use or skip these files. */
export const isChoice = ({ state, files }: FolderRow): boolean =>
  state === "used" || state === "zone" || files.every(({ given }) => given.role === "ignored");

/** Roles of the files that the user skipped, before that, by id. */
const rolesBefore = new Map<string, FileCorrection["role"]>();

/** Skips the files of a row, or uses them again in the role that they had. */
export async function toggleUse(row: FolderRow, correct: Draft["correct"]): Promise<void> {
  if (!isChoice(row)) return;
  for (const { id, given, role, detectedRole } of row.files) {
    if (given.role === "ignored") {
      const detected = detectedRole === "secondary" ? "secondary" : "primary";
      await correct(id, { role: rolesBefore.get(id) ?? detected });
    } else {
      rolesBefore.set(id, role === "ignored" ? given.role : role);
      await correct(id, { role: "ignored" });
    }
  }
}

/** Keys of the files of a folder: they work on the row that has the focus. */
export function useFolderKeys({ groups, convert, notUsed }: SupportFolder): void {
  const { correct, remove } = useDraft();
  const focused = (): FolderRow | undefined => {
    const key = document.activeElement?.getAttribute(ROW);
    const rows = groups.flatMap(({ servers }) => servers.flatMap(({ rows }) => rows));
    return [...rows, ...convert, ...notUsed].find((row) => row.key === key);
  };
  const withFocused = (work: (row: FolderRow) => Promise<void>) => (): void => {
    const row = focused();
    if (row !== undefined) void work(row);
  };
  useKeys({
    nextFile: () => step(1),
    previousFile: () => step(-1),
    skipFile: withFocused((row) => toggleUse(row, correct)),
    removeFile: withFocused(({ files }) => remove(files.map(({ id }) => id))),
  });
}
