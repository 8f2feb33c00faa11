import { describe, expect, test } from "vitest";
import { stubConnection } from "../../../test/stub-connection.ts";
import type { Connection } from "../server/connection.ts";
import { inTurn, until } from "./control-connection.ts";

/** A connection whose statements are answered on request of the test. */
function slowConnection() {
  const open: { readonly sql: string; readonly answer: () => void; readonly fail: (error: Error) => void }[] =
    [];
  let cancelled = 0;
  const asked = (sql: string): Promise<never[]> =>
    new Promise((resolve, reject) => void open.push({ sql, answer: () => resolve([]), fail: reject }));
  const connection: Connection = {
    ...stubConnection(() => []),
    query: asked,
    execute: async (sql) => void (await asked(sql)),
    driver: { cancel: () => (cancelled += 1) } as unknown as Connection["driver"],
  };
  return { connection, open, sent: () => open.map(({ sql }) => sql), cancelled: () => cancelled };
}
const turn = (): Promise<void> => new Promise(setImmediate);

test("statements are sent one after the other, in their order, also after one that failed", async () => {
  const { connection, open, sent } = slowConnection();
  const line = inTurn(connection);
  const first = line.query("one").catch((error: Error) => error.message);
  const second = line.execute("two");
  const third = line.query("three");
  await turn();
  expect(sent()).toEqual(["one"]);
  open[0]?.fail(new Error("refused"));
  expect(await first).toBe("refused");
  await turn();
  expect(sent()).toEqual(["one", "two"]);
  open[1]?.answer();
  await second;
  await turn();
  open[2]?.answer();
  expect(await third).toEqual([]);
});

describe("a connection until the run ends", () => {
  test("cancels what is asked, and says that the run ended", async () => {
    const ending = new AbortController();
    const { connection, open, cancelled } = slowConnection();
    const asking = until(ending.signal, connection).query("one");
    expect(cancelled()).toBe(0);
    ending.abort();
    expect(cancelled()).toBe(1);
    open[0]?.fail(new Error("cancelled"));
    await expect(asking).rejects.toMatchObject({
      code: "live-connection-lost",
      message: "The run ended before sql1:1433 answered.",
    });
  });

  test("sends nothing more then", async () => {
    const { connection, sent } = slowConnection();
    const line = until(AbortSignal.abort(), connection);
    await expect(line.query("one")).rejects.toMatchObject({ code: "live-connection-lost" });
    await expect(line.execute("two")).rejects.toMatchObject({ code: "live-connection-lost" });
    expect(sent()).toEqual([]);
  });

  test("passes on what fails before, and cancels nothing that is answered", async () => {
    const ending = new AbortController();
    const { connection, open, cancelled } = slowConnection();
    const line = until(ending.signal, connection);
    const [failed, answered] = [line.query("one"), line.execute("two")];
    open[0]?.fail(new Error("refused"));
    open[1]?.answer();
    await expect(failed).rejects.toThrow("refused");
    await answered;
    ending.abort();
    expect(cancelled()).toBe(0);
  });
});
