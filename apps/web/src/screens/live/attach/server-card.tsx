import { type ReactNode, useState } from "react";
import type { LiveLogin, ShownCertificate } from "@aglens/contract";
import { Button, Card, Segmented } from "../../../ui/controls.tsx";
import { Check } from "../../../frame/field.tsx";
import { WarningIcon } from "../../../frame/icons.tsx";
import { Notice } from "../../../frame/notice.tsx";
import { type CheckState, readinessOf, type ServerForm } from "./attach.ts";
import { CheckResult } from "./check-result.tsx";
import { OldCertificate } from "./old-certificate.tsx";
import { useEachSecond } from "../../../ui/use-each-second.ts";
import { WaitingForServer } from "./waiting-for-server.tsx";
import { RoleChip } from "../../server-form/role-chip.tsx";
import { CertificateFields, EncryptionChoice, TextField } from "../../server-form/server-fields.tsx";
import formStyles from "../../server-form/server-fields.module.css";
import fieldStyles from "../../../frame/field.module.css";
import { attachTexts as texts } from "../../../messages/attach.ts";
import styles from "./server-card.module.css";

const LOGINS: readonly { value: LiveLogin["kind"]; label: string }[] = [
  { value: "sql", label: texts.sqlLogin },
  { value: "ntlm", label: texts.windowsNtlm },
  { value: "entra", label: texts.entraToken },
];
interface Props {
  readonly form: ServerForm;
  /** 1 for the first server. */
  readonly position: number;
  readonly state: CheckState;
  readonly onChange: (change: Partial<ServerForm>) => void;
  readonly onCheck: () => void;
  readonly onAccept: (certificate: ShownCertificate) => void;
  /** Opens the check of every statement; null where the card is in a dialog itself. */
  readonly onContact: (() => void) | null;
  readonly onRemove: (() => void) | null;
  readonly onLeftovers: (names: readonly string[]) => Promise<string | null>;
}

/** One replica to attach to: its address, login and last answer; collapsed to a line once it answered. */
export function ServerCard(props: Props): ReactNode {
  const { form, position, state } = props;
  const [editing, setEditing] = useState(false);
  const now = useEachSecond(state.is === "waiting");
  const readiness = readinessOf(form, state, now);
  // A final answer without a choice keeps the form open, because the user corrects it there.
  const isSettled = state.is === "answered" || state.is === "waiting" || readiness.kind === "choice";
  const isFolded = isSettled && !editing;
  const onCheck = (): void => {
    setEditing(false);
    props.onCheck();
  };
  return (
    <Card
      className={styles.server}
      title={<ServerTitle {...props} />}
      aside={
        <span className={styles.state}>
          {state.is === "open" ? null : <span data-kind={readiness.kind}>{readiness.words}</span>}
          {isFolded ? (
            <Button kind="quiet" aria-label={texts.editReplica(position)} onClick={() => setEditing(true)}>
              {texts.edit}
            </Button>
          ) : null}
        </span>
      }
      aria-label={texts.replica(position)}
    >
      {isFolded ? null : <ServerFields {...props} onCheck={onCheck} />}
      <div aria-live="polite">
        <Answer {...props} onCheck={onCheck} now={now} />
      </div>
    </Card>
  );
}

