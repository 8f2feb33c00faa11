import { type ReactNode, useState } from "react";
import type { LeftoverSession, LiveCheck } from "@aglens/contract";
import { Button } from "../../ui/controls.tsx";
import { unbroken } from "../../ui/words.ts";
import { Check, Field } from "../../frame/field.tsx";
import { CheckIcon, WarningIcon } from "../../frame/icons.tsx";
import { Notice } from "../../frame/notice.tsx";
import { Problem } from "../../frame/problem.tsx";
import { CopyCode } from "./copy-code.tsx";
import styles from "./server-card.module.css";

interface Props {
  readonly check: LiveCheck;
  readonly session: string;
  readonly onSession: (session: string) => void;
  /** Removes sessions; answers the sentence of a failure. */
  readonly onLeftovers: (names: readonly string[]) => Promise<string | null>;
}

/** What a server said: version, rights that are missing with the statement that gives them, sessions found there. */
export function CheckResult({ check, session, onSession, onLeftovers }: Props): ReactNode {
  const blocked = check.missing.some((permission) => permission.blocking);
  return (
    <div className={styles.result}>
      <p className={styles.answer} data-refused={blocked}>
        {blocked ? <WarningIcon /> : <CheckIcon />}
        <span>
          {blocked
            ? `Login ${check.login} may not attach here yet.`
            : `Login ${check.login} may attach here.`}{" "}
          <span className="quiet">
            {check.edition}, {check.productVersion}
          </span>
        </span>
      </p>
      {check.missing.map((permission) => (
        <section
          key={permission.permission}
          className={styles.missing}
          aria-label={`Missing: ${permission.permission}`}
        >
          <p>
            <b>{permission.permission}</b> is missing. {unbroken(permission.consequence)}
          </p>
          <CopyCode code={permission.grant} label={`GRANT ${permission.permission}`} />
        </section>
      ))}
      {check.notes.map((note) => (
        <Notice key={note}>{note}</Notice>
      ))}
      {check.missingEvents.length === 0 ? null : (
        <details>
          <summary>
            {check.missingEvents.length === 1
              ? "1 event is unknown to this version; what it records cannot be shown"
              : `${check.missingEvents.length} events are unknown to this version; what they record cannot be shown`}
          </summary>
          <p className="mono small">{check.missingEvents.join(", ")}</p>
        </details>
      )}
      {check.leftovers.length === 0 ? null : <Leftovers leftovers={check.leftovers} onRemove={onLeftovers} />}
      {check.sessions.length === 0 ? null : (
        <div className={styles.sessionChoice}>
          <Field label="Event session">
            <select value={session} onChange={(event) => onSession(event.target.value)}>
              <option value="">A new one, dropped at the end</option>
              {check.sessions.map((name) => (
                <option key={name} value={name}>
                  Read {name}, which stays as it is
                </option>
              ))}
            </select>
          </Field>
        </div>
      )}
    </div>
  );
}

function Leftovers({
  leftovers,
  onRemove,
}: {
  leftovers: readonly LeftoverSession[];
  onRemove: Props["onLeftovers"];
}): ReactNode {
  const [chosen, setChosen] = useState<readonly string[]>(() =>
    leftovers.filter((session) => session.ofThisHost).map((session) => session.name),
  );
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const names = chosen.filter((name) => leftovers.some((session) => session.name === name));
  const toggle = (name: string): void =>
    setChosen((now) => (now.includes(name) ? now.filter((n) => n !== name) : [...now, name]));
  const remove = async (): Promise<void> => {
    setBusy(true);
    setProblem(await onRemove(names));
    setBusy(false);
  };
  return (
    <section className={styles.leftovers} aria-label="Left behind by an earlier run">
      <p>
        {leftovers.length === 1
          ? "A session of AG Lens was left behind by an earlier run."
          : `${leftovers.length} sessions of AG Lens were left behind by earlier runs.`}{" "}
        One that another AG Lens uses right now is listed too: look at its host before you remove it.
      </p>
      <ul>
        {leftovers.map((session) => (
          <li key={session.name}>
            <Check checked={names.includes(session.name)} onChange={() => toggle(session.name)}>
              <span className="mono">{session.name}</span>
              <span className="quiet small">
                {session.ofThisHost ? "made here" : `made on ${session.host}`},{" "}
                {session.running ? `running since ${startWords(session.startedAt)}` : "stopped"}
              </span>
            </Check>
          </li>
        ))}
      </ul>
      <Button disabled={busy || names.length === 0} onClick={() => void remove()}>
        {names.length === 1 ? "Remove 1 session" : `Remove ${names.length} sessions`}
      </Button>
      <Problem sentence={problem} />
    </section>
  );
}

function startWords(startedAt: string | null): string {
  if (startedAt === null) return "an unknown time";
  return `${startedAt.slice(0, 16).replace("T", " ")} UTC`;
}
