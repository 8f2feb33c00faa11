import { expect, test } from "vitest";
import { rolloversOf } from "./rollovers.ts";

const file = (name: string) => ({ path: `/tmp/${name}`, name });

test("files of one session are together in the order in which they began, others alone", () => {
  const names = [
    "sql1/move_0_131069746150098660.xel",
    "sql2/move_0_131069746150428850.xel",
    "sql1/move_0_131069745150098660.xel",
    "sql1/other_0_131069746150098661.xel",
    "sql1/move.xel",
    "sql1/MOVE_1_99999746150098660.XEL",
    "sql1/move_1_131069747150098660.xel",
  ];
  expect(rolloversOf(names.map(file)).map((session) => session.map(({ name }) => name))).toEqual([
    [names[2], names[0], names[6]],
    [names[1]],
    [names[3]],
    [names[4]],
    [names[5]],
  ]);
});

test("a file that was given twice is there twice", () => {
  const twice = [file("move_0_131069746150098660.xel"), file("move_0_131069746150098660.xel")];
  expect(rolloversOf(twice)).toEqual([twice]);
});
