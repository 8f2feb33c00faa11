import type { ReactNode } from "react";
import { watchEditTexts as texts } from "../../../messages/watch-edit.ts";
import { useWatchForm } from "./watch-form-context.ts";
import type { AmountName } from "./watch-form.ts";
import styles from "./watch-edit.module.css";

interface TextProps {
  readonly label: string;
  readonly value: string;
  /** Why the text can't be used; null where it can. */
  readonly problem: string | null;
  /** Width for so many characters. */
  readonly characters?: number;
  readonly disabled?: boolean;
  readonly onChange: (value: string) => void;
}

/** A short text in a sentence. */
export function InlineText({
  label,
  value,
  problem,
  characters = 7,
  disabled = false,
  onChange,
}: TextProps): ReactNode {
  return (
    <input
      type="text"
      className={styles.inline}
      style={{ width: `${characters + 2}ch` }}
      aria-label={label}
      aria-invalid={problem !== null}
      title={problem ?? undefined}
      value={value}
      disabled={disabled}
      autoComplete="off"
      spellCheck={false}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

/** An amount with its unit. */
export function AmountField({
  name,
  characters,
  disabled,
}: {
  readonly name: AmountName;
  readonly characters?: number;
  readonly disabled?: boolean;
}): ReactNode {
  const { form, change, problemAt } = useWatchForm();
  return (
    <InlineText
      label={texts.amounts[name]}
      value={form.amounts[name]}
      problem={problemAt(name)}
      {...(characters === undefined ? {} : { characters })}
      {...(disabled === undefined ? {} : { disabled })}
      onChange={(value) => change({ amounts: { ...form.amounts, [name]: value } })}
    />
  );
}
