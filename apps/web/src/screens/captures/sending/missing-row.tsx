import type { ReactNode } from "react";
import type { FileCorrection } from "@aglens/contract";
import { Notice } from "../../../frame/notice.tsx";
import { sendingTexts as texts } from "../../../messages/sending.ts";
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
    const words = texts.noFile;
    const [only, ...more] = withoutFile;
    const name = only !== undefined && more.length === 0 ? only.name : "Primary";
    return [{ key: only?.id ?? "primary", role: "primary", name, words }];
  }
  if (withoutFile.length === 0 && servers.every(({ role }) => role !== "secondary")) {
    return [{ key: "secondary", role: "secondary", name: "Secondary", words: NO_SECONDARY }];
  }
  const words = servers.length === 1 ? NO_SECONDARY : texts.primarySends(texts.withoutItsFile);
  return withoutFile.map(({ id, name }) => ({ key: id, role: "secondary", name, words }));
}

const NO_SECONDARY = texts.noFileOf(texts.withoutItsFile);

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
        <Chip dashed>{row.role === "secondary" ? texts.secondaryNoFile : texts.primaryNoFile}</Chip>
      </span>
      <Notice>{row.words}</Notice>
      <Button aria-label={texts.addFileOf(row.name)} onClick={() => onAddFile({ role: row.role })}>
        {texts.addFile}
      </Button>
    </div>
  );
}
