import { type ReactNode, useState } from "react";
import { CopyCode } from "../../frame/copy.tsx";
import { WarningIcon } from "../../frame/icons.tsx";
import { liveTexts as texts } from "../../messages/live.ts";
import { Button } from "../../ui/controls.tsx";
import { unbroken } from "../../ui/words.ts";
import styles from "./sessions.module.css";

/** A problem of a replica as a sentence, with the T-SQL that helps. */
export function Trouble({
  problem,
}: {
  readonly problem: { readonly detail: string; readonly sql: string | null };
}): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <div className={styles.trouble}>
      <WarningIcon />
      <div className="narrows">
        <p>{unbroken(problem.detail)}</p>
        {problem.sql === null ? null : (
          <Button kind="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? texts.hideTheTSql : texts.showTheTSql}
          </Button>
        )}
        {open && problem.sql !== null ? <CopyCode code={problem.sql} label={texts.tSql} /> : null}
      </div>
    </div>
  );
}
