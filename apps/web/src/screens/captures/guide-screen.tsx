import { type SessionChoices, USUAL_CHOICES } from "@aglens/ag-model/events";
import { type ReactNode, useState } from "react";
import { useSearch } from "wouter";
import { IS_ALONE } from "../../alone.ts";
import { TextLink } from "../../frame/app-bar.tsx";
import { CopyButton } from "../../frame/copy.tsx";
import { Check } from "../../frame/field.tsx";
import { Page } from "../../frame/page.tsx";
import { saveFile } from "../../frame/save-file.ts";
import { StartPage } from "../../frame/start-page.tsx";
import { capturesTexts as texts } from "../../messages/captures.ts";
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
  title: texts.secondariesFirst,
  file: "AGLens-secondaries.sql",
} as const;
const PRIMARY = { role: "primary", title: texts.thenThePrimary, file: "AGLens-primary.sql" } as const;

/**
 * Explains how to record the files: a script for each role, how to collect the files, the required permissions and the
 * cost.
 */
export function GuideScreen(): ReactNode {
  const [version, setVersion] = useState<GuideVersion>("2022");
  const [role, setRole] = useState<GuideRole | "both">("both");
  const search = new URLSearchParams(useSearch());
  const isForClients = search.has("clients");
  const [choices, setChoices] = useState<SessionChoices>({
    ...USUAL_CHOICES,
    fileWrites: search.has("split"),
    sessionIds: isForClients,
    applications: isForClients,
  });
  const scripts = [SECONDARIES, PRIMARY].filter((script) => role === "both" || script.role === role);
  return (
    <Page
      title={texts.captureGuide}
      actions={IS_ALONE ? null : <TextLink href="/captures">{texts.allCaptures}</TextLink>}
      status={texts.readsXelWithoutSql}
    >
      <StartPage title={texts.captureGuide} lead={texts.runOneScript}>
        <div className={styles.choices}>
          <Segmented
            label={texts.sqlServerVersion}
            value={version}
            options={[
              { value: "2014", label: texts.versions2014To2019 },
              { value: "2022", label: "2022, 2025" },
            ]}
            onChange={setVersion}
          />
          <Segmented
            label={texts.role}
            value={role}
            options={[
              { value: "both", label: texts.allReplicas },
              { value: "secondary", label: texts.secondaries },
              { value: "primary", label: texts.primary },
            ]}
            onChange={setRole}
          />
          {CHOICES.map(([choice, words]) => (
            <Check
              key={choice}
              checked={choices[choice]}
              onChange={(isChosen) => setChoices({ ...choices, [choice]: isChosen })}
            >
              {words}
            </Check>
          ))}
        </div>
        <div className={styles.scripts}>
          {scripts.map(({ role: of, title, file }) => (
            <Script key={of} title={title} code={sessionScript(of, choices)} file={file} />
          ))}
          <div className={styles.wide}>
            <Script title={texts.afterFiveMinutesStop} code={FETCH} file="AGLens-fetch.ps1">
              {texts.replaceTheServerNames}
            </Script>
          </div>
          <Script title={texts.orStopByHand} code={STOP}>
            {texts.stopThePrimaryFirst}
          </Script>
          <Script title={texts.findTheFiles} code={FIND}>
            {texts.filesInLogFolder}
          </Script>
          <Script title={texts.dropTheSession} code={DROP}>
            {texts.filesStay}
          </Script>
          <Script title={texts.permissions} code={PERMISSIONS[version]}>
            {texts.grantThemOnEvery}
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

const CHOICES: readonly (readonly [choice: keyof SessionChoices, words: string])[] = [
  ["perCommit", texts.eventsOfEachCommit],
  ["numbers", texts.numberOfEachEvent],
  ["sessionIds", texts.sessionOfEachCommit],
  ["applications", texts.applicationOfEachCommit],
  ["fileWrites", texts.fileWritesOfEach],
];

const FACTS = [
  ["Events", texts.eventsPerLogBlock],
  [texts.actions, texts.actionsCost],
  [texts.fileWrites, texts.fileWritesCost],
  ["Disk", texts.diskPerReplica],
  ["Memory", texts.memoryPerReplica],
  ["Waits", texts.noCommitWaits],
  [texts.unknownEvent, "CREATE fails if a version doesn't know an event. Delete its line"],
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
          <span className="quiet">{texts.download} </span>
          <Button onClick={() => saveFile({ name: file, type: "text/plain", content: code })}>{file}</Button>
        </p>
      )}
    </section>
  );
}
