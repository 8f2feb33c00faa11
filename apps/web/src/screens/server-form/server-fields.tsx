import type { ReactNode } from "react";
import type { LiveServer } from "@aglens/contract";
import { Check, Field } from "../../frame/field.tsx";
import { attachTexts as texts } from "../../messages/attach.ts";
import type { ServerAddress } from "./server-address.ts";
import styles from "./server-fields.module.css";

const ENCRYPTION: readonly { value: LiveServer["encryption"]; label: string }[] = [
  { value: "required", label: texts.requiredTls },
  { value: "strict", label: texts.strictTds8 },
  { value: "off", label: texts.off },
];

interface AddressProps {
  readonly form: ServerAddress;
  readonly onChange: (change: Partial<ServerAddress>) => void;
}

/** How the connection to a server is encrypted. */
export function EncryptionChoice({ form, onChange }: AddressProps): ReactNode {
  return (
    <Choice
      label={texts.encryption}
      value={form.encryption}
      options={ENCRYPTION}
      onChange={(encryption) => onChange({ encryption })}
    />
  );
}

/** How the certificate of a server is verified. */
export function CertificateFields({ form, onChange }: AddressProps): ReactNode {
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

/** One line of text under its name. */
export function TextField({
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

/** A few choices in a list. */
export function Choice<T extends string>({ label, value, options, onChange }: ChoiceProps<T>): ReactNode {
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
