/** Parameters of an address: their spelling and reading. Reading never fails: an invalid value becomes the standard. */
import { CaptureRange, z } from "@aglens/contract";

/** A part of the view, with its form in the query string. */
export interface Parameter<T> {
  /** The value, or the standard where it is absent or invalid. */
  readonly read: (params: URLSearchParams) => T;
  /** Writes nothing for the standard. */
  readonly write: (value: T, params: URLSearchParams) => void;
}

/** How a value is spelled. */
interface Codec<T> {
  /** Null or undefined for an invalid text. */
  readonly read: (text: string) => T | null | undefined;
  readonly write: (value: T) => string;
}

/** A parameter that is skipped where it has the standard value. */
export function parameter<T>(name: string, standard: NoInfer<T>, codec: Codec<T>): Parameter<T> {
  const left = codec.write(standard);
  return {
    read: (params) => readWith(codec, params.get(name)) ?? standard,
    write: (value, params) => {
      const text = codec.write(value);
      if (text !== left) params.set(name, text);
    },
  };
}

/** A parameter that is skipped for null. */
export const optional = <T>(name: string, codec: Codec<T>): Parameter<T | null> => ({
  read: (params) => readWith(codec, params.get(name)),
  write: (value, params) => {
    if (value !== null) params.set(name, codec.write(value));
  },
});

const readWith = <T>({ read }: Codec<T>, text: string | null): T | null =>
  text === null ? null : (read(text) ?? null);

/** Texts and numbers that a schema accepts. */
export const checked = <T extends string | number>(schema: z.ZodType<T>): Codec<T> => ({
  read: (text) => schema.safeParse(text).data,
  write: String,
});

/** A list of one kind; one invalid item makes the list invalid. */
export const list = <T extends string | number>(
  separator: string,
  item: z.ZodType<T>,
  most = Infinity,
): Codec<readonly T[]> => ({
  read: (text) => z.array(item).max(most).safeParse(split(text, separator)).data,
  write: (items) => items.join(separator),
});

/** From and to, µs. */
export const RANGE: Codec<readonly [number, number]> = {
  read: (text) => CaptureRange.safeParse(split(text, "_")).data,
  write: ([from, to]) => `${tenth(from)}_${tenth(to)}`,
};

/** Times are kept to a tenth of a µs: finer than any event is. */
const tenth = (us: number): string => String(Math.round(us * 10) / 10);

/** The parts of a text; empty for an empty text. */
export const split = (text: string, separator: string): string[] =>
  text === "" ? [] : text.split(separator);
