import type { ButtonHTMLAttributes, CSSProperties, HTMLAttributes, ReactNode } from "react";
import type { TermId } from "../messages/terms.ts";
import { termProps } from "./term.tsx";
import type { Figure } from "./words.ts";

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** primary = ink filled, plain = outlined, quiet = text only. */
  readonly kind?: "primary" | "plain" | "quiet";
  readonly size?: "small" | "large";
};

/** A push button. */
export function Button({
  kind = "plain",
  size = "small",
  className = "",
  type = "button",
  ...rest
}: ButtonProps): ReactNode {
  // oxlint-disable-next-line react/button-has-type -- the type is always one of the three, default "button"
  return <button type={type} className={`button ${kind} ${size} ${className}`} {...rest} />;
}

export type Place = "primary" | "network" | "secondary" | "none";

/** A small label in the tint of a place; `dashed` for a replica without a file. */
export function Chip({
  place = "none",
  dashed = false,
  children,
}: {
  place?: Place;
  dashed?: boolean;
  children: ReactNode;
}): ReactNode {
  return <span className={`chip ${place}${dashed ? " dashed" : ""}`}>{children}</span>;
}

/** Place of a color token: `--n-` is the network, `--s-` a secondary. */
function placeOfColor(color: string): string {
  if (color.includes("--n-")) return "network";
  return color.includes("--s-") ? "secondary" : "primary";
}

/** The square of a stage color; `color` is a token such as `var(--n-out)`. */
export function Swatch({ color }: { color: string }): ReactNode {
  return (
    <span
      className={`swatch ${placeOfColor(color)}`}
      style={{ "--swatch": color } as CSSProperties}
      aria-hidden="true"
    />
  );
}

/** A surface with a hairline; `title` and `aside` make its head row. */
export function Card({
  title,
  aside,
  children,
  className = "",
  ...rest
}: { title?: ReactNode; aside?: ReactNode } & Omit<HTMLAttributes<HTMLElement>, "title">): ReactNode {
  return (
    <section className={`card ${className}`} {...rest}>
      {title === undefined ? null : (
        <header className="card-head">
          <h2>{title}</h2>
          {aside === undefined ? null : <span className="card-aside">{aside}</span>}
        </header>
      )}
      {children}
    </section>
  );
}

/** A key as drawn on a keyboard. */
export function Kbd({ children }: { children: ReactNode }): ReactNode {
  return <kbd className="kbd">{children}</kbd>;
}

/** A figure with its unit in the quieter ink. */
export function Value({ figure, strong = false }: { figure: Figure; strong?: boolean }): ReactNode {
  return (
    <span className="value">
      {strong ? <b>{figure.value}</b> : figure.value}
      {figure.unit === "" ? null : <span className="unit">{`\u2009${figure.unit}`}</span>}
    </span>
  );
}

interface SegmentedProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string; readonly term?: TermId }[];
  readonly onChange: (value: T) => void;
}

/** One of a few choices, all visible. */
export function Segmented<T extends string>({
  label,
  value,
  options,
  onChange,
}: SegmentedProps<T>): ReactNode {
  return (
    <fieldset className="segmented" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          {...(option.term && termProps(option.term))}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
