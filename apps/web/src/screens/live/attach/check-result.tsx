import { type ReactNode, useState } from "react";
import type { LeftoverSession, LiveCheck } from "@aglens/contract";
import { Button } from "../../../ui/controls.tsx";
import { useReaderZone } from "../../../frame/use-reader-zone.ts";
import { dayInstantText, type Zone } from "../../../ui/zone.ts";
import { unbroken } from "../../../ui/words.ts";
import { Check, Field } from "../../../frame/field.tsx";
import { CheckIcon, WarningIcon } from "../../../frame/icons.tsx";
import { Notice } from "../../../frame/notice.tsx";
import { Problem } from "../../../frame/problem.tsx";
import { needsEveryDatabase, type ServerForm } from "./attach.ts";
import { databaseLabel } from "../database-filter.tsx";
import { grantScript } from "../../server-form/grant-script.ts";
import { CopyCode } from "../../../frame/copy.tsx";
import { attachTexts as texts } from "../../../messages/attach.ts";
import styles from "./server-card.module.css";

interface Props {
  readonly check: LiveCheck;
  readonly form: ServerForm;
  readonly onChange: (change: Partial<ServerForm>) => void;
  readonly onCheck: () => void;
  /** Removes sessions; answers the sentence of a failure. */
  readonly onLeftovers: (names: readonly string[]) => Promise<string | null>;
  /** Opens the check of every statement; null for no button. */
  readonly onContact: (() => void) | null;
}

/**
 * Result of a server's check: version, missing rights with the statements that grant them, and sessions on the server.
 */
export function CheckResult({ check, form, onChange, onCheck, onLeftovers, onContact }: Props): ReactNode {
  const blocked = check.missing.some((permission) => permission.blocking);
  return (
    <div className={styles.result}>
      <p className={styles.answer} data-refused={blocked}>
        {blocked ? <WarningIcon /> : <CheckIcon />}
        <span>
          {blocked ? texts.loginMayNotAttach(check.login) : texts.loginMayAttachHere(check.login)}{" "}
          <span className="quiet">
            {check.edition}, {check.productVersion}
          </span>
        </span>
      </p>
      {check.missing.length === 0 ? null : <Rights check={check} onCheck={onCheck} />}
      <Databases check={check} form={form} onChange={onChange} />
      {check.warnings.map((warning) => (
        <Notice key={warning}>{warning}</Notice>
      ))}
      {check.missingEvents.length === 0 ? null : (
        <details>
          <summary>{texts.eventsAreUnknown(check.missingEvents.length)}</summary>
          <p className="mono">{check.missingEvents.join(", ")}</p>
        </details>
      )}
      {check.leftovers.length === 0 ? null : <Leftovers leftovers={check.leftovers} onRemove={onLeftovers} />}
      {check.sessions.length === 0 ? null : (
        <div className={styles.sessionChoice}>
          <Field label={texts.eventSession}>
            <select value={form.session} onChange={(event) => onChange({ session: event.target.value })}>
              <option value="">{texts.newOneDropped}</option>
              {check.sessions.map((name) => (
                <option key={name} value={name}>
                  {texts.readWhichStays(name)}
                </option>
              ))}
            </select>
          </Field>
        </div>
      )}
      {onContact === null ? null : (
        <p className={styles.contact}>
          <Button kind="quiet" onClick={onContact}>
            {texts.attachAndCheck}
          </Button>
          <span className="quiet text">{texts.forTheFirstServer}</span>
        </p>
      )}
    </div>
  );
}

/** The missing rights as one script with a GRANT per line and its purpose. */
function Rights({ check, onCheck }: Pick<Props, "check" | "onCheck">): ReactNode {
  const { missing, grantee, login } = check;
  const isGroup = grantee !== "" && grantee.toLowerCase() !== login.toLowerCase();
  return (
    <section className={styles.missing} aria-label={texts.rightsThatAreMissing}>
      <ul>
        {missing.map(({ permission, consequence }) => (
          <li key={permission}>{texts.isMissing(<b>{permission}</b>, unbroken(consequence))}</li>
        ))}
      </ul>
      {isGroup ? <p>{texts.comes(login, <b>{grantee}</b>)}</p> : null}
      <CopyCode code={grantScript(missing)} label={texts.grantStatements} />
      <Button onClick={onCheck}>{texts.checkAgain}</Button>
    </section>
  );
}

/** Which databases' log is recorded, where that is not simply the group's. */
function Databases({ check, form, onChange }: Pick<Props, "check" | "form" | "onChange">): ReactNode {
  const { databases, missing } = check;
  const isLimited = missing.some(({ permission }) => permission === "VIEW ANY DEFINITION");
  const blocked = missing.some(({ blocking }) => blocking);
  if (blocked || form.session !== "" || (databases.length > 0 && !isLimited && !form.everyDatabase))
    return null;
  const names = databases
    .map(({ name, databaseId, isContainedSystem }) =>
      name === "" ? texts.database(databaseId) : databaseLabel(name, isContainedSystem),
    )
    .join(", ");
  return (
    <section className={styles.missing} aria-label={texts.recordedEvents}>
      {databases.length > 0 ? (
        <p>{texts.recordedIsTheLog(names)}</p>
      ) : (
        <p>{texts.thisServerNamesNo(needsEveryDatabase(form, check))}</p>
      )}
      <Check checked={form.everyDatabase} onChange={(everyDatabase) => onChange({ everyDatabase })}>
        {texts.recordEveryUserDatabase}
      </Check>
    </section>
  );
}

function Leftovers({
  leftovers,
  onRemove,
}: {
  leftovers: readonly LeftoverSession[];
  onRemove: Props["onLeftovers"];
}): ReactNode {
  const zone = useReaderZone();
  const [chosen, setChosen] = useState<readonly string[]>([]);
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
    <section className={styles.leftovers} aria-label={texts.sessionsOfAgLens}>
      <p>{texts.sessionOfAgLens(leftovers.length)}</p>
      <ul>
        {leftovers.map((session) => (
          <li key={session.name}>
            <Check
              checked={names.includes(session.name)}
              disabled={session.readBy !== null}
              onChange={() => toggle(session.name)}
            >
              <span className="mono">{session.name}</span>
              <span className="quiet text">
                {texts.madeHereMade(
                  session.ofThisHost,
                  session.host,
                  session.running ? texts.runningSince(startText(session.startedAt, zone)) : texts.stopped,
                  session.readBy === null ? texts.withoutAReader : texts.readByInUse(session.readBy),
                )}
              </span>
            </Check>
          </li>
        ))}
      </ul>
      <Button disabled={busy || names.length === 0} onClick={() => void remove()}>
        {texts.removeSessions(names.length)}
      </Button>
      <Problem sentence={problem} />
    </section>
  );
}

const startText = (startedAt: string | null, zone: Zone): string =>
  startedAt === null ? texts.unknownTime : dayInstantText(zone, startedAt);
