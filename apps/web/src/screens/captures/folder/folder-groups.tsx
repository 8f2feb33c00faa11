import type { ReactNode } from "react";
import type { Capture } from "@aglens/contract";
import { Notice } from "../../../frame/notice.tsx";
import { capturesTexts } from "../../../messages/captures.ts";
import { folderTexts as texts } from "../../../messages/folder.ts";
import { Button } from "../../../ui/controls.tsx";
import { CardHead, CaptureName } from "../capture-card.tsx";
import { failoverText } from "../capture-groups.ts";
import { RoleChips } from "../replica-row.tsx";
import { useDraft } from "../sending/draft.ts";
import { MissingRow, missingRows } from "../sending/missing-row.tsx";
import type { useFilePicker } from "../sending/use-file-picker.tsx";
import { FolderTable } from "./folder-table.tsx";
import type { FolderGroup, FolderServer, SupportFolder } from "./support-folder.ts";
import { useFolderKeys } from "./use-folder-keys.ts";
import cardStyles from "../capture-card.module.css";
import styles from "./folder.module.css";

interface Props {
  readonly folder: SupportFolder;
  readonly capture: Capture;
  /** Every row shows its files with what can be corrected about them. */
  readonly editing: boolean;
  readonly onAddFile: ReturnType<typeof useFilePicker>["choose"];
}

/** The used files of a support folder by capture and server. */
export function FolderGroups({ folder, capture, editing, onAddFile }: Props): ReactNode {
  useFolderKeys(folder);
  const isSingle = folder.groups.filter(({ group }) => group !== null).length === 1;
  return folder.groups.map((one) => (
    <Group
      key={one.group?.group.name ?? ""}
      of={one}
      name={isSingle ? <CaptureName capture={capture} /> : undefined}
      editing={editing}
      onAddFile={onAddFile}
    />
  ));
}

interface GroupProps extends Pick<Props, "editing" | "onAddFile"> {
  readonly of: FolderGroup;
  /** The name as it can be changed; absent for a group that is named by its files. */
  readonly name: ReactNode;
}

function Group({ of: { group, servers }, name, editing, onAddFile }: GroupProps): ReactNode {
  // While files are being sent, it is not known which file is missing.
  const isComplete = useDraft((draft) => draft.uploads.every((upload) => upload.problem !== null));
  return (
    <>
      {group === null ? null : (
        <section className={`card ${styles.head}`} aria-label={group.group.name}>
          <CardHead files={group} name={name ?? <h2 className={cardStyles.title}>{group.group.name}</h2>}>
            <Button onClick={() => onAddFile()}>{capturesTexts.addFiles}</Button>
          </CardHead>
          {group.group.warnings.map(({ code, sentence, refuses }) => (
            <Notice key={`${code} ${sentence}`} {...(refuses ? { role: "alert" as const } : {})}>
              {sentence}
            </Notice>
          ))}
          {failoverText(group.servers).map((words) => (
            <p key={words} className={cardStyles.failover}>
              {words}
            </p>
          ))}
          {(isComplete ? missingRows(group) : []).map((row) => (
            <MissingRow key={row.key} row={row} onAddFile={onAddFile} />
          ))}
        </section>
      )}
      {servers.map((server) => (
        <ServerCard key={server.name ?? ""} server={server} editing={editing} />
      ))}
    </>
  );
}

function ServerCard({
  server,
  editing,
}: {
  readonly server: FolderServer;
  readonly editing: boolean;
}): ReactNode {
  const name = server.name ?? texts.noServer;
  return (
    <section className={`card ${styles.server}`} aria-label={texts.filesOfServer(name)}>
      <header className={styles.serverHead}>
        <h2>{name}</h2>
        <RoleChips steps={server.roleSteps} />
        <span className="quiet pushed one-line">{texts.usedOf(server.used, server.files)}</span>
      </header>
      <FolderTable rows={server.rows} caption={texts.filesOfServer(name)} isOpen={editing} />
    </section>
  );
}