/** Fields of a server, and the buttons that check it and remove it. */
function ServerFields(props: Props): ReactNode {
  const { form, position, state, onChange } = props;
  const isFirst = position === 1;
  return (
    <form
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        props.onCheck();
      }}
    >
      <div className={formStyles.fields}>
        <TextField
          label={texts.server}
          value={form.server}
          placeholder={isFirst ? texts.sql1Sql1Instance : texts.hostInstanceOrHost}
          wide
          onChange={(server) => onChange({ server })}
        />
        <EncryptionChoice form={form} onChange={onChange} />
        {isFirst ? null : (
          <div className={styles.same}>
            <Check checked={form.sameLogin} onChange={(sameLogin) => onChange({ sameLogin })}>
              {texts.sameLogin}
            </Check>
          </div>
        )}
      </div>
      {form.encryption === "off" ? (
        <Notice>{texts.withoutEncryption}</Notice>
      ) : (
        <CertificateFields form={form} onChange={onChange} />
      )}
      {form.sameLogin && !isFirst ? null : <LoginFields form={form} onChange={onChange} />}
      <div className={styles.foot}>
        <Button
          type="submit"
          kind={state.is === "answered" ? "plain" : "primary"}
          disabled={state.is === "busy"}
        >
          {state.is === "busy" ? texts.asking : state.is === "answered" ? texts.checkAgain : texts.check}
        </Button>
        <span className="quiet text">{state.is === "open" ? texts.nothingIsCreated : null}</span>
        {props.onRemove === null ? null : (
          <Button kind="quiet" onClick={props.onRemove}>
            {texts.leaveOut}
          </Button>
        )}
      </div>
    </form>
  );
}

function Answer(props: Props & { readonly now: number }): ReactNode {
  const { form, state, onChange } = props;
  if (state.is === "waiting") return <WaitingForServer state={state} now={props.now} />;
  if (state.is === "refused") {
    return state.certificate === null ? (
      <p className={styles.refused}>
        <WarningIcon /> {state.sentence}
      </p>
    ) : (
      <OldCertificate
        server={form.server}
        sentence={state.sentence}
        certificate={state.certificate}
        onAccept={props.onAccept}
      />
    );
  }
  if (state.is !== "answered") return null;
  return (
    <CheckResult
      check={state.check}
      form={form}
      onChange={onChange}
      onCheck={props.onCheck}
      onLeftovers={props.onLeftovers}
      onContact={props.onContact}
    />
  );
}

function ServerTitle({ form, position, state }: Props): ReactNode {
  if (state.is !== "answered")
    return form.server || (position === 1 ? texts.primaryListenerOrAny : texts.replicaLabel);
  const own = state.check.replicas.find((replica) => replica.isThisServer);
  return (
    <span className="gap-8 inline-row">
      {state.check.serverName} {own === undefined ? null : <RoleChip {...own} />}
      <span className="muted text">
        {texts.sameLoginPart(
          versionText(state.check.productVersion),
          encryptionText(form),
          form.sameLogin && position > 1,
        )}
      </span>
    </span>
  );
}

const YEARS: Readonly<Record<string, string>> = {
  12: "2014",
  13: "2016",
  14: "2017",
  15: "2019",
  16: "2022",
  17: "2025",
};

function versionText(version: string): string {
  const year = YEARS[version.split(".", 1)[0] ?? ""];
  return year === undefined ? version : texts.sqlServer(year, version);
}

function encryptionText({ encryption, oldCertificate, trustCertificate }: ServerForm): string {
  if (encryption === "off") return texts.notEncrypted;
  if (oldCertificate !== "") return texts.tlsOldCertificateAccepted;
  return `${encryption === "strict" ? "TDS 8" : "TLS"}${trustCertificate ? texts.anyCertificate : ""}`;
}

function LoginFields({ form, onChange }: Pick<Props, "form" | "onChange">): ReactNode {
  return (
    <div className={formStyles.fields}>
      <div className={fieldStyles.field}>
        <span aria-hidden="true">{texts.login}</span>
        <Segmented
          label={texts.login}
          value={form.kind}
          options={LOGINS}
          onChange={(kind) => onChange({ kind, secret: "" })}
        />
      </div>
      {form.kind === "ntlm" ? (
        <TextField label={texts.domain} value={form.domain} onChange={(domain) => onChange({ domain })} />
      ) : null}
      {form.kind === "entra" ? (
        <TextField
          label={texts.accessToken}
          secret
          wide
          value={form.secret}
          placeholder={texts.azAccountGetAccess}
          onChange={(secret) => onChange({ secret })}
        />
      ) : (
        <>
          <TextField label={texts.user} value={form.user} onChange={(user) => onChange({ user })} />
          <TextField
            label={texts.password}
            secret
            value={form.secret}
            onChange={(secret) => onChange({ secret })}
          />
        </>
      )}
    </div>
  );
}
