import { type ReactNode, useState } from "react";
import { CopyButton } from "../../frame/copy.tsx";
import { Check } from "../../frame/field.tsx";
import { Modal, ModalBody } from "../../frame/modal.tsx";
import { createScript, DROP, FIND, PERMISSIONS, START, STOP } from "./guide.ts";
import styles from "./guide-dialog.module.css";

/** How to make the files: T-SQL for each step, who may run it and what it costs. */
export function GuideDialog({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}): ReactNode {
  const [perCommit, setPerCommit] = useState(true);
  return (
    <Modal open={open} onOpenChange={onOpenChange} title="Capture guide" width={860}>
      <ModalBody>
        <Script step="1" title="Permissions" code={PERMISSIONS}>
          Logins are not replicated by an availability group: grant on every replica. sysadmin has all of
          these.
        </Script>
        <Script step="2" title="Create the session on every replica" code={createScript(perCommit)}>
          An event that this version does not know makes CREATE fail: delete its line, the analysis works
          without it. SQL Server 2016 and later, 2014 from SP2.
          <Check checked={perCommit} onChange={setPerCommit}>
            with the events of each commit; without them the files are smaller and group commit is not shown
          </Check>
        </Script>
        <Script step="3" title="Start" code={START}>
          The same minutes must be in every file: that time is what can be compared.
        </Script>
        <Script step="4" title="Stop" code={STOP}>
          Cost while it runs: about 15 to 20 events per log block on the primary and 12 on a secondary, each
          under 200 bytes; at most 2 GB of files per replica (four of 500 MB), 16 MB of memory. When buffers
          are full, events are lost and counted; no commit ever waits for the session.
        </Script>
        <Script step="5" title="Copy the files" code={FIND}>
          AGLens_0_*.xel lies beside the error log. Stop first, then copy: a file that is still written ends
          early. Bring the files of every replica here, in any order.
        </Script>
        <Script step="6" title="Drop the session" code={DROP}>
          The files stay on the server until somebody deletes them.
        </Script>
      </ModalBody>
    </Modal>
  );
}

function Script({
  step,
  title,
  code,
  children,
}: {
  step: string;
  title: string;
  code: string;
  children: ReactNode;
}): ReactNode {
  return (
    <section className={styles.script}>
      <header>
        <h3>
          {step}. {title}
        </h3>
        <CopyButton text={code} label={title} />
      </header>
      <div className={styles.words}>{children}</div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by key */}
      <pre tabIndex={0} aria-label={`T-SQL: ${title}`}>
        {code}
      </pre>
    </section>
  );
}
