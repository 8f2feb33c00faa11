import { type ReactNode, useState } from "react";
import { auditPage } from "../../data/access-client.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { Message, Page } from "../../frame/page.tsx";
import { Button } from "../../ui/controls.tsx";
import styles from "./audit-screen.module.css";

/** Who did what, newest first, a page at a time; for admins. */
export function AuditScreen(): ReactNode {
  /** Where each page begins; the newest one is the first. */
  const [starts, setStarts] = useState<readonly (number | null)[]>([null]);
  const { value, error, retry } = useAnswer(auditPage(starts.at(-1) ?? null));
  if (error !== null) {
    return (
      <Page title="Audit log">
        <Message title="The audit log cannot be read." detail={error} onRetry={retry} />
      </Page>
    );
  }
  const next = value?.next ?? null;
  return (
    <Page title="Audit log">
      <div className={styles.page}>
        <h1>Audit log</h1>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Time, UTC</th>
              <th scope="col">Who</th>
              <th scope="col">Did</th>
              <th scope="col">What</th>
            </tr>
          </thead>
          <tbody>
            {value?.entries.map(({ at, person, action, what }, index) => (
              <tr key={`${at} ${index}`}>
                <td>{`${at.slice(0, 10)} ${at.slice(11, 19)}`}</td>
                <td>{person === "" ? "nobody signed in" : person}</td>
                <td>{action}</td>
                <td>{what}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <div className={styles.pages}>
          <Button disabled={starts.length === 1} onClick={() => setStarts((all) => all.slice(0, -1))}>
            Newer
          </Button>
          <Button disabled={next === null} onClick={() => setStarts((all) => [...all, next])}>
            Older
          </Button>
        </div>
      </div>
    </Page>
  );
}
