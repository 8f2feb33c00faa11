import { type ReactNode, useState } from "react";
import type { LiveLogin, LiveServer, ShownCertificate } from "@aglens/contract";
import { Button, Card, Chip, Segmented } from "../../../ui/controls.tsx";
import { Check, Field } from "../../../frame/field.tsx";
import { WarningIcon } from "../../../frame/icons.tsx";
import { Notice } from "../../../frame/notice.tsx";
import { type CheckState, readinessOf, type ServerForm } from "./attach.ts";
import { CheckResult } from "./check-result.tsx";
import { OldCertificate } from "./old-certificate.tsx";
import { useEachSecond } from "../../../ui/use-each-second.ts";
import { WaitingForServer } from "./waiting-for-server.tsx";
import fieldStyles from "../../../frame/field.module.css";
import { attachTexts as texts } from "../../../messages/attach.ts";
import styles from "./server-card.module.css";

const LOGINS: readonly { value: LiveLogin["kind"]; label: string }[] = [
  { value: "sql", label: texts.sqlLogin },
  { value: "ntlm", label: texts.windowsNtlm },
  { value: "entra", label: texts.entraToken },
];
const ENCRYPTION: readonly { value: LiveServer["encryption"]; label: string }[] = [
  { value: "required", label: texts.requiredTls },
  { value: "strict", label: texts.strictTds8 },
  { value: "off", label: texts.off },
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
      <div className={styles.fields}>
        <TextField
          label={texts.server}
          value={form.server}
          placeholder={isFirst ? texts.sql1Sql1Instance : texts.hostInstanceOrHost}
          wide
          onChange={(server) => onChange({ server })}
        />
        <Choice
          label={texts.encryption}
          value={form.encryption}
          options={ENCRYPTION}
          onChange={(encryption) => onChange({ encryption })}
        />
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
      {state.check.serverName}{" "}
      {own === undefined ? null : (
        <Chip place={own.role === "unknown" ? "none" : own.role} dashed={own.role === "unknown"}>
          {own.role === "primary"
            ? texts.primary
            : own.role === "secondary"
              ? texts.secondary(own.commitMode)
              : texts.roleUnknownLabel}
        </Chip>
      )}
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
    <div className={styles.fields}>
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

function CertificateFields({ form, onChange }: Pick<Props, "form" | "onChange">): ReactNode {
  return (
    <details className={styles.certificate}>
      <summary>{texts.certificateAnyIsAccepted(form.trustCertificate)}</summary>
      <Check
        checked={form.trustCertificate && form.encryption !== "strict"}
        disabled={form.encryption === "strict"}
        onChange={(trustCertificate) => onChange({ trustCertificate })}
      >
        {texts.trustServerCertificateAlso(form.encryption === "strict")}
      </Check>
      <div className={styles.fields}>
        <TextField
          label={texts.nameInTheCertificate}
          wide
          value={form.certificateName}
          onChange={(certificateName) => onChange({ certificateName })}
        />
      </div>
      <Field label={texts.authorityThatSigned}>
        <textarea
          rows={3}
          value={form.certificateAuthority}
          placeholder={texts.beginCertificate}
          onChange={(event) => onChange({ certificateAuthority: event.target.value })}
        />
      </Field>
    </details>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  /** A password: not shown, not kept by the browser. */
  readonly secret?: boolean;
  readonly wide?: boolean;
  readonly onChange: (value: string) => void;
}

function TextField({
  label,
  value,
  placeholder = "",
  secret = false,
  wide = false,
  onChange,
}: TextFieldProps): ReactNode {
  return (
    <div className={styles.text} data-wide={wide}>
      <Field label={label}>
        <input
          type={secret ? "password" : "text"}
          value={value}
          placeholder={placeholder}
          // A password manager must not save or offer a server's password here.
          autoComplete={secret ? "new-password" : "off"}
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
    </div>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
}

function Choice<T extends string>({ label, value, options, onChange }: ChoiceProps<T>): ReactNode {
  return (
    <div className={styles.text}>
      <Field label={label}>
        <select value={value} onChange={(event) => onChange(event.target.value as T)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      </Field>
    </div>
  );
}
