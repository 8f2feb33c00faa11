import type { ReactNode } from "react";
import styles from "./field.module.css";

/** A control under its name. */
export function Field({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- the control is inside
    <label className={styles.field}>
      <span>{label}</span>
      {children}
    </label>
  );
}

/** A checkbox with its words. */
export function Check({
  checked,
  disabled = false,
  onChange,
  children,
}: {
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />{" "}
      {children}
    </label>
  );
}
