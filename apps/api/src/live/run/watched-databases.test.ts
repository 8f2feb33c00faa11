import { expect, test } from "vitest";
import { WatchedDatabases } from "./watched-databases.ts";

const recorded = (): { changes: string[]; watched: WatchedDatabases } => {
  const changes: string[] = [];
  const watched = new WatchedDatabases((database, isWatched) =>
    changes.push(`${isWatched ? "+" : "-"}${database}`),
  );
  return { changes, watched };
};

test("a database is watched from the first who looks at it to the last", () => {
  const { changes, watched } = recorded();
  watched.begin("Sales");
  watched.begin("Sales");
  watched.begin("Stock");
  watched.end("Sales");
  expect(changes).toEqual(["+Sales", "+Stock"]);
  watched.end("Sales");
  watched.end("Sales");
  expect(changes).toEqual(["+Sales", "+Stock", "-Sales"]);
});

test("who looks at all of them watches none", () => {
  const { changes, watched } = recorded();
  watched.begin(null);
  watched.end(null);
  expect(changes).toEqual([]);
});

test("eight at once are the limit; one of those can be looked at by more", () => {
  const { watched } = recorded();
  const names = Array.from({ length: 8 }, (_, i) => `Sales${i}`);
  for (const name of names) watched.begin(name);
  expect(() => watched.begin("Stock")).toThrow("looked at one by one already");
  watched.begin("Sales7");
  watched.begin(null);
  watched.end("Sales0");
  watched.begin("Stock");
});
