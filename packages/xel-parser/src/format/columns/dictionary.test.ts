import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../limits.ts";
import { Dictionary, OTHERS, TextRoom } from "./dictionary.ts";

const bytesOf = (text: string): DataView => new DataView(new TextEncoder().encode(text).buffer);

const find = (dictionary: Dictionary, text: string, salt = 0): number =>
  dictionary.find(bytesOf(text), 0, text.length, salt);
const add = (dictionary: Dictionary, text: string, salt = 0): number =>
  dictionary.add(bytesOf(text), 0, text.length, salt, text);

/** A dictionary with room for this number of bytes. */
const small = (dictionaryBytes: number): Dictionary =>
  new Dictionary(new TextRoom({ ...DEFAULT_LIMITS, dictionaryBytes }));

describe("the distinct texts of a column", () => {
  it("are found by their bytes, wherever these are, once they were added", () => {
    const dictionary = new Dictionary();
    expect(find(dictionary, "SQL1")).toBe(-1);
    expect([add(dictionary, "SQL1"), add(dictionary, "SQL2"), add(dictionary, "SQL1")]).toEqual([1, 2, 1]);
    expect([find(dictionary, "SQL1"), find(dictionary, "SQL2"), find(dictionary, "SQL")]).toEqual([1, 2, -1]);
    expect(dictionary.find(bytesOf("in SQL2."), 3, 4, 0)).toBe(2);
    expect(dictionary.texts).toEqual(["", "SQL1", "SQL2"]);
  });

  it("are apart by encoding, where bytes are the same", () => {
    const dictionary = new Dictionary();
    add(dictionary, "SQL1", 1);
    expect([find(dictionary, "SQL1", 2), find(dictionary, "SQL1", 1)]).toEqual([-1, 1]);
  });

  it("keep their bytes when the buffer they came from is used again", () => {
    const dictionary = new Dictionary();
    const buffer = bytesOf("SQL1");
    dictionary.add(buffer, 0, 4, 0, "SQL1");
    buffer.setUint8(3, 0x39);
    expect([dictionary.find(buffer, 0, 4, 0), find(dictionary, "SQL1")]).toEqual([-1, 1]);
  });

  it("of one hash are distinguished by all their bytes, and eight of them are remembered", () => {
    // Ten texts of the same FNV-1a hash, found by search.
    const forged =
      "abcdabcd eaciabvA nksgakor wwsEanbm xlccarbi znlFaudx FCBwaAia frgqbcjC kelvbdfj Cdbmbgdc".split(" ");
    const dictionary = new Dictionary();
    expect(forged.map((text) => add(dictionary, text))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(forged.map((text) => find(dictionary, text))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, -1, -1]);
    // Further values are decoded again, to the same entry.
    expect(add(dictionary, "Cdbmbgdc")).toBe(10);
  });

  it("have room for their bytes and their text, and share one entry beyond it", () => {
    // Four units of text and four bytes: twelve.
    const dictionary = small(23);
    expect(add(dictionary, "SQL1")).toBe(1);
    expect([find(dictionary, "SQL1"), dictionary.isFull]).toEqual([1, false]);
    // Eight of the remaining eleven bytes are for the text, so that none is left for its key.
    expect(add(dictionary, "SQL2")).toBe(2);
    expect(find(dictionary, "SQL2")).toBe(-1);
    expect(dictionary.isFull).toBe(false);
    expect([add(dictionary, "SQL3"), add(dictionary, "SQL4")]).toEqual([3, 3]);
    expect(dictionary.isFull).toBe(true);
    expect(dictionary.texts[3]).toBe(OTHERS);
    expect([find(dictionary, "SQL3"), add(dictionary, "SQL1")]).toEqual([-1, 1]);
  });

  it("use the room to its last byte, which all dictionaries of a reading share", () => {
    const room = new TextRoom({ ...DEFAULT_LIMITS, dictionaryBytes: 24 });
    const [first, second] = [new Dictionary(room), new Dictionary(room)];
    expect([add(first, "SQL1"), add(second, "SQL2"), find(second, "SQL2")]).toEqual([1, 1, 1]);
    expect([first.ofText("x"), first.isFull, second.isFull]).toEqual([2, true, false]);
    expect(first.texts[2]).toBe(OTHERS);
  });

  it("fit into 16 bits", () => {
    const dictionary = new Dictionary();
    for (let n = 1; n < 0xffff; n++) dictionary.ofText(String(n));
    expect(dictionary.isFull).toBe(false);
    expect([dictionary.ofText("one more"), dictionary.ofText("1")]).toEqual([0xffff, 1]);
    expect(dictionary.texts[0xffff]).toBe(OTHERS);
  });
});
