/** Calls that are done at once, of an interface that other stores can only keep later. */

/** An interface of asynchronous calls, as who answers at once writes it. */
export type AtOnce<Interface> = {
  readonly [Name in keyof Interface]: Interface[Name] extends (
    ...args: infer Arguments
  ) => Promise<infer Result>
    ? (...args: Arguments) => Result
    : never;
};

/** The same calls, still made at once, with their results and errors as promises. */
export function promised<Interface>(calls: AtOnce<Interface>): Interface {
  const entries = Object.entries<(...args: never) => unknown>(calls).map(([name, call]) => [
    name,
    (...args: never): Promise<unknown> => new Promise((resolve) => resolve(call(...args))),
  ]);
  return Object.fromEntries(entries) as Interface;
}
