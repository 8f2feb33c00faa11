import { expect, test } from "vitest";
import { ClientTexts, joinClients } from "./clients.ts";

const OTHERS = "(other values)";

test("texts beyond the room of 16 bits are other values, and never another client's", () => {
  const texts = new ClientTexts();
  const given = Array.from({ length: 70_000 }, (_, i) => `SELECT a FROM t${i}`);
  const numbers = texts.renumber(given);
  // Number 0 is the empty text, and 65,535 the other values.
  expect(texts.texts).toHaveLength(65_536);
  expect(numbers[65_533]).toBe(65_534);
  expect(texts.texts[65_534]).toBe("SELECT a FROM t65533");
  expect(new Set(numbers.subarray(65_534))).toEqual(new Set([65_535]));
  expect(texts.texts[65_535]).toBe(OTHERS);
});

test("clients of two parts with more texts than that together keep their names", () => {
  const partOf = (name: string) => ({
    length: 40_000,
    clients: {
      session: new Uint16Array(40_000),
      application: Uint16Array.from({ length: 40_000 }, (_, i) => i + 1),
      statement: new Uint16Array(40_000),
      texts: ["", ...Array.from({ length: 40_000 }, (_, i) => `${name} ${i}`)],
    },
  });
  const { application, texts } = joinClients([partOf("a"), partOf("b")])!;
  expect(texts[application[39_999]]).toBe("a 39999");
  expect(texts[application[40_000]]).toBe("b 0");
  expect(texts[application[79_999]]).toBe(OTHERS);
});
