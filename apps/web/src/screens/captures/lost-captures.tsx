import { type ReactNode, useState } from "react";
import type { LostCapture } from "@aglens/contract";
import { useAccount } from "../../state/account.ts";
import { navigate } from "../../state/navigate.ts";
import { mayAdminister } from "../../data/access-client.ts";
import { deleteLostCapture, lostCaptures, restoreLostCapture } from "../../data/captures-client.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { useCommand } from "../../data/use-command.ts";
import { Notice } from "../../frame/notice.tsx";
import { Problem } from "../../frame/problem.tsx";
import { capturesTexts as texts } from "../../messages/captures.ts";
import { Button } from "../../ui/controls.tsx";
import { formatBytes } from "../../ui/words.ts";
import styles from "./lost-captures.module.css";

/**
 * Files on the server that its catalog does not contain; shows nothing while there are no such files, and for users who
 * are not administrators.
 */
export function LostCaptures(): ReactNode {
  return mayAdminister(useAccount()?.person ?? null) ? <FoundFiles /> : null;
}

function FoundFiles(): ReactNode {
  const { value, retry } = useAnswer(lostCaptures);
  const takeBack = useCommand(async (id: string) => {
    const { id: captureId } = await restoreLostCapture(id);
    navigate(`/captures/${captureId}`);
  });
  const remove = useCommand(async (id: string) => {
    await deleteLostCapture(id);
    retry();
  });
  const captures = value?.captures ?? [];
  if (captures.length === 0) return null;
  return (
    <section className={styles.lost} aria-label={texts.filesThatAreNot}>
      <Notice>{texts.filesOfCapture(captures.length)}</Notice>
      <ul>
        {captures.map((capture) => (
          <LostRow
            key={capture.id}
            capture={capture}
            onTakeBack={() => takeBack.run(capture.id)}
            onDelete={() => remove.run(capture.id)}
          />
        ))}
      </ul>
      <Problem sentence={takeBack.error ?? remove.error} />
    </section>
  );
}

interface RowProps {
  readonly capture: LostCapture;
  readonly onTakeBack: () => void;
  readonly onDelete: () => void;
}

function LostRow({ capture: { name, created, files, bytes }, onTakeBack, onDelete }: RowProps): ReactNode {
  const [asked, setAsked] = useState(false);
  const since = created === null ? "" : `, of ${created.slice(0, 10)}`;
  return (
    <li>
      {name}
      <span className="quiet">{texts.filePart(files, formatBytes(bytes), since)}</span>
      <Button aria-label={texts.restore(name)} onClick={onTakeBack}>
        {texts.restoreLabel}
      </Button>
      {/* One button, so that the focus stays; these files can't be restored. */}
      <Button
        kind={asked ? "plain" : "quiet"}
        aria-label={asked ? texts.deletePermanently(name) : texts.delete(name)}
        onClick={asked ? onDelete : () => setAsked(true)}
      >
        {asked ? texts.deletePermanentlyLabel : texts.deleteLabel}
      </Button>
    </li>
  );
}
