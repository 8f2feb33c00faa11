import { type ReactNode, useState } from "react";
import { IS_ALONE } from "../../alone.ts";
import { TextLink } from "../../frame/app-bar.tsx";
import { CopyButton } from "../../frame/copy.tsx";
import { Check } from "../../frame/field.tsx";
import { Page } from "../../frame/page.tsx";
import { saveFile } from "../../frame/save-file.ts";
import { StartPage } from "../../frame/start-page.tsx";
import { Button, Segmented } from "../../ui/controls.tsx";
import {
  DROP,
  FETCH,
  FIND,
  type GuideRole,
  type GuideVersion,
  PERMISSIONS,
  sessionScript,
  STOP,
} from "./guide.ts";
import styles from "./guide-screen.module.css";

const SECONDARIES = {
  role: "secondary",
  title: "1. Secondaries first",
  file: "AGLens-secondaries.sql",
} as const;
const PRIMARY = { role: "primary", title: "2. Then the primary", file: "AGLens-primary.sql" } as const;

/**
 * Explains how to record the files: a script for each role, how to collect the files, the required permissions and the
 * cost.
 */
export function GuideScreen(): ReactNode {
  const [version, setVersion] = useState<GuideVersion>("2022");
  const [role, setRole] = useState<GuideRole | "both">("both");
  const [perCommit, setPerCommit] = useState(true);
  const scripts = [SECONDARIES, PRIMARY].filter((script) => role === "both" || script.role === role);
  return (
    <Page
      title="Capture guide"
      actions={IS_ALONE ? null : <TextLink href="/captures">All captures</TextLink>}
      status="Reads .xel without SQL Server, Windows or .NET"
    >
      <StartPage
        title="Capture guide"
        lead="Run one script on each secondary replica, then one on the primary replica."
      >
        <div className={styles.choices}>
          <Segmented
            label="SQL Server version"
            value={version}
            options={[
              { value: "2014", label: "2014 SP2 to 2019" },
              { value: "2022", label: "2022, 2025" },
            ]}
            onChange={setVersion}
          />
          <Segmented
            label="Role"
            value={role}
            options={[
              { value: "both", label: "All replicas" },
              { value: "secondary", label: "Secondaries" },
              { value: "primary", label: "Primary" },
            ]}
            onChange={setRole}
          />
          <Check checked={perCommit} onChange={setPerCommit}>
            Events of each commit. Without them, files are smaller and group commit isn't shown.
          </Check>
        </div>
        <div className={styles.scripts}>
          {scripts.map(({ role: of, title, file }) => (
            <Script key={of} title={title} code={sessionScript(of, perCommit)} file={file} />
          ))}
          <div className={styles.wide}>
            <Script
              title="3. After five minutes, stop and fetch the files"
              code={FETCH}
              file="AGLens-fetch.ps1"
            >
              Replace the server names, and run it in Windows PowerShell. It stops the primary first and the
              secondaries last. It needs Windows authentication, and an administrator of each server for the
              share of its drive (C$). It can't reach SQL Server on Linux or closed file shares.
            </Script>
          </div>
          <Script title="Or stop by hand" code={STOP}>
            Stop the primary first and the secondaries last.
          </Script>
          <Script title="Find the files" code={FIND}>
            AGLens_0_*.xel is in the log folder of each instance, next to ERRORLOG. Stop the session before
            you copy a file, or its end is missing.
          </Script>
          <Script title="4. Drop the session" code={DROP}>
            The files stay on the server until someone deletes them.
          </Script>
          <Script title="Permissions" code={PERMISSIONS[version]}>
            Grant them on every replica: logins are not replicated. A member of sysadmin has all of them.
          </Script>
        </div>
        <dl className={`card ${styles.facts}`}>
          {FACTS.map(([name, words]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="muted">{words}</dd>
            </div>
          ))}
        </dl>
      </StartPage>
    </Page>
  );
}

const FACTS = [
  ["Events", "15 to 20 per log block on the primary, 12 on a secondary, each under 200 bytes"],
  ["Disk", "At most 2 GB per replica: four files of 500 MB"],
  ["Memory", "16 MB per replica. Full buffers lose events, which are counted"],
  ["Waits", "No commit waits for the session"],
  ["Unknown event", "CREATE fails if a version doesn't know an event. Delete its line"],
] as const;

interface ScriptProps {
  readonly title: string;
  readonly code: string;
  /** Name under which it can be saved. */
  readonly file?: string;
  readonly children?: ReactNode;
}

function Script({ title, code, file, children }: ScriptProps): ReactNode {
  return (
    <section className={`card ${styles.script}`} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <CopyButton text={code} label={title} />
      </header>
      {children === undefined ? null : <p className="muted text">{children}</p>}
      <pre>{code}</pre>
      {file === undefined ? null : (
        <p>
          <span className="quiet">Download: </span>
          <Button onClick={() => saveFile({ name: file, type: "text/plain", content: code })}>{file}</Button>
        </p>
      )}
    </section>
  );
}
