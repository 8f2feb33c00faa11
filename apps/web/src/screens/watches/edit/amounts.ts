/** Amounts with their units as people type them: `15 ms`, `10 min`, `100 MB`. */

interface Unit {
  readonly name: string;
  /** Number of the kind's unit in it. */
  readonly size: number;
}

interface Kind {
  /** From the smallest to the largest. */
  readonly units: readonly Unit[];
  /** Unit of a number without one. */
  readonly plain: string;
  /** Other spellings of a unit. */
  readonly also?: Readonly<Record<string, string>>;
  readonly isInteger: boolean;
}

const KINDS = {
  /** ms. */
  delay: {
    units: [
      { name: "ms", size: 1 },
      { name: "s", size: 1000 },
    ],
    plain: "ms",
    isInteger: false,
  },
  /** s. */
  period: {
    units: [
      { name: "s", size: 1 },
      { name: "min", size: 60 },
      { name: "h", size: 3600 },
    ],
    plain: "s",
    also: { m: "min" },
    isInteger: true,
  },
  days: {
    units: [{ name: "days", size: 1 }],
    plain: "days",
    also: { d: "days", day: "days" },
    isInteger: true,
  },
  /** A multiple. */
  times: { units: [{ name: "×", size: 1 }], plain: "×", also: { x: "×", times: "×" }, isInteger: false },
  /** KB of 1,024 bytes, as SQL Server counts queues. */
  queue: {
    units: [
      { name: "KB", size: 1 },
      { name: "MB", size: 1024 },
      { name: "GB", size: 1_048_576 },
    ],
    plain: "MB",
    isInteger: false,
  },
  /** Bytes. */
  size: {
    units: [
      { name: "MB", size: 1e6 },
      { name: "GB", size: 1e9 },
      { name: "TB", size: 1e12 },
    ],
    plain: "GB",
    isInteger: true,
  },
  count: { units: [{ name: "", size: 1 }], plain: "", isInteger: true },
} satisfies Readonly<Record<string, Kind>>;
export type AmountKind = keyof typeof KINDS;

/** The amount in the kind's unit; null for another text. */
export function readAmount(kind: AmountKind, text: string): number | null {
  const { units, plain, also = {}, isInteger }: Kind = KINDS[kind];
  const [, digits, name = ""] = /^(\d+(?:\.\d+)?)\s*(\S*)$/u.exec(text.replaceAll(/\s/gu, " ").trim()) ?? [];
  if (digits === undefined) return null;
  const typed = name === "" ? plain : (also[name.toLowerCase()] ?? name);
  const unit = units.find((each) => each.name.toLowerCase() === typed.toLowerCase());
  if (unit === undefined) return null;
  const amount = Number((Number(digits) * unit.size).toPrecision(12));
  return isInteger && !Number.isInteger(amount) ? null : amount;
}

/** An amount in the largest unit that needs no decimals. */
export function amountText(kind: AmountKind, amount: number): string {
  const { units }: Kind = KINDS[kind];
  const unit = units.findLast(({ size }) => amount >= size && Number.isInteger(amount / size)) ?? units[0];
  const { name = "", size = 1 } = unit ?? {};
  // Only days have an s.
  return `${amount / size} ${amount === 1 ? name.replace(/(?<=day)s$/u, "") : name}`.trim();
}
