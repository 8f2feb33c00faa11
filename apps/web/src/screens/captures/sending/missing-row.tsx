import type { ReactNode } from "react";
import type { FileCorrection } from "@aglens/contract";
import { Notice } from "../../../frame/notice.tsx";
import { Button, Chip } from "../../../ui/controls.tsx";
import type { GroupFiles } from "../capture-groups.ts";
import styles from "../capture-card.module.css";

/** A replica of which there is no file, and what that means. */
export interface MissingFile {
  readonly key: string;
  readonly role: "primary" | "secondary";
  readonly name: string;
  readonly words: string;
}

/** Replicas of which there is no file: the ones the events name, or the side that is not there at all. */
export function missingRows({ group, servers }: GroupFiles): MissingFile[] {
  if (servers.length === 0) return [];
  const { withoutFile } = group;
  if (servers.every(({ role }) => role !== "primary")) {
    const words =
      "No file of the primary. Without it there are no commits and no sends, only what the secondary did.";
    const [only, ...more] = withoutFile;
    const name = only !== undefined && more.length === 0 ? only.name : "Primary";
    return [{ key: only?.id ?? "primary", role: "primary", name, words }];
  }
  if (withoutFile.length === 0 && servers.every(({ role }) => role !== "secondary")) {
    return [{ key: "secondary", role: "secondary", name: "Secondary", words: NO_SECONDARY }];
  }
  const words = servers.length === 1 ? NO_SECONDARY : `The primary sends to this replica too. ${ADD_LATER}`;
  return withoutFile.map(({ id, name }) => ({ key: id, role: "secondary", name, words }));
}

const ADD_LATER = "Without its file the network and its disk appear as one bar. Add it any time.";
const NO_SECONDARY = `No file of a secondary. ${ADD_LATER}`;

interface Props {
  readonly row: MissingFile;
  readonly onAddFile: (as: FileCorrection) => void;
}

export function MissingRow({ row, onAddFile }: Props): ReactNode {
  return (
    <div className={styles.replicaRow}>
      <b className={styles.replicaName} title={row.key}>
        {row.name}
      </b>
      <span>
        <Chip dashed>{row.role === "secondary" ? "Secondary, no file" : "Primary, no file"}</Chip>
      </span>
      <Notice>{row.words}</Notice>
      <Button aria-label={`Add file of ${row.name}`} onClick={() => onAddFile({ role: row.role })}>
        Add file
      </Button>
    </div>
  );
}
